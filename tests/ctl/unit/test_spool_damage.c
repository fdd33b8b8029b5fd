// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the spool that are damaged, or that a crash left, lose and double nothing else.
 * What its user puts in their place leads root to no file elsewhere, and lets nobody wait.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "agent/disk.h"
#include "made_profile.h"
#include "spool_place.h"

static bool exists(int directory, const char *name)
{
	return !faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW);
}

/* A crash came after the merge was on disk, and before its parts were removed. */
static void parts_of_a_merged_window_are_not_there(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME], kept[WINDOW_NAME + 8];

	spool_place_add_all(spool, 1, 3);
	list = spool_place_list(spool);
	for (size_t i = 0; i < 2; i++) {
		window_name(&list.entries[i].window, name);
		snprintf(kept, sizeof(kept), "%s.kept", name);
		assert_int_equal(linkat(spool->windows, name, spool->windows, kept, 0), 0);
	}
	spool_place_limit(spool);
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	for (size_t i = 0; i < 2; i++) {
		window_name(&list.entries[i].window, name);
		snprintf(kept, sizeof(kept), "%s.kept", name);
		assert_int_equal(renameat(spool->windows, kept, spool->windows, name), 0);
	}
	spool_place_expect(spool, "1-2 3");
	spool->limits.bytes_max = 1 << 20;
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	for (size_t i = 0; i < 2; i++)
		assert_false(exists(spool->windows,
				    window_name(&list.entries[i].window, name)));
	free(list.entries);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(spool_place_cursor(spool, 0).taken_periods, 6);
}

/* A crash came after a window was counted, and before its file was removed. */
static void what_was_counted_as_dropped_is_removed(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	struct spool_list list;
	char name[WINDOW_NAME];
	struct error error;

	spool_place_add_all(spool, 1, 2);
	list = spool_place_list(spool);
	window_name(&list.entries[0].window, spool->ledger.removing);
	spool->ledger.dropped[LEDGER_DROP_FULL] = 1;
	assert_int_equal(ledger_write(spool->state, &spool->ledger, &error), 0);
	/* to list the windows removes nothing */
	spool_place_expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
	assert_true(exists(spool->windows, window_name(&list.entries[0].window, name)));
	assert_int_equal(spool_place_next(spool, 0, &sending), 2);
	assert_false(exists(spool->windows, name));
	spool_place_expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
	free(list.entries);
}

/* Change the file of the window @number: cut it to @size bytes, or write over its middle. */
static void damage(struct spool *spool, size_t index, long size)
{
	struct spool_list list = spool_place_list(spool);
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
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME];
	int damaged;

	spool_place_add_all(spool, 1, 5);
	list = spool_place_list(spool);
	damage(spool, 0, 0);
	damage(spool, 1, 40);
	damage(spool, 2, -1);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	spool_place_expect(spool, "4 5");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 3);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_DAMAGED], 1 + 2 + 3);
	damaged = openat(spool->state, "damaged", O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < 3; i++)
		assert_true(exists(damaged, window_name(&list.entries[i].window, name)));
	close(damaged);
	free(list.entries);
	/* also when it is to be merged */
	spool_place_add_all(spool, 6, 7);
	damage(spool, 2, 10);
	spool->limits.bytes_max = 1;
	assert_int_equal(spool_place_tidy(spool, 10, 2), 0);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 4);
	assert_int_equal(spool->ledger.dropped_periods[LEDGER_DROP_DAMAGED] +
			 spool->ledger.dropped_periods[LEDGER_DROP_FULL], 28);
}

static void a_file_under_a_wrong_name_is_damaged(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list;
	char name[WINDOW_NAME], other[WINDOW_NAME];
	struct spool_sending sending;

	spool_place_add_all(spool, 3, 3);
	list = spool_place_list(spool);
	window_name(&list.entries[0].window, name);
	list.entries[0].window.periods++;
	window_name(&list.entries[0].window, other);
	assert_int_equal(renameat(spool->windows, name, spool->windows, other), 0);
	free(list.entries);
	assert_int_equal(spool_place_next(spool, 0, &sending), 0);
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_DAMAGED], 1);
}

static void write_file_in(int directory, const char *name, const char *text)
{
	int fd = openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void write_file(struct spool *spool, const char *name, const char *text)
{
	write_file_in(spool->state, name, text);
}

static void a_damaged_cursor_starts_anew(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	char name[CURSOR_NAME];

	spool_place_add_all(spool, 1, 2);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	write_file(spool, cursor_name(world_targets[0], name), "target=x\ndone=1\n");
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_int_equal(spool->ledger.lost_cursors, 1);
	/* of another target, by chance of the hash */
	write_file(spool, cursor_name(world_targets[0], name), "target=x\ndone=1\nend=1\n");
	assert_int_equal(spool_place_next(spool, 0, &sending), 1);
	assert_int_equal(spool->ledger.lost_cursors, 2);
}

static void a_damaged_ledger_reuses_no_number(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	static const char *const wrong[] = { "", "made=1\n", "made=x\nend=1\n", "made\nend=1\n",
					     "end=1\nmade=1\n" };

	spool_place_add_all(spool, 1, 3);
	for (int i = 0; i < 3; i++)
		spool_place_send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(spool_place_tidy(spool, 10, 1), 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_file(spool, LEDGER_FILE, wrong[i]);
		spool_place_expect(spool, "");
		assert_int_equal(spool->ledger.made, 3);
	}
	spool_place_add_all(spool, 4, 4);
	spool_place_expect(spool, "4");
	/* a ledger of a later version */
	write_file(spool, LEDGER_FILE, "made=8\nnew-key=a=b\nend=1\n");
	spool_place_add_all(spool, 5, 5);
	spool_place_expect(spool, "4 9");
}

/* ---- what another user may have put there ---- */

#define OTHER_USER	65534

/* Somebody else's directory, with files that a spool may have, too. */
static const char *const others_files[] = { LEDGER_FILE, PAUSE_FILE, "passwd", "passwd.new" };

#define NR_OTHERS	(sizeof(others_files) / sizeof(others_files[0]))

/* Return: its path, to be freed. */
static char *make_others(int *directory)
{
	char *path = world_directory();

	*directory = open(path, O_RDONLY | O_DIRECTORY);
	for (size_t i = 0; i < NR_OTHERS; i++)
		write_file_in(*directory, others_files[i], "precious\n");
	return path;
}

/* Check that all files are as they were, and remove them. */
static void clear_others(char *path, int directory)
{
	struct stat status;

	for (size_t i = 0; i < NR_OTHERS; i++) {
		if (fstatat(directory, others_files[i], &status, AT_SYMLINK_NOFOLLOW))
			fail_msg("%s is gone", others_files[i]);
		assert_true(S_ISREG(status.st_mode));
		assert_int_equal(status.st_size, strlen("precious\n"));
	}
	close(directory);
	world_clear(path);
	free(path);
}

/* Replace what is in the spool by a link. */
static void make_link(struct spool *spool, const char *name, const char *to)
{
	char kept[64];

	snprintf(kept, sizeof(kept), "%s.kept", name);
	renameat(spool->state, name, spool->state, kept);
	assert_int_equal(symlinkat(to, spool->state, name), 0);
}

/* Add a window without expecting that it is possible. Return: as spool_add(). */
static int try_to_add(struct spool *spool, struct error *error)
{
	struct profile *profile = part_of("entry;f", "comm", 0, 1);
	struct window window = { .boot = WORLD_BOOT, .epoch = 1, .end_ns = SEC };
	struct spool_addition addition = {
		.window = &window, .boot = WORLD_BOOT, .profile = profile, .last = profile,
	};
	int err = spool_add(spool, &addition, error);

	profile_destroy(profile);
	return err;
}

static int try_to_open(const struct spool_place *place, struct error *error)
{
	struct spool other = { .limits = SPOOL_LIMITS_DEFAULT };
	int err = spool_open(&other, place->directory, false, error);

	spool_close(&other);
	return err;
}

/* The user of the spool makes its directories links, and root comes to look. */
static void links_to_directories_are_not_followed(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list = { .nr = 0 };
	struct spool_sending sending;
	struct error error = { "" };
	char name[CURSOR_NAME];
	int directory;
	char *others = make_others(&directory);

	make_link(spool, "ready", others);
	assert_int_equal(spool_list(spool, &list, &error), -ENOTDIR);
	assert_string_equal(error.text, "cannot open the directory ready: Not a directory");
	assert_int_equal(try_to_add(spool, &error), -ENOTDIR);
	assert_int_equal(unlinkat(spool->state, "ready", 0), 0);
	make_link(spool, "next", others);
	assert_int_equal(try_to_add(spool, &error), -ENOTDIR);
	assert_int_equal(unlinkat(spool->state, "next", 0), 0);
	spool_place_add_all(spool, 1, 1);
	make_link(spool, "damaged", others);
	write_file(spool, cursor_name(world_targets[0], name), "");
	assert_int_equal(spool_next(spool, world_targets[0], &sending, &error), -ENOTDIR);
	make_link(spool, "windows", others);
	assert_int_equal(try_to_open(place, &error), -ENOTDIR);
	free(list.entries);
	clear_others(others, directory);
}

static void expect_user(int directory, const char *name)
{
	struct stat status;

	assert_int_equal(fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(status.st_uid, OTHER_USER);
}

static void directories_of_others_are_refused(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct error error = { "" };

	if (geteuid())
		skip();
	assert_int_equal(mkdirat(spool->state, "ready", 0700), 0);
	assert_int_equal(fchownat(spool->state, "ready", OTHER_USER, OTHER_USER, 0), 0);
	assert_int_equal(try_to_add(spool, &error), -EPERM);
	assert_string_equal(error.text, "the directory ready belongs to user 65534, and the one that it is in to user 0: both must belong to the user that the agent runs as");
	assert_true(exists(spool->state, "ready"));
}

/* The ledger is the other user's, too. */
static void only_windows_are_removed(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_sending sending;
	int directory;
	char *others = make_others(&directory);
	char text[256];

	/* from the directory of windows */
	snprintf(text, sizeof(text), "removing=../../..%.100s/passwd\nend=1\n", others);
	write_file(spool, LEDGER_FILE, text);
	spool_place_expect(spool, "");
	snprintf(text, sizeof(text), "removing=%.100s/passwd\nend=1\n", others);
	write_file(spool, LEDGER_FILE, text);
	spool_place_expect(spool, "");
	assert_int_equal(spool_place_next(spool, 0, &sending), 0);
	clear_others(others, directory);
}

/* Nothing of this may wait for a writer. */
static void what_is_no_file_is_damaged(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct error error = { "" };
	struct spool_sending sending;
	struct pause pause;
	char name[CURSOR_NAME];

	spool_place_add_all(spool, 1, 2);
	cursor_name(world_targets[0], name);
	alarm(20);
	for (int link = 0; link < 2; link++) {
		static const char *const names[] = {
			LEDGER_FILE, PAUSE_FILE, "cursor", "last-" WORLD_BOOT ".pb.gz",
			LEDGER_FILE DISK_TEMPORARY, PAUSE_FILE DISK_TEMPORARY,
		};
		const struct pause_now now = { .boot = WORLD_BOOT, .boot_ns = SEC };
		struct profile *last;
		bool other_boot;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			const char *what = i == 2 ? name : names[i];

			unlinkat(spool->state, what, 0);
			assert_int_equal(link ? symlinkat("/etc/passwd", spool->state, what) :
						mkfifoat(spool->state, what, 0600), 0);
		}
		/* those who only look take it for lost */
		spool_place_expect(spool, "1 2");
		assert_int_equal(spool->ledger.made, 2);
		assert_int_equal(spool_pause(spool, &pause, &error), 0);
		assert_int_equal(pause.number, 0);
		/* others set it aside */
		assert_int_equal(spool_place_next(spool, 0, &sending), 1);
		assert_int_equal(spool->ledger.lost_cursors, 1);
		assert_int_equal(spool_pause_ask(spool, &now, SEC, &pause, &error), 0);
		assert_int_equal(spool_last(spool, WORLD_BOOT, &last, &other_boot, &error),
				 -EBADMSG);
		spool_place_expect(spool, "1 2");
	}
	spool_place_add_all(spool, 3, 3);
	spool_place_expect(spool, "1 2 3");
	alarm(0);
}

static void locks_are_files_with_one_name(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct error error = { "" };
	int directory;
	char *others = make_others(&directory);

	alarm(20);
	make_link(spool, "lock", "agent.lock");
	assert_int_equal(try_to_open(place, &error), -EBADMSG);
	assert_string_equal(error.text, "cannot open lock: it is not a regular file");
	assert_int_equal(unlinkat(spool->state, "lock", 0), 0);
	assert_int_equal(mkfifoat(spool->state, "lock", 0600), 0);
	assert_int_equal(try_to_open(place, &error), -EBADMSG);
	assert_int_equal(unlinkat(spool->state, "agent.lock", 0), 0);
	assert_int_equal(mkfifoat(spool->state, "agent.lock", 0600), 0);
	assert_false(spool_is_owned(spool));
	assert_int_equal(spool_own(spool, &error), -EBADMSG);
	/* it would be written over */
	assert_int_equal(unlinkat(spool->state, "agent.lock", 0), 0);
	assert_int_equal(linkat(directory, "passwd", spool->state, "agent.lock", 0), 0);
	assert_int_equal(spool_own(spool, &error), -EBADMSG);
	assert_string_equal(error.text, "cannot open agent.lock: the file has another name, too");
	assert_int_equal(unlinkat(spool->state, "agent.lock", 0), 0);
	assert_int_equal(linkat(directory, "passwd.new", spool->state,
				LEDGER_FILE DISK_TEMPORARY, 0), 0);
	assert_int_equal(ledger_write(spool->state, &spool->ledger, &error), 0);
	clear_others(others, directory);
	alarm(0);
}

/* Whoever is the agent's user may wait, but root does not wait for that user. */
static void another_user_does_not_wait_for_ever(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	struct spool_list list = { .nr = 0 };
	struct error error = { "" };
	int lock = openat(spool->state, "lock", O_RDWR);

	if (geteuid())
		skip();
	assert_int_equal(fchown(spool->state, OTHER_USER, OTHER_USER), 0);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	spool->limits.lock_max_ns = SEC / 10;
	alarm(20);
	assert_int_equal(spool_list(spool, &list, &error), -EBUSY);
	assert_string_equal(error.text, "cannot lock the spool: another process has kept it locked for 100 ms: end that process, or try again later");
	assert_int_equal(try_to_add(spool, &error), -EBUSY);
	alarm(0);
	close(lock);
	spool_place_expect(spool, "");
	/* what root makes for the agent's user belongs to that user */
	spool_place_add_all(spool, 1, 1);
	assert_int_equal(disk_make_directory(spool->state, "ready", &error), 0);
	expect_user(spool->state, "ready");
	expect_user(spool->state, LEDGER_FILE);
}

/* ---- who only looks changes nothing ---- */

static const struct spool *stopped;

/* Fail from when the window is added, before its files are in their places. */
static int fail_once_added(void)
{
	return exists(stopped->state, "ready") ? -EIO : 0;
}

static void what_was_just_added_is_read_where_it_is(void **state)
{
	struct spool_place *place = *state;
	struct spool *spool = &place->spool;
	const struct pause_now now = { .boot = WORLD_BOOT, .boot_ns = SEC };
	struct spool_sending sending;
	struct error error = { "" };
	struct pause pause;

	spool_place_add_all(spool, 1, 1);
	spool_place_send(spool, 0, SPOOL_TAKEN);
	assert_int_equal(spool_pause_ask(spool, &now, SEC, &pause, &error), 0);
	stopped = spool;
	disk_step = fail_once_added;
	spool_place_add_all(spool, 2, 2);
	assert_int_equal(renameat(spool->state, PAUSE_FILE, spool->state, "ready/pause"), 0);
	memset(&spool->ledger, 0, sizeof(spool->ledger));
	spool_place_expect(spool, "1 2");
	assert_int_equal(spool->ledger.made, 2);
	assert_int_equal(spool->ledger.made_periods, 3);
	assert_int_equal(spool_pause(spool, &pause, &error), 0);
	assert_int_equal(pause.number, 1);
	assert_int_equal(spool_peek(spool, world_targets[0], &sending, &error), 1);
	assert_int_equal(sending.window.first, 2);
	profile_destroy(sending.profile);
	assert_true(exists(spool->state, "ready/ledger"));
	/* a damaged one is not replaced either, but counts by what else is there */
	write_file(spool, "ready/ledger", "");
	spool_place_expect(spool, "1 2");
	assert_int_equal(spool->ledger.made, 2);
	disk_step = NULL;
	assert_int_equal(spool_place_next(spool, 0, &sending), 2);
	assert_false(exists(spool->state, "ready"));
	spool_place_expect(spool, "1 2");
}

#define spool_test(name) \
	cmocka_unit_test_setup_teardown(name, spool_place_make, spool_place_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		spool_test(parts_of_a_merged_window_are_not_there),
		spool_test(what_was_counted_as_dropped_is_removed),
		spool_test(damaged_files_are_set_aside),
		spool_test(a_file_under_a_wrong_name_is_damaged),
		spool_test(a_damaged_cursor_starts_anew),
		spool_test(a_damaged_ledger_reuses_no_number),
		spool_test(links_to_directories_are_not_followed),
		spool_test(directories_of_others_are_refused),
		spool_test(only_windows_are_removed),
		spool_test(what_is_no_file_is_damaged),
		spool_test(locks_are_files_with_one_name),
		spool_test(another_user_does_not_wait_for_ever),
		spool_test(what_was_just_added_is_read_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
