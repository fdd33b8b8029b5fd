// SPDX-License-Identifier: GPL-2.0
/*
 * Does a file hold a pprof message? Its fields have the wire types that
 * pprof.proto gives them, and it has bytes that no text has.
 */
#include "format/pprof/pprof.h"

#include <string.h>

/* So many bytes at the beginning decide. */
#define HEAD		(64U << 10)

/* A varint has seven bits a byte, of 64. */
#define VARINT_BYTES	10

/* Wire types that pprof.proto's fields have, by their numbers. */
enum { VARINT = 1 << 0, BYTES = 1 << 2 };

static const uint8_t wire_types[] = {
	[1] = BYTES, BYTES, BYTES, BYTES, BYTES, BYTES,
	[7] = VARINT, VARINT, VARINT, VARINT, BYTES, VARINT,
	[13] = VARINT | BYTES, VARINT, VARINT,
};

/* Return: is there one before @size, or as much of it as there are bytes? */
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

/* Fields of a pprof message and nothing else, as far as there are bytes. */
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

/* No text has them; numbers of types and places, which are small, are some. */
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
