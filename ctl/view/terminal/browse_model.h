/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of flamectl browse: a call tree shown as a tree of calls, from
 * functions to their callers, or as a list; the selection in each; and the
 * search. It uses neither terminal nor files.
 *
 * 100 % is the whole tree, also after zooming into a part.
 */
#ifndef FLAMECTL_BROWSE_MODEL_H
#define FLAMECTL_BROWSE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/callers.h"
#include "tree/flat.h"
#include "tree/tree.h"
#include "view/terminal/cursor.h"
#include "view/terminal/search.h"
#include "view/terminal/tree_rows.h"

enum browse_page { BROWSE_TREE, BROWSE_CALLERS, BROWSE_LIST, BROWSE_PAGES };

/* Limit of nested zooms; further ones replace the last one. */
#define BROWSE_ZOOMS_MAX	64

/* The tree page or the callers page. */
struct browse_calls {
	struct tree_rows rows;
	uint32_t zooms[BROWSE_ZOOMS_MAX];	/* zoomed, outermost first */
	unsigned int nr_zooms;
};

struct browse {
	const struct tree *tree;	/* summed; must live as long */
	const char *unit;		/* of its weights, in the plural */
	bool is_grouped;		/* groups are known: the list omits them */
	enum browse_page page;
	struct browse_calls calls[BROWSE_LIST];
	struct callers *callers;	/* NULL until they are shown */
	struct flat *flat;		/* likewise */
	struct cursor list;
	struct search search;
	const struct tree *searched;	/* the tree of search.hits, or NULL */
	char message[256];		/* result of the last key, or "" */
};

/* A row of any page, to be drawn. */
struct browse_row {
	const char *name;
	uint64_t self, total;
	enum tree_kind kind;
	bool may_open, is_open, matches;
};

/**
 * browse_init() - set up the state for @tree.
 * @unit: unit of its weights; kept, not copied.
 *
 * Return: 0 or -ENOMEM; call browse_deinit() in either case.
 */
int browse_init(struct browse *browse, const struct tree *tree,
		const char *unit);

/** browse_deinit() - free what @browse holds; it may be zeroed. */
void browse_deinit(struct browse *browse);

/** browse_nr_rows() - return the number of rows of the current page. */
uint32_t browse_nr_rows(const struct browse *browse);

/** browse_cursor() - return the cursor of the current page. */
const struct cursor *browse_cursor(const struct browse *browse);

/** browse_rows() - return the rows of the current page; NULL for the list. */
const struct tree_rows *browse_rows(const struct browse *browse);

/** browse_row() - return row number @row, which must exist, for drawing. */
struct browse_row browse_row(const struct browse *browse, uint32_t row);

/** browse_zoomed() - return the zoomed node, or NULL. */
const struct tree_node *browse_zoomed(const struct browse *browse);

/** browse_resize() - set the number of rows that fit on the screen. */
void browse_resize(struct browse *browse, uint32_t height);

/*
 * The actions of keys. Return: 0, -ENOMEM, or -EOVERFLOW if there are more
 * callers than a tree can hold. Messages to the user are in browse->message.
 */

/** browse_show() - go to another page. */
int browse_show(struct browse *browse, enum browse_page page);

/** browse_move() - move the selection down by @rows. */
void browse_move(struct browse *browse, int64_t rows);

/** browse_open() - open the selected row, or zoom into it if it is open. */
int browse_open(struct browse *browse);

/** browse_close() - close the selected row, go to its parent, or zoom out. */
int browse_close(struct browse *browse);

/** browse_enter() - open or close the row; on the list, show it in the tree. */
int browse_enter(struct browse *browse);

/** browse_zoom() - show only the selected row and all below it. */
int browse_zoom(struct browse *browse);

/** browse_zoom_out() - undo the last zoom; without one, clear the search. */
int browse_zoom_out(struct browse *browse);

/** browse_search() - go to the next name that @text, a regex, matches. */
int browse_search(struct browse *browse, const char *text);

/** browse_next() - go to the next or previous match. */
int browse_next(struct browse *browse, bool forward);

/**
 * browse_graph() - return what is shown as a tree; for the list, the tree of
 * calls.
 * @made: set to a tree that the caller must free, or to NULL for
 *        browse->tree itself.
 */
int browse_graph(const struct browse *browse, struct tree **made);

#endif /* FLAMECTL_BROWSE_MODEL_H */
