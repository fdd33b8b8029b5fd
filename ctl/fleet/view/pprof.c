// SPDX-License-Identifier: GPL-2.0
/*
 * Write a pprof message for views: see pprof.h.
 */
#include "fleet/view/pprof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"

/* Numbers of fields. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_LOCATION = 4,
       PROFILE_FUNCTION = 5, PROFILE_STRING_TABLE = 6, PROFILE_TIME_NANOS = 9,
       PROFILE_DURATION_NANOS = 10, PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD = 12 };
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2 };
enum { LOCATION_ID = 1, LOCATION_LINE = 4 };
enum { LINE_FUNCTION_ID = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME = 2 };

struct writer {
	const struct view_stacks *stacks;
	struct message *message;
	struct message part, inner;	/* being built */
	struct intern strings;
	uint32_t *ids;			/* by name: its function's, 0 for none yet */
	uint32_t *names;		/* by id - 1 */
	uint32_t nr_ids;
	uint32_t *stack;		/* names, then ids, of one sample */
};

static uint32_t string_of(struct writer *w, const char *text)
{
	uint32_t number = 0;
	int err = intern_add(&w->strings, text, strlen(text), &number);

	w->message->err = w->message->err ?: err;
	return number;
}

static void write_type(struct writer *w, unsigned int field)
{
	message_number(&w->part, VALUE_TYPE_TYPE, string_of(w, "cpu"));
	message_number(&w->part, VALUE_TYPE_UNIT, string_of(w, "nanoseconds"));
	message_part(w->message, field, &w->part);
}

static void write_sample(struct writer *w, uint32_t sample)
{
	uint64_t period_ns = w->stacks->window->profile->meta.period_ns;
	uint32_t nr = view_stack(w->stacks, sample, w->stack);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t name = w->stack[i];

		if (!w->ids[name]) {
			w->names[w->nr_ids] = name;
			w->ids[name] = ++w->nr_ids;
		}
		w->stack[i] = w->ids[name];
	}
	message_numbers(&w->part, SAMPLE_LOCATION_ID, w->stack, nr);
	/* one of a list, which need not be packed; never 0 */
	message_number(&w->part, SAMPLE_VALUE,
		       view_periods(w->stacks, sample) * period_ns);
	message_part(w->message, PROFILE_SAMPLE, &w->part);
}

static void write_location(struct writer *w, uint32_t id)
{
	message_number(&w->inner, LINE_FUNCTION_ID, id);
	message_number(&w->part, LOCATION_ID, id);
	message_part(&w->part, LOCATION_LINE, &w->inner);
	message_part(w->message, PROFILE_LOCATION, &w->part);
}

static void write_function(struct writer *w, uint32_t id)
{
	const char *name = intern_text(&w->stacks->names, w->names[id - 1]);

	message_number(&w->part, FUNCTION_ID, id);
	message_number(&w->part, FUNCTION_NAME, string_of(w, name));
	message_part(w->message, PROFILE_FUNCTION, &w->part);
}

static void write_all(struct writer *w, uint32_t first, uint32_t nr)
{
	const struct profile_identity *identity = w->stacks->window->identity;

	string_of(w, "");
	write_type(w, PROFILE_SAMPLE_TYPE);
	for (uint32_t i = first; i < first + nr; i++)
		write_sample(w, i);
	for (uint32_t id = 1; id <= w->nr_ids; id++)
		write_location(w, id);
	for (uint32_t id = 1; id <= w->nr_ids; id++)
		write_function(w, id);
	message_number(w->message, PROFILE_TIME_NANOS, (uint64_t)identity->time_ns);
	message_number(w->message, PROFILE_DURATION_NANOS,
		       identity->end_ns - identity->begin_ns);
	write_type(w, PROFILE_PERIOD_TYPE);
	message_number(w->message, PROFILE_PERIOD,
		       w->stacks->window->profile->meta.period_ns);
	for (uint32_t i = 0; i < w->strings.nr; i++)
		message_text(w->message, PROFILE_STRING_TABLE,
			     intern_text(&w->strings, i));
}

int view_pprof(const struct view_stacks *stacks, uint32_t first, uint32_t nr,
	       struct message *message)
{
	struct writer w = { .stacks = stacks, .message = message };
	size_t nr_names = (size_t)stacks->names.nr + 1;

	w.ids = calloc(nr_names, sizeof(*w.ids));
	w.names = calloc(nr_names, sizeof(*w.names));
	w.stack = calloc((size_t)stacks->depth_max + 1, sizeof(*w.stack));
	if (!w.ids || !w.names || !w.stack)
		message->err = -ENOMEM;
	else
		write_all(&w, first, nr);
	free(w.ids);
	free(w.names);
	free(w.stack);
	message_deinit(&w.part);
	message_deinit(&w.inner);
	intern_deinit(&w.strings);
	return message->err;
}

int view_gzip(const struct message *message, char **packed, size_t *packed_size)
{
	FILE *out = open_memstream(packed, packed_size);
	struct gzip *gzip = out ? gzip_create(out) : NULL;
	int err = gzip ? gzip_write(gzip, message->bytes, message->size) : -ENOMEM;

	err = err ?: gzip_finish(gzip);
	gzip_destroy(gzip);
	if (!out)
		return -ENOMEM;
	if (fclose(out) && !err)
		err = -ENOMEM;
	if (err)
		free(*packed);
	return err;
}
