// SPDX-License-Identifier: GPL-2.0
/*
 * Read columns of numbers: see nl_column.h.
 */
#include "wire/nl_column.h"

#include <errno.h>
#include <inttypes.h>

/* Count the numbers of a column: each one ends with a byte below 128. */
static uint32_t count(const uint8_t *at, const uint8_t *end)
{
	uint32_t nr = 0;

	for (; at < end; at++)
		nr += *at < 0x80;
	return nr;
}

int nl_column_open(struct nl_column *column, const struct nlattr *attr,
		   const char *what, enum nl_column_kind kind, uint32_t *nr,
		   struct error *error)
{
	uint32_t own;

	if (!attr)
		return error_set(error, -EBADMSG, "column %s is missing", what);
	column->what = what;
	column->kind = kind;
	column->last = 0;
	column->at = mnl_attr_get_payload(attr);
	column->end = column->at + mnl_attr_get_payload_len(attr);
	if (column->at == column->end)
		return error_set(error, -EBADMSG, "column %s is empty", what);
	if (column->end[-1] >= 0x80)
		return error_set(error, -EBADMSG,
				 "column %s ends within a number", what);
	own = count(column->at, column->end);
	if (*nr && own != *nr)
		return error_set(error, -EBADMSG, "column %s has %" PRIu32
				 " elements, its neighbours %" PRIu32, what,
				 own, *nr);
	*nr = own;
	return 0;
}

/* Read a LEB128 number; the last byte of the column always ends one. */
static int number(struct nl_column *column, uint64_t *value,
		  struct error *error)
{
	unsigned int shift = 0;
	uint8_t byte;

	*value = 0;
	do {
		byte = *column->at++;
		if (shift > 63 || (shift == 63 && byte > 1))
			return error_set(error, -EBADMSG,
					 "column %s has a number of more than 64 bits",
					 column->what);
		*value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte >= 0x80);
	return 0;
}

int nl_column_next(struct nl_column *column, uint64_t *value,
		   struct error *error)
{
	uint64_t read;
	int err = number(column, &read, error);

	if (err)
		return err;
	if (column->kind == NL_DIFFERENCES)
		read = column->last + (read >> 1 ^ -(read & 1));
	column->last = *value = read;
	return 0;
}

int nl_column_u32(struct nl_column *column, uint32_t *value,
		  struct error *error)
{
	uint64_t wide;
	int err = nl_column_next(column, &wide, error);

	if (err)
		return err;
	if (wide > UINT32_MAX)
		return error_set(error, -EBADMSG,
				 "column %s has %" PRIu64 ", which is more than 32 bits",
				 column->what, wide);
	*value = (uint32_t)wide;
	return 0;
}
