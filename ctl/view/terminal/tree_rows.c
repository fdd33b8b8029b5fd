// SPDX-License-Identifier: GPL-2.0
/*
 * Rows of a tree, created when they are first shown: see tree_rows.h.
 */
#include "view/terminal/tree_rows.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Flags of a node. */
#define OPENED	1
#define LAST	2	/* the last of its siblings, as sorted */
#define CHAINED	4	/* only child, as heavy as its parent: no indent */

static_assert(TREE_DEPTH_MAX <= UINT16_MAX, "a row's depth has 16 bits");

static int reserve(struct tree_row **rows, uint32_t *max, uint64_t nr)
{
	uint64_t room = *max ?: 64;
	struct tree_row *bigger;

	while (room < nr)
		room *= 2;
	if (room == *max)
		return 0;
	if (room > UINT32_MAX)
		return -ENOMEM;
	bigger = reallocarray(*rows, room, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	*rows = bigger;
	*max = (uint32_t)room;
	return 0;
}

static int reserve_flags(struct tree_rows *rows)
{
	uint32_t room = rows->max_flags ?: 256;
	uint8_t *flags;

	while (room < rows->tree->nr_nodes)
		room *= 2;
	if (room == rows->max_flags)
		return 0;
	flags = realloc(rows->flags, room);
	if (!flags)
		return -ENOMEM;
	memset(flags + rows->max_flags, 0, room - rows->max_flags);
	rows->flags = flags;
	rows->max_flags = room;
	return 0;
}

/* ---- making rows ---- */

static const struct tree_node *node_of(const struct tree_rows *rows,
				       uint32_t row)
{
	return &rows->tree->nodes[rows->rows[row].node];
}

/*
 * Push the children of @node, in reverse order, for its row @above; NULL for
 * the root's.
 */
static int push_children(struct tree_rows *rows, uint32_t *nr_pending,
			 uint32_t node, const struct tree_row *above)
{
	struct tree_order *order = &rows->order;
	bool chained;
	int err = rows->grow ? rows->grow(rows->context, node) : 0;

	err = err ?: tree_order_children(order, rows->tree, node) ?:
	      reserve_flags(rows) ?:
	      reserve(&rows->pending, &rows->max_pending,
		      (uint64_t)*nr_pending + order->nr);
	if (err)
		return err;
	/* not below outermost rows, as they would look like outermost ones */
	chained = above && above->depth && order->nr == 1 &&
		  !rows->tree->nodes[node].self;
	for (uint32_t i = order->nr; i--;) {
		uint8_t *flags = &rows->flags[order->nodes[i]];

		*flags &= OPENED;
		*flags |= (i + 1 == order->nr ? LAST : 0) |
			  (chained ? CHAINED : 0);
		rows->pending[(*nr_pending)++] = (struct tree_row) {
			.node = order->nodes[i],
			.depth = above ? above->depth + 1 : 0,
			.indent = above ? above->indent + !chained : 0,
		};
	}
	return 0;
}

/* Make the pending rows, and those of all opened nodes below them. */
static int make(struct tree_rows *rows, uint32_t nr_pending)
{
	rows->nr_made = 0;
	while (nr_pending) {
		struct tree_row row = rows->pending[--nr_pending];
		int err = reserve(&rows->made, &rows->max_made,
				  (uint64_t)rows->nr_made + 1);

		if (!err) {
			rows->made[rows->nr_made++] = row;
			if (rows->flags[row.node] & OPENED)
				err = push_children(rows, &nr_pending, row.node,
						    &row);
		}
		if (err)
			return err;
	}
	return 0;
}

static int insert_made(struct tree_rows *rows, uint32_t at)
{
	int err = reserve(&rows->rows, &rows->max,
			  (uint64_t)rows->nr + rows->nr_made);

	if (err || !rows->nr_made)
		return err;
	memmove(rows->rows + at + rows->nr_made, rows->rows + at,
		(rows->nr - at) * sizeof(*rows->rows));
	memcpy(rows->rows + at, rows->made,
	       rows->nr_made * sizeof(*rows->rows));
	rows->nr += rows->nr_made;
	return 0;
}

int tree_rows_show(struct tree_rows *rows, uint32_t root)
{
	uint32_t nr_pending = 0;
	int err;

	rows->nr = 0;
	rows->root = root;
	rows->cursor.selected = rows->cursor.first = 0;
	err = reserve_flags(rows) ?:
	      reserve(&rows->pending, &rows->max_pending, 1);
	if (!err && root) {
		rows->flags[root] |= OPENED;
		rows->pending[nr_pending++] = (struct tree_row) { .node = root };
	} else if (!err) {
		err = push_children(rows, &nr_pending, 0, NULL);
	}
	return err ?: make(rows, nr_pending) ?: insert_made(rows, 0);
}

void tree_rows_deinit(struct tree_rows *rows)
{
	free(rows->rows);
	free(rows->flags);
	free(rows->pending);
	free(rows->made);
	tree_order_deinit(&rows->order);
	memset(rows, 0, sizeof(*rows));
}

/* ---- opening and closing ---- */

bool tree_rows_may_open(const struct tree_rows *rows, uint32_t row)
{
	const struct tree_node *node = node_of(rows, row);

	/*
	 * time that is not its own is below it, even if rows->grow() was not
	 * called yet
	 */
	return node->child || node->total > node->self;
}

bool tree_rows_is_open(const struct tree_rows *rows, uint32_t row)
{
	return rows->flags[rows->rows[row].node] & OPENED &&
	       tree_rows_may_open(rows, row);
}

static int open_one(struct tree_rows *rows, uint32_t row)
{
	uint32_t nr_pending = 0;
	int err;

	err = push_children(rows, &nr_pending, rows->rows[row].node,
			    &rows->rows[row]) ?:
	      make(rows, nr_pending) ?: insert_made(rows, row + 1);
	if (!err)
		rows->flags[rows->rows[row].node] |= OPENED;
	return err;
}

int tree_rows_open(struct tree_rows *rows, uint32_t row)
{
	int err = 0;

	while (!err && row < rows->nr && tree_rows_may_open(rows, row) &&
	       !tree_rows_is_open(rows, row)) {
		err = open_one(rows, row);
		/* continue only as long as there is a single child */
		if (row + 2 < rows->nr &&
		    rows->rows[row + 2].depth == rows->rows[row + 1].depth)
			break;
		row++;
	}
	return err;
}

/* Return the first row after those below @row. */
static uint32_t end_of(const struct tree_rows *rows, uint32_t row)
{
	uint32_t end = row + 1;

	while (end < rows->nr && rows->rows[end].depth > rows->rows[row].depth)
		end++;
	return end;
}

void tree_rows_close(struct tree_rows *rows, uint32_t row)
{
	uint32_t end = end_of(rows, row);

	rows->flags[rows->rows[row].node] &= ~OPENED;
	memmove(rows->rows + row + 1, rows->rows + end,
		(rows->nr - end) * sizeof(*rows->rows));
	rows->nr -= end - row - 1;
	cursor_move(&rows->cursor, rows->nr, 0);
}

uint32_t tree_rows_above(const struct tree_rows *rows, uint32_t row)
{
	uint32_t above = row;

	if (!rows->rows[row].depth)
		return row;
	while (rows->rows[above].depth >= rows->rows[row].depth)
		above--;
	return above;
}

/* Find the row of @node from row @from on; it must be shown. */
static uint32_t find(const struct tree_rows *rows, uint32_t node, uint32_t from)
{
	while (from + 1 < rows->nr && rows->rows[from].node != node)
		from++;
	return from;
}

int tree_rows_reveal(struct tree_rows *rows, uint32_t node)
{
	uint32_t path[TREE_DEPTH_MAX], depth = 0, row = 0;
	int err = 0;

	for (uint32_t at = node; at && depth < TREE_DEPTH_MAX;
	     at = at == rows->root ? 0 : rows->tree->nodes[at].parent)
		path[depth++] = at;
	while (!err && depth--) {
		row = find(rows, path[depth], row);
		if (depth && !tree_rows_is_open(rows, row))
			err = open_one(rows, row);
	}
	if (!err)
		cursor_go(&rows->cursor, rows->nr, row);
	return err;
}

/* ---- guides ---- */

uint32_t tree_rows_guides(const struct tree_rows *rows, uint32_t row,
			  enum tree_guide *guides, uint32_t max)
{
	uint32_t nr = rows->rows[row].indent, node = rows->rows[row].node;
	uint32_t at = node, put;

	if (nr > max)
		nr = max;
	for (put = nr; put; at = rows->tree->nodes[at].parent) {
		uint8_t flags = rows->flags[at];

		if (flags & CHAINED)
			continue;
		if (at == node)
			guides[--put] = flags & LAST ? TREE_GUIDE_LAST :
						       TREE_GUIDE_BRANCH;
		else
			guides[--put] = flags & LAST ? TREE_GUIDE_NONE :
						       TREE_GUIDE_PAST;
	}
	return nr;
}
