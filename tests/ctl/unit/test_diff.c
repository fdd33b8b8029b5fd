// SPDX-License-Identifier: GPL-2.0
/*
 * Differences of two trees: weights, frames that are gone, colours, texts, and the table
 * of functions.
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
#include "tree/diff.h"
#include "tree/diff_scale.h"
#include "view/diff_paint.h"
#include "view/diff_text.h"

static struct diff *compare(const char *before, const char *after, bool normalize)
{
	struct tree *a = unfold(before), *b = unfold(after);
	struct error error;
	struct diff *diff;

	if (diff_create(&diff, a, b, normalize, "samples", &error))
		fail_msg("%s", error.text);
	/* the difference keeps no reference to them */
	tree_destroy(a);
	tree_destroy(b);
	return diff;
}

/* The node at "name;name;...", from the root down. */
static uint32_t find(const struct diff *diff, const char *path)
{
	const struct tree_node *nodes = diff->tree->nodes;
	char *copy = strdup(path), *next = NULL, *name;
	uint32_t at = 0;

	for (name = strtok_r(copy, ";", &next); name;
	     name = strtok_r(NULL, ";", &next)) {
		at = nodes[at].child;
		while (at && strcmp(nodes[at].name, name))
			at = nodes[at].sibling;
		if (!at)
			fail_msg("%s is not there", path);
	}
	free(copy);
	return at;
}

static void expect_node(const struct diff *diff, const char *path,
			uint64_t weight, const char *class, const char *told)
{
	uint32_t node = find(diff, path);
	char text[512];

	assert_int_equal(diff->tree->nodes[node].total, weight);
	if (strcmp(diff_view.class(diff, node), class))
		fail_msg("%s is painted %s, not %s", path,
			 diff_view.class(diff, node), class);
	diff_view.tell(diff, node, text, sizeof(text));
	assert_string_equal(text, told);
}

static void frames_have_the_second_trees_widths(void **state)
{
	struct diff *diff = compare("r;a 10\nr;b 60\nr;c;e 20\nr;c 10\n",
				    "r;a 40\nr;b 122\nr;d 38\n", true);

	(void)state;
	expect_node(diff, "r", 200, "same", "0.00, from 100.00 to 100.00 %");
	expect_node(diff, "r;a", 40, "grew4", "+10.00, from 10.00 to 20.00 %");
	expect_node(diff, "r;b", 122, "same", "+1.00, from 60.00 to 61.00 %");
	expect_node(diff, "r;d", 38, "grew5", "new, 19.00 %");
	/* 30 of 100 are 60 of 200 */
	expect_node(diff, "[gone]", 60, "same", "what A has and B does not have");
	expect_node(diff, "[gone];r", 60, "same", "0.00, from 100.00 to 100.00 %");
	expect_node(diff, "[gone];r;c", 60, "gone", "gone, was 30.00 %");
	expect_node(diff, "[gone];r;c;e", 40, "gone", "gone, was 20.00 %");
	assert_int_equal(diff->tree->nodes[0].total, 260);
	/* nothing at its old place */
	assert_int_equal(diff->tree->nodes[find(diff, "r;c")].total, 0);
	diff_destroy(diff);
}

static void weights_are_compared_where_asked_for(void **state)
{
	struct diff *diff = compare("r;a 10\nr;b 60\nr;c 30\n",
				    "r;a 40\nr;b 61\nr;d 99\n", false);

	(void)state;
	expect_node(diff, "r", 200, "grew4", "+100, from 100 to 200 samples");
	expect_node(diff, "r;a", 40, "grew4", "+30, from 10 to 40 samples");
	expect_node(diff, "r;b", 61, "same", "+1, from 60 to 61 samples");
	expect_node(diff, "r;d", 99, "grew5", "new, 99 samples");
	expect_node(diff, "[gone];r;c", 30, "gone", "gone, was 30 samples");
	diff_destroy(diff);
}

static void shades_show_how_much(void **state)
{
	static const struct {
		unsigned int a;
		const char *class;
	} cases[] = {
		{ 1000, "same" }, { 981, "same" }, { 980, "grew1" },
		{ 901, "grew1" }, { 900, "grew2" }, { 750, "grew3" },
		{ 500, "grew4" }, { 1, "grew4" }, { 1020, "same" },
		{ 1021, "shrank1" }, { 1112, "shrank2" }, { 1334, "shrank3" },
		{ 2000, "shrank4" }, { 2000000, "shrank4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char before[32];
		struct diff *diff;

		snprintf(before, sizeof(before), "f %u\n", cases[i].a);
		diff = compare(before, "f 1000\n", false);
		if (strcmp(diff_view.class(diff, find(diff, "f")), cases[i].class))
			fail_msg("%u is painted %s", cases[i].a,
				 diff_view.class(diff, find(diff, "f")));
		diff_destroy(diff);
	}
}

static void even_small_gone_frames_are_kept(void **state)
{
	struct diff *diff = compare("r;a 1000000\nr;b 1\nr;c;d 1\n", "r;a 10\n",
				    true);

	(void)state;
	/* of a million times the weight */
	expect_node(diff, "[gone];r;b", 10, "gone", "gone, was 0.00 %");
	expect_node(diff, "[gone];r;c", 10, "gone", "gone, was 0.00 %");
	expect_node(diff, "r;a", 10000000, "same", "0.00, from 100.00 to 100.00 %");
	assert_int_equal(diff->tree->nodes[0].total, 10000020);
	diff_destroy(diff);
}

static void gone_frames_are_as_wide_as_before(void **state)
{
	const uint32_t nr = 5000;
	char *before = NULL;
	struct diff *diff;
	size_t size;
	FILE *text = open_memstream(&before, &size);

	(void)state;
	fputs("r;a 5000\n", text);
	for (uint32_t i = 0; i < nr; i++)
		fprintf(text, "r;gone%u 1\n", i);
	fclose(text);
	diff = compare(before, "r;a 10\n", true);
	/* half of A, beside all of B */
	assert_int_equal(diff->tree->nodes[find(diff, "[gone]")].total * 2,
			 diff->tree->nodes[find(diff, "r;a")].total);
	diff_destroy(diff);
	free(before);
	/* without room for a scale nothing overflows */
	diff = compare("r;a 18446744073709551614\nr;b 1\n", "r;a 10\n", true);
	expect_node(diff, "[gone];r;b", 1, "gone", "gone, was 0.00 %");
	expect_node(diff, "r;a", 10, "same", "0.00, from 100.00 to 100.00 %");
	diff_destroy(diff);
}

static void equal_trees_do_not_differ(void **state)
{
	struct diff *diff = compare("[gone];r;a 3\nr;b 4\n",
				    "[gone];r;a 3\nr;b 4\n", true);

	(void)state;
	assert_int_equal(diff->first_gone, diff->tree->nr_nodes);
	for (uint32_t i = 0; i < diff->tree->nr_nodes; i++)
		assert_string_equal(diff_view.class(diff, i), "same");
	diff_destroy(diff);
}

static void a_frame_named_gone_is_an_ordinary_frame(void **state)
{
	struct diff *diff = compare("[gone];a 3\nb 5\n", "[gone];a 3\n[gone];c 5\n",
				    true);
	uint32_t nr = 0;

	(void)state;
	for (uint32_t id = diff->tree->nodes[0].child; id;
	     id = diff->tree->nodes[id].sibling)
		nr += !strcmp(diff->tree->nodes[id].name, "[gone]");
	assert_int_equal(nr, 2);
	diff_destroy(diff);
}

static void large_weights_are_compared_exactly(void **state)
{
	struct diff *diff = compare("a 9223372036854775807\nb 1\n",
				    "a 1\nb 9223372036854775806\n", true);
	const struct diff_pair most = { UINT64_MAX, 0 };
	const struct diff_pair whole = { UINT64_MAX, UINT64_MAX };
	char text[DIFF_TEXT];

	(void)state;
	expect_node(diff, "a", 1, "shrank4", "-100.00, from 100.00 to 0.00 %");
	diff_destroy(diff);
	assert_string_equal(diff_change(text, &most, &whole, NULL), "-100.00");
	assert_string_equal(diff_change(text, &most, &whole, "periods"),
			    "-18446744073709551615");
}

static char *table(const char *before, const char *after, bool normalize,
		   uint32_t threshold_ppm)
{
	struct tree *a = unfold(before), *b = unfold(after);
	struct error error;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(diff_text(a, b, normalize, "periods", threshold_ppm, out, &error),
			 0);
	fclose(out);
	tree_destroy(a);
	tree_destroy(b);
	return text;
}

static void the_table_has_the_largest_change_first(void **state)
{
	char *text = table("r;a 10\nr;b 60\nr;c 30\n",
			   "r;a 40\nr;b 122\nr;d 38\n", true, 20000);

	(void)state;
	assert_string_equal(text,
		"#self A%  self B%   change  total A% total B%   change  function\n"
		"   30.00     0.00   -30.00     30.00     0.00   -30.00  c\n"
		"    0.00    19.00   +19.00      0.00    19.00   +19.00  d\n"
		"   10.00    20.00   +10.00     10.00    20.00   +10.00  a\n"
		"   60.00    61.00    +1.00                              [2 functions that changed less]\n");
	free(text);
	text = table("r;f;f 10\nr;f 5\n", "r;f;f 10\nr;g;f 7\n", false, 0);
	assert_string_equal(text,
		"# self A   self B   change   total A  total B   change  function\n"
		"      15       17       +2        15       17       +2  f\n"
		"       0        0        0         0        7       +7  g\n"
		"       0        0        0        15       17       +2  r\n");
	free(text);
}

static void columns_of_the_table_add_up(void **state)
{
	static const char *const before = "a;b 17\na;c 4\nd 1\ne;a 70\n";
	static const char *const after = "a;b 3\na;x 40\nd 9\ny;a 8\n";

	(void)state;
	for (uint32_t threshold = 0; threshold <= 1000000; threshold += 250000) {
		char *text = table(before, after, false, threshold), *line, *next;
		long a, b, change, sums[3] = { 0 };

		for (line = strchr(text, '\n') + 1; *line; line = next + 1) {
			next = strchr(line, '\n');
			assert_int_equal(sscanf(line, "%ld %ld %ld", &a, &b,
						&change), 3);
			sums[0] += a;
			sums[1] += b;
			sums[2] += change;
		}
		assert_int_equal(sums[0], 92);
		assert_int_equal(sums[1], 60);
		assert_int_equal(sums[2], -32);
		free(text);
	}
}

static void errors_are_returned(void **state)
{
	struct tree *empty = tree_create(), *tree = unfold("a 1\n");
	FILE *full = fopen("/dev/full", "w");
	struct error error;
	struct diff *diff;

	(void)state;
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(diff_create(&diff, empty, tree, true, "", &error),
			 -ENODATA);
	assert_string_equal(error.text, "A has no stack with a weight above 0");
	assert_int_equal(diff_create(&diff, tree, empty, false, "", &error),
			 -ENODATA);
	assert_string_equal(error.text, "B has no stack with a weight above 0");
	assert_int_equal(diff_text(tree, empty, true, "periods", 0, full, &error), -ENODATA);
	assert_int_equal(diff_text(tree, tree, true, "periods", 0, full, &error), -ENOSPC);
	fclose(full);
	tree_destroy(empty);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_have_the_second_trees_widths),
		cmocka_unit_test(weights_are_compared_where_asked_for),
		cmocka_unit_test(shades_show_how_much),
		cmocka_unit_test(even_small_gone_frames_are_kept),
		cmocka_unit_test(gone_frames_are_as_wide_as_before),
		cmocka_unit_test(equal_trees_do_not_differ),
		cmocka_unit_test(a_frame_named_gone_is_an_ordinary_frame),
		cmocka_unit_test(large_weights_are_compared_exactly),
		cmocka_unit_test(the_table_has_the_largest_change_first),
		cmocka_unit_test(columns_of_the_table_add_up),
		cmocka_unit_test(errors_are_returned),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
