// SPDX-License-Identifier: GPL-2.0
/*
 * Histories of names: what is remembered, and for how long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "view/terminal/history.h"

#define LAST	(HISTORY_INTERVALS - 1)

static void expect(struct history *history, const char *name, int back,
		   uint16_t value)
{
	uint16_t values[HISTORY_INTERVALS];

	assert_int_equal(history_get(history, name, values), 0);
	assert_int_equal(values[LAST - back], value);
}

static void the_newest_is_last(void **state)
{
	struct history *history = history_create();

	(void)state;
	for (uint16_t i = 1; i <= 3 * HISTORY_INTERVALS; i++) {
		history_begin(history);
		assert_int_equal(history_set(history, "f", i), 0);
	}
	for (int back = 0; back < HISTORY_INTERVALS; back++)
		expect(history, "f", back, 3 * HISTORY_INTERVALS - back);
	/* the value of sixty intervals ago is gone */
	history_begin(history);
	history_begin(history);
	assert_int_equal(history_set(history, "f", 7), 0);
	expect(history, "f", 0, 7);
	expect(history, "f", 1, 0);
	expect(history, "f", 2, 3 * HISTORY_INTERVALS);
	history_destroy(history);
}

static void intervals_without_the_name_count_zero(void **state)
{
	struct history *history = history_create();

	(void)state;
	history_begin(history);
	assert_int_equal(history_set(history, "f", 7), 0);
	history_begin(history);
	history_begin(history);
	assert_int_equal(history_set(history, "f", 9), 0);
	expect(history, "f", 0, 9);
	expect(history, "f", 1, 0);
	expect(history, "f", 2, 7);
	expect(history, "f", 3, 0);
	expect(history, "g", 0, 0);
	history_begin(history);
	expect(history, "f", 0, 0);
	expect(history, "f", 1, 9);
	for (int i = 0; i < HISTORY_INTERVALS; i++)
		history_begin(history);
	for (int back = 0; back < HISTORY_INTERVALS; back++)
		expect(history, "f", back, 0);
	history_destroy(history);
}

static void names_are_forgotten_in_time(void **state)
{
	struct history *history = history_create();
	char name[32];

	(void)state;
	for (unsigned int i = 0; i < 400; i++) {
		history_begin(history);
		for (unsigned int j = 0; j < 100; j++) {
			snprintf(name, sizeof(name), "%u of %u", j, i);
			assert_int_equal(history_set(history, name, 1), 0);
		}
		assert_int_equal(history_set(history, "f", (uint16_t)i), 0);
	}
	assert_true(history_nr_names(history) < 10000);
	for (int back = 0; back < HISTORY_INTERVALS; back++)
		expect(history, "f", back, 399 - back);
	expect(history, "99 of 399", 0, 1);
	expect(history, "5 of 350", 49, 1);
	history_destroy(history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_is_last),
		cmocka_unit_test(intervals_without_the_name_count_zero),
		cmocka_unit_test(names_are_forgotten_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
