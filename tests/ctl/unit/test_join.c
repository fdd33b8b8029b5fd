// SPDX-License-Identifier: GPL-2.0
/*
 * Joining profiles, and differences between successive dumps of a made-up module.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "nl_absent.h"
#include "profile/join.h"
#include "wire/deltas.h"
#include "wire/nl.h"

static struct profile *(*module)(void);
static int module_error;

/* An epoch that the module keeps; NULL: it has none. */
static struct profile *(*kept)(void);
static int keep_error;
static uint32_t asked;			/* the last epoch that was asked for */

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)profile;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error)
{
	(void)nl;
	assert_false(reset);
	if (module_error)
		return error_set(error, module_error, "gone");
	*profile = module();
	return 0;
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	asked = epoch;
	if (keep_error)
		return error_set(error, keep_error, "not kept");
	if (!kept)
		return nl_dump(nl, reset, profile, error);
	*profile = kept();
	(*profile)->meta.is_closed = true;
	kept = NULL;
	return 0;
}

static struct profile *later_profile(void)
{
	struct profile *profile = made_profile();

	profile->meta.instant_ns += 2000000000;
	add_sampled(profile, add_stack(profile, "entry;fork",
				       FLAMEMOD_FRAME_KERNEL),
		    "sh", 20, 1, FLAMEMOD_CONTEXT_TASK, 40);
	add_sampled(profile, add_stack(profile, "entry;do_syscall;vfs_read",
				       FLAMEMOD_FRAME_KERNEL),
		    "cat", 10, 0, FLAMEMOD_CONTEXT_TASK, 8);
	return profile;
}

static struct profile *reset_profile(void)
{
	struct profile *profile = made_profile();

	profile->meta.epoch++;
	return profile;
}

static struct profile *second_reset_profile(void)
{
	struct profile *profile = made_profile();

	profile->meta.epoch += 2;
	return profile;
}

static struct profile *other_rate_profile(void)
{
	struct profile *profile = reset_profile();

	profile->meta.period_ns *= 2;
	return profile;
}

static void the_difference_and_the_earlier_are_the_later(void **state)
{
	struct profile *earlier = made_profile(), *later = later_profile();
	struct profile *left = later_profile();
	struct error error;

	(void)state;
	assert_int_equal(profile_subtract(left, earlier, &error), 0);
	assert_int_equal(profile_join(earlier, left, NULL), 0);
	earlier->meta = later->meta;
	assert_same(earlier, later);
	profile_destroy(earlier);
	profile_destroy(later);
	profile_destroy(left);
}

static void a_difference_is_what_a_subtraction_leaves(void **state)
{
	struct profile *earlier = made_profile(), *later = later_profile();
	struct profile *left = later_profile(), *difference;
	struct error error;

	(void)state;
	assert_int_equal(profile_subtract(left, earlier, &error), 0);
	assert_int_equal(profile_difference(later, earlier, &difference, &error), 0);
	assert_same(difference, left);
	assert_memory_equal(&difference->meta, &left->meta, sizeof(left->meta));
	assert_memory_equal(&difference->books, &left->books, sizeof(left->books));
	/* entry;fork, and do_syscall;vfs_read below the same entry */
	assert_int_equal(difference->nr_nodes, 5);
	assert_int_equal(difference->nr_tasks, 2);
	profile_destroy(difference);
	profile_destroy(left);
	/* the other way round there is none, and nothing has changed */
	left = later_profile();
	assert_int_equal(profile_difference(earlier, later, &difference, &error), -ERANGE);
	assert_same(later, left);
	profile_destroy(left);
	profile_destroy(earlier);
	profile_destroy(later);
}

static void only_used_elements_are_copied(void **state)
{
	struct profile *earlier = made_profile(), *left = later_profile();
	struct profile *joined = profile_create();
	struct error error;

	(void)state;
	assert_int_equal(profile_subtract(left, earlier, &error), 0);
	assert_int_equal(profile_join(joined, left, NULL), 0);
	/* entry;fork, and do_syscall;vfs_read below the same entry */
	assert_int_equal(joined->nr_nodes, 5);
	assert_int_equal(joined->nr_tasks, 2);
	assert_int_equal(profile_check(joined, &error), 0);
	profile_destroy(earlier);
	profile_destroy(left);
	profile_destroy(joined);
}

static void tasks_of_two_hosts_are_two(void **state)
{
	struct profile *part = profile_create(), *joined = profile_create();
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_USER, .count = 1, .periods = 1,
	};

	(void)state;
	assert_int_equal(profile_add_task(part, 1, 1, "a", &record.task), 0);
	assert_int_equal(profile_add_record(part, &record), 0);
	assert_int_equal(profile_add_task_of(part, "there", 1, 1, "a",
					     &record.task), 0);
	assert_int_equal(profile_add_record(part, &record), 0);
	assert_int_equal(profile_join(joined, part, NULL), 0);
	assert_int_equal(joined->nr_records, 2);
	assert_int_equal(joined->nr_tasks, 2);
	assert_string_equal(joined->tasks[0].host, "");
	assert_string_equal(joined->tasks[1].host, "there");
	profile_destroy(part);
	profile_destroy(joined);
}

static void a_sum_past_the_limit_is_refused(void **state)
{
	struct profile *one = profile_create(), *other = profile_create();

	(void)state;
	add_sampled(one, 0, "a", 1, 0, FLAMEMOD_CONTEXT_USER, 1);
	add_sampled(other, 0, "a", 1, 0, FLAMEMOD_CONTEXT_USER, 1);
	other->records[0].periods = UINT64_MAX;
	assert_int_equal(profile_join(one, other, NULL), -EOVERFLOW);
	profile_destroy(one);
	profile_destroy(other);
}

static struct profile *look(struct deltas *deltas, struct profile *(*at)(void))
{
	struct profile *delta = NULL;
	struct error error;

	module = at;
	assert_int_equal(deltas_next(deltas, &delta, &error), 0);
	assert_int_equal(profile_check(delta, &error), 0);
	return delta;
}

static void a_look_has_what_came_since_the_last(void **state)
{
	struct deltas deltas = { 0 };
	struct profile *whole = made_profile(), *delta;

	(void)state;
	delta = look(&deltas, made_profile);
	assert_same(delta, whole);
	profile_destroy(delta);
	delta = look(&deltas, later_profile);
	assert_int_equal(delta->books.stored, 48);
	assert_int_equal(delta->nr_records, 2);
	assert_int_equal(delta->meta.instant_ns, 17000000001);
	profile_destroy(delta);
	delta = look(&deltas, later_profile);
	assert_int_equal(delta->nr_records, 0);
	assert_int_equal(delta->books.fires, 0);
	profile_destroy(delta);
	/* after a reset everything is new */
	delta = look(&deltas, reset_profile);
	assert_int_equal(delta->books.stored, whole->books.stored);
	assert_true(deltas.missed);
	profile_destroy(delta);
	profile_destroy(whole);
	deltas_forget(&deltas);
}

static void what_is_kept_at_a_reset_is_in_the_next_look(void **state)
{
	struct deltas deltas = { 0 };
	struct profile *whole = made_profile(), *delta;
	uint32_t epoch = whole->meta.epoch;
	struct error error;

	(void)state;
	module = made_profile;
	assert_int_equal(deltas_start(&deltas, &error), 0);
	assert_int_equal(asked, 0);
	assert_same(deltas.seen, whole);
	kept = later_profile;
	delta = look(&deltas, reset_profile);
	assert_int_equal(delta->books.stored, 48 + whole->books.stored);
	assert_int_equal(delta->meta.epoch, epoch + 1);
	assert_int_equal(asked, epoch + 1);
	profile_destroy(delta);
	delta = look(&deltas, reset_profile);
	assert_int_equal(delta->books.fires, 0);
	profile_destroy(delta);
	assert_false(deltas.missed);
	module = reset_profile;
	assert_int_equal(deltas_last(&deltas, &delta, &error), 0);
	assert_int_equal(delta->nr_records, 0);
	assert_null(deltas.seen);
	profile_destroy(delta);
	profile_destroy(whole);
}

/* The second of two resets ended an epoch that is not kept. */
static void what_is_not_kept_is_missed(void **state)
{
	struct deltas deltas = { 0 };
	struct profile *delta;

	(void)state;
	profile_destroy(look(&deltas, made_profile));
	kept = later_profile;
	delta = look(&deltas, second_reset_profile);
	assert_int_equal(delta->books.stored, 48 + 198);
	assert_true(deltas.missed);
	profile_destroy(delta);
	deltas_forget(&deltas);
}

static void a_module_that_keeps_nothing_is_dumped(void **state)
{
	const int errors[] = { -EUSERS, -EPROTONOSUPPORT };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct deltas deltas = { 0 };

		keep_error = errors[i];
		profile_destroy(look(&deltas, made_profile));
		profile_destroy(look(&deltas, later_profile));
		assert_false(deltas.missed);
		profile_destroy(look(&deltas, reset_profile));
		assert_true(deltas.missed);
		assert_int_equal(deltas.keeps_none, errors[i] == -EPROTONOSUPPORT);
		deltas_forget(&deltas);
	}
	keep_error = 0;
}

static void periods_of_two_lengths_are_not_added(void **state)
{
	struct deltas deltas = { 0 };
	struct profile *delta;

	(void)state;
	profile_destroy(look(&deltas, made_profile));
	kept = later_profile;
	delta = look(&deltas, other_rate_profile);
	assert_int_equal(delta->books.stored, 198);
	assert_true(deltas.restarted);
	profile_destroy(delta);
	deltas_forget(&deltas);
}

static void after_a_failed_look_everything_is_new(void **state)
{
	struct deltas deltas = { 0 };
	struct profile *delta;
	struct error error;

	(void)state;
	profile_destroy(look(&deltas, later_profile));
	module_error = -ENODEV;
	assert_int_equal(deltas_next(&deltas, &delta, &error), -ENODEV);
	assert_string_equal(error.text, "gone");
	assert_null(deltas.seen);
	module_error = 0;
	/* the same epoch, but less than before */
	profile_destroy(look(&deltas, later_profile));
	module = made_profile;
	assert_int_equal(deltas_next(&deltas, &delta, &error), -ERANGE);
	delta = look(&deltas, made_profile);
	assert_int_equal(delta->books.stored, 198);
	profile_destroy(delta);
	deltas_forget(&deltas);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_difference_and_the_earlier_are_the_later),
		cmocka_unit_test(a_difference_is_what_a_subtraction_leaves),
		cmocka_unit_test(only_used_elements_are_copied),
		cmocka_unit_test(tasks_of_two_hosts_are_two),
		cmocka_unit_test(a_sum_past_the_limit_is_refused),
		cmocka_unit_test(a_look_has_what_came_since_the_last),
		cmocka_unit_test(what_is_kept_at_a_reset_is_in_the_next_look),
		cmocka_unit_test(what_is_not_kept_is_missed),
		cmocka_unit_test(a_module_that_keeps_nothing_is_dumped),
		cmocka_unit_test(periods_of_two_lengths_are_not_added),
		cmocka_unit_test(after_a_failed_look_everything_is_new),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
