// SPDX-License-Identifier: GPL-2.0
/*
 * The spool keeps windows until targets have them, within its limits, and counts what it
 * cannot keep.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/spool.h"
#include "agent_world.h"
#include "made_profile.h"

#define OTHER_BOOT	"ffffffffffffffffffffffffffffffff"

struct place {
	char *directory;
	struct spool spool;
};

static int make_place(void **state)
{
	struct place *place = calloc(1, sizeof(*place));
	struct error error;

	place->directory = world_directory();
	place->spool.limits = (struct spool_limits)SPOOL_LIMITS_DEFAULT;
	*state = place;
	return spool_open(&place->spool, place->directory, true, &error) ?:
	       spool_own(&place->spool, &error);
}

static int remove_place(void **state)
{
	struct place *place = *state;

	spool_close(&place->spool);
	world_clear(place->directory);
	free(place->directory);
	free(place);
	return 0;
}

/* Add the window of second @second, of as many periods. */
static void add(struct spool *spool, const char *boot, uint32_t epoch, uint64_t second)
{
	char stack[32];
	struct profile *profile;
	struct window window = {
		.epoch = epoch, .begin_ns = (second - 1) * SEC, .end_ns = second * SEC,
	};
	struct spool_addition addition = { .window = &window, .boot = boot };
	struct error error = { "" };

	snprintf(stack, sizeof(stack), "entry;f%lu", second % 3);
	profile = part_of(stack, "comm", 0, second);
	strcpy(window.boot, boot);
	addition.profile = addition.last = profile;
	assert_int_equal(spool_add(spool, &addition, &error), 0);
	assert_int_equal(window.periods, second);
	profile_destroy(profile);
}

static void add_all(struct spool *spool, uint64_t from, uint64_t to)
{
	for (; from <= to; from++)
		add(spool, WORLD_BOOT, 1, from);
}

static int tidy_at(struct spool *spool, uint64_t second, size_t nr_targets)
{
	const struct spool_now now = {
		.boot = WORLD_BOOT, .monotonic_ns = second * SEC,
		/* a clock that is far ahead ages nothing of this boot */
		.real_ns = INT64_MAX,
	};
	struct error error;

	return spool_tidy(spool, world_targets, nr_targets, &now, &error);
}

static struct spool_list listed(struct spool *spool)
{
	struct spool_list list = { .nr = 0 };
	struct error error;

	assert_int_equal(spool_list(spool, &list, &error), 0);
	return list;
}

/* Check the numbers of all windows: "1 2-4 5". */
static void expect(struct spool *spool, const char *expected)
{
	struct spool_list list = listed(spool);
	char text[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < list.nr; i++) {
		const struct window *window = &list.entries[i].window;

		used += (size_t)sprintf(text + used, "%s%lu", i ? " " : "", window->first);
		if (window->last != window->first)
			used += (size_t)sprintf(text + used, "-%lu", window->last);
	}
	assert_string_equal(text, expected);
	free(list.entries);
}

/* Get the next window of a target, and leave it. Return: its first number; 0: none. */
static uint64_t next(struct spool *spool, unsigned int target,
		     struct spool_sending *sending)
{
	struct error error = { "" };
	int found = spool_next(spool, world_targets[target], sending, &error);

	assert_true(found >= 0);
	if (found)
		profile_destroy(sending->profile);
	return found ? sending->window.first : 0;
}

static void send(struct spool *spool, unsigned int target, enum spool_outcome outcome)
{
	struct spool_sending sending;
	struct error error;

	assert_true(next(spool, target, &sending) > 0);
	assert_int_equal(spool_done(spool, world_targets[target], &sending.window, outcome,
				    77, &error), 0);
}

static struct cursor cursor_of(const struct spool *spool, unsigned int target)
{
	struct cursor cursor;
	struct error error;

	assert_int_equal(cursor_read(spool->state, world_targets[target], &cursor, &error),
			 0);
	return cursor;
}

/* The size of all windows, less one byte, is the limit. */
static void limit_to_less(struct spool *spool)
{
	struct spool_list list = listed(spool);

	spool->limits.bytes_max = list.bytes - 1;
	free(list.entries);
}

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

static void each_target_gets_each_window_once(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct cursor cursor;

	add_all(spool, 1, 3);
	send(spool, 0, SPOOL_TAKEN);
	send(spool, 0, SPOOL_REFUSED);
	send(spool, 0, SPOOL_DOUBTFUL);
	assert_int_equal(next(spool, 0, &sending), 0);
	cursor = cursor_of(spool, 0);
	assert_int_equal(cursor.taken_periods, 1);
	assert_int_equal(cursor.refused_periods, 2);
	assert_int_equal(cursor.doubtful_periods, 3);
	assert_int_equal(cursor.success, 77);
	/* the other target has none yet, and so all stay */
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "1 2 3");
	send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "2 3");
	/* without a target nothing is done */
	assert_int_equal(tidy_at(spool, 10, 0), 0);
	expect(spool, "2 3");
	assert_int_equal(tidy_at(spool, 10, 1), 0);
	expect(spool, "");
	/* numbers go on */
	add_all(spool, 4, 4);
	expect(spool, "4");
}

static void a_failed_window_is_sent_again(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct error error;

	add_all(spool, 1, 2);
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_false(sending.is_doubtful);
	/* an agent that ended here leaves a doubt */
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_true(sending.is_doubtful);
	assert_int_equal(spool_failed(spool, world_targets[0], "busy\n", false, &error), 0);
	assert_string_equal(cursor_of(spool, 0).error, "busy ");
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_false(sending.is_doubtful);
	assert_int_equal(spool_failed(spool, world_targets[0], "cut", true, &error), 0);
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_true(sending.is_doubtful);
	assert_int_equal(cursor_of(spool, 0).failures, 2);
	send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(cursor_of(spool, 0).failures, 0);
	assert_string_equal(cursor_of(spool, 0).error, "");
}

static void neighbours_are_merged_when_it_is_full(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct profile *profile;
	struct error error;

	add_all(spool, 1, 6);
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "1-2 3 4 5 6");
	/* the shortest, not the oldest */
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "1-2 3-4 5 6");
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

/* A crash came after the merge was on disk, and before its parts were removed. */
static void parts_of_a_merged_window_are_not_there(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME], kept[WINDOW_NAME + 8];

	add_all(spool, 1, 3);
	list = listed(spool);
	for (size_t i = 0; i < 2; i++) {
		window_name(&list.entries[i].window, name);
		snprintf(kept, sizeof(kept), "%s.kept", name);
		assert_int_equal(linkat(spool->windows, name, spool->windows, kept, 0), 0);
	}
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	for (size_t i = 0; i < 2; i++) {
		window_name(&list.entries[i].window, name);
		snprintf(kept, sizeof(kept), "%s.kept", name);
		assert_int_equal(renameat(spool->windows, kept, spool->windows, name), 0);
	}
	expect(spool, "1-2 3");
	spool->limits.bytes_max = 1 << 20;
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(faccessat(spool->windows,
					   window_name(&list.entries[i].window, name), F_OK,
					   0), -1);
	free(list.entries);
	send(spool, 0, SPOOL_TAKEN);
	send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(cursor_of(spool, 0).taken_periods, 6);
}

/* A crash came after a window was counted, and before its file was removed. */
static void what_was_counted_as_dropped_is_removed(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	struct error error;

	add_all(spool, 1, 2);
	list = listed(spool);
	window_name(&list.entries[0].window, spool->ledger.removing);
	spool->ledger.dropped[LEDGER_DROP_FULL] = 1;
	assert_int_equal(ledger_write(spool->state, &spool->ledger, &error), 0);
	free(list.entries);
	expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
}

static void what_does_not_follow_is_not_merged(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;

	spool->limits.age_max_ns = UINT64_MAX;
	add(spool, OTHER_BOOT, 1, 1);
	add(spool, WORLD_BOOT, 1, 2);
	add(spool, WORLD_BOOT, 2, 3);
	/* a gap in time */
	add(spool, WORLD_BOOT, 2, 5);
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "2 3 4");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_FULL], 1);
	/* and what would be too long */
	add(spool, WORLD_BOOT, 2, 6);
	spool->limits.merged_max_ns = SEC;
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "3 4 5");
	assert_int_equal(spool->ledger.merged, 0);
}

static void what_a_target_has_in_part_is_not_merged(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct error error;

	add_all(spool, 1, 4);
	send(spool, 0, SPOOL_TAKEN);
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "1 2-3 4");
	/* it may have 2-3: then 4 stays apart, and 1 is the target's that has none */
	assert_int_equal(next(spool, 0, &sending), 2);
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "2-3 4");
	assert_int_equal(spool_failed(spool, world_targets[0], "no", false, &error), 0);
	limit_to_less(spool);
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "2-4");
	/* the other one never got 1, which it is new enough not to miss */
	send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(cursor_of(spool, 1).missed, 0);
	assert_int_equal(cursor_of(spool, 1).taken, 3);
}

static void what_is_dropped_is_counted(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;

	add_all(spool, 1, 4);
	send(spool, 1, SPOOL_TAKEN);
	spool->limits.age_max_ns = 7 * SEC;
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "3 4");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_AGE], 2);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_AGE], 3);
	spool->limits.bytes_max = 0;
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "");
	/* merged first, and dropped after that */
	assert_int_equal(spool->ledger.merged, 1);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 2);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_FULL], 7);
	add_all(spool, 5, 5);
	send(spool, 1, SPOOL_TAKEN);
	assert_int_equal(cursor_of(spool, 1).missed, 3);
	assert_int_equal(cursor_of(spool, 1).taken, 2);
}

static void windows_of_another_boot_age_by_their_files(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;

	add(spool, OTHER_BOOT, 1, 1);
	add(spool, WORLD_BOOT, 1, 2);
	/* the time is that of tidy_at(): very late */
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_AGE], 1);
}

/* Change the file of the window @number: cut it to @size bytes, or write over its middle. */
static void damage(struct spool *spool, size_t index, long size)
{
	struct spool_list list = listed(spool);
	char name[WINDOW_NAME];
	int fd = openat(spool->windows, window_name(&list.entries[index].window, name),
			O_WRONLY);

	assert_true(fd >= 0);
	if (size >= 0)
		assert_int_equal(ftruncate(fd, size), 0);
	else
		assert_int_equal(pwrite(fd, "\x55\xaa", 2, (off_t)list.entries[index].bytes / 2),
				 2);
	close(fd);
	free(list.entries);
}

static void damaged_files_are_set_aside(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME];
	struct stat status;
	int damaged;

	add_all(spool, 1, 5);
	list = listed(spool);
	damage(spool, 0, 0);
	damage(spool, 1, 40);
	damage(spool, 2, -1);
	send(spool, 0, SPOOL_TAKEN);
	expect(spool, "4 5");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 3);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_DAMAGED], 1 + 2 + 3);
	damaged = openat(spool->state, "damaged", O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(fstatat(damaged, window_name(&list.entries[i].window, name),
					 &status, 0), 0);
	close(damaged);
	free(list.entries);
	/* also when it is to be merged */
	add_all(spool, 6, 7);
	damage(spool, 2, 10);
	spool->limits.bytes_max = 1;
	assert_int_equal(tidy_at(spool, 10, 2), 0);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 4);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_DAMAGED] +
			 spool->ledger.dropped_periods[LEDGER_DROP_FULL], 28);
}

static void a_file_under_a_wrong_name_is_damaged(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME], other[WINDOW_NAME];
	struct spool_sending sending;

	add_all(spool, 3, 3);
	list = listed(spool);
	window_name(&list.entries[0].window, name);
	list.entries[0].window.periods++;
	window_name(&list.entries[0].window, other);
	assert_int_equal(renameat(spool->windows, name, spool->windows, other), 0);
	free(list.entries);
	assert_int_equal(next(spool, 0, &sending), 0);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 1);
}

static void write_file(struct spool *spool, const char *name, const char *text)
{
	int fd = openat(spool->state, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void a_damaged_cursor_starts_anew(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	char name[CURSOR_NAME];

	add_all(spool, 1, 2);
	send(spool, 0, SPOOL_TAKEN);
	write_file(spool, cursor_name(world_targets[0], name), "target=x\ndone=1\n");
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_int_equal(spool->ledger.lost_cursors, 1);
	/* of another target, by chance of the hash */
	write_file(spool, cursor_name(world_targets[0], name), "target=x\ndone=1\nend=1\n");
	assert_int_equal(next(spool, 0, &sending), 1);
	assert_int_equal(spool->ledger.lost_cursors, 2);
}

static void a_damaged_ledger_reuses_no_number(void **state)
{
	struct place *place = *state;
	struct spool *spool = &place->spool;
	static const char *const wrong[] = { "", "made=1\n", "made=x\nend=1\n", "made\nend=1\n",
					     "end=1\nmade=1\n" };

	add_all(spool, 1, 3);
	for (int i = 0; i < 3; i++)
		send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(tidy_at(spool, 10, 1), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_file(spool, LEDGER_FILE, wrong[i]);
		expect(spool, "");
		assert_int_equal(spool->ledger.made, 3);
	}
	add_all(spool, 4, 4);
	expect(spool, "4");
	/* a ledger of a later version */
	write_file(spool, LEDGER_FILE, "made=8\nnew-key=a=b\nend=1\n");
	add_all(spool, 5, 5);
	expect(spool, "4 9");
}

static void two_agents_cannot_have_one_directory(void **state)
{
	struct place *place = *state;
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
	add_all(&place->spool, 1, 1);
	expect(&other, "1");
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
	struct place *place = *state;
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
	expect(&place->spool, "");
}

/* Two processes send at the same time as a third adds and merges. */
static void processes_may_use_it_at_once(void **state)
{
	struct place *place = *state;
	struct world *world = world_create();
	pid_t pids[WORLD_TARGETS];
	uint64_t got;
	int status;

	for (unsigned int i = 0; i < WORLD_TARGETS; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			struct spool spool = { .limits = SPOOL_LIMITS_DEFAULT };
			struct error error;

			alarm(60);
			if (spool_open(&spool, place->directory, false, &error))
				_exit(1);
			while (!world->nr_sent[i] ||
			       world->sent[i][world->nr_sent[i] - 1].window.last < 60)
				world_send(world, &spool, i);
			_exit(0);
		}
	}
	for (uint64_t second = 1; second <= 60; second++) {
		add(&place->spool, WORLD_BOOT, 1, second);
		place->spool.limits.bytes_max = 1500;
		assert_int_equal(tidy_at(&place->spool, second, 2), 0);
	}
	for (unsigned int i = 0; i < WORLD_TARGETS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
		got = 0;
		for (unsigned int j = 0; j < world->nr_sent[i]; j++)
			got += world->sent[i][j].periods;
		assert_true(got <= 60 * 61 / 2);
		assert_true(got + place->spool.ledger.dropped_periods[LEDGER_DROP_FULL] >=
			    60 * 61 / 2);
	}
	world_destroy(world);
}

#define spool_test(name)	cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_parsed_as_written),
		spool_test(each_target_gets_each_window_once),
		spool_test(a_failed_window_is_sent_again),
		spool_test(neighbours_are_merged_when_it_is_full),
		spool_test(parts_of_a_merged_window_are_not_there),
		spool_test(what_was_counted_as_dropped_is_removed),
		spool_test(what_does_not_follow_is_not_merged),
		spool_test(what_a_target_has_in_part_is_not_merged),
		spool_test(what_is_dropped_is_counted),
		spool_test(windows_of_another_boot_age_by_their_files),
		spool_test(damaged_files_are_set_aside),
		spool_test(a_file_under_a_wrong_name_is_damaged),
		spool_test(a_damaged_cursor_starts_anew),
		spool_test(a_damaged_ledger_reuses_no_number),
		spool_test(two_agents_cannot_have_one_directory),
		cmocka_unit_test(a_missing_directory_is_named),
		spool_test(one_process_changes_it_at_a_time),
		spool_test(processes_may_use_it_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
