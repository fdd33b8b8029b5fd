// SPDX-License-Identifier: GPL-2.0
/*
 * Reading of saved profiles: see pprof.h. Files come from anywhere, so every
 * index is checked and memory is limited: for the unpacked bytes, for the
 * message decoded from them, and for the stacks made from the message.
 */
#include "format/pprof/pprof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "base/number.h"
#include "base/utf8.h"
#include "format/pprof/decode.h"
#include "format/pprof/events.h"
#include "format/pprof/layout.h"
#include "format/pprof/locations.h"
#include "format/pprof/read_comments.h"
#include "format/pprof/reader.h"
#include "format/pprof/samples.h"
#include "profile/join.h"
#include "profile/slices.h"

/* Recognise a file of ours; its strings are then unescaped, too. */
static int recognise(struct pprof_reader *r)
{
	const struct pprof_decoded *message = r->message;
	const char *text, *value;
	size_t i;

	if (!message->n_string_table || *message->string_table[0])
		return error_set(r->error, -EBADMSG,
				 "not a pprof profile: its string table does not start with an empty string");
	if (!message->n_comment)
		return 0;
	text = pprof_string(r, message->comment[0]);
	if (!text)
		return -EBADMSG;
	value = pprof_value_of(text, PPROF_LAYOUT_KEY);
	if (!value)
		return 0;
	if (number_parse(value, PPROF_LAYOUT_TIME, PPROF_LAYOUT_EVENTS,
			 &r->layout, NULL))
		return error_set(r->error, -EBADMSG, "its layout is %.40s, this flamectl knows %d to %d: use a newer one",
				 text, PPROF_LAYOUT_TIME, PPROF_LAYOUT_EVENTS);
	r->ours = true;
	for (i = 0; i < message->n_string_table; i++)
		utf8_unescape(r->strings[i]);
	return 0;
}

static int check_ours(const struct pprof_reader *r)
{
	struct error inner;

	int err;

	if (!r->ours)
		return 0;
	err = profile_check(r->profile, &inner) ?:
	      slices_check(r->profile, &inner);
	if (!err || err == -ENOMEM)
		return err;
	return error_set(r->error, -EBADMSG, "its books do not add up, it may have been changed by another program: %.300s",
			 inner.text);
}

/* Drop the stacks and names that only other events use. */
static int drop_unused(struct pprof_reader *r)
{
	struct profile *used = profile_create();
	int err = used ? profile_join(used, r->profile, NULL) ?:
			 slices_move(used, r->profile) : -ENOMEM;

	if (err) {
		profile_destroy(used);
		return err;
	}
	used->meta = r->profile->meta;
	profile_destroy(r->profile);
	r->profile = used;
	return 0;
}

static int read_event(struct pprof_reader *r, unsigned int number,
		      struct events *events)
{
	int err;

	r->profile = profile_create();
	if (!r->profile)
		return -ENOMEM;
	pprof_begin_event(r, number);
	err = (r->ours ? pprof_read_comments(r) : 0) ?:
	      pprof_read_locations(r) ?: pprof_read_samples(r) ?:
	      check_ours(r);
	pprof_locations_deinit(r);
	pprof_samples_deinit(r);
	if (!err && r->layout == PPROF_LAYOUT_EVENTS)
		err = drop_unused(r);
	if (err)
		profile_destroy(r->profile);
	else
		err = events_add(events, pprof_event_name(r, number),
				 r->profile);
	r->profile = NULL;
	return err;
}

static int read_message(struct pprof_reader *r, struct events *events)
{
	const struct pprof_decoded *message = r->message;
	unsigned int first, nr;
	size_t i;
	int err;

	r->strings = message->string_table;
	if (message->duration_nanos < 0 || message->period < 0)
		return error_set(r->error, -EBADMSG, "period or duration is negative");
	err = recognise(r);
	for (i = 0; i < message->n_string_table; i++)
		utf8_cut(r->strings[i], PROFILE_NAME_MAX);
	err = err ?: pprof_find_events(r) ?:
	      pprof_choose_events(r, &first, &nr);
	for (i = 0; !err && i < nr; i++)
		err = read_event(r, first + (unsigned int)i, events);
	return err;
}

static int read_bytes(const uint8_t *bytes, size_t size,
		      const struct events_wanted *wanted,
		      struct events *events, struct error *error)
{
	struct pprof_decoded message;
	struct pprof_reader r = {
		.message = &message, .error = error, .wanted = wanted,
	};
	int err = pprof_decode(&message, bytes, size, error);

	if (err)
		return err;
	err = read_message(&r, events);
	if (err == -E2BIG)
		err = error_set(error, -EBADMSG, "it has more than %d CPUs",
				PROFILE_CPUS_MAX);
	else if (err == -ENOMEM || err == -EOVERFLOW)
		error_set(error, err, "%s", strerror(-err));
	pprof_decode_deinit(&message);
	if (err)
		events_deinit(events);
	return err;
}

int pprof_parse_events(const uint8_t *bytes, size_t size, const char *name,
		       const struct events_wanted *wanted,
		       struct events *events, struct error *error)
{
	struct error inner;
	int err;

	events->nr = 0;
	err = size ? read_bytes(bytes, size, wanted, events, &inner) :
		     error_set(&inner, -EBADMSG, "empty");
	return err ? error_set(error, err, "%.100s: %.400s", name, inner.text) :
		     0;
}

int pprof_read_events(FILE *in, const char *name,
		      const struct events_wanted *wanted,
		      struct events *events, struct error *error)
{
	struct error inner;
	uint8_t *bytes;
	size_t size;
	int err;

	err = gzip_read(in, PPROF_UNPACKED_MAX, &bytes, &size, &inner);
	if (err)
		return error_set(error, err, "%.100s: %.400s", name, inner.text);
	err = pprof_parse_events(bytes, size, name, wanted, events, error);
	free(bytes);
	return err;
}

int pprof_read(FILE *in, const char *name, struct profile **profile,
	       struct error *error)
{
	const struct events_wanted wanted = { .name = NULL };
	struct events events;
	int err = pprof_read_events(in, name, &wanted, &events, error);

	if (!err)
		*profile = events_take_first(&events);
	return err;
}
