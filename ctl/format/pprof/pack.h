/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pack a protobuf message from its end to its start. A message has the size of a
 * part before the part, and the size is known only after the part is packed.
 *
 * Each function takes a pointer to the first byte that is already packed, puts its
 * bytes in front of it, and returns a pointer to the new first byte. The caller
 * makes sure that there is room.
 */
#ifndef FLAMECTL_PPROF_PACK_H
#define FLAMECTL_PPROF_PACK_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes of a varint, of a field of one, and before a part. */
#define PACK_VARINT_MAX	10
#define PACK_NUMBER_MAX	(PACK_VARINT_MAX + 1)
#define PACK_HEAD_MAX	(PACK_VARINT_MAX + 1)

static inline uint8_t *pack_varint(uint8_t *first, uint64_t value)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(value | 1);
	unsigned int nr = (bits + 6) / 7;
	uint8_t *at = first - nr;

	first = at;
	for (; nr > 1; nr--, value >>= 7)
		*at++ = (uint8_t)value | 0x80;
	*at = (uint8_t)value;
	return first;
}

/** pack_number() - pack a field of a number below 16; 0 is left out. */
static inline uint8_t *pack_number(uint8_t *first, unsigned int field,
				   uint64_t value)
{
	if (!value)
		return first;
	first = pack_varint(first, value);
	*--first = (uint8_t)(field << 3);
	return first;
}

/** pack_head() - pack what stands before a part of @size bytes, of a field below 16. */
static inline uint8_t *pack_head(uint8_t *first, unsigned int field, size_t size)
{
	first = pack_varint(first, size);
	*--first = (uint8_t)(field << 3 | 2);
	return first;
}

/** pack_numbers() - pack a repeated field of numbers, zeros included. */
static inline uint8_t *pack_numbers(uint8_t *first, unsigned int field,
				    const uint64_t *numbers, size_t nr)
{
	const uint8_t *end = first;

	if (!nr)
		return first;
	while (nr)
		first = pack_varint(first, numbers[--nr]);
	return pack_head(first, field, (size_t)(end - first));
}

#endif /* FLAMECTL_PPROF_PACK_H */
