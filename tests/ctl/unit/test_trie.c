// SPDX-License-Identifier: GPL-2.0
/*
 * The trie: nodes with few children, with many, and at the limit between them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/trie.h"

#define MANY	100000U

static void add(struct trie *trie, uint32_t parent, uint32_t label)
{
	assert_int_equal(trie_append(trie, parent, label), 0);
}

static void children_are_found_however_many_there_are(void **state)
{
	struct trie trie = { 0 };

	(void)state;
	add(&trie, 0, 0);
	for (uint32_t nr = 0; nr < 3 * TRIE_LISTED; nr++) {
		assert_int_equal(trie_find(&trie, 0, 100 + nr), 0);
		add(&trie, 0, 100 + nr);
		for (uint32_t i = 0; i <= nr; i++)
			assert_int_equal(trie_find(&trie, 0, 100 + i), i + 1);
		assert_int_equal(trie_find(&trie, 0, 99), 0);
		assert_int_equal(trie.nodes[0].nr_children, nr + 1);
	}
	trie_deinit(&trie);
}

static void a_label_is_found_only_below_its_parent(void **state)
{
	struct trie trie = { 0 };

	(void)state;
	add(&trie, 0, 0);
	for (uint32_t i = 0; i < 2 * TRIE_LISTED; i++)
		add(&trie, 0, i);
	add(&trie, 1, 5);
	assert_int_equal(trie_find(&trie, 1, 5), trie.nr - 1);
	assert_int_equal(trie_find(&trie, 0, 5), 6);
	assert_int_equal(trie_find(&trie, 2, 5), 0);
	trie_deinit(&trie);
}

/* 16 children each, except for the root, which has 15. */
static void many_nodes_are_found(void **state)
{
	struct trie trie = { 0 };

	(void)state;
	add(&trie, 0, 0);
	for (uint32_t i = 1; i < MANY; i++)
		add(&trie, i / 16, i);
	for (uint32_t i = 1; i < MANY; i++) {
		assert_int_equal(trie_find(&trie, i / 16, i), i);
		assert_int_equal(trie_find(&trie, i, i), 0);
	}
	trie_deinit(&trie);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_are_found_however_many_there_are),
		cmocka_unit_test(a_label_is_found_only_below_its_parent),
		cmocka_unit_test(many_nodes_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
