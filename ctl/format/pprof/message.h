/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A message of pprof.proto, decoded by protobuf into memory of its own, whose
 * size is limited. It holds all that the file does, and can be changed and written
 * again; what only reads a profile uses format/pprof/decode.h, which is faster.
 */
#ifndef FLAMECTL_PPROF_MESSAGE_H
#define FLAMECTL_PPROF_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "pprof.pb-c.h"

struct pprof_message {
	Pprof__Profile *profile;	/* may be changed; all of it is in @arena */
	struct arena arena;
};

/**
 * pprof_message_init() - decode a message.
 * @bytes: not gzip'd; not needed any more when this returns.
 *
 * Return: 0, to be freed by pprof_message_deinit(); -EBADMSG if these bytes are
 * no such message, or if it is larger than PPROF_DECODED_MAX; or -ENOMEM.
 */
int pprof_message_init(struct pprof_message *message, const uint8_t *bytes,
		       size_t size, struct error *error);

/** pprof_message_deinit() - free the message. */
void pprof_message_deinit(struct pprof_message *message);

#endif /* FLAMECTL_PPROF_MESSAGE_H */
