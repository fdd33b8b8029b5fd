// SPDX-License-Identifier: GPL-2.0
/*
 * Columns: numbers of any size in a row, and their differences.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wire/nl_column.h"

static const struct {
	enum nl_column_kind kind;
	size_t size;
	const char *bytes;
	uint32_t nr;
	uint64_t values[4];
} cases[] = {
	{ NL_NUMBERS, 1, "\0", 1, { 0 } },
	{ NL_NUMBERS, 4, "\x7f\x80\x01\0", 3, { 127, 128, 0 } },
	{ NL_NUMBERS, 3, "\xff\x7f\x05", 2, { 16383, 5 } },
	/* more bytes than it takes */
	{ NL_NUMBERS, 3, "\x81\x80\0", 1, { 1 } },
	{ NL_NUMBERS, 6, "\xff\xff\xff\xff\x0f\x01", 2, { UINT32_MAX, 1 } },
	{ NL_NUMBERS, 10, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1,
	  { UINT64_MAX } },
	{ NL_DIFFERENCES, 4, "\x0a\x02\0\x03", 4, { 5, 6, 6, 4 } },
	{ NL_DIFFERENCES, 10, "\xfe\xff\xff\xff\x1f\xfd\xff\xff\xff\x1f", 2,
	  { UINT32_MAX, 0 } },
};

/* Open a column of these bytes. Return: true if it is valid so far. */
static bool open_column(struct nl_column *column, enum nl_column_kind kind,
			size_t size, const char *bytes, uint32_t *nr,
			struct error *error)
{
	static char buffer[256];
	struct nlmsghdr *header;

	memset(buffer, 0, sizeof(buffer));
	header = mnl_nlmsg_put_header(buffer);
	mnl_attr_put(header, 1, size, bytes);
	return !nl_column_open(column, mnl_nlmsg_get_payload(header), "c", kind,
			       nr, error);
}

static void reads_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nl_column column;
		struct error error;
		uint64_t value;
		uint32_t nr = 0;

		assert_true(open_column(&column, cases[i].kind, cases[i].size,
					cases[i].bytes, &nr, &error));
		assert_int_equal(nr, cases[i].nr);
		for (uint32_t j = 0; j < nr; j++) {
			assert_int_equal(nl_column_next(&column, &value, &error), 0);
			if (value != cases[i].values[j])
				fail_msg("case %zu: number %u is %ju", i, j,
					 (uintmax_t)value);
		}
		assert_ptr_equal(column.at, column.end);
	}
}

static void refuses_what_is_too_large(void **state)
{
	static const char eleven[] = "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
	static const char carry[] = "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02";
	struct nl_column column;
	struct error error;
	uint64_t value;
	uint32_t nr = 0, narrow = 7;

	(void)state;
	assert_true(open_column(&column, NL_NUMBERS, 11, eleven, &nr, &error));
	assert_int_equal(nl_column_next(&column, &value, &error), -EBADMSG);
	assert_string_equal(error.text, "column c has a number of more than 64 bits");
	assert_true(open_column(&column, NL_NUMBERS, 10, carry, &nr, &error));
	assert_int_equal(nl_column_next(&column, &value, &error), -EBADMSG);
	/* with differences, also results below 0 */
	assert_true(open_column(&column, NL_DIFFERENCES, 1, "\x03", &nr, &error));
	assert_int_equal(nl_column_u32(&column, &narrow, &error), -EBADMSG);
	assert_string_equal(error.text,
			    "column c has 18446744073709551614, which is more than 32 bits");
	assert_int_equal(narrow, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_numbers),
		cmocka_unit_test(refuses_what_is_too_large),
	};

	return cmocka_run_group_tests_name("nl_column", tests, NULL, NULL);
}
