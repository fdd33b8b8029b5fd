// SPDX-License-Identifier: GPL-2.0
/*
 * --drop-late: late fires count once, and the books contain what is left out.
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
#include "made_selection.h"
#include "select/select.h"

/* Add a stack as the module sends it: names in brackets are marks. */
static uint32_t add_marked(struct profile *profile, const char *stack)
{
	char *copy = strdup(stack), *next = NULL, *name;
	uint32_t node = 0, frame;

	for (name = strtok_r(copy, ";", &next); name;
	     name = strtok_r(NULL, ";", &next)) {
		assert_int_equal(profile_add_frame(profile, name, *name != '[' ?
						   FLAMEMOD_FRAME_KERNEL :
						   strcmp(name, "[user]") ?
						   FLAMEMOD_FRAME_MARK :
						   FLAMEMOD_FRAME_USER, &frame), 0);
		assert_int_equal(profile_add_node(profile, node, frame, &node), 0);
	}
	free(copy);
	return node;
}

/* A profile of late fires, each with its count and its periods. */
static struct profile *make_late_profile(void)
{
	static const struct {
		const char *stack;
		enum flamemod_context context;
		uint64_t count, periods;
	} records[] = {
		{ "f", FLAMEMOD_CONTEXT_TASK, 5, 5 },
		{ "f;[stalled]", FLAMEMOD_CONTEXT_TASK, 0, 40 },
		{ "f;[irqs-off]", FLAMEMOD_CONTEXT_TASK, 3, 30 },
		{ "f;[irqs-off];[stalled]", FLAMEMOD_CONTEXT_TASK, 0, 7 },
		{ "[steal]", FLAMEMOD_CONTEXT_TASK, 1, 9 },
		{ "do_idle", FLAMEMOD_CONTEXT_IDLE, 2, 6 },
		/* asleep, without a timer */
		{ NULL, FLAMEMOD_CONTEXT_IDLE, 1, 100 },
		{ "[interrupt]", FLAMEMOD_CONTEXT_HARDIRQ, 1, 20 },
		{ NULL, FLAMEMOD_CONTEXT_USER, 4, 8 },
		{ "[user];[stalled]", FLAMEMOD_CONTEXT_USER, 0, 2 },
	};
	struct profile_cpu cpu = { .books = { .fires = 227, .stored = 227 } };
	struct profile *profile = profile_create();

	assert_non_null(profile);
	profile->meta.period_ns = 1003009;
	profile->meta.resolution_ns = 1;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		struct profile_record record = {
			.node = records[i].stack ?
				add_marked(profile, records[i].stack) : 0,
			.context = records[i].context, .count = records[i].count,
			.periods = records[i].periods,
		};

		assert_int_equal(profile_add_task(profile, 1, 1, "sh", &record.task), 0);
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	return profile;
}

/* A fire counts once, whatever delayed it; naps are not late. */
static void what_is_late_is_left_out(void **state)
{
	static const struct asked asked[] = { { SELECT_DROP_LATE, NULL }, NOTHING };
	struct selection selection = make_selection(asked);
	struct profile *profile = make_late_profile();
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	char fact[PROFILE_LATE_FACT], *text;
	struct error error;
	struct tree *tree;
	uint64_t left_out;

	(void)state;
	assert_int_equal(profile_late_all(profile), 93);
	profile->meta.steal = PROFILE_STEAL_CLOCK;
	assert_string_equal(profile_late_fact(profile, fact),
			    "late 40.97 %, with a steal clock");
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(left_out, 93);
	assert_int_equal(profile->books.filtered, 93);
	assert_int_equal(profile_late_all(profile), 0);
	assert_null(profile_late_fact(profile, fact));
	tree = fold_profile(profile, &options, &error);
	text = folded(tree);
	assert_string_equal(text, "sh;[idle] 100\nsh;[interrupt] 20\n"
			    "sh;[user] 4\nsh;do_idle 2\nsh;f 5\nsh;f;[irqs-off] 3\n");
	free(text);
	tree_destroy(tree);
	profile_destroy(profile);
}

/* With other selections, nothing is left out twice. */
static void what_is_late_is_left_out_of_a_selection(void **state)
{
	static const struct asked asked[] = {
		{ SELECT_DROP_LATE, NULL }, { SELECT_INCLUDE, "^f$" },
		{ SELECT_NO_IRQS_OFF, NULL }, NOTHING
	};
	struct selection selection = make_selection(asked);
	struct profile *profile = make_late_profile();
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	struct error error;
	struct tree *tree;
	uint64_t left_out;
	char *text;

	(void)state;
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(left_out, 227 - 8);
	tree = fold_profile(profile, &options, &error);
	text = folded(tree);
	assert_string_equal(text, "sh;f 8\n");
	free(text);
	tree_destroy(tree);
	profile_destroy(profile);
}

static void expect_no_late(struct profile *profile, const char *reason)
{
	static const struct asked asked[] = { { SELECT_DROP_LATE, NULL }, NOTHING };
	struct selection selection = make_selection(asked);
	struct error error;
	uint64_t left_out;

	assert_int_equal(select_profile(&selection, &profile, &left_out, &error),
			 -EINVAL);
	assert_string_equal(error.text, reason);
	profile_destroy(profile);
}

static void what_is_late_is_not_known_of_all_profiles(void **state)
{
	struct profile *profile = make_late_profile();

	(void)state;
	profile->meta.period_ns = 1;
	expect_no_late(profile, "--drop-late: this sum of profiles of several rates does not say what was late; use it with each of them");
	profile = make_late_profile();
	profile->meta.resolution_ns = 0;
	assert_int_equal(profile_late_all(profile), 0);
	expect_no_late(profile, "--drop-late: this profile is not flamemod's, and does not say what was late");
	/* off-cpu, whose period is 1 ns as well */
	profile = make_late_profile();
	profile->meta.period_ns = 1;
	profile->meta.intervals.known = true;
	strcpy(profile->meta.weight_type, "off-cpu");
	expect_no_late(profile, "--drop-late works on the samples of the timer, and this is the event off-cpu: choose the samples with --event on-cpu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_late_is_left_out),
		cmocka_unit_test(what_is_late_is_left_out_of_a_selection),
		cmocka_unit_test(what_is_late_is_not_known_of_all_profiles),
	};

	return cmocka_run_group_tests_name("select_late", tests, NULL, NULL);
}
