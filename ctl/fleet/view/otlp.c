// SPDX-License-Identifier: GPL-2.0
/*
 * Push windows as OpenTelemetry profiles, by POST /v1development/profiles, which takes the
 * message ExportProfilesServiceRequest of opentelemetry-proto 1.11.0 (commit ac2c4b5), in
 * the package opentelemetry.proto.profiles.v1development.
 *
 * Entry 0 of each table of the dictionary is the zero value, so that an index of 0 means
 * none; all other entries are used. Values are numbers of sampling periods and the period
 * is CPU time: Pyroscope multiplies the two, and calls the result process_cpu.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/view/kinds.h"
#include "fleet/view/message.h"
#include "fleet/view/request.h"
#include "fleet/view/stacks.h"
#include "format/pprof/wire.h"

/* Numbers of fields. */
enum { REQUEST_RESOURCE_PROFILES = 1, REQUEST_DICTIONARY = 2 };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE_PROFILES = 2 };
enum { RESOURCE_ATTRIBUTES = 1 };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum { ANY_VALUE_STRING_VALUE = 1 };
enum { SCOPE_PROFILES_SCOPE = 1, SCOPE_PROFILES_PROFILES = 2 };
enum { SCOPE_NAME = 1, SCOPE_VERSION = 2 };
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLES = 2, PROFILE_TIME_UNIX_NANO = 3,
       PROFILE_DURATION_NANO = 4, PROFILE_PERIOD_TYPE = 5, PROFILE_PERIOD = 6,
       PROFILE_PROFILE_ID = 7 };
enum { VALUE_TYPE_TYPE_STRINDEX = 1, VALUE_TYPE_UNIT_STRINDEX = 2 };
enum { SAMPLE_STACK_INDEX = 1, SAMPLE_VALUES = 4 };
enum { DICTIONARY_MAPPING_TABLE = 1, DICTIONARY_LOCATION_TABLE = 2,
       DICTIONARY_FUNCTION_TABLE = 3, DICTIONARY_LINK_TABLE = 4,
       DICTIONARY_STRING_TABLE = 5, DICTIONARY_ATTRIBUTE_TABLE = 6,
       DICTIONARY_STACK_TABLE = 7 };
enum { LOCATION_LINES = 3 };
enum { LINE_FUNCTION_INDEX = 1 };
enum { FUNCTION_NAME_STRINDEX = 1 };
enum { STACK_LOCATION_INDICES = 1 };
enum { RESPONSE_PARTIAL_SUCCESS = 1 };
enum { PARTIAL_REJECTED_PROFILES = 1, PARTIAL_ERROR_MESSAGE = 2 };

/* OpenTelemetry's names of attributes. */
static const struct view_words words = {
	/* host.arch would have other values: "amd64" */
	"service.name", "host.name", "os.version", "machine", "os.build_id",
};

#define PROFILE_ID_BYTES	16

struct writer {
	const struct view_stacks *stacks;
	const struct view_labels *labels;
	struct intern strings;
	uint32_t *stack;		/* of one sample */
	struct message dictionary, profile, part, inner, body;
	int err;
};

static uint32_t string_of(struct writer *w, const char *text)
{
	uint32_t number = 0;
	int err = intern_add(&w->strings, text, strlen(text), &number);

	w->err = w->err ?: err;
	return number;
}

/* FNV-1a, which is the same everywhere, unlike our hashes of names. */
static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
	for (const unsigned char *at = bytes; size; size--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash;
}

/* The same window has the same id whenever it is sent. */
static void make_id(const struct profile_identity *identity,
		    uint8_t id[PROFILE_ID_BYTES])
{
	char text[320];
	int length = snprintf(text, sizeof(text), "%s\n%s\n%u\n%llu\n%llu",
			      identity->host, identity->boot_id, identity->epoch,
			      (unsigned long long)identity->begin_ns,
			      (unsigned long long)identity->end_ns);
	uint64_t high = fnv(UINT64_C(0xcbf29ce484222325), text, (size_t)length);
	uint64_t low = fnv(~high, text, (size_t)length);

	for (unsigned int i = 0; i < 8; i++) {
		id[i] = (uint8_t)(high >> 8 * i);
		id[8 + i] = (uint8_t)(low >> 8 * i);
	}
	id[0] |= 1;	/* all zeros would be no id */
}

static void write_type(struct writer *w, unsigned int field, const char *type,
		       const char *unit)
{
	message_number(&w->part, VALUE_TYPE_TYPE_STRINDEX, string_of(w, type));
	message_number(&w->part, VALUE_TYPE_UNIT_STRINDEX, string_of(w, unit));
	message_part(&w->profile, field, &w->part);
}

static void write_samples(struct writer *w)
{
	for (uint32_t i = 0; i < w->stacks->nr_samples; i++) {
		/* entry 0 of the table is not a stack */
		message_number(&w->part, SAMPLE_STACK_INDEX, (uint64_t)i + 1);
		/* one of a list, which need not be packed; never 0 */
		message_number(&w->part, SAMPLE_VALUES, view_periods(w->stacks, i));
		message_part(&w->profile, PROFILE_SAMPLES, &w->part);
	}
}

static void write_profile(struct writer *w)
{
	const struct target_window *window = w->stacks->window;
	const struct profile_identity *identity = window->identity;
	uint8_t id[PROFILE_ID_BYTES];

	make_id(identity, id);
	write_type(w, PROFILE_SAMPLE_TYPE, "samples", "count");
	write_samples(w);
	message_fixed64(&w->profile, PROFILE_TIME_UNIX_NANO, (uint64_t)identity->time_ns);
	message_number(&w->profile, PROFILE_DURATION_NANO,
		       identity->end_ns - identity->begin_ns);
	write_type(w, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	message_number(&w->profile, PROFILE_PERIOD, window->profile->meta.period_ns);
	message_bytes(&w->profile, PROFILE_PROFILE_ID, id, sizeof(id));
}

/* Each name has a function and a location, of the same index: its number plus one. */
static void write_functions(struct writer *w)
{
	const struct intern *names = &w->stacks->names;

	for (uint32_t i = 0; i < names->nr; i++) {
		message_number(&w->inner, LINE_FUNCTION_INDEX, (uint64_t)i + 1);
		message_part(&w->part, LOCATION_LINES, &w->inner);
		message_part(&w->dictionary, DICTIONARY_LOCATION_TABLE, &w->part);
	}
	message_bytes(&w->dictionary, DICTIONARY_FUNCTION_TABLE, "", 0);
	for (uint32_t i = 0; i < names->nr; i++) {
		message_number(&w->part, FUNCTION_NAME_STRINDEX,
			       string_of(w, intern_text(names, i)));
		message_part(&w->dictionary, DICTIONARY_FUNCTION_TABLE, &w->part);
	}
}

static void write_stacks(struct writer *w)
{
	message_bytes(&w->dictionary, DICTIONARY_STACK_TABLE, "", 0);
	for (uint32_t i = 0; i < w->stacks->nr_samples; i++) {
		uint32_t nr = view_stack(w->stacks, i, w->stack);

		for (uint32_t frame = 0; frame < nr; frame++)
			w->stack[frame]++;
		message_numbers(&w->part, STACK_LOCATION_INDICES, w->stack, nr);
		message_part(&w->dictionary, DICTIONARY_STACK_TABLE, &w->part);
	}
}

static void write_dictionary(struct writer *w)
{
	struct message *to = &w->dictionary;

	message_bytes(to, DICTIONARY_MAPPING_TABLE, "", 0);
	message_bytes(to, DICTIONARY_LOCATION_TABLE, "", 0);
	write_functions(w);
	message_bytes(to, DICTIONARY_LINK_TABLE, "", 0);
	message_bytes(to, DICTIONARY_ATTRIBUTE_TABLE, "", 0);
	write_stacks(w);
	for (uint32_t i = 0; i < w->strings.nr; i++)
		message_text(to, DICTIONARY_STRING_TABLE, intern_text(&w->strings, i));
}

static void write_resource(struct writer *w, struct message *to)
{
	struct message resource = { 0 };

	for (unsigned int i = 0; i < w->labels->nr; i++) {
		const struct view_label *label = &w->labels->list[i];

		message_text(&w->part, KEY_VALUE_KEY, label->name);
		message_text(&w->inner, ANY_VALUE_STRING_VALUE, label->value);
		message_part(&w->part, KEY_VALUE_VALUE, &w->inner);
		message_part(&resource, RESOURCE_ATTRIBUTES, &w->part);
	}
	message_part(to, RESOURCE_PROFILES_RESOURCE, &resource);
	message_deinit(&resource);
}

static void write_request(struct writer *w)
{
	struct message profiles = { 0 }, scope = { 0 };

	string_of(w, "");
	write_profile(w);
	write_dictionary(w);
	write_resource(w, &profiles);
	message_text(&w->part, SCOPE_NAME, "flamemod");
	message_text(&w->part, SCOPE_VERSION, FLAMECTL_VERSION);
	message_part(&scope, SCOPE_PROFILES_SCOPE, &w->part);
	message_part(&scope, SCOPE_PROFILES_PROFILES, &w->profile);
	message_part(&profiles, RESOURCE_PROFILES_SCOPE_PROFILES, &scope);
	message_part(&w->body, REQUEST_RESOURCE_PROFILES, &profiles);
	message_part(&w->body, REQUEST_DICTIONARY, &w->dictionary);
	w->err = w->err ?: w->body.err;
	message_deinit(&profiles);
	message_deinit(&scope);
}

/* ---- answers ---- */

struct partial {
	uint64_t rejected;
	struct wire message;		/* {NULL, NULL}: none */
};

static bool read_partial(struct wire wire, struct partial *partial)
{
	struct wire_field field;

	while (wire.at < wire.end) {
		if (!wire_next(&wire, &field))
			return false;
		if (field.number == PARTIAL_REJECTED_PROFILES && field.type == WIRE_VARINT)
			partial->rejected = field.value;
		if (field.number == PARTIAL_ERROR_MESSAGE && field.type == WIRE_BYTES)
			partial->message = field.bytes;
	}
	return true;
}

/* Read an ExportProfilesServiceResponse. Return: whether it is one. */
static bool read_response(const struct send_answer *answer, struct partial *partial)
{
	struct wire wire = {
		(const uint8_t *)answer->body,
		(const uint8_t *)answer->body + answer->size,
	};
	struct wire_field field;

	memset(partial, 0, sizeof(*partial));
	if (!view_answer_is(answer, "application/x-protobuf"))
		return false;
	while (wire.at < wire.end) {
		if (!wire_next(&wire, &field))
			return false;
		if (field.number == RESPONSE_PARTIAL_SUCCESS && field.type == WIRE_BYTES &&
		    !read_partial(field.bytes, partial))
			return false;
	}
	return true;
}

/* A window that was rejected must not be sent again, as the protocol says. */
static enum send_verdict judge(const struct send_answer *answer)
{
	struct partial partial;

	if (answer->status / 100 == 2 &&
	    (!read_response(answer, &partial) || partial.rejected))
		return SEND_IS_REFUSED;
	return send_judge(answer);
}

static void explain(const struct send_answer *answer, char *text, size_t size)
{
	struct partial partial;
	int length;

	if (answer->status / 100 != 2) {
		snprintf(text, size, "%s", answer->body);
		return;
	}
	if (!read_response(answer, &partial)) {
		snprintf(text, size, "this is no answer to OTLP profiles: is it the right server?");
		return;
	}
	length = (int)(partial.message.end - partial.message.at);
	if (length)
		snprintf(text, size, "it rejected the profile: %.*s", length,
			 (const char *)partial.message.at);
	else
		snprintf(text, size, "it rejected the profile, and does not say why");
}

/* ---- windows ---- */

static int add_request(struct writer *w, const struct target *target,
		       struct target_requests *requests)
{
	struct send_request *added;
	int err;

	w->stack = calloc((size_t)w->stacks->depth_max + 1, sizeof(*w->stack));
	if (!w->stack)
		return -ENOMEM;
	write_request(w);
	if (w->err)
		return w->err;
	err = view_request_add(requests, target, "/v1development/profiles",
			       "application/x-protobuf", NULL, w->body.bytes,
			       w->body.size);
	w->body = (struct message){ 0 };
	if (err)
		return err;
	added = &requests->list[requests->nr - 1];
	added->gzip = true;
	added->judge = judge;
	added->explain = explain;
	return 0;
}

static void writer_deinit(struct writer *w)
{
	message_deinit(&w->dictionary);
	message_deinit(&w->profile);
	message_deinit(&w->part);
	message_deinit(&w->inner);
	message_deinit(&w->body);
	intern_deinit(&w->strings);
	free(w->stack);
}

static int encode_window(const struct target *target, const struct target_window *window,
			 struct target_requests *requests, struct error *error)
{
	struct view_labels labels;
	struct view_stacks stacks;
	struct writer w = { .stacks = &stacks, .labels = &labels };
	int err = view_labels_init(&labels, window, &words, error);

	if (err)
		return err;
	err = view_stacks_init(&stacks, window, error);
	if (!err) {
		if (stacks.nr_samples)
			err = add_request(&w, target, requests);
		if (err)
			error_set(error, err, "%s", strerror(-err));
		writer_deinit(&w);
		view_stacks_deinit(&stacks);
	}
	view_labels_deinit(&labels);
	return err;
}

static int encode(const struct target *target, const struct target_window *windows,
		  size_t nr, struct target_requests *requests, struct error *error)
{
	return view_encode(target, windows, nr, encode_window, requests, error);
}

const struct target_kind view_otlp = {
	.scheme = "otlp",
	.name = "OTLP",
	.port = 4318,
	.tls_port = 4318,
	.encode = encode,
};
