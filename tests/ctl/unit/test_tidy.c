// SPDX-License-Identifier: GPL-2.0
/*
 * Tidy names: which parts of a signature are removed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "format/tidy.h"

static void cuts_signatures(void **state)
{
	static const struct {
		const char *name, *tidy;
	} names[] = {
		{ "f", "f" },
		{ "", "" },
		{ "ns::f(int, std::string const&) const", "ns::f" },
		{ "f(int (*)(char), long) &&", "f" },
		{ "std::map<int, X<char> >::at(int const&)", "std::map<int, X<char> >::at" },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
		{ "a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f" },
		{ "a::operator()(int) const", "a::operator()" },
		{ "a::b(int)::{lambda(char)#1}::operator()(char) const", "a::b::{lambda#1}::operator()" },
		{ "net/http.(*Client).Do", "net/http.(*Client).Do" },
		{ "f(int", "f(int" },
		{ "(x)", "(x)" },
		{ "f(int) [clone .cold]", "f [clone .cold]" },
		{ "Lorg/x/Y;::get(ILjava/lang/Object;)V", "org/x/Y::get" },
		{ "Lorg/x/Y;.call(Lorg/x/C;)Ljava/lang/Object;", "org/x/Y.call" },
		{ "Lorg/x/Y;.<init>", "org/x/Y.<init>" },
		{ "Lock::take(int)", "Lock::take" },
		{ "L;x", "L;x" },
		{ "Interpreter", "Interpreter" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[128];

		strcpy(name, names[i].name);
		tidy_name(name);
		assert_string_equal(name, names[i].tidy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_signatures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
