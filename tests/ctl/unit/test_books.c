// SPDX-License-Identifier: GPL-2.0
/*
 * Advice about lost periods: it names a parameter of the module and a larger valid value
 * than the one at the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/books.h"

static void expect(const struct profile_meta *meta, enum flamemod_lost reason,
		   const char *expected)
{
	char text[128];
	const char *advice = books_advice(meta, reason, text, sizeof(text));

	if (expected)
		assert_string_equal(advice, expected);
	else
		assert_null(advice);
}

static void advice_raises_the_value_of_the_time(void **state)
{
	struct profile_meta meta = { .settings.hz = 997 };

	(void)state;
	/* unknown values: the module's defaults are assumed */
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=4096");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=65536");
	meta.origin.cpu_kb = 32;
	meta.origin.aggregate_kb = 256;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=128");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=1024");
	expect(&meta, FLAMEMOD_LOST_OVERLOAD, "lower the rate, -F 498");
	expect(&meta, FLAMEMOD_LOST_NO_REGS, NULL);
	expect(&meta, FLAMEMOD_LOST_STOPPED, NULL);
}

static void advice_stays_within_the_parameters_limits(void **state)
{
	struct profile_meta meta = {
		.settings.hz = 1,
		.origin = { .cpu_kb = 20000, .aggregate_kb = 1000000 },
	};

	(void)state;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=65536");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=1048576");
	expect(&meta, FLAMEMOD_LOST_OVERLOAD, "lower the rate (-F)");
	meta.origin.cpu_kb = 65536;
	meta.origin.aggregate_kb = 1048576;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL,
	       "cpu_kb=65536 is the maximum, so lower the rate (-F)");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL,
	       "aggregate_kb=1048576 is the maximum, so reset more often (flamectl dump --reset)");
	/* a file may contain any value */
	meta.origin.cpu_kb = UINT64_MAX;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL,
	       "cpu_kb=18446744073709551615 is the maximum, so lower the rate (-F)");
}

static void all_advice_names_its_reasons(void **state)
{
	struct profile *profile = profile_create();
	char text[BOOKS_ADVICE_MAX];

	(void)state;
	assert_non_null(profile);
	profile->meta.settings.hz = 20000;
	assert_null(books_advice_all(profile, text));
	profile->books.lost[FLAMEMOD_LOST_STOPPED] = 1;
	assert_null(books_advice_all(profile, text));
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] = 1;
	profile->books.lost[FLAMEMOD_LOST_TABLE_FULL] = 1;
	assert_string_equal(books_advice_all(profile, text),
			    "table-full: load with cpu_kb=4096; overload: lower the rate, -F 10000");
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_raises_the_value_of_the_time),
		cmocka_unit_test(advice_stays_within_the_parameters_limits),
		cmocka_unit_test(all_advice_names_its_reasons),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("books", tests, NULL, NULL);
}
