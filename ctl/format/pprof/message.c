// SPDX-License-Identifier: GPL-2.0
/*
 * Decode a pprof message: see message.h.
 */
#include "format/pprof/message.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "format/pprof/decode.h"
#include "format/pprof/pprof.h"

/*
 * Allocator for protobuf; it bounds the message, which is larger than its
 * bytes.
 */
static void *message_alloc(void *data, size_t size)
{
	return arena_take(data, size ?: 1);
}

static void message_free(void *data, void *pointer)
{
	(void)data;
	(void)pointer;
}

/* Find out why protobuf failed to decode the bytes; it does not report why. */
static int explain(const struct arena *arena, const uint8_t *bytes, size_t size,
		   struct error *error)
{
	int err = arena->exceeded ? -E2BIG : arena->failed ? -ENOMEM : -EBADMSG;

	return pprof_refuse(err, bytes, size, error);
}

/*
 * Has it or a part of it a field with the number 0? libprotobuf-c reads such a field
 * if its number takes two bytes, but writes it in one, which nobody can read.
 */
static bool has_field_zero(const ProtobufCMessage *message)
{
	const ProtobufCMessageDescriptor *descriptor = message->descriptor;
	const char *base = (const char *)message;

	for (unsigned int i = 0; i < message->n_unknown_fields; i++)
		if (!message->unknown_fields[i].tag)
			return true;
	for (unsigned int i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];
		ProtobufCMessage *const *parts = (const void *)(base + field->offset);
		size_t nr = 1;

		if (field->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		if (field->label == PROTOBUF_C_LABEL_REPEATED) {
			nr = *(const size_t *)(const void *)(base + field->quantifier_offset);
			parts = *(ProtobufCMessage *const *const *)(const void *)parts;
		}
		for (size_t part = 0; part < nr; part++)
			if (parts[part] && has_field_zero(parts[part]))
				return true;
	}
	return false;
}

int pprof_message_init(struct pprof_message *message, const uint8_t *bytes,
		       size_t size, struct error *error)
{
	ProtobufCAllocator allocator = {
		.alloc = message_alloc,
		.free = message_free,
		.allocator_data = &message->arena,
	};
	Pprof__Profile *profile;
	int err = 0;

	memset(message, 0, sizeof(*message));
	message->arena.left = PPROF_DECODED_MAX;
	if (!size)
		return error_set(error, -EBADMSG, "empty");
	profile = pprof__profile__unpack(&allocator, size, bytes);
	message->profile = profile;
	if (!profile)
		err = explain(&message->arena, bytes, size, error);
	else if (has_field_zero(&profile->base))
		err = error_set(error, -EBADMSG,
				"not a pprof profile: a field has the number 0");
	else if (!profile->n_string_table || *profile->string_table[0])
		err = error_set(error, -EBADMSG,
				"not a pprof profile: its string table does not start with an empty string");
	if (err)
		pprof_message_deinit(message);
	return err;
}

void pprof_message_deinit(struct pprof_message *message)
{
	arena_deinit(&message->arena);
	message->profile = NULL;
}
