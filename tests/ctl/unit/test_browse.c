// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl browse without a terminal: its rows, which are made when they are opened, and
 * its keys: callers, searches, zooms, and the tree of the rows that are shown.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "made_profile.h"
#include "view/terminal/browse_model.h"
#include "view/terminal/keys.h"

static const char stacks[] =
	"cat;entry;call;read;copy 30\n"
	"cat;entry;call;read;get;copy 5\n"
	"cat;entry;call;read 1\n"
	"dd;entry;call;write 20\n"
	"dd;entry;call;write;copy 4\n"
	"[lost: overload] 2\n";

static int set_up(void **state)
{
	struct browse *browse = calloc(1, sizeof(*browse));

	assert_int_equal(browse_init(browse, unfold(stacks), "periods"), 0);
	browse_resize(browse, 4);
	*state = browse;
	return 0;
}

static int tear_down(void **state)
{
	struct browse *browse = *state;
	struct tree *tree = (struct tree *)browse->tree;

	browse_deinit(browse);
	tree_destroy(tree);
	free(browse);
	return 0;
}

static char guide_char(enum tree_guide guide)
{
	return " |+`"[guide];
}

/* "guides sign name self/total", the selected one in brackets */
static void expect_rows(const struct browse *browse, const char *expected)
{
	const struct tree_rows *rows = browse_rows(browse);
	char text[4096] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < browse_nr_rows(browse); i++) {
		bool selected = i == browse_cursor(browse)->selected;
		struct browse_row row = browse_row(browse, i);
		enum tree_guide guides[16];
		uint32_t nr = rows ? tree_rows_guides(rows, i, guides, 16) : 0;

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 i ? "\n" : "", selected ? "[" : "");
		for (uint32_t j = 0; j < nr; j++)
			text[used++] = guide_char(guides[j]);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s %lu/%lu%s", !row.may_open ? "" :
					 row.is_open ? "v" : ">", row.name,
					 row.self, row.total, selected ? "]" : "");
	}
	assert_string_equal(text, expected);
}

static void select_row(struct browse *browse, const char *name)
{
	for (uint32_t i = 0; i < browse_nr_rows(browse); i++)
		if (!strcmp(browse_row(browse, i).name, name)) {
			browse_move(browse, (int64_t)i -
				    browse_cursor(browse)->selected);
			return;
		}
	fail_msg("no row is %s", name);
}

static const char *selected(const struct browse *browse)
{
	return browse_row(browse, browse_cursor(browse)->selected).name;
}

static void rows_open_and_close(void **state)
{
	struct browse *browse = *state;

	expect_rows(browse, "[>cat 0/36]\n>dd 0/24\n[lost: overload] 2/2");
	/* down to the first row with a choice */
	assert_int_equal(browse_open(browse), 0);
	expect_rows(browse, "[vcat 0/36]\n`ventry 0/36\n vcall 0/36\n"
		    " vread 1/36\n +copy 30/30\n `>get 0/5\n"
		    ">dd 0/24\n[lost: overload] 2/2");
	select_row(browse, "get");
	assert_int_equal(browse_enter(browse), 0);
	expect_rows(browse, "vcat 0/36\n`ventry 0/36\n vcall 0/36\n"
		    " vread 1/36\n +copy 30/30\n[ `vget 0/5]\n  copy 5/5\n"
		    ">dd 0/24\n[lost: overload] 2/2");
	/* left closes, then goes to the caller */
	assert_int_equal(browse_close(browse), 0);
	assert_string_equal(selected(browse), "get");
	assert_int_equal(browse_close(browse), 0);
	assert_string_equal(selected(browse), "read");
	select_row(browse, "cat");
	assert_int_equal(browse_enter(browse), 0);
	expect_rows(browse, "[>cat 0/36]\n>dd 0/24\n[lost: overload] 2/2");
	/* rows that were open below are open again, except the one that was closed */
	assert_int_equal(browse_enter(browse), 0);
	assert_int_equal(browse_nr_rows(browse), 8);
	/* a leaf has no rows below */
	select_row(browse, "[lost: overload]");
	assert_int_equal(browse_open(browse), 0);
	assert_int_equal(browse_close(browse), 0);
	assert_int_equal(browse_nr_rows(browse), 8);
	assert_string_equal(selected(browse), "[lost: overload]");
}

static void the_cursor_stays_on_the_screen(void **state)
{
	struct browse *browse = *state;
	const struct cursor *cursor = browse_cursor(browse);

	assert_int_equal(browse_open(browse), 0);
	browse_move(browse, UINT32_MAX);
	assert_int_equal(cursor->selected, 7);
	assert_int_equal(cursor->first, 4);
	browse_move(browse, -3);
	assert_int_equal(cursor->first, 4);
	browse_move(browse, -1);
	assert_int_equal(cursor->first, 3);
	/* on a higher screen rows from above fill the lines below */
	browse_move(browse, UINT32_MAX);
	browse_resize(browse, 6);
	assert_int_equal(cursor->first, 2);
	browse_move(browse, -4);
	browse_resize(browse, 100);
	assert_int_equal(cursor->first, 0);
	browse_resize(browse, 1);
	assert_int_equal(cursor->first, cursor->selected);
	browse_move(browse, -(int64_t)UINT32_MAX);
	assert_int_equal(cursor->selected, 0);
	assert_int_equal(browse_close(browse), 0);
	browse_resize(browse, 0);
	browse_move(browse, 2);
	assert_int_equal(cursor->first, 2);
}

static void zooms_go_in_and_out(void **state)
{
	struct browse *browse = *state;

	assert_int_equal(browse_open(browse), 0);
	select_row(browse, "call");
	assert_int_equal(browse_zoom(browse), 0);
	expect_rows(browse, "[vcall 0/36]\n`vread 1/36\n +copy 30/30\n `>get 0/5");
	assert_string_equal(browse_zoomed(browse)->name, "call");
	/* right on what is open zooms, too */
	select_row(browse, "read");
	assert_int_equal(browse_open(browse), 0);
	expect_rows(browse, "[vread 1/36]\n+copy 30/30\n`>get 0/5");
	/* Enter does not hide the only row */
	assert_int_equal(browse_enter(browse), 0);
	assert_int_equal(browse_nr_rows(browse), 3);
	assert_int_equal(browse_zoom(browse), 0);
	/* left on the top row leaves the zoom */
	assert_int_equal(browse_close(browse), 0);
	assert_string_equal(browse_zoomed(browse)->name, "call");
	assert_string_equal(selected(browse), "read");
	assert_int_equal(browse_zoom_out(browse), 0);
	assert_null(browse_zoomed(browse));
	assert_string_equal(selected(browse), "call");
	assert_int_equal(browse_nr_rows(browse), 8);
	assert_int_equal(browse_zoom_out(browse), 0);
	assert_int_equal(browse_nr_rows(browse), 8);
}

/* With more nested zooms than are kept, leaving still works. */
static void zooms_have_a_limit(void **state)
{
	struct browse browse;
	char text[2048] = "f0";
	struct tree *tree;

	(void)state;
	for (int i = 1; i < 200; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 ";f%d", i);
	strcat(text, " 1\n");
	tree = unfold(text);
	assert_int_equal(browse_init(&browse, tree, "samples"), 0);
	assert_int_equal(browse_open(&browse), 0);
	assert_int_equal(browse_nr_rows(&browse), 200);
	for (int i = 0; i < 150; i++) {
		browse_move(&browse, 1);
		assert_int_equal(browse_zoom(&browse), 0);
		assert_int_equal(browse_nr_rows(&browse), 199 - i);
	}
	for (int i = 0; i < BROWSE_ZOOMS_MAX; i++) {
		assert_non_null(browse_zoomed(&browse));
		assert_int_equal(browse_zoom_out(&browse), 0);
	}
	assert_null(browse_zoomed(&browse));
	assert_int_equal(browse_nr_rows(&browse), 200);
	browse_deinit(&browse);
	tree_destroy(tree);
}

static void callers_are_made_when_they_are_opened(void **state)
{
	struct browse *browse = *state;

	assert_int_equal(browse_show(browse, BROWSE_CALLERS), 0);
	expect_rows(browse, "[>copy 0/39]\n>write 0/20\n[lost: overload] 2/2\n"
		    ">read 0/1");
	assert_int_equal(callers_tree(browse->callers)->nr_nodes, 5);
	assert_int_equal(browse_open(browse), 0);
	expect_rows(browse, "[vcopy 0/39]\n+>read 0/30\n+>get 0/5\n`>write 0/4\n"
		    ">write 0/20\n[lost: overload] 2/2\n>read 0/1");
	assert_int_equal(callers_tree(browse->callers)->nr_nodes, 8);
	browse_move(browse, 1);
	assert_int_equal(browse_open(browse), 0);
	expect_rows(browse, "vcopy 0/39\n[+vread 0/30]\n|vcall 0/30\n"
		    "|ventry 0/30\n|cat 30/30\n+>get 0/5\n`>write 0/4\n"
		    ">write 0/20\n[lost: overload] 2/2\n>read 0/1");
	/* the tree and the callers are as they were left */
	assert_int_equal(browse_show(browse, BROWSE_TREE), 0);
	assert_int_equal(browse_nr_rows(browse), 3);
	assert_int_equal(browse_show(browse, BROWSE_CALLERS), 0);
	assert_int_equal(browse_nr_rows(browse), 10);
	assert_string_equal(selected(browse), "read");
}

/* All callers opened are the tree that tree_reverse() makes. */
static void callers_are_the_reversed_tree(void **state)
{
	struct profile *profile = made_large_profile(3000);
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	struct tree *tree = fold_profile(profile, &options, NULL);
	struct tree *reversed, *grown = tree_create();
	struct callers *callers;
	const struct tree *lazy;
	char *expected, *made;
	uint32_t *same;

	(void)state;
	assert_int_equal(callers_create(&callers, tree), 0);
	lazy = callers_tree(callers);
	for (uint32_t i = 1; i < lazy->nr_nodes; i++)
		assert_int_equal(callers_grow(callers, i), 0);
	/* once more changes nothing */
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(callers_grow(callers, i), 0);
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	assert_int_equal(lazy->nr_nodes, reversed->nr_nodes);
	assert_true(lazy->nr_nodes > 1000);
	same = calloc(lazy->nr_nodes, sizeof(*same));
	for (uint32_t i = 1; i < lazy->nr_nodes; i++) {
		const struct tree_node *node = &lazy->nodes[i];

		assert_int_equal(tree_add(grown, same[node->parent], node->name,
					  node->kind, &same[i]), 0);
		grown->nodes[same[i]].self = node->self;
	}
	tree_sum(grown);
	for (uint32_t i = 1; i < lazy->nr_nodes; i++)
		assert_int_equal(lazy->nodes[i].total, grown->nodes[same[i]].total);
	free(same);
	callers_destroy(callers);
	expected = folded(reversed);
	made = folded(grown);
	assert_string_equal(made, expected);
	free(expected);
	free(made);
	tree_destroy(grown);
	tree_destroy(reversed);
	tree_destroy(tree);
	profile_destroy(profile);
}

static void the_list_leads_to_the_tree(void **state)
{
	struct browse *browse = *state;

	assert_int_equal(browse_show(browse, BROWSE_LIST), 0);
	expect_rows(browse, "[copy 39/39]\nwrite 20/24\n[lost: overload] 2/2\n"
		    "read 1/36\ncall 0/60\ncat 0/36\ndd 0/24\nentry 0/60\nget 0/5");
	assert_int_equal(browse_zoom(browse), 0);
	assert_non_null(strstr(browse->message, "a list cannot be zoomed"));
	assert_int_equal(browse_close(browse), 0);
	assert_int_equal(browse_enter(browse), 0);
	assert_int_equal(browse->page, BROWSE_TREE);
	assert_int_equal(browse_cursor(browse)->selected, 4);
	assert_string_equal(selected(browse), "copy");
	/* the heaviest first, as rows are */
	assert_int_equal(browse_next(browse, true), 0);
	expect_rows(browse, "vcat 0/36\n`ventry 0/36\n vcall 0/36\n vread 1/36\n"
		    " +copy 30/30\n `vget 0/5\n[  copy 5/5]\n>dd 0/24\n"
		    "[lost: overload] 2/2");
	assert_int_equal(browse_next(browse, true), 0);
	assert_int_equal(browse_row(browse, browse_cursor(browse)->selected).self, 4);
	assert_int_equal(browse_next(browse, true), 0);
	assert_int_equal(browse_cursor(browse)->selected, 4);
	/* the first row is found as well */
	assert_int_equal(browse_show(browse, BROWSE_LIST), 0);
	select_row(browse, "cat");
	assert_int_equal(browse_enter(browse), 0);
	assert_int_equal(browse_cursor(browse)->selected, 0);
	assert_string_equal(selected(browse), "cat");
}

static void the_list_omits_groups(void **state)
{
	struct browse *browse = *state;

	browse->is_grouped = true;
	assert_int_equal(browse_show(browse, BROWSE_LIST), 0);
	expect_rows(browse, "[copy 39/39]\nwrite 20/24\n[lost: overload] 2/2\n"
		    "read 1/36\ncall 0/60\nentry 0/60\nget 0/5");
}

static void searches_find_what_is_closed(void **state)
{
	struct browse *browse = *state;

	assert_int_equal(browse_search(browse, "^COPY$"), 0);
	assert_string_equal(browse->message, "/^COPY$: no frame matches");
	assert_int_equal(browse_nr_rows(browse), 3);
	assert_int_equal(browse_search(browse, "writ|^copy$"), 0);
	assert_string_equal(selected(browse), "copy");
	assert_string_equal(browse->message, "/writ|^copy$: 4 frames, 95.16 % of all");
	/* backwards from the first match comes the last */
	assert_int_equal(browse_next(browse, false), 0);
	assert_string_equal(selected(browse), "copy");
	assert_int_equal(browse_row(browse, browse_cursor(browse)->selected).self, 4);
	assert_int_equal(browse_next(browse, false), 0);
	assert_string_equal(selected(browse), "write");
	assert_int_equal(browse_next(browse, false), 0);
	assert_int_equal(browse_row(browse, browse_cursor(browse)->selected).self, 5);
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "write");
	/* only in the zoomed row and below it */
	assert_int_equal(browse_zoom(browse), 0);
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "copy");
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "write");
	assert_int_equal(browse_next(browse, false), 0);
	assert_string_equal(selected(browse), "copy");
	assert_int_equal(browse_search(browse, "get"), 0);
	assert_string_equal(browse->message, "/get: no frame matches here: Esc zooms out");
	assert_int_equal(browse_zoom_out(browse), 0);
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "get");
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(browse->message, "/get: no other frame matches");
	/* Esc without a zoom ends it */
	assert_int_equal(browse_zoom_out(browse), 0);
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(browse->message, "nothing to go to: search with /");
}

static void searches_of_rows_go_around(void **state)
{
	struct browse *browse = *state;

	assert_int_equal(browse_show(browse, BROWSE_LIST), 0);
	assert_int_equal(browse_search(browse, "e"), 0);
	assert_string_equal(selected(browse), "write");
	assert_int_equal(browse_next(browse, false), 0);
	assert_string_equal(selected(browse), "get");
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "write");
	assert_int_equal(browse_show(browse, BROWSE_CALLERS), 0);
	assert_int_equal(browse_next(browse, true), 0);
	assert_string_equal(selected(browse), "write");
	assert_int_equal(browse_search(browse, "zzz"), 0);
	assert_string_equal(browse->message, "/zzz: no row matches");
	/* after an invalid expression the one before stays */
	assert_int_equal(browse_search(browse, "a("), 0);
	assert_non_null(strstr(browse->message, "/a(: "));
	assert_string_equal(browse->search.text, "zzz");
	assert_int_equal(browse_search(browse, ""), 0);
	assert_false(search_is_any(&browse->search));
}

/* A search meets every match once per round, in either direction. */
static void searches_meet_all_matches(void **state)
{
	struct profile *profile = made_large_profile(2000);
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	struct tree *tree = fold_profile(profile, &options, NULL);
	struct search search = { 0 };
	uint32_t found, nr, at = 0, met;
	struct error error;
	uint64_t weight;

	(void)state;
	assert_int_equal(search_for(&search, "7", &error), 0);
	assert_int_equal(search_tree(&search, tree), 0);
	search_tree_sum(&search, tree, 0, &nr, &weight);
	assert_true(nr > 20 && weight && weight <= tree->nodes[0].total);
	for (int forward = 0; forward < 2; forward++) {
		uint8_t *seen = calloc(tree->nr_nodes, 1);

		for (met = 0; met <= nr; met++, at = found) {
			assert_int_equal(search_tree_next(&search, tree, 0, at,
							  forward, &found), 0);
			assert_non_null(strchr(tree->nodes[found].name, '7'));
			if (seen[found]++)
				break;
		}
		assert_int_equal(met, nr);
		free(seen);
	}
	search_deinit(&search);
	tree_destroy(tree);
	profile_destroy(profile);
}

static void expect_graph(const struct browse *browse, const char *expected)
{
	struct tree *made;
	char *text;

	assert_int_equal(browse_graph(browse, &made), 0);
	if (!expected) {
		assert_null(made);
		return;
	}
	assert_non_null(made);
	text = folded(made);
	assert_string_equal(text, expected);
	free(text);
	tree_destroy(made);
}

static void graphs_are_of_what_is_shown(void **state)
{
	struct browse *browse = *state;

	expect_graph(browse, NULL);
	assert_int_equal(browse_search(browse, "^write$"), 0);
	assert_int_equal(browse_zoom(browse), 0);
	expect_graph(browse, "write 20\nwrite;copy 4\n");
	assert_int_equal(browse_show(browse, BROWSE_LIST), 0);
	expect_graph(browse, NULL);
	assert_int_equal(browse_show(browse, BROWSE_CALLERS), 0);
	expect_graph(browse, "[lost: overload] 2\ncopy;get;read;call;entry;cat 5\n"
		     "copy;read;call;entry;cat 30\n"
		     "copy;write;call;entry;dd 4\nread;call;entry;cat 1\n"
		     "write;call;entry;dd 20\n");
	assert_int_equal(browse_open(browse), 0);
	browse_move(browse, 1);
	assert_int_equal(browse_zoom(browse), 0);
	expect_graph(browse, "read;call;entry;cat 30\n");
}

static void lines_are_typed(void **state)
{
	char text[9] = "";
	int64_t rows;

	(void)state;
	assert_int_equal(keys_type(text, 8, '\b'), KEYS_SAME);
	assert_int_equal(keys_type(text, 8, 'a'), KEYS_CHANGED);
	assert_int_equal(keys_type(text, 8, 0xc3), KEYS_CHANGED);
	assert_int_equal(keys_type(text, 8, 0xa4), KEYS_CHANGED);
	assert_string_equal(text, "aä");
	assert_int_equal(keys_type(text, 8, KEY_BACKSPACE), KEYS_CHANGED);
	assert_string_equal(text, "a");
	assert_int_equal(keys_type(text, 8, KEY_UP), KEYS_SAME);
	assert_int_equal(keys_type(text, 8, 3), KEYS_SAME);
	assert_int_equal(keys_type(text, 1, 'b'), KEYS_SAME);
	assert_int_equal(keys_type(text, 8, KEYS_ESCAPE), KEYS_CANCELLED);
	assert_int_equal(keys_type(text, 8, '\r'), KEYS_DONE);
	assert_string_equal(text, "a");
	assert_true(keys_move(KEY_NPAGE, 20, &rows));
	assert_int_equal(rows, 19);
	assert_true(keys_move(KEY_PPAGE, 0, &rows));
	assert_int_equal(rows, -1);
	assert_true(keys_move('G', 20, &rows));
	assert_int_equal(rows, UINT32_MAX);
	assert_false(keys_move('x', 20, &rows));
}

/* A tree of a million nodes costs only what is opened. */
static void large_trees_have_few_rows(void **state)
{
	struct tree *tree = tree_create();
	struct browse browse;
	uint32_t top, node;
	char name[32];

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		assert_int_equal(tree_add(tree, 0, name, TREE_KERNEL, &top), 0);
		for (uint32_t j = 0; j < 1000; j++) {
			snprintf(name, sizeof(name), "g%u", j);
			assert_int_equal(tree_add(tree, top, name, TREE_KERNEL,
						  &node), 0);
			tree->nodes[node].self = 1 + (i ^ j);
		}
	}
	tree_sum(tree);
	assert_int_equal(tree->nr_nodes, 1001001);
	assert_int_equal(browse_init(&browse, tree, "samples"), 0);
	assert_int_equal(browse_nr_rows(&browse), 1000);
	/* only rows that are shown are sorted and made */
	assert_true(browse_rows(&browse)->max < 5000);
	assert_int_equal(browse_open(&browse), 0);
	assert_int_equal(browse_nr_rows(&browse), 2000);
	assert_true(browse_rows(&browse)->max < 10000);
	assert_int_equal(browse_search(&browse, "^g999$"), 0);
	assert_non_null(strstr(browse.message, ": 1000 frames"));
	assert_int_equal(browse_show(&browse, BROWSE_CALLERS), 0);
	assert_int_equal(browse_nr_rows(&browse), 1000);
	assert_int_equal(callers_tree(browse.callers)->nr_nodes, 1001);
	browse_deinit(&browse);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_open_and_close, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_cursor_stays_on_the_screen, set_up, tear_down),
		cmocka_unit_test_setup_teardown(zooms_go_in_and_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(callers_are_made_when_they_are_opened, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_list_leads_to_the_tree, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_list_omits_groups, set_up, tear_down),
		cmocka_unit_test_setup_teardown(searches_find_what_is_closed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(searches_of_rows_go_around, set_up, tear_down),
		cmocka_unit_test_setup_teardown(graphs_are_of_what_is_shown, set_up, tear_down),
		cmocka_unit_test(zooms_have_a_limit),
		cmocka_unit_test(callers_are_the_reversed_tree),
		cmocka_unit_test(searches_meet_all_matches),
		cmocka_unit_test(lines_are_typed),
		cmocka_unit_test(large_trees_have_few_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
