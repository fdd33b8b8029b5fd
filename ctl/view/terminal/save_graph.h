/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key w of terminal views: saves what is shown as a flame graph.
 */
#ifndef FLAMECTL_SAVE_GRAPH_H
#define FLAMECTL_SAVE_GRAPH_H

#include <stddef.h>

#include "tree/tree.h"
#include "view/svg/svg.h"

/**
 * save_graph() - write a flame graph of @tree, which must be summed.
 * @svg: title, unit, note and profile; its width is set here.
 * @path: the file's name, or NULL for flamectl-@command-DATE-TIME.svg.
 * @command: the command whose key it is, such as top.
 * @message: set to a message for the user: that it was written, or why not.
 */
void save_graph(const struct tree *tree, struct svg_options *svg,
		const char *path, const char *command, char *message,
		size_t size);

#endif /* FLAMECTL_SAVE_GRAPH_H */
