// SPDX-License-Identifier: GPL-2.0
/*
 * A recording beside resets by others: what the module keeps is taken before it is too late.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/child.h"
#include "base/clock.h"
#include "made_profile.h"
#include "nl_absent.h"
#include "wire/nl.h"
#include "wire/slicer.h"

/* What the module's only stack has been sampled, in each of its epochs. */
static uint64_t periods[3], period_ns;
static uint64_t child_periods;		/* and flamectl's own process, in each epoch */
static uint32_t epoch, kept;		/* the current one; the one that it keeps, or 0 */
static uint64_t clock_ns;
static unsigned int dumps;

uint64_t clock_monotonic_ns(void)
{
	return clock_ns;
}

static struct profile *of_epoch(uint32_t which)
{
	struct profile *profile = profile_create();

	assert_non_null(profile);
	profile->meta.epoch = which;
	profile->meta.period_ns = period_ns;
	profile->meta.instant_ns = clock_ns;
	profile->meta.is_closed = which != epoch;
	if (periods[which])
		add_sampled(profile, add_stack(profile, "entry;vfs_read", FLAMEMOD_FRAME_KERNEL),
			    "cat", 10, 0, FLAMEMOD_CONTEXT_TASK, periods[which]);
	if (child_periods)
		add_sampled(profile, 0, CHILD_COMM, 11, 0, FLAMEMOD_CONTEXT_USER, child_periods);
	return profile;
}

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)error;
	*profile = of_epoch(epoch);
	return 0;
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile, struct error *error)
{
	(void)nl;
	(void)reset;
	(void)profile;
	return error_set(error, -ENODEV, "not here");
}

int nl_dump_epoch(struct nl *nl, uint32_t wanted, bool reset, struct profile **profile,
		  struct error *error)
{
	(void)nl;
	(void)error;
	assert_false(reset);
	dumps++;
	*profile = of_epoch(wanted && wanted == kept ? kept : epoch);
	if (wanted == kept)
		kept = 0;
	return 0;
}

static void reset(void)
{
	kept = epoch++;
}

/* A module that sampled 100 periods before the recording. */
static struct slicer begin(void)
{
	struct slicer slicer = { .since_ns = 5 * NSEC_PER_SEC };
	struct error error;

	periods[0] = 0;
	periods[1] = 100;
	periods[2] = 0;
	period_ns = 1000000;
	epoch = 1;
	kept = 0;
	clock_ns = slicer.since_ns;
	assert_int_equal(slicer_start(&slicer, &error), 0);
	dumps = 0;
	return slicer;
}

static void run_at(struct slicer *slicer, uint64_t ns)
{
	struct error error;

	clock_ns = ns;
	assert_int_equal(slicer_run(slicer, &error), 0);
}

static struct profile *finish(struct slicer *slicer)
{
	struct profile *profile;
	struct error error;

	assert_int_equal(slicer_finish(slicer, &profile, &error), 0);
	assert_int_equal(profile_check(profile, &error), 0);
	return profile;
}

static void nothing_is_dumped_while_nobody_resets(void **state)
{
	struct slicer slicer = begin();
	struct profile *profile;

	(void)state;
	assert_int_equal(slicer_due_ns(&slicer), 105 * NSEC_PER_SEC);
	run_at(&slicer, 105 * NSEC_PER_SEC);
	assert_int_equal(slicer_due_ns(&slicer), 205 * NSEC_PER_SEC);
	assert_int_equal(dumps, 0);
	periods[1] = 107;
	profile = finish(&slicer);
	assert_int_equal(dumps, 1);
	assert_int_equal(profile->books.stored, 7);
	assert_int_equal(profile->meta.begin_ns, 5 * NSEC_PER_SEC);
	assert_null(profile->slices);
	profile_destroy(profile);
	slicer_deinit(&slicer);
}

/* What flamectl's own process was sampled for before the command, at each dump. */
static void what_was_before_the_command_is_known(void **state)
{
	struct slicer slicer = begin();
	struct profile *profile;

	(void)state;
	slicer.has_child = true;
	child_periods = 3;
	periods[1] = 110;
	reset();
	run_at(&slicer, 105 * NSEC_PER_SEC);
	periods[2] = 5;
	profile = finish(&slicer);
	assert_int_equal(profile->books.stored, 15);
	assert_int_equal(profile->books.filtered, 6);
	assert_int_equal(slicer.before_command, 6);
	child_periods = 0;
	profile_destroy(profile);
	slicer_deinit(&slicer);
}

static void what_is_kept_is_taken_at_the_next_check(void **state)
{
	struct slicer slicer = begin();
	struct profile *profile;

	(void)state;
	periods[1] = 130;
	reset();
	periods[2] = 4;
	run_at(&slicer, 105 * NSEC_PER_SEC);
	assert_int_equal(dumps, 2);
	assert_int_equal(kept, 0);
	periods[2] = 9;
	profile = finish(&slicer);
	assert_int_equal(profile->books.stored, 39);
	assert_int_equal(profile->nr_records, 1);
	assert_null(profile->slices);
	assert_false(slicer.deltas.missed);
	profile_destroy(profile);
	slicer_deinit(&slicer);
}

static void checks_are_due_between_slices_that_are_long(void **state)
{
	struct slicer slicer = begin();
	struct profile *profile;

	(void)state;
	slicer.slice_ns = 150 * NSEC_PER_SEC;
	assert_int_equal(slicer_due_ns(&slicer), 105 * NSEC_PER_SEC);
	periods[1] = 120;
	run_at(&slicer, 105 * NSEC_PER_SEC);
	assert_int_equal(dumps, 0);
	assert_int_equal(slicer_due_ns(&slicer), 155 * NSEC_PER_SEC);
	run_at(&slicer, 155 * NSEC_PER_SEC);
	assert_int_equal(dumps, 1);
	periods[1] = 160;
	clock_ns = 305 * NSEC_PER_SEC;
	profile = finish(&slicer);
	assert_int_equal(profile->books.stored, 60);
	assert_non_null(profile->slices);
	profile_destroy(profile);
	slicer_deinit(&slicer);
}

static void another_rate_ends_what_was_taken(void **state)
{
	struct slicer slicer = begin();
	struct profile *profile;

	(void)state;
	periods[1] = 130;
	reset();
	run_at(&slicer, 105 * NSEC_PER_SEC);
	assert_int_equal(slicer.profile->books.stored, 30);
	period_ns = 500000;
	periods[2] = 11;
	profile = finish(&slicer);
	assert_int_equal(profile->books.stored, 11);
	assert_true(slicer.deltas.restarted);
	profile_destroy(profile);
	slicer_deinit(&slicer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_dumped_while_nobody_resets),
		cmocka_unit_test(what_was_before_the_command_is_known),
		cmocka_unit_test(what_is_kept_is_taken_at_the_next_check),
		cmocka_unit_test(checks_are_due_between_slices_that_are_long),
		cmocka_unit_test(another_rate_ends_what_was_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
