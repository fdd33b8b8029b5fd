// SPDX-License-Identifier: GPL-2.0
/*
 * Reports: the list of functions, the tree as text from the root or from the leaves. All
 * figures sum to the tree's.
 */
#include <errno.h>
#include <inttypes.h>
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
#include "view/report.h"

static struct report_options make_options(void)
{
	return (struct report_options){ .unit = "samples", .depth = UINT32_MAX };
}

/* Write a report. Return: its text with the heads, to be freed. */
static char *reported(const struct tree *tree, const struct report_options *options)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(report_tree(tree, options, out), 0);
	fclose(out);
	return text;
}

static char *listed(const struct tree *tree, const struct report_options *options)
{
	struct flat *flat;
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(flat_create(&flat, tree), 0);
	assert_int_equal(report_flat(flat, options, out), 0);
	flat_destroy(flat);
	fclose(out);
	return text;
}

static void expect_report(const char *folded, const struct report_options *options,
			  const char *expected)
{
	struct tree *tree = unfold(folded), *reversed = NULL;
	char *text;

	if (options->callers)
		assert_int_equal(tree_reverse(&reversed, tree), 0);
	text = reported(reversed ? reversed : tree, options);
	assert_string_equal(text, expected);
	free(text);
	tree_destroy(tree);
	tree_destroy(reversed);
}

static const char *const nested =
	"sh;a;b;c 30\nsh;a;b;d 20\nsh;a 10\nsh;e;f 39\n[lost: overload] 1\n";

static void a_tree_is_shown_from_its_root(void **state)
{
	struct report_options options = make_options();

	(void)state;
	expect_report(nested, &options,
		      "# 100 % is 100 samples\n"
		      "# total %   self %  total   self\n"
		      "  100.00     0.00    100      0  all\n"
		      "   99.00     0.00     99      0  |-sh\n"
		      "   60.00    10.00     60     10  | |-a\n"
		      "   50.00     0.00     50      0  | | `-b\n"
		      "   30.00    30.00     30     30  | |   |-c\n"
		      "   20.00    20.00     20     20  | |   `-d\n"
		      "   39.00     0.00     39      0  | `-e\n"
		      "   39.00    39.00     39     39  |   f\n"
		      "    1.00     1.00      1      1  `-[lost: overload]\n");
}

static void what_is_small_or_deep_is_summed_up(void **state)
{
	struct report_options options = make_options();

	(void)state;
	options.threshold_ppm = 400000;
	/* except lost periods */
	expect_report(nested, &options,
		      "# 100 % is 100 samples\n"
		      "# total %   self %  total   self\n"
		      "  100.00     0.00    100      0  all\n"
		      "   99.00     0.00     99      0  |-sh\n"
		      "   60.00    10.00     60     10  | |-a\n"
		      "   50.00     0.00     50      0  | | `-b\n"
		      "   50.00    50.00     50     50  | |   `-[2 small frames]\n"
		      "   39.00    39.00     39     39  | `-[1 small frame]\n"
		      "    1.00     1.00      1      1  `-[lost: overload]\n");
	options.threshold_ppm = 100000;
	expect_report("a 90\nb 8\n[lost: overload] 2\n", &options,
		      "# 100 % is 100 samples\n"
		      "# total %   self %  total   self\n"
		      "  100.00     0.00    100      0  all\n"
		      "   90.00    90.00     90     90  |-a\n"
		      "    2.00     2.00      2      2  |-[lost: overload]\n"
		      "    8.00     8.00      8      8  `-[1 small frame]\n");
	options.threshold_ppm = 0;
	options.depth = 2;
	expect_report(nested, &options,
		      "# 100 % is 100 samples\n"
		      "# total %   self %  total   self\n"
		      "  100.00     0.00    100      0  all\n"
		      "   99.00     0.00     99      0  |-sh\n"
		      "   60.00    10.00     60     10  | |-a\n"
		      "   39.00     0.00     39      0  | `-e\n"
		      "    1.00     1.00      1      1  `-[lost: overload]\n");
}

static void callers_are_shown_from_the_leaves(void **state)
{
	struct report_options options = make_options();

	(void)state;
	options.callers = true;
	expect_report("sh;a;copy 3\nsh;b;copy 4\nls;b;copy 1\nls;b 2\n", &options,
		      "# 100 % is 10 samples\n"
		      "#  self %   self  function, and who calls it\n"
		      "  100.00     10  all\n"
		      "   80.00      8  |-copy\n"
		      "   50.00      5  | |-b\n"
		      "   40.00      4  | | |-sh\n"
		      "   10.00      1  | | `-ls\n"
		      "   30.00      3  | `-a\n"
		      "   30.00      3  |   sh\n"
		      "   20.00      2  `-b\n"
		      "   20.00      2    ls\n");
}

static void a_function_counts_once_per_stack(void **state)
{
	struct report_options options = make_options();
	struct tree *tree = unfold("f;g;f;g;f 5\nf;g 2\ng 1\n");
	char *text;

	(void)state;
	text = listed(tree, &options);
	assert_string_equal(text,
			    "# 100 % is 8 samples\n"
			    "#  self %    sum %   self   total %  total  function\n"
			    "   62.50    62.50      5     87.50      7  f\n"
			    "   37.50   100.00      3    100.00      8  g\n");
	free(text);
	tree_destroy(tree);
}

static void equal_functions_are_listed_by_name(void **state)
{
	struct report_options options = make_options();
	struct tree *tree = unfold("r;b 5\nr;a 5\nr;s;c 89\nr;d 1\n[lost: overload] 1\n");
	char *text;

	(void)state;
	options.threshold_ppm = 50000;
	text = listed(tree, &options);
	assert_string_equal(text,
			    "# 100 % is 101 samples\n"
			    "#  self %    sum %   self   total %  total  function\n"
			    "   88.12    88.12     89     88.12     89  c\n"
			    "    0.99    89.11      1      0.99      1  [lost: overload]\n"
			    "    0.00    89.11      0     99.01    100  r\n"
			    "    0.00    89.11      0     88.12     89  s\n"
			    "   10.89   100.00     11                   [3 small functions]\n");
	free(text);
	tree_destroy(tree);
}

static void books_are_reported(void **state)
{
	static const char *const head =
		"# 2 CPUs, 1000 Hz, 10.0 s, Linux 6.1?[31m\n"
		"# periods: fires 165 + missed 63 = stored 198 + filtered 5 + lost 25\n"
		"# late 31.82 %, no steal clock\n"
		"# table-full: load with cpu_kb=4096; aggregate-full: load with aggregate_kb=65536; overload: lower the rate, -F 500\n"
		"# 12 periods left out as filtered\n"
		"# 100 % is 223 periods\n";
	struct profile *profile = made_profile();
	struct fold_options fold = { .nr_by = 0 };
	struct tree *tree = fold_profile(profile, &fold, NULL);
	struct report_options options = {
		.profile = profile, .unit = "periods", .left_out = 12, .depth = 1,
	};
	char *text;

	(void)state;
	strcpy(profile->meta.release, "6.1\033[31m");
	profile->meta.steal = PROFILE_STEAL_NONE;
	text = reported(tree, &options);
	assert_ptr_equal(strstr(text, head), text);
	free(text);
	tree_destroy(tree);
	profile_destroy(profile);
}

static void shares_are_coloured_where_asked_for(void **state)
{
	struct report_options options = make_options();

	(void)state;
	options.color = true;
	expect_report("a 994\nb 6\nc;d 4\nc 0\n", &options,
		      "# 100 % is 1004 samples\n"
		      "# total %   self %  total   self\n"
		      "\033[31m  100.00\033[m     0.00   1004      0  all\n"
		      "\033[31m   99.00\033[m \033[31m   99.00\033[m    994    994  |-a\n"
		      "\033[32m    0.60\033[m \033[32m    0.60\033[m      6      6  |-b\n"
		      "    0.40     0.00      4      0  `-c\n"
		      "    0.40     0.40      4      4    d\n");
}

static void hostile_names_are_harmless(void **state)
{
	struct report_options options = make_options();

	(void)state;
	expect_report("\033]0;x\a\x9b;\xe2\x80\xae\xc2\x9b 1\n", &options,
		      "# 100 % is 1 sample\n"
		      "# total %   self %  total   self\n"
		      "  100.00     0.00      1      0  all\n"
		      "  100.00     0.00      1      0  ?]0\n"
		      "  100.00     0.00      1      0  x?\xef\xbf\xbd\n"
		      "  100.00   100.00      1      1  ??\n");
}

/* One chain of @depth; each frame has a sibling of the same weight. */
static void deep_stacks_need_no_recursion(void **state)
{
	struct report_options options = make_options();
	struct tree *tree = tree_create();
	struct flat *flat;
	uint32_t at = 0, leaf;
	char *text;

	(void)state;
	for (unsigned int i = 0; i < 2000; i++) {
		assert_int_equal(tree_add(tree, at, "side", TREE_KERNEL, &leaf), 0);
		tree->nodes[leaf].self = 1;
		assert_int_equal(tree_add(tree, at, "down", TREE_KERNEL, &at), 0);
	}
	tree->nodes[at].self = 1;
	tree_sum(tree);
	text = reported(tree, &options);
	assert_non_null(strstr(text, "2001      0  all\n"));
	free(text);
	assert_int_equal(flat_create(&flat, tree), 0);
	assert_int_equal(flat->nr_functions, 2);
	assert_string_equal(flat->functions[0].name, "side");
	assert_int_equal(flat->functions[0].self, 2000);
	assert_int_equal(flat->functions[1].total, 2000);
	flat_destroy(flat);
	tree_destroy(tree);
}

static void all_sums_are_the_trees(void **state)
{
	struct profile *profile = made_large_profile(3000);
	struct fold_options fold = { .by = { FOLD_COMM }, .nr_by = 1 };
	struct tree *tree = fold_profile(profile, &fold, NULL), *reversed;
	uint64_t sum = 0;
	struct flat *flat;

	(void)state;
	assert_int_equal(flat_create(&flat, tree), 0);
	for (uint32_t i = 0; i < flat->nr_functions; i++) {
		sum += flat->functions[i].self;
		assert_true(flat->functions[i].total <= flat->total);
		assert_true(flat->functions[i].self <= flat->functions[i].total);
		if (!strcmp(flat->functions[i].name, "worker"))
			assert_int_equal(flat->functions[i].total, flat->total);
	}
	assert_int_equal(sum, profile->books.stored);
	assert_int_equal(flat->total, profile->books.stored);
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	assert_int_equal(reversed->nodes[0].total, profile->books.stored);
	/* the roots of the reversed tree have the self times of the list */
	for (uint32_t i = 0; i < flat->nr_functions; i++) {
		uint32_t id = reversed->nodes[0].child;

		while (id && strcmp(reversed->nodes[id].name,
				    flat->functions[i].name))
			id = reversed->nodes[id].sibling;
		assert_int_equal(id ? reversed->nodes[id].total : 0,
				 flat->functions[i].self);
	}
	flat_destroy(flat);
	tree_destroy(reversed);
	tree_destroy(tree);
	profile_destroy(profile);
}

static void groups_are_no_functions(void **state)
{
	struct tree *tree = tree_create();
	uint32_t comm, at;
	struct flat *flat;

	(void)state;
	/* a comm, and a function of the same name below it and below itself */
	assert_int_equal(tree_add(tree, 0, "dd", TREE_TASK, &comm), 0);
	assert_int_equal(tree_add(tree, comm, "read", TREE_KERNEL, &at), 0);
	tree->nodes[at].self = 4;
	assert_int_equal(tree_add(tree, at, "dd", TREE_KERNEL, &at), 0);
	assert_int_equal(tree_add(tree, at, "dd", TREE_KERNEL, &at), 0);
	tree->nodes[at].self = 3;
	tree_sum(tree);
	assert_int_equal(flat_create_functions(&flat, tree), 0);
	assert_int_equal(flat->nr_functions, 2);
	assert_string_equal(flat->functions[1].name, "dd");
	assert_int_equal(flat->functions[1].self, 3);
	assert_int_equal(flat->functions[1].total, 3);
	assert_int_equal(flat->total, 7);
	flat_destroy(flat);
	assert_int_equal(flat_create(&flat, tree), 0);
	assert_int_equal(flat->nr_functions, 2);
	assert_int_equal(flat->functions[1].total, 7);
	flat_destroy(flat);
	tree_destroy(tree);
}

static void errors_are_returned(void **state)
{
	struct report_options options = make_options();
	struct tree *empty = tree_create(), *tree = unfold("a 1\n");
	FILE *full = fopen("/dev/full", "w");
	struct flat *flat;

	(void)state;
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(report_tree(empty, &options, full), -ENODATA);
	assert_int_equal(flat_create(&flat, empty), 0);
	assert_int_equal(flat->nr_functions, 0);
	assert_int_equal(report_flat(flat, &options, full), -ENODATA);
	flat_destroy(flat);
	assert_int_equal(report_tree(tree, &options, full), -ENOSPC);
	tree_destroy(empty);
	tree_destroy(tree);
	fclose(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_shown_from_its_root),
		cmocka_unit_test(what_is_small_or_deep_is_summed_up),
		cmocka_unit_test(callers_are_shown_from_the_leaves),
		cmocka_unit_test(a_function_counts_once_per_stack),
		cmocka_unit_test(equal_functions_are_listed_by_name),
		cmocka_unit_test(books_are_reported),
		cmocka_unit_test(shares_are_coloured_where_asked_for),
		cmocka_unit_test(hostile_names_are_harmless),
		cmocka_unit_test(deep_stacks_need_no_recursion),
		cmocka_unit_test(all_sums_are_the_trees),
		cmocka_unit_test(groups_are_no_functions),
		cmocka_unit_test(errors_are_returned),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
