/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Grouping of flamectl top: what the rows of its list are, and what its tree is
 * grouped by: functions, or groups by a list of levels.
 *
 * It is a struct fold_options. Without levels, the list has functions, each
 * with its self and its total.
 */
#ifndef FLAMECTL_TOP_BY_H
#define FLAMECTL_TOP_BY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tree/tree.h"

/* The groupings of the key b, and one more from the command line. */
#define TOP_BYS_MAX	7

/* Room for "pid,tid,cpu,comm,context,host,cgroup,module,function". */
#define TOP_BY_TEXT	64

/* Room for the names of a group's levels, two spaces apart; they may be cut. */
#define TOP_GROUP_TEXT	1024

/**
 * top_by_all() - set @bys to the groupings of the key b. Return: their number.
 */
unsigned int top_by_all(struct fold_options bys[TOP_BYS_MAX]);

/**
 * top_by_parse() - parse "function" or "pid,comm,module", as fold_options_by()
 * does, but with "function" alone for "none".
 * Return: 0, or -EINVAL with @error.
 */
int top_by_parse(const char *text, struct fold_options *by,
		 struct error *error);

/**
 * top_by_same() - report whether both have the same levels in the same order.
 */
bool top_by_same(const struct fold_options *a, const struct fold_options *b);

/** top_by_text() - write "function" or "pid,comm,module". Return: @text. */
const char *top_by_text(char text[TOP_BY_TEXT], const struct fold_options *by);

/**
 * top_by_is_group() - report whether a node of a tree folded by @by is a group
 * of all levels, or lost periods above the last level.
 */
bool top_by_is_group(const struct fold_options *by, const struct tree *tree,
		     uint32_t node);

/**
 * top_by_nodes() - get the nodes from the first level down to @group.
 * Return: their number; fewer than levels for lost periods.
 */
unsigned int top_by_nodes(const struct tree *tree, uint32_t group,
			  uint32_t nodes[FOLD_LEVEL_MAX]);

/** top_by_group_text() - write "pid 1  cat  [kernel]". Return: @text. */
const char *top_by_group_text(char text[TOP_GROUP_TEXT],
			      const struct tree *tree, uint32_t group);

#endif /* FLAMECTL_TOP_BY_H */
