// SPDX-License-Identifier: GPL-2.0
/* Names of C++ and Rust as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/demangle.h"

static void expect_demangled(const char *name, const char *expected)
{
	char *text = demangle(name);

	if (expected)
		assert_string_equal(text, expected);
	else
		assert_null(text);
	free(text);
}

static void names_are_demangled(void **state)
{
	(void)state;
	expect_demangled("_ZNSt6vectorIiSaIiEE9push_backERKi",
			 "std::vector<int, std::allocator<int> >::push_back");
	expect_demangled("_ZN3FooD2Ev", "Foo::~Foo");
	expect_demangled("_ZN12_GLOBAL__N_13fooEi", "(anonymous namespace)::foo");
	expect_demangled("_ZN4core3fmt5write17h0123456789abcdefE",
			 "core::fmt::write");
	expect_demangled("_RINvNtC3std3mem8align_ofdE",
			 "std::mem::align_of::<f64>");
	expect_demangled("_Zebra", NULL);
	expect_demangled("_R", NULL);
	expect_demangled("main", NULL);
	expect_demangled("", NULL);
}

/* 40 template arguments, each twice the one before it: 2^40 words. */
static void a_name_without_end_is_left_as_it_is(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[2048] = "_Z1fI1PIiiE", part[32], before[8];

	(void)state;
	for (int i = 1; i < 40; i++) {
		if (i <= 36)
			snprintf(before, sizeof(before), "S%c_", digits[i - 1]);
		else
			snprintf(before, sizeof(before), "S1%c_", digits[i - 37]);
		snprintf(part, sizeof(part), "S0_I%s%sE", before, before);
		strcat(name, part);
	}
	strcat(name, "Evv");
	expect_demangled(name, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_demangled),
		cmocka_unit_test(a_name_without_end_is_left_as_it_is),
	};

	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
