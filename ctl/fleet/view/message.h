/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a protobuf message into memory, field by field. A part is a message of its own,
 * which is put into the one that contains it when it is complete. The encoding is
 * https://protobuf.dev/programming-guides/encoding/.
 *
 * Functions do not report errors: the first one is kept in the message, and the rest is
 * skipped. As in proto3, fields of value 0 are left out, except those of lists.
 */
#ifndef FLAMECTL_VIEW_MESSAGE_H
#define FLAMECTL_VIEW_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/* Empty if all is 0. */
struct message {
	uint8_t *bytes;
	size_t size, room;
	int err;			/* 0 or -ENOMEM */
};

/** message_number() - add a varint field; 0 is left out. */
void message_number(struct message *message, unsigned int field, uint64_t value);

/** message_fixed64() - add a field of 8 bytes; 0 is left out. */
void message_fixed64(struct message *message, unsigned int field, uint64_t value);

/** message_bytes() - add a field of bytes, also of none: it may be one of a list. */
void message_bytes(struct message *message, unsigned int field, const void *bytes,
		   size_t size);

/** message_text() - add a text, also an empty one. */
void message_text(struct message *message, unsigned int field, const char *text);

/** message_numbers() - add a packed list of numbers, zeros included; none for @nr 0. */
void message_numbers(struct message *message, unsigned int field,
		     const uint32_t *numbers, size_t nr);

/**
 * message_part() - add a message as a field of another, also an empty one.
 * @part: taken over, also its error; empty afterwards, with its memory kept for the next
 *	  part.
 */
void message_part(struct message *message, unsigned int field, struct message *part);

/** message_deinit() - free the bytes; the message is then empty. */
void message_deinit(struct message *message);

#endif /* FLAMECTL_VIEW_MESSAGE_H */
