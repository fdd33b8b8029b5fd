// SPDX-License-Identifier: GPL-2.0
/*
 * Write a protobuf message into memory: see message.h.
 */
#include "fleet/view/message.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { TYPE_VARINT, TYPE_64, TYPE_BYTES };

/* The most bytes of a number of 64 bits, seven bits in each. */
#define VARINT_MAX	10

static void put(struct message *message, const void *bytes, size_t size)
{
	if (!message->err)
		message->err = vec_reserve(message->bytes, message->room,
					   message->size + size);
	if (message->err || !size)
		return;
	memcpy(message->bytes + message->size, bytes, size);
	message->size += size;
}

static size_t varint(uint8_t bytes[VARINT_MAX], uint64_t value)
{
	size_t nr = 0;

	for (; value > 0x7f; value >>= 7)
		bytes[nr++] = (uint8_t)value | 0x80;
	bytes[nr++] = (uint8_t)value;
	return nr;
}

static void put_varint(struct message *message, uint64_t value)
{
	uint8_t bytes[VARINT_MAX];

	put(message, bytes, varint(bytes, value));
}

static void put_tag(struct message *message, unsigned int field, unsigned int type)
{
	put_varint(message, (uint64_t)field << 3 | type);
}

void message_number(struct message *message, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	put_tag(message, field, TYPE_VARINT);
	put_varint(message, value);
}

void message_fixed64(struct message *message, unsigned int field, uint64_t value)
{
	uint8_t bytes[8];

	if (!value)
		return;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	put_tag(message, field, TYPE_64);
	put(message, bytes, sizeof(bytes));
}

void message_bytes(struct message *message, unsigned int field, const void *bytes,
		   size_t size)
{
	put_tag(message, field, TYPE_BYTES);
	put_varint(message, size);
	put(message, bytes, size);
}

void message_text(struct message *message, unsigned int field, const char *text)
{
	message_bytes(message, field, text, strlen(text));
}

void message_numbers(struct message *message, unsigned int field,
		     const uint32_t *numbers, size_t nr)
{
	uint8_t bytes[VARINT_MAX];
	size_t size = 0;

	if (!nr)
		return;
	for (size_t i = 0; i < nr; i++)
		size += varint(bytes, numbers[i]);
	put_tag(message, field, TYPE_BYTES);
	put_varint(message, size);
	for (size_t i = 0; i < nr; i++)
		put_varint(message, numbers[i]);
}

void message_part(struct message *message, unsigned int field, struct message *part)
{
	message->err = message->err ?: part->err;
	message_bytes(message, field, part->bytes, part->size);
	part->size = 0;
}

void message_deinit(struct message *message)
{
	free(message->bytes);
	memset(message, 0, sizeof(*message));
}
