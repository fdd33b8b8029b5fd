// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of CPUs: parsing, printing, and what is refused.
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

#include "base/cpulist.h"

/* Check that the list has exactly @cpus, which end with -1, of CPUs up to 99. */
static void expect_cpus(const char *text, const int *cpus)
{
	struct cpulist list = { 0 };

	assert_int_equal(cpulist_add(&list, text), 0);
	for (int cpu = 0; cpu < 100; cpu++) {
		bool wanted = *cpus == cpu;

		cpus += wanted;
		if (cpulist_has(&list, (uint32_t)cpu) != wanted)
			fail_msg("%s: CPU %d", text, cpu);
	}
	assert_int_equal(*cpus, -1);
}

static void holds_what_it_names(void **state)
{
	(void)state;
	expect_cpus("0", (int[]){ 0, -1 });
	expect_cpus("63,64", (int[]){ 63, 64, -1 });
	expect_cpus("8,0-3,2", (int[]){ 0, 1, 2, 3, 8, -1 });
	expect_cpus("5-5", (int[]){ 5, -1 });
	expect_cpus("0-9:2/4,70", (int[]){ 0, 1, 4, 5, 8, 9, 70, -1 });
	expect_cpus("1-6:3/3", (int[]){ 1, 2, 3, 4, 5, 6, -1 });
}

static void adds_up_and_ends_at_its_limit(void **state)
{
	struct cpulist list = { 0 };

	(void)state;
	assert_int_equal(cpulist_add(&list, "65535"), 0);
	assert_int_equal(cpulist_add(&list, "1"), 0);
	assert_true(cpulist_has(&list, 65535));
	assert_true(cpulist_has(&list, 1));
	assert_false(cpulist_has(&list, 65536));
	assert_false(cpulist_has(&list, 65536 + 1));
	assert_false(cpulist_has(&list, UINT32_MAX));
}

static void refuses_what_is_no_list(void **state)
{
	static const char *const bad[] = {
		"", ",", "0,", ",0", "0,,1", "-1", "3-1", "0-", "0-3:", "0-3:1",
		"0-3:1/", "0-3:0/2", "0-3:3/2", "0:1/2", "0-3:1/0", "65536",
		"0-65536", "99999999999999999999999", " 0", "0 ", "0x1", "all",
	};
	struct cpulist list = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (cpulist_add(&list, bad[i]) != -EINVAL)
			fail_msg("\"%s\" is taken", bad[i]);
		assert_int_equal(cpulist_add(NULL, bad[i]), -EINVAL);
	}
}

/* Print the list, and compare. */
static void expect_printed(const char *text, size_t size, const char *printed)
{
	struct cpulist list = { 0 };
	char out[64];

	if (*text)
		assert_int_equal(cpulist_add(&list, text), 0);
	memset(out, 'x', sizeof(out));
	assert_string_equal(cpulist_print(&list, out, size), printed);
	/* and nothing after it */
	for (size_t i = size; i < sizeof(out); i++)
		assert_int_equal(out[i], 'x');
}

static void is_printed_as_it_is_read(void **state)
{
	(void)state;
	expect_printed("", 16, "");
	expect_printed("0", 16, "0");
	expect_printed("8,0-3", 64, "0-3,8");
	expect_printed("0-9:1/2", 64, "0,2,4,6,8");
	expect_printed("65535", 16, "65535");
	expect_printed("60000-65535", 16, "60000-65535");
	/* no range is cut in two */
	expect_printed("10000-10001,20000-20001,30000", 16, "10000-10001...");
	expect_printed("10000-10001,20000-20001,30000", 28, "10000-10001,20000-20001...");
	expect_printed("10000-10001,20000-20001,30000", 40, "10000-10001,20000-20001,30000");
}

static void sets_are_counted_and_compared(void **state)
{
	struct cpulist list = { 0 }, other = { 0 };

	(void)state;
	assert_int_equal(cpulist_count(&list), 0);
	assert_false(cpulist_meets(&list, &other));
	assert_int_equal(cpulist_add(&list, "0,63-64,65535"), 0);
	assert_int_equal(cpulist_count(&list), 4);
	assert_int_equal(cpulist_add(&other, "1-62,65-65534"), 0);
	assert_false(cpulist_meets(&list, &other));
	assert_int_equal(cpulist_add(&other, "65535"), 0);
	assert_true(cpulist_meets(&list, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_what_it_names),
		cmocka_unit_test(adds_up_and_ends_at_its_limit),
		cmocka_unit_test(refuses_what_is_no_list),
		cmocka_unit_test(is_printed_as_it_is_read),
		cmocka_unit_test(sets_are_counted_and_compared),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
