/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ClickHouse's format RowBinary: values one after another, without names or types.
 * Numbers are little endian; texts and arrays have their length before them, in LEB128.
 * Source: https://clickhouse.com/docs/interfaces/formats/RowBinary
 */
#ifndef FLAMECTL_ROWBINARY_H
#define FLAMECTL_ROWBINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written. Empty if all is 0. */
struct rowbinary {
	char *bytes;			/* on the heap; the owner frees it */
	size_t size, room;
	bool failed;			/* memory was short: the rest is not written */
};

/** rowbinary_bytes() - write bytes as they are, such as a FixedString. */
void rowbinary_bytes(struct rowbinary *out, const void *bytes, size_t size);

/** rowbinary_number() - write an integer of @size bytes, 1 to 8. */
void rowbinary_number(struct rowbinary *out, uint64_t number, size_t size);

/** rowbinary_length() - write the length of an array, which then follows. */
void rowbinary_length(struct rowbinary *out, uint64_t length);

/** rowbinary_text() - write a String. */
void rowbinary_text(struct rowbinary *out, const char *text);

/* What is read. */
struct rowbinary_reader {
	const char *next, *end;
	bool failed;			/* there were fewer bytes; all that follows is 0 */
};

/** rowbinary_take() - read @size bytes. Return: them, or NULL. */
const char *rowbinary_take(struct rowbinary_reader *in, size_t size);

/** rowbinary_take_number() - read an unsigned integer of @size bytes, 1 to 8. */
uint64_t rowbinary_take_number(struct rowbinary_reader *in, size_t size);

/**
 * rowbinary_take_length() - read the length of an array or a text; no more than the
 * bytes that are left, because each element has one at least.
 */
size_t rowbinary_take_length(struct rowbinary_reader *in);

/** rowbinary_take_double() - read a Float64. */
double rowbinary_take_double(struct rowbinary_reader *in);

/**
 * rowbinary_take_text() - read a String, up to its first NUL.
 *
 * Return: the text, which the caller frees, or NULL with failed set.
 */
char *rowbinary_take_text(struct rowbinary_reader *in);

#endif /* FLAMECTL_ROWBINARY_H */
