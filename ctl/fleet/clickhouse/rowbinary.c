// SPDX-License-Identifier: GPL-2.0
/*
 * ClickHouse's format RowBinary: see rowbinary.h.
 */
#include "fleet/clickhouse/rowbinary.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void rowbinary_bytes(struct rowbinary *out, const void *bytes, size_t size)
{
	if (out->failed || !size)
		return;
	if (vec_reserve(out->bytes, out->room, out->size + size)) {
		out->failed = true;
		return;
	}
	memcpy(out->bytes + out->size, bytes, size);
	out->size += size;
}

void rowbinary_number(struct rowbinary *out, uint64_t number, size_t size)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(number >> (8 * i));
	rowbinary_bytes(out, bytes, size);
}

void rowbinary_length(struct rowbinary *out, uint64_t length)
{
	for (; length >= 0x80; length >>= 7)
		rowbinary_number(out, length | 0x80, 1);
	rowbinary_number(out, length, 1);
}

void rowbinary_text(struct rowbinary *out, const char *text)
{
	size_t length = strlen(text);

	rowbinary_length(out, length);
	rowbinary_bytes(out, text, length);
}

const char *rowbinary_take(struct rowbinary_reader *in, size_t size)
{
	const char *taken = in->next;

	if (in->failed || (size_t)(in->end - in->next) < size) {
		in->failed = true;
		return NULL;
	}
	in->next += size;
	return taken;
}

uint64_t rowbinary_take_number(struct rowbinary_reader *in, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)rowbinary_take(in, size);
	uint64_t number = 0;

	for (size_t i = 0; bytes && i < size; i++)
		number |= (uint64_t)bytes[i] << (8 * i);
	return number;
}

size_t rowbinary_take_length(struct rowbinary_reader *in)
{
	uint64_t length = 0, byte;
	unsigned int shift = 0;

	do {
		byte = rowbinary_take_number(in, 1);
		length |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && shift < 63);
	if (byte & 0x80 || length > (uint64_t)(in->end - in->next))
		in->failed = true;
	return in->failed ? 0 : (size_t)length;
}

double rowbinary_take_double(struct rowbinary_reader *in)
{
	uint64_t bits = rowbinary_take_number(in, sizeof(bits));
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

char *rowbinary_take_text(struct rowbinary_reader *in)
{
	size_t length = rowbinary_take_length(in);
	const char *bytes = rowbinary_take(in, length);
	char *text = bytes ? strndup(bytes, length) : NULL;

	in->failed |= !text;
	return text;
}
