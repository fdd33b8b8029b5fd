/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the fields of a protobuf message, one after the other.
 */
#ifndef FLAMECTL_PPROF_WIRE_H
#define FLAMECTL_PPROF_WIRE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that are not read yet. */
struct wire {
	const uint8_t *at, *end;
};

enum wire_type { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

/* A field. */
struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;			/* of WIRE_VARINT */
	struct wire bytes;		/* of WIRE_BYTES */
};

/* The longest varints: of 64 bits, of 32. */
#define WIRE_VARINT_MAX	10
#define WIRE_VARINT32_MAX 5

/* Read a varint of more than a byte. */
static inline bool wire_long_varint(struct wire *wire, unsigned int longest,
				    uint64_t *value)
{
	const uint8_t *at = wire->at;

	*value = 0;
	for (unsigned int i = 0; i < longest && at < wire->end; i++) {
		uint8_t byte = *at++;

		*value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			wire->at = at;
			return true;
		}
	}
	return false;
}

/**
 * wire_varint() - read a number of at most @longest bytes. Bits above the 64th
 * are dropped.
 *
 * Return: false if it does not end.
 */
static inline bool wire_varint(struct wire *wire, unsigned int longest,
			       uint64_t *value)
{
	if (wire->at < wire->end && *wire->at < 0x80) {
		*value = *wire->at++;
		return true;
	}
	return wire_long_varint(wire, longest, value);
}

static inline bool wire_skip(struct wire *wire, size_t size)
{
	if (size > (size_t)(wire->end - wire->at))
		return false;
	wire->at += size;
	return true;
}

/**
 * wire_next() - read the next field.
 * @wire: with bytes left: at != end.
 *
 * Return: false if it is malformed.
 */
static inline bool wire_next(struct wire *wire, struct wire_field *field)
{
	uint64_t tag, size;

	/* no field has the number 0; libprotobuf-c looks at the first byte, too */
	if (*wire->at < 1 << 3 || !wire_varint(wire, WIRE_VARINT32_MAX, &tag))
		return false;
	field->number = (uint32_t)(tag >> 3);
	field->type = tag & 7;
	switch (field->type) {
	case WIRE_VARINT:
		return wire_varint(wire, WIRE_VARINT_MAX, &field->value);
	case WIRE_BYTES:
		if (!wire_varint(wire, WIRE_VARINT32_MAX, &size) || size > INT_MAX)
			return false;
		field->bytes.at = wire->at;
		if (!wire_skip(wire, size))
			return false;
		field->bytes.end = wire->at;
		return true;
	case WIRE_64:
		return wire_skip(wire, 8);
	case WIRE_32:
		return wire_skip(wire, 4);
	default:
		return false;
	}
}

#endif /* FLAMECTL_PPROF_WIRE_H */
