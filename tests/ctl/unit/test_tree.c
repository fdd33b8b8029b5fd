// SPDX-License-Identifier: GPL-2.0
/*
 * The call tree: identity of nodes, sums, order, and sizes at which recursion or quadratic
 * time would fail.
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
#include "tree/tree.h"

static uint32_t add(struct tree *tree, uint32_t parent, const char *name,
		    enum tree_kind kind)
{
	uint32_t id = UINT32_MAX;

	assert_int_equal(tree_add(tree, parent, name, kind, &id), 0);
	assert_true(id < tree->nr_nodes);
	return id;
}

static void weigh(struct tree *tree, uint32_t parent, const char *name,
		  uint64_t self)
{
	uint32_t id = add(tree, parent, name, TREE_KERNEL);

	tree->nodes[id].self = self;
}

static uint32_t find(const struct tree *tree, uint32_t parent, const char *name)
{
	return tree_find(tree, parent, name, strlen(name));
}

static void finds_a_child_among_few(void **state)
{
	struct tree *tree = tree_create();
	uint32_t a = add(tree, 0, "a", TREE_USER), b = add(tree, a, "b", TREE_IDLE);

	(void)state;
	add(tree, 0, "c", TREE_KERNEL);
	assert_int_equal(find(tree, 0, "a"), a);
	assert_int_equal(find(tree, a, "b"), b);
	assert_int_equal(find(tree, 0, "b"), 0);
	assert_int_equal(find(tree, 0, "ab"), 0);
	assert_int_equal(find(tree, b, "b"), 0);
	assert_int_equal(tree_find(tree, 0, "a;b", 1), a);
	tree_destroy(tree);
}

static void finds_only_the_latest_child_in_an_order(void **state)
{
	struct tree *tree = tree_create();
	uint32_t b;

	(void)state;
	tree->ordered = true;
	add(tree, 0, "a", TREE_USER);
	b = add(tree, 0, "b", TREE_USER);
	assert_int_equal(find(tree, 0, "a"), 0);
	assert_int_equal(find(tree, 0, "b"), b);
	tree_destroy(tree);
}

static void begins_with_its_root(void **state)
{
	struct tree *tree = tree_create();

	(void)state;
	assert_non_null(tree);
	assert_int_equal(tree->nr_nodes, 1);
	assert_string_equal(tree->nodes[0].name, "all");
	assert_int_equal(tree->nodes[0].kind, TREE_ROOT);
	tree_sum(tree);
	assert_int_equal(tree->nodes[0].total, 0);
	tree_destroy(tree);
	tree_destroy(NULL);
}

static void finds_by_parent_name_and_kind(void **state)
{
	struct tree *tree = tree_create();
	uint32_t a = add(tree, 0, "a", TREE_KERNEL);
	uint32_t b = add(tree, a, "a", TREE_KERNEL);
	char copy[] = "a";

	(void)state;
	assert_int_not_equal(a, b);
	assert_int_equal(add(tree, 0, copy, TREE_KERNEL), a);
	assert_int_equal(add(tree, a, copy, TREE_KERNEL), b);
	assert_int_not_equal(add(tree, 0, "a", TREE_IDLE), a);
	assert_int_not_equal(add(tree, 0, "ab", TREE_KERNEL), a);
	assert_ptr_equal(tree->nodes[a].name, tree->nodes[b].name);
	assert_ptr_not_equal(tree->nodes[a].name, copy);
	assert_int_equal(tree->nodes[b].parent, a);
	tree_destroy(tree);
}

static void numbers_names(void **state)
{
	struct tree *tree = tree_create();
	uint32_t numbers[5], all, a, b, nobodys;
	uint32_t parent = add(tree, 0, "a", TREE_KERNEL), id;

	(void)state;
	add(tree, parent, "a", TREE_USER);
	assert_int_equal(tree_name(tree, "ab", 1, &a), 0);
	assert_int_equal(tree_name(tree, "bc", 1, &b), 0);
	assert_int_equal(tree_name(tree, "bc", 2, &nobodys), 0);
	assert_int_equal(tree_name(tree, "all", 3, &all), 0);
	assert_int_not_equal(a, b);
	assert_int_equal(tree_add_named(tree, parent, b, TREE_KERNEL, &id), 0);
	assert_string_equal(tree->nodes[id].name, "b");
	assert_int_equal(add(tree, parent, "b", TREE_KERNEL), id);
	assert_int_equal(add(tree, 0, "all", TREE_KERNEL), 4);

	assert_int_equal(tree_number_names(tree, numbers), 4);
	assert_int_equal(numbers[0], all);
	assert_int_equal(numbers[1], a);
	assert_int_equal(numbers[2], a);
	assert_int_equal(numbers[3], b);
	assert_int_equal(numbers[4], all);
	assert_true(nobodys < 4);
	tree_destroy(tree);
}

/* Also when the tables have grown and chains of slots are long. */
static void finds_all_again(void **state)
{
	static uint32_t ids[3000][TREE_MARK + 1];
	struct tree *tree = tree_create();

	(void)state;
	for (unsigned int i = 0; i < 3000; i++)
		for (unsigned int kind = 1; kind <= TREE_MARK; kind++)
			ids[i][kind] = add(tree, i ? ids[i - 1][1] : 0, "f", kind);
	for (unsigned int i = 0; i < 3000; i++)
		for (unsigned int kind = 1; kind <= TREE_MARK; kind++) {
			uint32_t parent = i ? ids[i - 1][1] : 0;

			assert_int_equal(add(tree, parent, "f", kind), ids[i][kind]);
			assert_int_equal(tree->nodes[ids[i][kind]].kind, kind);
		}
	assert_int_equal(tree->nr_nodes, 1 + 3000 * TREE_MARK);
	tree_destroy(tree);
}

static void the_root_is_no_child(void **state)
{
	struct tree *tree = tree_create();
	uint32_t all = add(tree, 0, "all", TREE_ROOT);

	(void)state;
	assert_int_not_equal(all, 0);
	assert_int_equal(add(tree, 0, "all", TREE_ROOT), all);
	tree_destroy(tree);
}

static void sums_and_sorts(void **state)
{
	static const char *const order[] = { "A", "[lost: x]", "a", "a", "b" };
	struct tree *tree = tree_create();
	uint32_t b = add(tree, 0, "b", TREE_KERNEL), id;
	unsigned int i = 0;

	(void)state;
	add(tree, 0, "a", TREE_KERNEL);
	add(tree, 0, "[lost: x]", TREE_LOST);
	add(tree, 0, "A", TREE_KERNEL);
	add(tree, 0, "a", TREE_IDLE);
	tree->nodes[b].self = 5;
	weigh(tree, b, "c", 7);
	tree->nodes[0].self = 1;
	tree_sum(tree);
	tree_sum(tree);		/* a second time changes nothing */

	assert_int_equal(tree->nodes[b].total, 12);
	assert_int_equal(tree->nodes[0].total, 13);
	for (id = tree->nodes[0].child; id; id = tree->nodes[id].sibling) {
		assert_string_equal(tree->nodes[id].name, order[i]);
		if (i == 2)
			assert_int_equal(tree->nodes[id].kind, TREE_KERNEL);
		if (i == 3)
			assert_int_equal(tree->nodes[id].kind, TREE_IDLE);
		i++;
	}
	assert_int_equal(i, 5);
	tree_destroy(tree);
}

static void totals_stop_at_the_limit(void **state)
{
	struct tree *tree = tree_create();

	(void)state;
	weigh(tree, 0, "a", UINT64_MAX);
	weigh(tree, 0, "b", 2);
	tree_sum(tree);
	assert_true(tree->nodes[0].total == UINT64_MAX);
	assert_true(tree_weight_add(UINT64_MAX - 1, 1) == UINT64_MAX);
	assert_true(tree_weight_add(UINT64_MAX, 1) == UINT64_MAX);
	tree_destroy(tree);
}

static void takes_a_wide_root(void **state)
{
	struct tree *tree = tree_create();
	const char *before = "";
	unsigned int nr = 0;

	(void)state;
	for (unsigned int i = 0; i < 100000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%06x", i * 7919 % 100003);
		weigh(tree, 0, name, 1);
	}
	tree_sum(tree);
	for (uint32_t id = tree->nodes[0].child; id;
	     id = tree->nodes[id].sibling, nr++) {
		assert_true(strcmp(before, tree->nodes[id].name) < 0);
		before = tree->nodes[id].name;
	}
	assert_int_equal(nr, 100000);
	assert_int_equal(tree->nodes[0].total, 100000);
	tree_destroy(tree);
}

static void takes_a_deep_stack(void **state)
{
	struct tree *tree = tree_create();
	uint32_t at = 0;

	(void)state;
	for (unsigned int i = 0; i < 500000; i++)
		at = add(tree, at, i % 2 ? "odd" : "even", TREE_KERNEL);
	tree->nodes[at].self = 3;
	tree_sum(tree);
	assert_int_equal(tree->nodes[0].total, 3);
	assert_int_equal(tree->nodes[250000].total, 3);
	tree_destroy(tree);
}

static struct tree *read_folded(const char *text, bool ordered)
{
	struct tree *tree = tree_create();
	FILE *in = fmemopen((void *)text, strlen(text), "r");

	tree->ordered = ordered;
	assert_int_equal(fold_read(tree, in, NULL), 0);
	fclose(in);
	tree_sum(tree);
	return tree;
}

static void reverses(void **state)
{
	struct tree *tree = read_folded("a;b;c 1\na;c 2\na 4\nb;c 8\n", false);
	struct tree *reversed, *again;
	char *text;

	(void)state;
	tree->nodes[0].self = 16;
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	assert_int_equal(reversed->nodes[0].self, 16);
	assert_int_equal(reversed->nodes[0].total, 31);
	text = folded(reversed);
	assert_non_null(strstr(text, "a 4\nc;a 2\nc;b 8\nc;b;a 1\n"));
	free(text);
	assert_int_equal(tree_reverse(&again, reversed), 0);
	text = folded(again);
	assert_non_null(strstr(text, "a 4\na;b;c 1\na;c 2\nb;c 8\n"));
	free(text);
	tree_destroy(again);
	tree_destroy(reversed);
	tree_destroy(tree);
}

static void keeps_an_order(void **state)
{
	struct tree *tree = read_folded("b;x 1\nb;y 2\nb;x 4\na;x 8\nb;x 16\nb;x 32\n", true);
	struct tree *reversed;
	char *text = folded(tree);

	(void)state;
	assert_string_equal(text, "b;x 1\nb;y 2\nb;x 4\na;x 8\nb;x 48\n");
	free(text);
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	text = folded(reversed);
	assert_string_equal(text, "x;b 1\ny;b 2\nx;b 4\nx;a 8\nx;b 48\n");
	free(text);
	tree_destroy(reversed);
	tree_destroy(tree);
}

/* Repeats of a name take one look-up each. */
static void keeps_the_order_of_many(void **state)
{
	struct tree *tree = tree_create();

	(void)state;
	tree->ordered = true;
	for (unsigned int i = 0; i < 300000; i++) {
		uint32_t id = add(tree, 0, i % 2 ? "a" : "b", TREE_KERNEL);

		tree->nodes[id].self = 1;
	}
	tree_sum(tree);
	assert_int_equal(tree->nr_nodes, 300001);
	assert_int_equal(tree->nodes[0].total, 300000);
	assert_int_equal(tree->nodes[0].child, 1);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins_with_its_root),
		cmocka_unit_test(finds_by_parent_name_and_kind),
		cmocka_unit_test(finds_a_child_among_few),
		cmocka_unit_test(finds_only_the_latest_child_in_an_order),
		cmocka_unit_test(numbers_names),
		cmocka_unit_test(finds_all_again),
		cmocka_unit_test(the_root_is_no_child),
		cmocka_unit_test(sums_and_sorts),
		cmocka_unit_test(totals_stop_at_the_limit),
		cmocka_unit_test(takes_a_wide_root),
		cmocka_unit_test(takes_a_deep_stack),
		cmocka_unit_test(reverses),
		cmocka_unit_test(keeps_an_order),
		cmocka_unit_test(keeps_the_order_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
