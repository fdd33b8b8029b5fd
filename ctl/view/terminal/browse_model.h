/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What flamectl browse shows of a call tree: as a tree of calls, from functions
 * to their callers, or as a list, where the eye is in each, and what was
 * searched for. No terminal and no file is known here.
 *
 * 100 % is all of the tree, also where one has zoomed into a part.
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

/* Zooms into zooms; further ones take the place of the last. */
#define BROWSE_ZOOMS_MAX	64

/* Of one page: the tree or the callers. */
struct browse_calls {
	struct tree_rows rows;
	uint32_t zooms[BROWSE_ZOOMS_MAX];	/* what was zoomed into, outermost first */
	unsigned int nr_zooms;
};

struct browse {
	const struct tree *tree;	/* summed; lives as long */
	const char *unit;		/* what its weights count, in the plural */
	enum browse_page page;
	struct browse_calls calls[BROWSE_LIST];
	struct callers *callers;	/* NULL until they are looked at */
	struct flat *flat;		/* likewise */
	struct cursor list;
	struct search search;
	const struct tree *searched;	/* what its hits are of, or NULL */
	char message[256];		/* of the last key, or "" */
};

/* A row of any page, to be drawn. */
struct browse_row {
	const char *name;
	uint64_t self, total;
	enum tree_kind kind;
	bool may_open, is_open, matches;
};

/**
 * browse_init() - look at @tree.
 * @unit: what it is weighed in; kept, not copied.
 *
 * Return: 0 or -ENOMEM; to be freed by browse_deinit() in any case.
 */
int browse_init(struct browse *browse, const struct tree *tree,
		const char *unit);

/** browse_deinit() - free what it holds; fine after zeroing. */
void browse_deinit(struct browse *browse);

/** browse_nr_rows() - of the page. */
uint32_t browse_nr_rows(const struct browse *browse);

/** browse_cursor() - of the page. */
const struct cursor *browse_cursor(const struct browse *browse);

/** browse_rows() - of the page; NULL for the list. */
const struct tree_rows *browse_rows(const struct browse *browse);

/** browse_row() - what there is to draw of @row, which there is. */
struct browse_row browse_row(const struct browse *browse, uint32_t row);

/** browse_zoomed() - the node that is zoomed into, or NULL. */
const struct tree_node *browse_zoomed(const struct browse *browse);

/** browse_resize() - the screen has room for so many rows. */
void browse_resize(struct browse *browse, uint32_t height);

/*
 * What keys do. Return: 0, -ENOMEM, or -EOVERFLOW where callers are more than a
 * tree holds. What there is to say to people is in browse->message.
 */

/** browse_show() - another page. */
int browse_show(struct browse *browse, enum browse_page page);

/** browse_move() - select the row so many below. */
void browse_move(struct browse *browse, int64_t rows);

/** browse_open() - open the selected row, or zoom where it is open. */
int browse_open(struct browse *browse);

/** browse_close() - close the selected row, go up, or zoom out. */
int browse_close(struct browse *browse);

/** browse_enter() - open or close the row; of the list, show it in the tree. */
int browse_enter(struct browse *browse);

/** browse_zoom() - show only the selected row and what is below it. */
int browse_zoom(struct browse *browse);

/** browse_zoom_out() - back to what was shown before; else forget the search. */
int browse_zoom_out(struct browse *browse);

/** browse_search() - go to the next name that @text, a regex, matches. */
int browse_search(struct browse *browse, const char *text);

/** browse_next() - go to the next match, or to the one before. */
int browse_next(struct browse *browse, bool forward);

/**
 * browse_graph() - what is shown, as a tree: for the list that of the calls.
 * @made: set to a tree to be freed after use, or to NULL where it is
 *	  browse->tree itself.
 */
int browse_graph(const struct browse *browse, struct tree **made);

#endif /* FLAMECTL_BROWSE_MODEL_H */
