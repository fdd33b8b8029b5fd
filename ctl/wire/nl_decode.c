// SPDX-License-Identifier: GPL-2.0
/*
 * Decode replies: bytes from the kernel become a profile.
 *
 * The decoder trusts nothing it receives. If the module has another version, or
 * something else answers on the socket, the result is an error message.
 */
#include "wire/nl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/books.h"
#include "wire/nl_private.h"

struct nl_decoder *nl_decoder_create(bool full)
{
	struct nl_decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder)
		return NULL;
	decoder->full = full;
	decoder->profile = profile_create();
	decoder->nodes.own = calloc(1, sizeof(uint32_t));
	decoder->nodes.nr = decoder->nodes.max = 1;	/* the root */
	if (decoder->profile && decoder->nodes.own)
		return decoder;
	nl_decoder_destroy(decoder);
	return NULL;
}

struct nl_decoder *nl_decoder_create_events(void)
{
	struct nl_decoder *decoder = nl_decoder_create(true);

	if (decoder)
		decoder->of_events = true;
	return decoder;
}

void nl_decoder_destroy(struct nl_decoder *decoder)
{
	if (!decoder)
		return;
	profile_destroy(decoder->profile);
	free(decoder->frame_ids);
	free(decoder->intervals);
	free(decoder->frames.own);
	free(decoder->nodes.own);
	free(decoder->tasks.own);
	free(decoder);
}

static int add_cpu(struct nl_decoder *decoder, const struct nlattr *nest,
		   struct error *error)
{
	uint32_t before = decoder->profile->nr_cpus;
	struct profile_cpu cpu;
	int err;

	err = nl_decode_cpu(nest, &cpu, &decoder->profile->meta.stalls, error);
	if (err)
		return err;
	err = profile_add_cpu(decoder->profile, &cpu);
	if (err == -EOVERFLOW)
		return error_set(error, -EBADMSG, "the CPUs' books sum to more than 2^64");
	if (err == -E2BIG)
		return error_set(error, -EBADMSG, "more than %d CPUs are sent",
				 PROFILE_CPUS_MAX);
	if (!err && decoder->profile->nr_cpus == before)
		return error_set(error, -EBADMSG, "CPU %" PRIu32 " is sent twice",
				 cpu.cpu);
	return err;
}

static int decode_state(struct nl_decoder *decoder, const struct nlattr *nest,
			struct error *error)
{
	if (decoder->has_state)
		return error_set(error, -EBADMSG, "the state is sent twice");
	decoder->has_state = true;
	return nl_decode_state(nest, &decoder->profile->meta, &decoder->books,
			       &decoder->counts, error);
}

static int decode_session(const struct nlattr *attr, struct error *error)
{
	uint32_t session = 0;
	int err = nl_attr_u32(attr, "session", &session, error);

	if (!err && session)
		return error_set(error, -EBADMSG, "session %" PRIu32
				 " was not asked for", session);
	return err;
}

static int decode_attribute(struct nl_decoder *decoder,
			    const struct nlattr *attr, struct error *error)
{
	unsigned int type = mnl_attr_get_type(attr);

	if (type >= FLAMEMOD_A_CPU && type <= FLAMEMOD_A_RECORDS &&
	    !decoder->has_state)
		return error_set(error, -EBADMSG,
				 "the reply does not begin with the state");
	switch (type) {
	case FLAMEMOD_A_SESSION:
		return decode_session(attr, error);
	case FLAMEMOD_A_SETTINGS:
		return nl_decode_settings(attr,
					  &decoder->profile->meta.settings,
					  error);
	case FLAMEMOD_A_STATE:
		return decode_state(decoder, attr, error);
	case FLAMEMOD_A_CPU:
		return add_cpu(decoder, attr, error);
	case FLAMEMOD_A_FRAMES:
		return nl_decode_frames(decoder, attr, error);
	case FLAMEMOD_A_NODES:
		return nl_decode_nodes(decoder, attr, error);
	case FLAMEMOD_A_TASKS:
		return nl_decode_tasks(decoder, attr, error);
	case FLAMEMOD_A_RECORDS:
		return nl_decode_records(decoder, attr, error);
	default:
		return 0;
	}
}

/* Decode the state before the rest: its attribute need not be the first. */
static int decode_state_first(struct nl_decoder *decoder,
			      struct nl_attrs attrs, struct error *error)
{
	const struct nlattr *attr;
	int err;

	while (!(err = nl_attrs_next(&attrs, &attr, error)) && attr && !err)
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_STATE) {
			err = decode_state(decoder, attr, error);
			if (err)
				return err;
		}
	return err;
}

int nl_decode(struct nl_decoder *decoder, const void *attributes, size_t size,
	      struct error *error)
{
	struct nl_attrs attrs = { .at = attributes, .left = size };
	const struct nlattr *attr;
	int err;

	err = decode_state_first(decoder, attrs, error);
	while (!err && !(err = nl_attrs_next(&attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) != FLAMEMOD_A_STATE)
			err = decode_attribute(decoder, attr, error);
	if (err == -ENOMEM || err == -EOVERFLOW)
		error_set(error, err, "%s", strerror(-err));
	return err;
}

static int check_count(size_t sent, uint32_t announced, const char *what,
		       struct error *error)
{
	if (sent == announced)
		return 0;
	return error_set(error, -EBADMSG, "the reply is incomplete: %zu %s of %"
			 PRIu32, sent, what, announced);
}

/* Check at the end of a reply that all of it came. */
static int check_end(const struct nl_decoder *decoder, struct error *error)
{
	int err = 0;

	if (!decoder->has_state)
		return error_set(error, -EBADMSG, "the reply is empty");
	if (decoder->full)
		err = check_count(decoder->nodes.nr,
				  decoder->counts.nodes ?: 1, "nodes", error) ?:
		      check_count(decoder->tasks.nr, decoder->counts.tasks,
				  "tasks", error) ?:
		      check_count(decoder->nr_records,
				  decoder->counts.records, "records", error);
	if (!err && !books_equal(&decoder->books, &decoder->profile->books))
		err = error_set(error, -EBADMSG,
				"the books of the CPUs do not sum to the session's");
	return err;
}

int nl_decode_end(struct nl_decoder *decoder, struct profile **profile,
		  struct error *error)
{
	int err = check_end(decoder, error);

	if (err)
		return err;
	decoder->profile->meta.duration_ns = profile_sampled_ns(decoder->profile);
	decoder->profile->meta.next_frame = decoder->counts.frames;
	*profile = decoder->profile;
	decoder->profile = NULL;
	return 0;
}

int nl_decode_end_events(struct nl_decoder *decoder, struct events *events,
			 struct error *error)
{
	return check_end(decoder, error) ?: nl_make_events(decoder, events, error);
}
