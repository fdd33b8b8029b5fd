// SPDX-License-Identifier: GPL-2.0
/*
 * Which hours a question reads from rollups, and which from windows; sets of ids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fleet/clickhouse/cover.h"
#include "fleet/id_set.h"

#define NR(list)	(sizeof(list) / sizeof((list)[0]))

/* Hours 10 to 15 have windows; 10, 11 and 13 have rollups that are up to date. */
static struct hour windows[] = {
	{ 10, 5, 100, 5, 0 }, { 11, 6, 101, 6, 0 }, { 12, 7, 102, 7, 0 },
	{ 13, 8, 103, 8, 0 }, { 14, 9, 104, 9, 0 }, { 15, 9, 105, 9, 0 },
};
static struct hour rollups[] = {
	{ .hour = 9, .windows = 1, .mark = 99 },
	{ .hour = 10, .windows = 5, .mark = 100 },
	{ .hour = 11, .windows = 6, .mark = 101 },
	{ .hour = 12, .windows = 7, .mark = 7777 },
	{ .hour = 13, .windows = 8, .mark = 103 },
	{ .hour = 14, .windows = 8, .mark = 104 },
};

static struct cover cover_of(const struct choice *choice)
{
	return (struct cover){
		.choice = choice, .by = COVER_STACKS, .has_rollups = true,
		.has_windows = true, .final = "",
		.hours = { .list = windows, .nr = NR(windows) },
		.rollups = { .list = rollups, .nr = NR(rollups) },
	};
}

static void expect(const struct cover *cover, const char *of_windows,
		   const char *of_rollups)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	cover_put_windows(cover, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, of_windows);
	free(text);
	if (!of_rollups)
		return;
	out = open_memstream(&text, &size);
	cover_put_rollups(cover, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, of_rollups);
	free(text);
}

/* Neither of other windows, nor of fewer. */
static void a_rollup_is_read_if_it_is_of_the_same_windows(void **state)
{
	const struct choice all = { .from_s = 0 };
	struct cover cover = cover_of(&all);

	(void)state;
	expect(&cover, "event = '' AND time >= toDateTime(0)"
	       " AND (time >= toDateTime(43200) AND time < toDateTime(46800)"
	       " OR time >= toDateTime(50400) AND time < toDateTime(57600))",
	       "kind = 1 AND hour IN (10, 11, 13) AND 1");
	cover.by = COVER_HOSTS;
	expect(&cover, "event = '' AND time >= toDateTime(0)"
	       " AND (time >= toDateTime(43200) AND time < toDateTime(46800)"
	       " OR time >= toDateTime(50400) AND time < toDateTime(57600))",
	       "kind = 2 AND hour IN (10, 11, 13) AND 1");
	/* all hours are rolled up */
	cover.hours.nr = 2;
	expect(&cover, "event = '' AND time >= toDateTime(0) AND 0",
	       "kind = 2 AND hour IN (10, 11) AND 1");
	cover.has_rollups = false;
	expect(&cover, "event = '' AND time >= toDateTime(0)", NULL);
}

static void a_part_of_an_hour_is_read_from_its_windows(void **state)
{
	const struct choice part = { .from_s = 10 * 3600 + 1, .to_s = 14 * 3600 - 1 };
	const struct choice whole = { .from_s = 10 * 3600, .to_s = 14 * 3600 };
	struct cover cover = cover_of(&part);

	(void)state;
	cover.hours.nr = 4;
	expect(&cover, "event = '' AND time >= toDateTime(36001) AND time < toDateTime(50399)"
	       " AND (time >= toDateTime(36000) AND time < toDateTime(39600)"
	       " OR time >= toDateTime(43200) AND time < toDateTime(50400))",
	       "kind = 1 AND hour IN (11) AND 1");
	cover.choice = &whole;
	expect(&cover, "event = '' AND time >= toDateTime(36000) AND time < toDateTime(50400)"
	       " AND (time >= toDateTime(43200) AND time < toDateTime(46800))",
	       "kind = 1 AND hour IN (10, 11, 13) AND 1");
}

static void rollups_are_not_read_if_hours_share_a_window(void **state)
{
	const struct choice all = { .from_s = 0 };
	struct cover cover = cover_of(&all);

	(void)state;
	cover.hours.shared = true;
	expect(&cover, "event = '' AND time >= toDateTime(0)"
	       " AND (time >= toDateTime(36000) AND time < toDateTime(57600))",
	       "kind = 1 AND hour IN () AND 1");
}

static void terms_are_asked_of_both(void **state)
{
	struct error error;
	struct choice choice;
	struct cover cover;

	(void)state;
	assert_int_equal(choice_parse(&choice, "release=6.1,rack=7", 0, &error), 0);
	cover = cover_of(&choice);
	cover.hours.nr = 3;
	expect(&cover, "event = '' AND time >= toDateTime(0) AND (0 OR release = '6.1'"
	       " OR release LIKE '6.1.%' OR release LIKE '6.1-%' OR release LIKE '6.1+%')"
	       " AND (0 OR arrayExists(l -> l = 'rack=7', labels))"
	       " AND (time >= toDateTime(43200) AND time < toDateTime(46800))",
	       "kind = 1 AND hour IN (10, 11) AND 1 AND (0 OR release = '6.1'"
	       " OR release LIKE '6.1.%' OR release LIKE '6.1-%' OR release LIKE '6.1+%')"
	       " AND (0 OR arrayExists(l -> l = 'rack=7', labels))");
}

static void lists_of_hours_are_compared(void **state)
{
	struct hour other[NR(windows)];
	const struct hours a = { .list = windows, .nr = NR(windows) };
	struct hours b = { .list = other, .nr = NR(windows) };

	(void)state;
	memcpy(other, windows, sizeof(other));
	assert_true(hours_equal(&a, &b));
	other[3].mark++;
	assert_false(hours_equal(&a, &b));
	other[3].mark--;
	other[3].windows++;
	assert_false(hours_equal(&a, &b));
	other[3].windows--;
	other[5].hour++;
	assert_false(hours_equal(&a, &b));
	other[5].hour--;
	b.nr--;
	assert_false(hours_equal(&a, &b));
	assert_ptr_equal(hours_find(&a, 13), &windows[3]);
	assert_null(hours_find(&a, 16));
	b.nr = 0;
	assert_null(hours_find(&b, 10));
}

static void a_set_has_each_id_once(void **state)
{
	uint8_t id[STACK_ID_BYTES] = { 0 };
	struct id_set set = { NULL };

	(void)state;
	assert_int_equal(id_set_find(&set, id), MAP_NONE);
	for (int twice = 0; twice < 2; twice++)
		for (uint32_t i = 0; i < 1000; i++) {
			id[15] = (uint8_t)i;
			id[0] = (uint8_t)(i >> 8);
			assert_int_equal(id_set_add(&set, id), 0);
			assert_int_equal(id_set_find(&set, id), i);
		}
	assert_int_equal(set.nr, 1000);
	id_set_deinit(&set);
	assert_int_equal(id_set_find(&set, id), MAP_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rollup_is_read_if_it_is_of_the_same_windows),
		cmocka_unit_test(a_part_of_an_hour_is_read_from_its_windows),
		cmocka_unit_test(rollups_are_not_read_if_hours_share_a_window),
		cmocka_unit_test(terms_are_asked_of_both),
		cmocka_unit_test(lists_of_hours_are_compared),
		cmocka_unit_test(a_set_has_each_id_once),
	};

	return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
