/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree as rows of which one sees as many as were opened.
 *
 * Only what is open has rows, and only children of what is open are sorted: a
 * tree of a million nodes costs nothing until one looks into it.
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
	uint16_t depth;			/* below the root that is shown; TREE_DEPTH_MAX fits */
	uint16_t indent;		/* as drawn: less where there was no choice */
};

struct tree_rows {
	const struct tree *tree;
	/* makes the children of a node, where the tree has not got them yet; or NULL */
	int (*grow)(void *context, uint32_t node);
	void *context;
	uint32_t root;			/* what is zoomed into, 0: all */
	struct tree_row *rows;		/* those that are shown, in order */
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
 * tree_rows_show() - show what is below @root, and @root itself; 0 for all.
 * What was opened stays so. The first row is selected.
 *
 * Return: 0, -ENOMEM, or what rows->grow() returned.
 */
int tree_rows_show(struct tree_rows *rows, uint32_t root);

/** tree_rows_deinit() - free the rows; fine after zeroing. */
void tree_rows_deinit(struct tree_rows *rows);

/** tree_rows_may_open() - is there anything below @row? */
bool tree_rows_may_open(const struct tree_rows *rows, uint32_t row);

/** tree_rows_is_open() - is that shown? */
bool tree_rows_is_open(const struct tree_rows *rows, uint32_t row);

/**
 * tree_rows_open() - open @row, with all only callees below it.
 * Return: as tree_rows_show(); rows may then be open in part.
 */
int tree_rows_open(struct tree_rows *rows, uint32_t row);

/** tree_rows_close() - hide what is below @row. */
void tree_rows_close(struct tree_rows *rows, uint32_t row);

/** tree_rows_above() - the row of the node above @row, or @row without one. */
uint32_t tree_rows_above(const struct tree_rows *rows, uint32_t row);

/**
 * tree_rows_reveal() - open what is above @node, which is below the root that
 * is shown, and select its row. Return: as tree_rows_open().
 */
int tree_rows_reveal(struct tree_rows *rows, uint32_t node);

/* What is drawn before a row's name, a level each; the outermost first. */
enum tree_guide {
	TREE_GUIDE_NONE,		/* nothing */
	TREE_GUIDE_PAST,		/* a line to rows further down */
	TREE_GUIDE_BRANCH,		/* a branch of it */
	TREE_GUIDE_LAST,		/* the last branch */
};

/**
 * tree_rows_guides() - the guides of @row, its innermost @max ones.
 * Return: how many there are.
 */
uint32_t tree_rows_guides(const struct tree_rows *rows, uint32_t row,
			  enum tree_guide *guides, uint32_t max);

#endif /* FLAMECTL_TREE_ROWS_H */
