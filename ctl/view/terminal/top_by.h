/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the rows of flamectl top's list are, and what its tree is grouped by:
 * functions, or the groups of a list of levels.
 *
 * It is a struct fold_options. Without levels the list is of functions, each
 * with its self and its total.
 */
#ifndef FLAMECTL_TOP_BY_H
#define FLAMECTL_TOP_BY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tree/tree.h"

/* Those that the key b goes through, and one more from the command line. */
#define TOP_BYS_MAX	7

/* "pid,tid,cpu,comm,context,host,module,function" and a NUL, amply */
#define TOP_BY_TEXT	64

/* The names of a group's levels with two spaces between; longer ones are cut. */
#define TOP_GROUP_TEXT	1024

/** top_by_all() - set @bys to those of the key b. Return: how many they are. */
unsigned int top_by_all(struct fold_options bys[TOP_BYS_MAX]);

/**
 * top_by_parse() - "function", "pid,comm,module"; as fold_options_by(), but that
 * "function" alone is what "none" is.
 * Return: 0, or -EINVAL with @error.
 */
int top_by_parse(const char *text, struct fold_options *by,
		 struct error *error);

/** top_by_same() - are they of the same levels in the same order? */
bool top_by_same(const struct fold_options *a, const struct fold_options *b);

/** top_by_text() - "function", "pid,comm,module". Return: @text. */
const char *top_by_text(char text[TOP_BY_TEXT], const struct fold_options *by);

/**
 * top_by_is_group() - is a node of a tree folded by @by a group of all levels,
 * or lost periods above the last level?
 */
bool top_by_is_group(const struct fold_options *by, const struct tree *tree,
		     uint32_t node);

/**
 * top_by_nodes() - the nodes of a group from the first level to @group.
 * Return: how many there are; fewer than levels for lost periods.
 */
unsigned int top_by_nodes(const struct tree *tree, uint32_t group,
			  uint32_t nodes[FOLD_LEVEL_MAX]);

/** top_by_group_text() - "pid 1  cat  [kernel]". Return: @text. */
const char *top_by_group_text(char text[TOP_GROUP_TEXT],
			      const struct tree *tree, uint32_t group);

#endif /* FLAMECTL_TOP_BY_H */
