// SPDX-License-Identifier: GPL-2.0
/*
 * A text that grows keeps what fits, whatever is added to it afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/growing.h"

static void what_fits_is_kept(void **state)
{
	char text[] = "xxxxxxxxx";
	struct growing to = { .text = text, .room = 6 };

	(void)state;
	growing_add(&to, "%d", 12);
	growing_add(&to, "%s", "345");
	assert_string_equal(text, "12345");
	assert_int_equal(to.used, 5);
	growing_add(&to, "%s", "6");
	growing_add(&to, "%s", "78");
	assert_string_equal(text, "12345");
	assert_int_equal(to.used, 5);
	/* nothing was written behind its room */
	assert_string_equal(text + 6, "xxx");
}

static void a_part_is_cut(void **state)
{
	char text[4];
	struct growing to = { .text = text, .room = sizeof(text) };

	(void)state;
	growing_add(&to, "%s", "abcdef");
	assert_string_equal(text, "abc");
	growing_add(&to, "%s", "");
	assert_int_equal(to.used, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_is_kept),
		cmocka_unit_test(a_part_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
