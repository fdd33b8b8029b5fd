/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages made up for tests, decoded.
 */
#ifndef NL_DECODED_H
#define NL_DECODED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "nl_reply.h"
#include "profile/profile.h"
#include "wire/nl.h"

/** decode_bytes() - in memory of their exact size, so that a read past the end is seen. */
int decode_bytes(struct nl_decoder *decoder, const void *bytes, size_t size,
		 struct error *error);

/** decode_message() - one of the messages that a reply is made of. */
int decode_message(struct nl_decoder *decoder, const struct message *m,
		   struct error *error);

/** decode() - a reply of one message; @profile, or NULL, is the caller's. */
int decode(const struct message *m, bool full, struct profile **profile,
	   struct error *error);

/** decoded() - fail unless it is good; the caller's. */
struct profile *decoded(const struct message *m, bool full);

/** expect_bad() - fail unless a reply is refused, and that is said. */
void expect_bad(const struct message *m, const char *why);

#endif /* NL_DECODED_H */
