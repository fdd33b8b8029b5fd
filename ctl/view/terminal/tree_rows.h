/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The visible rows of a call tree whose nodes can be opened and closed.
 *
 * Only children of open nodes have rows and are sorted, so a tree of a million
 * nodes costs nothing until its nodes are opened.
 */
#ifndef FLAMECTL_TREE_ROWS_H
#define FLAMECTL_TREE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"
#include "tree/tree_order.h"
#include "view/terminal/cursor.h"

struct tree_row {
	uint32_t node;
	uint16_t depth;			/* below @root; TREE_DEPTH_MAX fits */
	uint16_t indent;		/* as drawn: less for chained rows */
};

struct tree_rows {
	const struct tree *tree;
	/*
	 * adds the children of a node to a tree that is built on demand; or
	 * NULL
	 */
	int (*grow)(void *context, uint32_t node);
	void *context;
	uint32_t root;			/* the zoomed node, 0: all */
	struct tree_row *rows;		/* the visible ones, in order */
	uint32_t nr, max;
	struct cursor cursor;
	/* private to tree_rows.c */
	uint8_t *flags;			/* by node */
	uint32_t max_flags;
	struct tree_order order;
	struct tree_row *pending, *made;
	uint32_t max_pending, nr_made, max_made;
};

/**
 * tree_rows_show() - show @root and all below it; 0 for all. Nodes that were
 * opened stay open. Selects the first row.
 *
 * Return: 0, -ENOMEM, or the result of rows->grow().
 */
int tree_rows_show(struct tree_rows *rows, uint32_t root);

/** tree_rows_deinit() - free the rows; may be zeroed. */
void tree_rows_deinit(struct tree_rows *rows);

/** tree_rows_may_open() - report whether there is anything below @row. */
bool tree_rows_may_open(const struct tree_rows *rows, uint32_t row);

/** tree_rows_is_open() - report whether what is below @row is shown. */
bool tree_rows_is_open(const struct tree_rows *rows, uint32_t row);

/**
 * tree_rows_open() - open @row, and any chain of only callees below it.
 * Return: as tree_rows_show(); rows may then be partly open.
 */
int tree_rows_open(struct tree_rows *rows, uint32_t row);

/** tree_rows_close() - hide all below @row. */
void tree_rows_close(struct tree_rows *rows, uint32_t row);

/**
 * tree_rows_above() - return the row of @row's parent, or @row if it has none.
 */
uint32_t tree_rows_above(const struct tree_rows *rows, uint32_t row);

/**
 * tree_rows_reveal() - open all nodes above @node, which must be below the root
 * shown, and select its row. Return: as tree_rows_open().
 */
int tree_rows_reveal(struct tree_rows *rows, uint32_t node);

/* What is drawn before a row's name, one per level, the outermost first. */
enum tree_guide {
	TREE_GUIDE_NONE,		/* nothing */
	TREE_GUIDE_PAST,		/* a line to rows further down */
	TREE_GUIDE_BRANCH,		/* a branch of it */
	TREE_GUIDE_LAST,		/* the last branch */
};

/**
 * tree_rows_guides() - get the guides of @row, only the innermost @max ones.
 * Return: how many there are.
 */
uint32_t tree_rows_guides(const struct tree_rows *rows, uint32_t row,
			  enum tree_guide *guides, uint32_t max);

#endif /* FLAMECTL_TREE_ROWS_H */
