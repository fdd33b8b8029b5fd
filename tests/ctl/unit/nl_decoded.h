/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes messages that tests make up.
 */
#ifndef NL_DECODED_H
#define NL_DECODED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "nl_reply.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "wire/nl.h"

/** decode_bytes() - decode bytes in memory of exact size, so that an overrun is detected. */
int decode_bytes(struct nl_decoder *decoder, const void *bytes, size_t size,
		 struct error *error);

/** decode_message() - decode one message of a reply. */
int decode_message(struct nl_decoder *decoder, const struct message *m,
		   struct error *error);

/** decode() - decode a reply of one message. @profile: set, to be freed; or NULL. */
int decode(const struct message *m, bool full, struct profile **profile,
	   struct error *error);

/** decoded() - decode a reply that must be valid. Return: the profile, to be freed. */
struct profile *decoded(const struct message *m, bool full);

/** expect_bad() - check that a reply is refused with this message. */
void expect_bad(const struct message *m, const char *why);

/** decode_events() - decode a reply of one message with events. @events: to be freed. */
int decode_events(const struct message *m, struct events *events, struct error *error);

/** decoded_events() - decode a valid reply with events, and check each of them. */
struct events decoded_events(const struct message *m);

/** expect_bad_events() - check that a reply with events is refused with this message. */
void expect_bad_events(const struct message *m, const char *why);

#endif /* NL_DECODED_H */
