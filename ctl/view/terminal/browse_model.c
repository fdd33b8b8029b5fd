// SPDX-License-Identifier: GPL-2.0
/*
 * State of flamectl browse, and what its keys do: see browse_model.h.
 */
#include "view/terminal/browse_model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/percent.h"

int browse_init(struct browse *browse, const struct tree *tree,
		const char *unit)
{
	memset(browse, 0, sizeof(*browse));
	browse->tree = tree;
	browse->unit = unit;
	browse->calls[BROWSE_TREE].rows.tree = tree;
	return tree_rows_show(&browse->calls[BROWSE_TREE].rows, 0);
}

void browse_deinit(struct browse *browse)
{
	for (int i = 0; i < BROWSE_LIST; i++)
		tree_rows_deinit(&browse->calls[i].rows);
	callers_destroy(browse->callers);
	flat_destroy(browse->flat);
	search_deinit(&browse->search);
	memset(browse, 0, sizeof(*browse));
}

/* ---- what there is ---- */

static struct browse_calls *calls_of(struct browse *browse)
{
	return browse->page == BROWSE_LIST ? NULL :
	       &browse->calls[browse->page];
}

const struct tree_rows *browse_rows(const struct browse *browse)
{
	return browse->page == BROWSE_LIST ? NULL :
	       &browse->calls[browse->page].rows;
}

uint32_t browse_nr_rows(const struct browse *browse)
{
	return browse->page == BROWSE_LIST ? browse->flat->nr_functions :
	       browse_rows(browse)->nr;
}

const struct cursor *browse_cursor(const struct browse *browse)
{
	return browse->page == BROWSE_LIST ? &browse->list :
	       &browse_rows(browse)->cursor;
}

static struct cursor *cursor_of(struct browse *browse)
{
	return (struct cursor *)browse_cursor(browse);
}

struct browse_row browse_row(const struct browse *browse, uint32_t row)
{
	const struct tree_rows *rows = browse_rows(browse);
	struct browse_row shown = { 0 };

	if (rows) {
		const struct tree_node *node =
			&rows->tree->nodes[rows->rows[row].node];

		shown.name = node->name;
		shown.self = node->self;
		shown.total = node->total;
		shown.kind = node->kind;
		shown.may_open = tree_rows_may_open(rows, row);
		shown.is_open = tree_rows_is_open(rows, row);
	} else {
		const struct flat_function *function =
			&browse->flat->functions[row];

		shown.name = function->name;
		shown.self = function->self;
		shown.total = function->total;
		shown.kind = function->kind;
	}
	shown.matches = search_matches(&browse->search, shown.name);
	return shown;
}

const struct tree_node *browse_zoomed(const struct browse *browse)
{
	const struct tree_rows *rows = browse_rows(browse);

	return rows && rows->root ? &rows->tree->nodes[rows->root] : NULL;
}

void browse_resize(struct browse *browse, uint32_t height)
{
	for (int i = 0; i < BROWSE_LIST; i++)
		browse->calls[i].rows.cursor.height = height;
	browse->list.height = height;
	browse_move(browse, 0);
}

void browse_move(struct browse *browse, int64_t rows)
{
	cursor_move(cursor_of(browse), browse_nr_rows(browse), rows);
}

/* ---- pages ---- */

static int make_callers(struct browse *browse)
{
	struct tree_rows *rows = &browse->calls[BROWSE_CALLERS].rows;
	int err;

	if (browse->callers)
		return 0;
	err = callers_create(&browse->callers, browse->tree);
	if (err)
		return err;
	rows->tree = callers_tree(browse->callers);
	rows->grow = callers_grow;
	rows->context = browse->callers;
	return tree_rows_show(rows, 0);
}

int browse_show(struct browse *browse, enum browse_page page)
{
	int err = 0;

	if (page == BROWSE_CALLERS)
		err = make_callers(browse);
	else if (page == BROWSE_LIST && !browse->flat)
		err = browse->is_grouped ?
		      flat_create_functions(&browse->flat, browse->tree) :
		      flat_create(&browse->flat, browse->tree);
	if (!err)
		browse->page = page;
	browse_move(browse, 0);
	return err;
}

/* ---- opening, closing and zooming ---- */

static bool is_any_row(const struct browse *browse)
{
	return browse_cursor(browse)->selected < browse_nr_rows(browse);
}

int browse_open(struct browse *browse)
{
	struct browse_calls *calls = calls_of(browse);
	uint32_t row;

	if (!is_any_row(browse))
		return 0;
	if (!calls)
		return browse_enter(browse);
	row = calls->rows.cursor.selected;
	return tree_rows_is_open(&calls->rows, row) ? browse_zoom(browse) :
	       tree_rows_open(&calls->rows, row);
}

int browse_close(struct browse *browse)
{
	struct browse_calls *calls = calls_of(browse);
	uint32_t row;

	if (!calls || !is_any_row(browse))
		return 0;
	row = calls->rows.cursor.selected;
	/* the root of a zoom cannot be closed, as nothing would be left */
	if (!calls->rows.rows[row].depth && calls->rows.root)
		return browse_zoom_out(browse);
	if (tree_rows_is_open(&calls->rows, row)) {
		tree_rows_close(&calls->rows, row);
		return 0;
	}
	cursor_go(&calls->rows.cursor, calls->rows.nr,
		  tree_rows_above(&calls->rows, row));
	return 0;
}

/*
 * Show the list's selected function in the tree; n then goes to the next one.
 */
static int show_in_tree(struct browse *browse)
{
	struct browse_row row = browse_row(browse, browse->list.selected);
	struct tree_rows *rows = &browse->calls[BROWSE_TREE].rows;
	int err;

	err = search_for_name(&browse->search, row.name);
	browse->searched = NULL;
	browse->calls[BROWSE_TREE].nr_zooms = 0;
	if (!err && rows->root)
		err = tree_rows_show(rows, 0);
	if (!err)
		err = browse_show(browse, BROWSE_TREE);
	if (!err)
		rows->cursor.selected = rows->cursor.first = 0;
	/* the first row may match */
	if (!err && rows->nr &&
	    search_matches(&browse->search, browse_row(browse, 0).name))
		return 0;
	return err ?: browse_next(browse, true);
}

int browse_enter(struct browse *browse)
{
	struct browse_calls *calls = calls_of(browse);
	uint32_t row;

	if (!is_any_row(browse))
		return 0;
	if (!calls)
		return show_in_tree(browse);
	row = calls->rows.cursor.selected;
	if (!tree_rows_is_open(&calls->rows, row) ||
	    (!calls->rows.rows[row].depth && calls->rows.root))
		return tree_rows_open(&calls->rows, row);
	tree_rows_close(&calls->rows, row);
	return 0;
}

int browse_zoom(struct browse *browse)
{
	struct browse_calls *calls = calls_of(browse);
	uint32_t node;

	if (!is_any_row(browse))
		return 0;
	if (!calls) {
		snprintf(browse->message, sizeof(browse->message),
			 "a list cannot be zoomed: Enter shows the function in the tree");
		return 0;
	}
	node = calls->rows.rows[calls->rows.cursor.selected].node;
	if (node == calls->rows.root)
		return 0;
	if (calls->nr_zooms == BROWSE_ZOOMS_MAX)
		calls->nr_zooms--;
	calls->zooms[calls->nr_zooms++] = node;
	return tree_rows_show(&calls->rows, node);
}

int browse_zoom_out(struct browse *browse)
{
	struct browse_calls *calls = calls_of(browse);
	uint32_t was;

	if (!calls || !calls->nr_zooms) {
		search_deinit(&browse->search);
		browse->searched = NULL;
		return 0;
	}
	was = calls->zooms[--calls->nr_zooms];
	return tree_rows_show(&calls->rows, calls->nr_zooms ?
			      calls->zooms[calls->nr_zooms - 1] : 0) ?:
	       tree_rows_reveal(&calls->rows, was);
}

/* ---- searching ---- */

static void say_found(struct browse *browse, uint32_t nr, uint64_t weight)
{
	uint64_t whole = browse->tree->nodes[0].total;
	char share[PERCENT_TEXT];

	snprintf(browse->message, sizeof(browse->message),
		 "/%.100s: %u frame%s, %s %% of all", browse->search.text, nr,
		 nr == 1 ? "" : "s", percent_text(share, weight, whole ?: 1));
}

static int search_calls(struct browse *browse, bool forward, uint32_t *found)
{
	struct tree_rows *rows = &browse->calls[BROWSE_TREE].rows;
	uint32_t from = rows->nr ? rows->rows[rows->cursor.selected].node :
				   rows->root;
	int err = 0;

	if (browse->searched != rows->tree)
		err = search_tree(&browse->search, rows->tree);
	if (err)
		return err;
	browse->searched = rows->tree;
	err = search_tree_next(&browse->search, rows->tree, rows->root, from,
			       forward, found);
	return err || !*found ? err : tree_rows_reveal(rows, *found);
}

/* Search the rows of the list, or of callers, which exist only once opened. */
static bool search_rows(struct browse *browse, bool forward)
{
	uint32_t nr = browse_nr_rows(browse);
	uint32_t at = browse_cursor(browse)->selected;

	for (uint32_t i = 0; i < nr; i++) {
		at = forward ? at + 1 < nr ? at + 1 : 0 : at ? at - 1 : nr - 1;
		if (browse_row(browse, at).matches) {
			cursor_go(cursor_of(browse), nr, at);
			return true;
		}
	}
	return false;
}

int browse_next(struct browse *browse, bool forward)
{
	const char *what = browse->page == BROWSE_TREE ? "frame" : "row";
	const char *sought = browse->search.name ?: browse->search.text;
	bool had = is_any_row(browse) &&
		   browse_row(browse, browse_cursor(browse)->selected).matches;
	uint32_t before = browse_cursor(browse)->selected, found = 0;
	int err = 0;

	if (!search_is_any(&browse->search)) {
		snprintf(browse->message, sizeof(browse->message),
			 "nothing to go to: search with /");
		return 0;
	}
	if (browse->page == BROWSE_TREE)
		err = search_calls(browse, forward, &found);
	else
		found = search_rows(browse, forward);
	if (!err && !found)
		snprintf(browse->message, sizeof(browse->message),
			 "/%.100s: no %s matches%s", sought, what,
			 browse_zoomed(browse) ? " here: Esc zooms out" : "");
	else if (!err && had && browse_cursor(browse)->selected == before)
		snprintf(browse->message, sizeof(browse->message),
			 "/%.100s: no other %s matches%s", sought, what,
			 browse_zoomed(browse) ? " here: Esc zooms out" : "");
	return err;
}

int browse_search(struct browse *browse, const char *text)
{
	const struct tree_rows *rows = browse_rows(browse);
	struct error error;
	uint64_t weight;
	uint32_t nr;
	int err;

	browse->message[0] = '\0';
	err = search_for(&browse->search, text, &error);
	if (err) {
		snprintf(browse->message, sizeof(browse->message), "%.250s",
			 error.text);
		return 0;
	}
	browse->searched = NULL;
	if (!*text)
		return 0;
	err = browse_next(browse, true);
	if (err || browse->page != BROWSE_TREE ||
	    strstr(browse->message, ": no frame matches"))
		return err;
	search_tree_sum(&browse->search, rows->tree, rows->root, &nr, &weight);
	say_found(browse, nr, weight);
	return 0;
}

/* ---- what is shown, as a tree ---- */

/* Copy @root and all below it to a new tree, as its only child of the root. */
static int copy_part(const struct tree *tree, uint32_t root, struct tree **part)
{
	uint32_t *copies = calloc(tree->nr_nodes, sizeof(*copies));
	const struct tree_node *nodes = tree->nodes;
	struct tree *copy = tree_create();
	int err = copies && copy ? 0 : -ENOMEM;

	/* a parent's number is lower than its children's */
	for (uint32_t i = root; i < tree->nr_nodes && !err; i++) {
		uint32_t above = i == root ? 0 : copies[nodes[i].parent];

		if (i != root && !above)
			continue;
		err = tree_add(copy, above, nodes[i].name, nodes[i].kind,
			       &copies[i]);
		if (!err)
			copy->nodes[copies[i]].self = nodes[i].self;
	}
	free(copies);
	if (err) {
		tree_destroy(copy);
		return err;
	}
	tree_sum(copy);
	*part = copy;
	return 0;
}

/* Find node @node of @from in @tree, which has all nodes of @from. */
static int find_same(struct tree *tree, const struct tree *from, uint32_t node,
		     uint32_t *same)
{
	uint32_t path[TREE_DEPTH_MAX], depth = 0;
	int err = 0;

	for (; node && depth < TREE_DEPTH_MAX; node = from->nodes[node].parent)
		path[depth++] = node;
	*same = 0;
	while (depth-- && !err)
		err = tree_add(tree, *same, from->nodes[path[depth]].name,
			       from->nodes[path[depth]].kind, same);
	return err;
}

int browse_graph(const struct browse *browse, struct tree **made)
{
	const struct tree_rows *rows = browse_rows(browse);
	struct tree *reversed;
	uint32_t same;
	int err;

	*made = NULL;
	if (!rows || (browse->page == BROWSE_TREE && !rows->root))
		return 0;
	if (browse->page == BROWSE_TREE)
		return copy_part(browse->tree, rows->root, made);
	err = tree_reverse(&reversed, browse->tree);
	if (err)
		return err;
	if (!rows->root) {
		*made = reversed;
		return 0;
	}
	err = find_same(reversed, rows->tree, rows->root, &same) ?:
	      copy_part(reversed, same, made);
	tree_destroy(reversed);
	return err;
}
