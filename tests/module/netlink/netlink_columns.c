// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes columns: see netlink_columns.h.
 *
 * A column is searched for addresses once it is decoded. Its bytes say nothing: those of
 * several numbers may look like one.
 */
#include <stdlib.h>

#include "netlink_addresses.h"
#include "netlink_attrs.h"
#include "netlink_columns.h"

/* Is one of the numbers an address of the kernel? */
static void search(struct column *column)
{
	uint32_t i;

	for (i = 0; i < column->nr; i++)
		if (is_address(column->numbers[i]))
			column->wrong = "a kernel address is in a column";
}

/* As the YAML's doc says: 7 bits per byte, in as few bytes as possible. */
static struct column decode(const struct nlattr *attr)
{
	const uint8_t *at = attr ? data(attr) : NULL, *end = at + bytes(attr);
	struct column column = {
		.numbers = calloc(bytes(attr) + 1, sizeof(*column.numbers)),
	};
	unsigned int shift = 0;

	for (; at < end; at++) {
		if (shift > 63 || (shift == 63 && *at > 1))
			column.wrong = "a number is past 64 bits";
		else
			column.numbers[column.nr] |= (uint64_t)(*at & 127) << shift;
		if (shift && !*at)
			column.wrong = "a number takes more bytes than it needs";
		shift = *at > 127 ? shift + 7 : 0;
		column.nr += !shift;
	}
	if (shift)
		column.wrong = "a column ends within a number";
	return column;
}

struct column column_of(const struct nlattr *attr)
{
	struct column column = decode(attr);

	search(&column);
	return column;
}

/* Odd numbers are negative. */
struct column differences_of(const struct nlattr *attr)
{
	struct column column = decode(attr);
	uint64_t last = 0;
	uint32_t i;

	for (i = 0; i < column.nr; i++) {
		uint64_t number = column.numbers[i];

		last += number % 2 ? -(number / 2) - 1 : number / 2;
		column.numbers[i] = last;
	}
	search(&column);
	return column;
}

const char *free_columns(struct column *columns, uint32_t nr, const char *wrong)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		wrong = columns[i].wrong ?: wrong;
		free(columns[i].numbers);
	}
	return wrong;
}

bool equally_many(const struct column *columns, uint32_t nr)
{
	uint32_t i;

	for (i = 1; i < nr; i++)
		if (columns[i].nr != columns[0].nr)
			return false;
	return columns[0].nr;
}
