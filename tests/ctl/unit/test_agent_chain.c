// SPDX-License-Identifier: GPL-2.0
/*
 * Windows are differences of dumps, and chain: each begins where the last ended, and what
 * breaks a chain is counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/disk.h"
#include "agent_place.h"
#include "made_profile.h"
#include "profile/jit.h"

static void windows_are_differences_that_chain(void **state)
{
	struct place *place = *state;
	struct profile *profile;

	place_step(place);
	place_step(place);
	/* a new agent goes on, however long it was gone */
	place_end_agent(place);
	place->world->seconds += 5;
	place_start_agent(place);
	place_step(place);
	place_expect_window(place, 0, 10 * SEC, 11, 10);
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_expect_window(place, 2, 12 * SEC, 18, 12);
	assert_int_equal(place_window(place, 3).first, 0);
	assert_int_equal(place_ledger(place)->made, 3);
	assert_int_equal(place_ledger(place)->made_periods, world_sum(10, 18));
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_FIRST], 1);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
	profile_destroy(place_next_profile(place));
	profile = place_next_profile(place);
	/* second 12 alone: its stack, its command, and neither ids nor CPUs */
	assert_int_equal(profile->nr_records, 1);
	assert_int_equal(profile->nr_frames, 2);
	assert_int_equal(profile->nr_tasks, 1);
	assert_string_equal(profile->tasks[0].comm, "comm0");
	assert_int_equal(profile->tasks[0].pid, 0);
	assert_int_equal(profile->nr_cpus, 1);
	assert_int_equal(profile->meta.nr_summed_cpus, 2);
	assert_int_equal(profile->meta.time_ns, 1700000011 * (int64_t)SEC);
	profile_destroy(profile);
}

static void a_reset_by_others_is_a_counted_gap(void **state)
{
	struct place *place = *state;

	place_step(place);
	world_reset(place->world);
	place_step(place);
	place_expect_window(place, 0, 10 * SEC, 11, 10);
	place_expect_window(place, 1, 12 * SEC + 1000, 13, 12);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 1);
	assert_int_equal(place_ledger(place)->gap_ns, SEC + 1000);
	assert_int_equal(place_window(place, 1).epoch, 2);
}

/* Windows have all from second 10 on, and chain. */
static void expect_whole_chain(struct place *place)
{
	uint64_t end_ns = 10 * SEC, sum = 0;
	struct window found;

	for (size_t i = 0; (found = place_window(place, i)).first; i++) {
		assert_int_equal(found.begin_ns, end_ns);
		end_ns = found.end_ns;
		sum += found.periods;
	}
	assert_int_equal(end_ns, place->world->seconds * SEC);
	assert_int_equal(sum, world_sum(10, place->world->seconds));
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_STATE], 0);
	assert_int_equal(place_ledger(place)->gap_ns, 0);
}

static void a_reset_by_others_costs_nothing_where_it_is_kept(void **state)
{
	struct place *place = *state;

	place->world->first_kept = 1;
	place_step(place);
	world_reset(place->world);
	place_step(place);
	/* up to the reset, and from it on */
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_expect_window(place, 2, 12 * SEC, 13, 12);
	assert_int_equal(place_window(place, 1).epoch, 1);
	assert_int_equal(place_window(place, 2).epoch, 2);
	/* three in a row, and a step without any */
	for (int i = 0; i < 3; i++)
		world_reset(place->world);
	place_step(place);
	place_step(place);
	place_expect_window(place, 5, 15 * SEC, 16, 15);
	place_expect_window(place, 7, 17 * SEC, 18, 17);
	assert_int_equal(place_window(place, 8).first, 0);
	expect_whole_chain(place);
	/* a new agent, which goes on in an epoch that was closed meanwhile */
	place_end_agent(place);
	world_reset(place->world);
	place_start_agent(place);
	place_step(place);
	expect_whole_chain(place);
	assert_int_equal(place_ledger(place)->resets, 0);
}

static void an_epoch_that_was_not_kept_is_a_counted_gap(void **state)
{
	struct place *place = *state;

	place->world->first_kept = 1;
	place_step(place);
	world_reset(place->world);
	world_reset(place->world);
	place->world->first_kept = 2;
	place_step(place);
	place_expect_window(place, 1, 12 * SEC + 1000, 13, 12);
	place_expect_window(place, 2, 13 * SEC, 14, 13);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 1);
	assert_int_equal(place_ledger(place)->gap_ns, SEC + 1000);
}

/* More resets than a step looks at; all are in the end. */
static void many_resets_take_several_steps(void **state)
{
	struct place *place = *state;

	place->world->first_kept = 1;
	place_step(place);
	for (int i = 0; i < 100; i++)
		world_reset(place->world);
	place_step(place);
	assert_int_equal(place_ledger(place)->made, 1 + 64);
	place_step(place);
	assert_int_equal(place_ledger(place)->made, 1 + 100 + 1);
	expect_whole_chain(place);
}

static void epochs_without_samples_are_passed(void **state)
{
	struct place *place = *state;

	place->world->first_kept = 1;
	place->world->is_stopped = true;
	place_step(place);
	world_reset(place->world);
	world_reset(place->world);
	place_step(place);
	assert_int_equal(chain_epoch(&place->chain), 3);
	assert_int_equal(place_ledger(place)->made, 0);
	place->world->is_stopped = false;
	place_step(place);
	/* all since the last reset is of the third epoch */
	assert_int_equal(place_window(place, 0).epoch, 3);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
}

static int fail_twice(void)
{
	static int nr;

	return nr++ < 2 ? -ENOSPC : 0;
}

static void a_closed_epoch_is_asked_for_until_it_is_on_disk(void **state)
{
	struct place *place = *state;
	struct error error;

	place->world->first_kept = 1;
	place_step(place);
	world_reset(place->world);
	disk_step = fail_twice;
	assert_int_equal(chain_step(&place->chain, &error), -ENOSPC);
	assert_int_equal(chain_epoch(&place->chain), 1);
	assert_int_equal(chain_step(&place->chain, &error), -ENOSPC);
	disk_step = NULL;
	place_step(place);
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	expect_whole_chain(place);
}

/* Somebody resets the module just before the agent does, the first two times. */
static int dump_after_a_reset(void *context, uint32_t epoch, bool reset,
			      struct profile **profile, struct error *error)
{
	struct world *world = context;

	if (reset && world->epoch < 3)
		world_reset(world);
	return world_dump(world, epoch, reset, profile, error);
}

static void what_others_reset_comes_before_a_reset(void **state)
{
	struct place *place = *state;

	place->world->first_kept = 1;
	place->world->limit_bytes = 500;
	place->chain.source.dump = dump_after_a_reset;
	for (int i = 0; i < 4; i++)
		place_step(place);
	/* two by others, and then its own */
	assert_int_equal(place->world->epoch, 4);
	assert_int_equal(place_ledger(place)->resets, 1);
	expect_whole_chain(place);
}

static void a_module_that_was_loaded_again_has_another_epoch(void **state)
{
	struct place *place = *state;

	place_step(place);
	/* of the same number, and with more than before */
	world_reload(place->world);
	place->world->seconds += 7;
	place_step(place);
	place_expect_window(place, 1, 12 * SEC, 20, 12);
	assert_int_equal(place_window(place, 1).epoch, 1);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 1);
	assert_int_equal(place_ledger(place)->gap_ns, SEC);
}

static void another_boot_begins_anew(void **state)
{
	struct place *place = *state;

	place_step(place);
	place_end_agent(place);
	place->world->seconds = place->world->began = 3;
	place_start_agent(place);
	strcpy(place->chain.boot, "ffffffffffffffffffffffffffffffff");
	place_step(place);
	place_step(place);
	place_expect_window(place, 1, 3 * SEC, 4, 3);
	place_expect_window(place, 2, 4 * SEC, 5, 4);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_BOOT], 1);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_FIRST], 1);
	assert_int_equal(place_ledger(place)->gap_ns, 0);
}

static void a_damaged_last_profile_doubles_nothing(void **state)
{
	struct place *place = *state;
	int fd;

	place_step(place);
	place_end_agent(place);
	place_start_agent(place);
	fd = openat(place->spool.state, "last-" WORLD_BOOT ".pb.gz", O_WRONLY | O_TRUNC);
	assert_true(fd >= 0);
	close(fd);
	place_step(place);
	place_step(place);
	place_expect_window(place, 0, 10 * SEC, 11, 10);
	place_expect_window(place, 1, 12 * SEC, 13, 12);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_STATE], 1);
	assert_int_equal(place_ledger(place)->gap_ns, SEC);
}

static void a_module_with_less_than_before_doubles_nothing(void **state)
{
	struct place *place = *state;

	place_step(place);
	place_step(place);
	place->world->is_stopped = true;
	place_step(place);
	place->world->is_stopped = false;
	place_step(place);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_STATE], 1);
	assert_int_equal(place_ledger(place)->gap_ns, SEC);
	place_expect_window(place, 1, 11 * SEC, 12, 11);
}

static void without_samples_there_is_no_window(void **state)
{
	struct place *place = *state;
	uint64_t second;

	place->world->is_stopped = true;
	place_step(place);
	place_step(place);
	assert_int_equal(place_window(place, 0).first, 0);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_FIRST], 1);
	place->world->is_stopped = false;
	place->world->began = second = place->world->seconds;
	place_step(place);
	assert_int_equal(place_window(place, 0).periods, world_sum(second, second + 1));
}

static void a_full_module_is_reset_and_the_chain_goes_on(void **state)
{
	struct place *place = *state;

	place->world->limit_bytes = 700;
	for (int i = 0; i < 20; i++)
		place_step(place);
	expect_whole_chain(place);
	assert_true(place_ledger(place)->resets > 2);
	assert_true(place->world->epoch > 3);
}

static void a_merged_window_has_an_identity(void **state)
{
	struct place *place = *state;
	const struct spool_now now = { .boot = WORLD_BOOT, .monotonic_ns = 12 * SEC };
	struct spool_list list = { .nr = 0 };
	struct error error;

	place_step(place);
	place_step(place);
	assert_int_equal(spool_list(&place->spool, &list, &error), 0);
	place->spool.limits.bytes_max = list.bytes - 1;
	free(list.entries);
	assert_int_equal(spool_tidy(&place->spool, NULL, 0, &now, &error), 0);
	assert_int_equal(place_window(place, 0).last, 2);
	assert_int_equal(place_window(place, 0).begin_ns, 10 * SEC);
	assert_int_equal(place_window(place, 0).end_ns, 12 * SEC);
	profile_destroy(place_next_profile(place));
}

/* A module of 3 MiB for the profile, with 20 MiB of other tables. */
static struct profile_meta memory;
static uint64_t lost_of_all;

static int dump_with_memory(void *context, uint32_t epoch, bool reset, struct profile **profile,
			    struct error *error)
{
	struct profile_cpu books = { .books = { .fires = lost_of_all } };
	int err = world_dump(context, epoch, reset, profile, error);

	books.books.lost[FLAMEMOD_LOST_AGGREGATE_FULL] = lost_of_all;
	assert_int_equal(profile_add_cpu(*profile, &books), 0);
	(*profile)->meta.memory_bytes = memory.memory_bytes;
	(*profile)->meta.kept = memory.kept;
	(*profile)->meta.memory_limit_bytes = 28 << 20;
	(*profile)->meta.origin.aggregate_kb = 3 << 10;
	(*profile)->meta.user_stacks = (struct profile_user_stacks){
		.known = true, .rows_bytes = 1 << 20, .rows_limit_bytes = 6 << 20,
	};
	if (reset)
		lost_of_all = 0;
	return err;
}

static void only_the_memory_of_the_profile_counts(void **state)
{
	struct place *place = *state;

	place->chain.source.dump = dump_with_memory;
	/* 20 MiB of tables, and half of the 2 MiB that are not its readers' */
	memory.memory_bytes = 21 << 20;
	lost_of_all = 0;
	place_step(place);
	assert_int_equal(place_ledger(place)->resets, 0);
	/* what the module keeps for readers is free when it is needed */
	memory.kept.bytes = 1 << 20;
	memory.memory_bytes += 1 << 20;
	place_step(place);
	assert_int_equal(place_ledger(place)->resets, 0);
	memory.memory_bytes++;
	place_step(place);
	assert_int_equal(place_ledger(place)->resets, 1);
	memory.kept.bytes = 0;
	/* its tables are there only once all CPUs are sampled; a full profile is full */
	memory.memory_bytes = 1 << 20;
	place_step(place);
	assert_int_equal(place_ledger(place)->resets, 1);
	lost_of_all = 7;
	place_step(place);
	assert_int_equal(place_ledger(place)->resets, 2);
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_MODULE], 0);
}

static const struct world *full_world;

/* The disk is full once the module was reset. */
static int be_full_after_a_reset(void)
{
	return full_world->epoch > 1 ? -ENOSPC : 0;
}

static void what_a_reset_module_had_is_kept_until_it_is_on_disk(void **state)
{
	struct place *place = *state;
	struct error error;

	place->world->limit_bytes = 300;
	full_world = place->world;
	disk_step = be_full_after_a_reset;
	place_step(place);
	assert_int_equal(chain_step(&place->chain, &error), -ENOSPC);
	assert_int_equal(place->world->epoch, 2);
	assert_int_equal(chain_step(&place->chain, &error), -ENOSPC);
	disk_step = NULL;
	place->world->limit_bytes = 1 << 20;
	place_step(place);
	/* 11, 12, up to the reset at 13, and after it */
	place_expect_window(place, 2, 12 * SEC, 13, 12);
	place_expect_window(place, 3, 13 * SEC, 14, 13);
	assert_int_equal(place_ledger(place)->gap_ns, 0);
	assert_int_equal(place_ledger(place)->resets, 1);
}

static void a_set_clock_is_counted_and_breaks_nothing(void **state)
{
	struct place *place = *state;

	place_step(place);
	place->world->clock_ns = -3600 * (int64_t)SEC;
	place_step(place);
	place->world->clock_ns += SEC / 2;
	place_step(place);
	assert_int_equal(place_ledger(place)->clock_steps, 1);
	place_expect_window(place, 1, 11 * SEC, 12, 11);
	place_expect_window(place, 2, 12 * SEC, 13, 12);
}

/* Add a process that makes code at run time, which ran at two places. */
static int dump_with_jit(void *context, uint32_t epoch, bool reset, struct profile **profile,
			 struct error *error)
{
	struct world *world = context;
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_USER, .count = 1, .periods = world->seconds,
	};
	struct profile_cpu books = { .books = { 0 } };
	uint32_t object, frame;

	world_dump(context, epoch, reset, profile, error);
	books.books.fires = books.books.stored = 2 * record.periods;
	assert_int_equal(profile_add_task(*profile, 77, 77, "node", &record.task), 0);
	assert_int_equal(profile_add_object(*profile, "[jit 77]", "", &object), 0);
	for (uint64_t place = 0x1000; place <= 0x2000; place += 0x1000) {
		assert_int_equal(profile_add_frame_at(*profile, NULL, object, place, &frame), 0);
		assert_int_equal(profile_add_node(*profile, 0, frame, &record.node), 0);
		assert_int_equal(profile_add_record(*profile, &record), 0);
	}
	assert_int_equal(profile_add_cpu(*profile, &books), 0);
	return 0;
}

static const char *name_place(void *context, uint32_t frame)
{
	(void)frame;
	return context;
}

static int name_jit(void *context, struct profile *profile, struct error *error)
{
	static char function[] = "function";

	(void)context;
	(void)error;
	return jit_replace(profile, name_place, function);
}

static bool has_frame(const struct profile *profile, const char *name)
{
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		if (!strcmp(profile->frames[i].name, name))
			return true;
	return false;
}

static void places_in_jit_code_outlive_the_agent_without_addresses(void **state)
{
	struct place *place = *state;
	struct profile *profile;

	for (int life = 0; life < 2; life++) {
		place->chain.source.dump = dump_with_jit;
		place->chain.source.name = name_jit;
		place_step(place);
		place_step(place);
		if (!life) {
			place_end_agent(place);
			place_start_agent(place);
		}
	}
	for (int i = 0; i < 4; i++) {
		profile = place_next_profile(place);
		/* only the first window of another agent does not know the places */
		assert_int_equal(has_frame(profile, "function"), i != 2);
		assert_int_equal(has_frame(profile, "[jit 77]"), i == 2);
		profile_destroy(profile);
	}
	assert_int_equal(place_ledger(place)->breaks[LEDGER_BREAK_STATE], 0);
	assert_int_equal(place_ledger(place)->made_periods, world_sum(10, 14) + 2 * 13);
}

static int fail_to_name(void *context, struct profile *profile, struct error *error)
{
	(void)context;
	/* what it is called for, and not all that the module has */
	assert_int_equal(profile->nr_records, 1);
	return error_set(error, -ENOMEM, "no names");
}

static void a_window_that_fails_is_made_later(void **state)
{
	struct place *place = *state;
	struct error error;

	place_step(place);
	place->chain.source.name = fail_to_name;
	assert_int_equal(chain_step(&place->chain, &error), -ENOMEM);
	assert_string_equal(error.text, "no names");
	place->chain.source.name = NULL;
	place_step(place);
	place_expect_window(place, 1, 11 * SEC, 13, 11);
}

#define place_test(name)	cmocka_unit_test_setup_teardown(name, place_make, place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		place_test(windows_are_differences_that_chain),
		place_test(a_reset_by_others_is_a_counted_gap),
		place_test(a_reset_by_others_costs_nothing_where_it_is_kept),
		place_test(an_epoch_that_was_not_kept_is_a_counted_gap),
		place_test(many_resets_take_several_steps),
		place_test(epochs_without_samples_are_passed),
		place_test(a_closed_epoch_is_asked_for_until_it_is_on_disk),
		place_test(what_others_reset_comes_before_a_reset),
		place_test(a_module_that_was_loaded_again_has_another_epoch),
		place_test(another_boot_begins_anew),
		place_test(a_damaged_last_profile_doubles_nothing),
		place_test(a_module_with_less_than_before_doubles_nothing),
		place_test(without_samples_there_is_no_window),
		place_test(a_full_module_is_reset_and_the_chain_goes_on),
		place_test(a_merged_window_has_an_identity),
		place_test(only_the_memory_of_the_profile_counts),
		place_test(what_a_reset_module_had_is_kept_until_it_is_on_disk),
		place_test(a_set_clock_is_counted_and_breaks_nothing),
		place_test(a_window_that_fails_is_made_later),
		place_test(places_in_jit_code_outlive_the_agent_without_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
