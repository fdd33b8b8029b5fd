// SPDX-License-Identifier: GPL-2.0
/*
 * Shares: rounding, limits, and what is refused.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/percent.h"

static void expect_text(uint64_t part, uint64_t whole, const char *expected)
{
	char text[PERCENT_TEXT];

	assert_string_equal(percent_text(text, part, whole), expected);
}

static void shares_are_rounded(void **state)
{
	(void)state;
	expect_text(0, 1, "0.00");
	expect_text(1, 1, "100.00");
	expect_text(1, 3, "33.33");
	expect_text(2, 3, "66.67");
	expect_text(1, 20000, "0.01");
	expect_text(1, 20001, "0.00");
	expect_text(105, 223, "47.09");
	expect_text(UINT64_MAX, UINT64_MAX, "100.00");
	expect_text(UINT64_MAX / 2, UINT64_MAX, "50.00");
	assert_int_equal(percent_hundredths(2, 3), 6667);
}

/* The pages' scripts are tested with the same table: tests/ctl/browser/svg. */
static void shares_are_those_of_the_table(void **state)
{
	FILE *in = fopen("tests/ctl/percent.cases", "r");
	char line[200], expected[32];
	uint64_t part, whole;
	unsigned int nr = 0;

	(void)state;
	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%" SCNu64 " %" SCNu64 " %31s",
					&part, &whole, expected), 3);
		expect_text(part, whole, expected);
		nr++;
	}
	fclose(in);
	assert_true(nr > 100);
}

static void thresholds_are_exact(void **state)
{
	(void)state;
	assert_false(percent_below(5, 1000, 5000));
	assert_true(percent_below(4, 1000, 5000));
	assert_false(percent_below(0, 1000, 0));
	assert_true(percent_below(UINT64_MAX - 1, UINT64_MAX, 1000000));
	assert_false(percent_below(UINT64_MAX, UINT64_MAX, 1000000));
}

static void expect_parsed(const char *text, uint32_t expected)
{
	struct error error = { "" };
	uint32_t ppm = 7;

	if (percent_parse(text, &ppm, &error))
		fail_msg("%s", error.text);
	assert_int_equal(ppm, expected);
}

static void what_is_typed_is_parsed(void **state)
{
	static const char *const bad[] = {
		"", "%", ".5", "5.", "5.%", "-1", "+1", "1e1", "0.00001",
		"100.0001", "101", "1000000000000000000000", "5%%", "5 %", " 5",
		"0,5", "x",
	};
	struct error error;
	uint32_t ppm = 7;

	(void)state;
	expect_parsed("0", 0);
	expect_parsed("0.5", 5000);
	expect_parsed("0.5%", 5000);
	expect_parsed("12.3456", 123456);
	expect_parsed("100", 1000000);
	expect_parsed("100.0000%", 1000000);
	expect_parsed("007", 70000);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (percent_parse(bad[i], &ppm, &error) != -EINVAL || ppm != 7)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_string_equal(error.text,
			    "x: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point");
	percent_parse("", &ppm, &error);
	assert_string_equal(error.text,
			    "nothing: give a share from 0 to 100 percent, such as 0.5, with at most four digits after the point");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_rounded),
		cmocka_unit_test(shares_are_those_of_the_table),
		cmocka_unit_test(thresholds_are_exact),
		cmocka_unit_test(what_is_typed_is_parsed),
	};

	return cmocka_run_group_tests_name("percent", tests, NULL, NULL);
}
