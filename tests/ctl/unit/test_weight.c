// SPDX-License-Identifier: GPL-2.0
/*
 * Weights are printed in their unit, and times are rounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/weight.h"

static void weights_are_whole_numbers(void **state)
{
	char text[WEIGHT_TEXT];

	(void)state;
	assert_string_equal(weight_text(text, 0, "periods"), "0");
	assert_string_equal(weight_text(text, UINT64_MAX, "bytes"),
			    "18446744073709551615");
}

static void nanoseconds_are_times(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} times[] = {
		{ 0, "0 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.00 us" },
		{ 1005, "1.01 us" },
		{ 1004, "1.00 us" },
		{ 999994, "999.99 us" },
		{ 999995, "1.00 ms" },
		{ 80000000, "80.00 ms" },
		{ 999994999, "999.99 ms" },
		{ 999995000, "1.00 s" },
		{ 61234567890, "61.23 s" },
		{ UINT64_MAX, "18446744073.71 s" },
	};
	char text[WEIGHT_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		assert_string_equal(weight_text(text, times[i].ns, "nanoseconds"),
				    times[i].text);
}

static void one_is_singular(void **state)
{
	(void)state;
	assert_int_equal(weight_unit_length(1, "samples"), strlen("sample"));
	assert_int_equal(weight_unit_length(2, "samples"), strlen("samples"));
	assert_int_equal(weight_unit_length(1, "ms"), strlen("ms"));
	assert_int_equal(weight_unit_length(1, ""), 0);
	assert_int_equal(weight_unit_length(1, "nanoseconds"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_whole_numbers),
		cmocka_unit_test(nanoseconds_are_times),
		cmocka_unit_test(one_is_singular),
	};

	return cmocka_run_group_tests_name("weight", tests, NULL, NULL);
}
