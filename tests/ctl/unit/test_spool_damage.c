// SPDX-License-Identifier: GPL-2.0
/*
 * Files of the spool that are damaged, or that a crash left, lose and double nothing else.
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
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_profile.h"
#include "spool_place.h"

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
		assert_int_equal(faccessat(spool->windows,
					   window_name(&list.entries[i].window, name), F_OK,
					   0), -1);
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
	struct spool_list list;
	struct error error;

	spool_place_add_all(spool, 1, 2);
	list = spool_place_list(spool);
	window_name(&list.entries[0].window, spool->ledger.removing);
	spool->ledger.dropped[LEDGER_DROP_FULL] = 1;
	assert_int_equal(ledger_write(spool->state, &spool->ledger, &error), 0);
	free(list.entries);
	spool_place_expect(spool, "2");
	assert_int_equal(spool->ledger.dropped[LEDGER_DROP_FULL], 1);
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
	struct stat status;
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
		assert_int_equal(fstatat(damaged, window_name(&list.entries[i].window, name),
					 &status, 0), 0);
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

static void write_file(struct spool *spool, const char *name, const char *text)
{
	int fd = openat(spool->state, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
