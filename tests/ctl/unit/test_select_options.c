// SPDX-License-Identifier: GPL-2.0
/*
 * Options of selections: refused values, and the messages.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/shared_options.h"

static void expect_refused(enum select_option option, const char *text,
			   const char *why)
{
	struct selection selection = { 0 };
	struct error error;

	assert_int_equal(select_option_add(&selection, option, text, &error), -EINVAL);
	assert_string_equal(error.text, why);
	/* nothing was added */
	assert_null(select_option_of_profiles(&selection));
}

static void bad_values_are_refused(void **state)
{
	(void)state;
	expect_refused(SELECT_INCLUDE, "a(b",
		       "--include a(b: Unmatched ( or \\(; it must be an extended regular expression, as for grep -E");
	expect_refused(SELECT_EXCLUDE, "[",
		       "--exclude [: Invalid regular expression; it must be an extended regular expression, as for grep -E");
	expect_refused(SELECT_INCLUDE, "", "--include: REGEX is empty");
	expect_refused(SELECT_FOCUS, "", "--focus: FUNCTION is empty");
	expect_refused(SELECT_COMM, "", "--comm: NAME,... is empty");
	expect_refused(SELECT_COMM, "a,",
		       "--comm: a value is missing before or after a comma");
	expect_refused(SELECT_COMM, ",a",
		       "--comm: a value is missing before or after a comma");
	expect_refused(SELECT_PID, "1,x",
		       "--pid x: a whole number from 0 to 4294967295");
	expect_refused(SELECT_PID, "4294967296",
		       "--pid 4294967296: a whole number from 0 to 4294967295");
	expect_refused(SELECT_CPU, "0-",
		       "--cpu 0-: a list such as 0-3,8 of CPUs from 0 to 65535");
	expect_refused(SELECT_CONTEXT, "task,irq",
		       "--context irq: the contexts are user, task, softirq, hardirq and idle");
}

static void there_may_be_too_many(void **state)
{
	struct selection selection = { 0 };
	struct error error;

	(void)state;
	for (unsigned int i = 0; i < SELECT_TERMS_MAX; i++)
		assert_int_equal(select_option_add(&selection, SELECT_PID, "1",
						   &error), 0);
	assert_int_equal(select_option_add(&selection, SELECT_CUT, "a", &error), -E2BIG);
	assert_string_equal(error.text, "--cut is one too many: at most 256 selections can be combined");
}

static void options_that_need_a_profile_are_known(void **state)
{
	struct selection selection = { 0 };

	(void)state;
	assert_int_equal(select_option_add(&selection, SELECT_INCLUDE, "a", NULL), 0);
	assert_int_equal(select_option_add(&selection, SELECT_CUT, "a", NULL), 0);
	assert_null(select_option_of_profiles(&selection));
	assert_int_equal(select_option_add(&selection, SELECT_NO_IDLE, NULL, NULL), 0);
	assert_string_equal(select_option_of_profiles(&selection), "no-idle");
	assert_int_equal(select_option_add(&selection, SELECT_COMM, "a", NULL), 0);
	assert_string_equal(select_option_of_profiles(&selection), "no-idle");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(there_may_be_too_many),
		cmocka_unit_test(options_that_need_a_profile_are_known),
	};

	return cmocka_run_group_tests_name("select_options", tests, NULL, NULL);
}
