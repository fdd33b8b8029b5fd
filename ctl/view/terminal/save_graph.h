/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key w of views of a terminal: what is shown, as a flame graph in a file.
 */
#ifndef FLAMECTL_SAVE_GRAPH_H
#define FLAMECTL_SAVE_GRAPH_H

#include <stddef.h>

#include "tree/tree.h"
#include "view/svg/svg.h"

/**
 * save_graph() - write a flame graph of @tree, which is summed.
 * @svg: title, unit, note and profile of it; its width is set here.
 * @path: the file's name, or NULL for flamectl-@command-DATE-TIME.svg.
 * @command: top, or whose key it is.
 * @message: set to what there is to say of it: that it is written, or why not.
 */
void save_graph(const struct tree *tree, struct svg_options *svg,
		const char *path, const char *command, char *message,
		size_t size);

#endif /* FLAMECTL_SAVE_GRAPH_H */
