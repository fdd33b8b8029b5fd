// SPDX-License-Identifier: GPL-2.0
/*
 * Recognise a pprof message: its fields have the wire types that pprof.proto
 * gives them, and it contains bytes that text does not.
 */
#include "format/pprof/pprof.h"

#include <string.h>

/* How many bytes at the start are looked at. */
#define HEAD		(64U << 10)

/* Maximal length of a 64-bit varint, at seven bits a byte. */
#define VARINT_BYTES	10

/* Wire types of pprof.proto's fields, by field number. */
enum { VARINT = 1 << 0, BYTES = 1 << 2 };

static const uint8_t wire_types[] = {
	[1] = BYTES, BYTES, BYTES, BYTES, BYTES, BYTES,
	[7] = VARINT, VARINT, VARINT, VARINT, BYTES, VARINT,
	[13] = VARINT | BYTES, VARINT, VARINT,
};

/* Read a varint. Return: true if it is valid, or is cut short by @size. */
static bool read_varint(const uint8_t *bytes, size_t size, size_t *at,
			uint64_t *value)
{
	*value = 0;
	for (unsigned int i = 0; i < VARINT_BYTES && *at < size; i++) {
		uint8_t byte = bytes[(*at)++];

		*value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return true;
	}
	return *at == size;
}

/* Report whether the bytes are fields of a pprof message, as far as they go. */
static bool are_fields(const uint8_t *bytes, size_t size)
{
	uint64_t tag, value;
	size_t at = 0;

	while (at < size) {
		if (!read_varint(bytes, size, &at, &tag) ||
		    tag >> 3 >= sizeof(wire_types) || (tag & 7) > 2 ||
		    !(wire_types[tag >> 3] & 1 << (tag & 7)) ||
		    !read_varint(bytes, size, &at, &value))
			return false;
		if ((tag & 7) == 2 && value >= size - at)
			return true;
		if ((tag & 7) == 2)
			at += value;
	}
	return size;
}

/*
 * Report whether there are control characters that text does not contain; a
 * pprof message has some, as small numbers such as types and indices.
 */
static bool has_control(const uint8_t *bytes, size_t size)
{
	static const char of_texts[] = { '\t', '\n', '\v', '\f', '\r', '\033' };

	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' &&
		    !memchr(of_texts, bytes[i], sizeof(of_texts)))
			return true;
	return false;
}

bool pprof_probe(const uint8_t *bytes, size_t size)
{
	if (size > HEAD)
		size = HEAD;
	return are_fields(bytes, size) && has_control(bytes, size);
}
