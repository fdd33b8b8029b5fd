// SPDX-License-Identifier: GPL-2.0
/*
 * What was read of a file that is truncated meanwhile cannot be freed. So the files of a user
 * who does that again and again are read no more, nor are others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "programs.h"

#define NR_TRUNCATED	8

/* Look up a function of a copy of a program, once it is open and truncated. */
static void truncate_one(struct symbols *symbols, int number)
{
	char from[256], to[256], name[32], id[64], command[600];
	struct symbols_place place = { to, id, 1, 0, NULL };
	struct symbols_name found;

	program_build_id("pie", id);
	snprintf(name, sizeof(name), "short-%d", number);
	snprintf(command, sizeof(command), "cp %s %s", program_path("pie", from),
		 program_path(name, to));
	assert_int_equal(system(command), 0);
	/* it is opened, and nothing found */
	assert_int_equal(symbols_find(symbols, &place, &found), 0);
	assert_int_equal(found.state, SYMBOLS_READ);
	assert_int_equal(truncate(to, 0), 0);
	programs_expect(symbols, "pie", to, id, "");
}

static void after_many_truncated_files_none_is_opened(void **state)
{
	const struct symbols_options options = { .root = NULL };
	struct symbols *symbols = symbols_create(&options);
	char path[256], id[64], linked[256];
	struct symbols_place place = { linked, id, 1, 0, NULL };
	struct symbols_name found;

	(void)state;
	assert_non_null(symbols);
	program_build_id("pie", id);
	programs_expect(symbols, "pie", program_path("pie", path), id, NULL);
	for (int i = 0; i < NR_TRUNCATED; i++)
		truncate_one(symbols, i);
	/* what is open is read as before */
	programs_expect(symbols, "pie", path, id, NULL);
	assert_int_equal(link(path, program_path("another", linked)), 0);
	assert_int_equal(symbols_find(symbols, &place, &found), 0);
	assert_int_equal(found.state, SYMBOLS_REFUSED);
	symbols_destroy(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_many_truncated_files_none_is_opened),
	};

	return cmocka_run_group_tests(tests, programs_build, programs_remove);
}
