// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes messages that tests make up: see nl_decoded.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>

#include "nl_decoded.h"

int decode_bytes(struct nl_decoder *decoder, const void *bytes, size_t size,
		 struct error *error)
{
	void *copy = malloc(size ?: 1);
	int err;

	memcpy(copy, bytes, size);
	err = nl_decode(decoder, copy, size, error);
	free(copy);
	return err;
}

int decode_message(struct nl_decoder *decoder, const struct message *m,
		   struct error *error)
{
	return decode_bytes(decoder, mnl_nlmsg_get_payload(m->header),
			    mnl_nlmsg_get_payload_len(m->header), error);
}

int decode(const struct message *m, bool full, struct profile **profile,
	   struct error *error)
{
	struct nl_decoder *decoder = nl_decoder_create(full);
	int err;

	*profile = NULL;
	err = decode_message(decoder, m, error) ?:
	      nl_decode_end(decoder, profile, error);
	nl_decoder_destroy(decoder);
	return err;
}

struct profile *decoded(const struct message *m, bool full)
{
	struct profile *profile;
	struct error error;

	if (decode(m, full, &profile, &error))
		fail_msg("%s", error.text);
	return profile;
}

void expect_bad(const struct message *m, const char *why)
{
	struct profile *profile;
	struct error error;

	assert_int_equal(decode(m, true, &profile, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	assert_null(profile);
}

int decode_events(const struct message *m, struct events *events, struct error *error)
{
	struct nl_decoder *decoder = nl_decoder_create_events();
	int err;

	events->nr = 0;
	err = decode_message(decoder, m, error) ?:
	      nl_decode_end_events(decoder, events, error);
	nl_decoder_destroy(decoder);
	return err;
}

struct events decoded_events(const struct message *m)
{
	struct events events;
	struct error error;

	if (decode_events(m, &events, &error))
		fail_msg("%s", error.text);
	for (unsigned int i = 0; i < events.nr; i++)
		if (profile_check(events.list[i].profile, &error))
			fail_msg("%s: %s", events.list[i].name, error.text);
	return events;
}

void expect_bad_events(const struct message *m, const char *why)
{
	struct events events;
	struct error error;

	assert_int_equal(decode_events(m, &events, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	assert_int_equal(events.nr, 0);
}
