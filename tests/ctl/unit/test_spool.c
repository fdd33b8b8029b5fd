// SPDX-License-Identifier: GPL-2.0
/*
 * The spool keeps windows within its limits, counts what it cannot keep, and is used by one
 * agent at a time.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"
#include "spool_place.h"

static void names_are_parsed_as_written(void **state)
{
	struct window window = {
		.first = 1, .last = UINT64_MAX, .boot = WORLD_BOOT, .epoch = UINT32_MAX,
		.begin_ns = 0, .end_ns = UINT64_MAX, .periods = UINT64_MAX,
	}, parsed;
	static const char *const wrong[] = {
		"", "ledger", "000000000001-000000000002-" WORLD_BOOT "-1-2-3-4.pb.gz.new",
		"1-2-" WORLD_BOOT "-1-2-3-4.pb.gz",
		"000000000002-000000000001-" WORLD_BOOT "-1-2-3-4.pb.gz",
		"000000000000-000000000001-" WORLD_BOOT "-1-2-3-4.pb.gz",
		"000000000001-000000000002-" WORLD_BOOT "-1-3-2-4.pb.gz",
		"000000000001-000000000002-abc-1-2-3-4.pb.gz",
		"000000000001-000000000002-" WORLD_BOOT "--1-2-3-4.pb.gz",
		"000000000001-000000000002-" WORLD_BOOT "-1-2-3-99999999999999999999.pb.gz",
	};
	char name[WINDOW_NAME], boot[WINDOW_BOOT];

	(void)state;
	assert_true(window_parse(window_name(&window, name), &parsed));
	assert_memory_equal(&window, &parsed, sizeof(window));
	assert_true(strlen(name) < WINDOW_NAME - 1);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (window_parse(wrong[i], &parsed))
			fail_msg("%s", wrong[i]);
	assert_true(window_boot("00112233-4455-6677-8899-aabbccddeeff\n", boot));
	assert_string_equal(boot, WORLD_BOOT);
	assert_false(window_boot("00112233-4455-6677-8899-aabbccddeef\n", boot));
	assert_false(window_boot("00112233-4455-6677-8899-aabbccddeefff", boot));
}

static void neighbours_are_merged_when_it_is_full(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct profile *profile;
	struct error error;

	spool_place_add_all(spool, 1, 6);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1-2 3 4 5 6");
	/* the shortest, not the oldest */
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1-2 3-4 5 6");
	spool->limits.bytes_max = 1;
	spool->limits.merged_max_ns = 4 * SEC;
	assert_int_equal(spool_next(spool, world_targets[0], &sending, &error), 1);
	profile = sending.profile;
	assert_int_equal(profile->books.stored, 3);
	assert_int_equal(profile->nr_records, 2);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(sending.window.begin_ns, 0);
	assert_int_equal(sending.window.end_ns, 2 * SEC);
	profile_destroy(profile);
	assert_int_equal(spool->ledger.merged, 2);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 0);
}

static void what_does_not_follow_is_not_merged(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;

	spool->limits.age_max_ns = UINT64_MAX;
	spool_place_add(spool, OTHER_BOOT, 1, 1);
	spool_place_add(spool, WORLD_BOOT, 2, 2);
	/* the module was loaded again */
	spool_place_add(spool, WORLD_BOOT, 1, 3);
	/* a gap in time */
	spool_place_add(spool, WORLD_BOOT, 2, 5);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2 3 4");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_FULL], 1);
	/* and what would be too long */
	spool_place_add(spool, WORLD_BOOT, 2, 6);
	spool->limits.merged_max_ns = SEC;
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "3 4 5");
	assert_int_equal(spool->ledger.merged, 0);
}

/* The key of a window in a store has the first epoch, and when it began. */
static void windows_of_two_epochs_are_merged(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct error error;

	spool_place_add(spool, WORLD_BOOT, 1, 1);
	spool_place_add(spool, WORLD_BOOT, 2, 2);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1-2");
	assert_int_equal(spool_next(spool, world_targets[0], &sending, &error), 1);
	assert_int_equal(sending.window.epoch, 1);
	assert_int_equal(sending.profile->meta.epoch, 1);
	assert_int_equal(sending.profile->books.stored, 3);
	assert_int_equal(profile_check(sending.profile, &error), 0);
	profile_destroy(sending.profile);
}

static void what_cannot_be_summed_is_left_apart(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;

	spool_place_add(spool, WORLD_BOOT, 1, 1);
	spool_place_add_slower(spool, 2, 2);
	spool_place_add(spool, WORLD_BOOT, 3, 3);
	spool_place_add(spool, WORLD_BOOT, 3, 4);
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "1 2 3-4");
	assert_int_equal(spool->ledger.merged, 1);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 0);
	/* then nothing is left to merge */
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2 3-4");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
}

static void what_is_dropped_is_counted(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;

	spool_place_add_all(spool, 1, 4);
	spool_place_send(spool, 1, SPOOL_TAKEN);
	spool->limits.age_max_ns = 7 * SEC;
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "3 4");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_AGE], 2);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_AGE], 3);
	spool->limits.bytes_max = 0;
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "");
	/* merged first, and dropped after that */
	assert_int_equal(spool->ledger.merged, 1);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 2);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_FULL], 7);
	spool_place_add_all(spool, 5, 5);
	spool_place_send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(spool_place_cursor(spool, 1).missed, 3);
	assert_int_equal(spool_place_cursor(spool, 1).taken, 2);
}

static void windows_of_another_boot_age_by_their_files(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;

	spool_place_add(spool, OTHER_BOOT, 1, 1);
	spool_place_add(spool, WORLD_BOOT, 1, 2);
	/* the time is that of spool_place_tidy(): very late */
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	spool_place_expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_AGE], 1);
}

static void two_agents_cannot_have_one_directory(void **state)
{
	struct spool_place *place = *state;
	struct spool other = { .limits = SPOOL_LIMITS_DEFAULT };
	struct error error = { "" };
	char expected[128];

	assert_int_equal(spool_open(&other, place->directory, true, &error), 0);
	assert_int_equal(spool_own(&other, &error), -EBUSY);
	snprintf(expected, sizeof(expected), "an agent already uses this directory (process %d): stop it, or name another directory",
		 (int)getpid());
	assert_string_equal(error.text, expected);
	/* but it can be looked at */
	assert_true(spool_is_owned(&other));
	spool_place_add_all(&place->spool, 1, 1);
	spool_place_expect(&other, "1");
	spool_close(&place->spool);
	assert_false(spool_is_owned(&other));
	spool_close(&other);
	assert_int_equal(spool_open(&other, place->directory, true, &error), 0);
	assert_int_equal(spool_own(&other, &error), 0);
	spool_close(&other);
}

static void a_missing_directory_is_named(void **state)
{
	struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
	struct error error;

	(void)state;
	assert_int_equal(spool_open(&spool, "/nonexistent/a", true, &error), -ENOENT);
	assert_string_equal(error.text, "cannot make the directory /nonexistent/a: No such file or directory");
	spool_close(&spool);
	assert_int_equal(spool_open(&spool, "/nonexistent", false, &error), -ENOENT);
	spool_close(&spool);
}

static void one_process_changes_it_at_a_time(void **state)
{
	struct spool_place *place = *state;
	int lock = openat(place->spool.state, "lock", O_RDWR), status;
	pid_t pid;

	assert_int_equal(flock(lock, LOCK_EX), 0);
	pid = fork();
	if (!pid) {
		struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
		struct spool_list list = { .nr = 0 };
		struct error error;

		/* nothing ends the wait but this */
		ualarm(200000, 0);
		_exit(spool_open(&spool, place->directory, false, &error) ?:
		      spool_list(&spool, &list, &error));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
	close(lock);
	spool_place_expect(&place->spool, "");
}

#define spool_test(name) \
	cmocka_unit_test_setup_teardown(name, spool_place_make, spool_place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_parsed_as_written),
		spool_test(neighbours_are_merged_when_it_is_full),
		spool_test(what_does_not_follow_is_not_merged),
		spool_test(windows_of_two_epochs_are_merged),
		spool_test(what_cannot_be_summed_is_left_apart),
		spool_test(what_is_dropped_is_counted),
		spool_test(windows_of_another_boot_age_by_their_files),
		spool_test(two_agents_cannot_have_one_directory),
		cmocka_unit_test(a_missing_directory_is_named),
		spool_test(one_process_changes_it_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
