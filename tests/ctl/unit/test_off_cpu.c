// SPDX-License-Identifier: GPL-2.0
/*
 * Time off the CPU: the names of states, and which functions of a call tree it colours.
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
#include "profile/task_state.h"
#include "tree/off_cpu.h"
#include "view/layout.h"
#include "view/paint.h"

static void states_have_names_and_leaves(void **state)
{
	char text[TASK_STATES_TEXT];
	struct error error;
	uint32_t mask;

	(void)state;
	for (unsigned int i = 0; i < TASK_STATES; i++) {
		assert_true(task_state_is_leaf(task_state_leaf(i)));
		assert_int_equal(task_states_parse(task_state_name(i), &mask, &error), 0);
		assert_int_equal(mask, 1U << i);
		assert_string_equal(task_states_text(mask, text), task_state_name(i));
	}
	assert_false(task_state_is_leaf("[irqs-off]"));
	assert_false(task_state_is_leaf("waiting"));
	assert_int_equal(task_states_parse("waiting,D,S,D", &mask, &error), 0);
	assert_string_equal(task_states_text(mask, text), "S,D,waiting");
	assert_true(strlen(task_states_text(UINT32_MAX, text)) + 1 < sizeof(text));
}

static void unknown_states_are_named(void **state)
{
	static const struct { const char *text, *named; } bad[] = {
		{ "X", "X: the states are preempted,S,D,T,t,P,I,other,waiting" },
		{ "D,,S", "nothing: the states are" }, { "", "nothing: the" },
		{ "D,", "nothing: the" }, { "DS", "DS: the" }, { "d", "d: the" },
		{ "D,Waiting", "Waiting: the" }, { "wait", "wait: the" },
	};
	struct error error;
	uint32_t mask;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(task_states_parse(bad[i].text, &mask, &error), -EINVAL);
		if (strncmp(error.text, bad[i].named, strlen(bad[i].named)))
			fail_msg("\"%s\" is refused by \"%s\"", bad[i].text, error.text);
	}
}

static void what_mostly_waits_is_off(void **state)
{
	struct tree *tree = unfold("a;main;read;schedule;[sleeping] 5\n"
				   "a;main;read;copy 4\na;main;work 6\na;main;wait;[waiting] 2\n"
				   "a;main;wait;[odd] 2\nb;f;[preempted] 1\n"), *reversed;

	(void)state;
	expect_nodes(tree, off_cpu_nodes(tree),
		     "read schedule [sleeping] [waiting] b f [preempted]");
	assert_int_equal(tree_reverse(&reversed, tree), 0);
	expect_nodes(reversed, off_cpu_nodes(reversed),
		     "[sleeping] schedule read main a [waiting] wait main a [preempted] f b");
	tree_destroy(reversed);
	tree_destroy(tree);
}

/* The classes of functions: 'o' off the CPU in the scheme of kinds, and in no other. */
static void the_scheme_of_kinds_shows_it(void **state)
{
	static const char *const schemes[] = { "kind", "io", "subsystem" };
	struct tree *tree = unfold("a;f;g;[sleeping] 5\na;f;h 6\na;[user];[waiting] 1\n");
	struct layout_options options = { .width_px = 1000 };
	struct layout *layout;
	struct paint *paint;
	struct error error;

	(void)state;
	assert_int_equal(layout_create(&layout, tree, &options, &error), 0);
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		char text[64] = "", class[PAINT_CLASS_MAX];
		bool has_key = false;

		assert_int_equal(paint_create(&paint, tree, layout,
					      paint_scheme_find(schemes[i], &error), NULL), 0);
		for (uint32_t j = 0; j < layout->nr_rects; j++) {
			const char *name = tree->nodes[layout->rects[j].node].name;

			paint_class(paint, j, class);
			if (class[0] == 'o')
				strcat(strcat(text, name), " ");
		}
		for (unsigned int j = 0; j < paint->nr_keys; j++)
			has_key |= !strncmp(paint->keys[j].text, "off-CPU", 7);
		assert_int_equal(has_key, !i);
		assert_string_equal(text, i ? "" : "[user] g ");
		paint_destroy(paint);
	}
	layout_destroy(layout);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_have_names_and_leaves),
		cmocka_unit_test(unknown_states_are_named),
		cmocka_unit_test(what_mostly_waits_is_off),
		cmocka_unit_test(the_scheme_of_kinds_shows_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
