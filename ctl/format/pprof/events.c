// SPDX-License-Identifier: GPL-2.0
/*
 * Find out which events a saved profile has, and which sample types belong to
 * each.
 *
 * Our files with one event have three sample types; those with several describe
 * each event in a comment. In files of other programs, each sample type is an
 * event. The event shown by default comes first: the file's default type, or
 * its last type. The type "samples" is no event: it counts the samples from which
 * the other types were computed, and is kept as that count.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/wording.h"
#include "format/pprof/events.h"
#include "format/pprof/intervals.h"
#include "format/pprof/layout.h"
#include "format/pprof/reader.h"

static int find_value(const struct pprof_reader *r, const char *type,
		      size_t *place)
{
	const struct pprof_decoded *m = r->message;
	const char *name;
	size_t i;

	*place = SIZE_MAX;
	for (i = 0; i < m->n_sample_type; i++) {
		name = pprof_string(r, m->sample_type[i].type);
		if (!name)
			return -EBADMSG;
		if (!strcmp(name, type))
			*place = i;
	}
	return 0;
}

/* Copy a text; if it is too long, cut it the way names are cut. */
static void copy_text(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from);
	if (strlen(from) >= size)
		utf8_cut(to, size - 4);
}

static void copy_word(char to[PROFILE_UNIT_MAX], const char *from)
{
	copy_text(to, PROFILE_UNIT_MAX, from);
}

/*
 * Set weight type and unit from their names; "samples" as a count adds nothing.
 */
static void name_weights(struct profile_meta *meta, const char *type,
			 const char *unit)
{
	bool is_count = !*unit || !strcmp(unit, PPROF_WEIGHT_UNIT);

	if (!strcmp(type, PPROF_WEIGHT_TYPE))
		type = "";
	if (meta->period_ns) {
		copy_word(meta->weight_type, strcmp(type, "cpu") ? type : "");
		return;
	}
	if (is_count && (!*type || !strcmp(type, "samples")))
		return;
	copy_word(meta->weight_type, type);
	copy_word(meta->weight_unit, is_count ? PPROF_WEIGHT_UNIT : unit);
}

/* Add an event whose weight is the sample type at index @weight. */
static int add_event(struct pprof_reader *r, size_t weight)
{
	struct pprof_event *event = &r->events[r->nr_events];
	const struct pprof_value_type *type = &r->message->sample_type[weight];

	event->places = (struct pprof_places){
		.count = SIZE_MAX, .weight = weight, .late = SIZE_MAX,
		.scale = 1,
	};
	event->name = pprof_string(r, type->type);
	event->unit = pprof_string(r, type->unit);
	if (!event->name || !event->unit)
		return -EBADMSG;
	event->is_named = true;
	r->nr_events++;
	return 0;
}

static int our_weights(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	int err;

	if (m->n_sample_type != PPROF_TYPES)
		return error_set(r->error, -EBADMSG, "it has %zu sample types, its layout has %d",
				 m->n_sample_type, PPROF_TYPES);
	err = add_event(r, PPROF_WEIGHT);
	r->events[0].places.count = PPROF_SAMPLES;
	r->events[0].places.late = PPROF_LATE;
	return err;
}

static int our_times(struct pprof_reader *r)
{
	size_t count, weight, late;
	int err = find_value(r, "samples", &count) ?:
		  find_value(r, "cpu", &weight) ?: find_value(r, "late", &late);

	if (!err && (count == SIZE_MAX || weight == SIZE_MAX ||
		     late == SIZE_MAX))
		return error_set(r->error, -EBADMSG,
				 "a sample type is missing, of samples, cpu and late");
	err = err ?: add_event(r, weight);
	if (err)
		return err;
	r->events[0].places.count = count;
	r->events[0].places.late = late;
	return 0;
}

/* The words of a comment "event=N weight=INDEX ...". */
struct event_line {
	uint64_t number, weight, samples, period_ns, hz, duration_ns, named;
	uint64_t perf, summed_cpus;
	struct profile_intervals intervals;
};

static int read_words(const char *text, struct event_line *line)
{
	const struct { const char *key; uint64_t *value; } fields[] = {
		{ PPROF_EVENT_KEY, &line->number },
		{ "weight", &line->weight }, { "samples", &line->samples },
		{ "period-ns", &line->period_ns }, { "hz", &line->hz },
		{ "duration-ns", &line->duration_ns },
		{ "named", &line->named },
		{ PPROF_PERF_KEY, &line->perf },
		{ "summed-cpus", &line->summed_cpus },
	};
	char copy[1024 + PPROF_INTERVALS_TEXT], *word, *next = NULL;
	const char *value;
	size_t i;
	int err = 0;

	if (strlen(text) >= sizeof(copy))
		return -EBADMSG;
	strcpy(copy, text);
	for (word = strtok_r(copy, " ", &next); word && !err;
	     word = strtok_r(NULL, " ", &next)) {
		for (i = 0; i < sizeof(fields) / sizeof(fields[0]) && !err; i++) {
			value = pprof_value_of(word, fields[i].key);
			if (value)
				err = number_parse(value, 0, INT64_MAX,
						   fields[i].value, NULL);
		}
		if (!err && pprof_intervals_word(&line->intervals, word) < 0)
			err = -EINVAL;
	}
	return err;
}

static int read_event(struct pprof_reader *r, const char *text)
{
	const uint64_t nr_types = r->message->n_sample_type, none = UINT64_MAX;
	struct event_line line = { .weight = none, .samples = none };
	struct pprof_event *event = &r->events[r->nr_events];
	int err = read_words(text, &line);

	if (err || line.number != r->nr_events || r->nr_events == EVENTS_MAX ||
	    line.weight >= nr_types ||
	    (line.samples != none && line.samples >= nr_types) ||
	    line.hz > FLAMEMOD_HZ_MAX || line.named > 1 || line.perf > 1 ||
	    line.summed_cpus > PROFILE_CPUS_MAX)
		return error_set(r->error, -EBADMSG, "its events are malformed: %.100s",
				 text);
	err = add_event(r, line.weight);
	if (err)
		return err;
	if (line.samples != none)
		event->places.count = line.samples;
	event->period_ns = line.period_ns;
	event->duration_ns = line.duration_ns;
	event->hz = (uint32_t)line.hz;
	event->is_named = line.named;
	event->is_perf = line.perf;
	event->nr_summed_cpus = (uint32_t)line.summed_cpus;
	event->intervals = line.intervals;
	return 0;
}

/* What perf called the only event, or NULL. */
static int find_name(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	const char *text, *name;

	for (size_t i = 1; i < m->n_comment; i++) {
		text = pprof_string(r, m->comment[i]);
		if (!text)
			return -EBADMSG;
		name = pprof_value_of(text, PPROF_NAME_KEY);
		if (name)
			r->perf_name = name;
	}
	return 0;
}

static int our_events(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	const char *text;
	size_t i;
	int err = 0;

	for (i = 1; i < m->n_comment && !err; i++) {
		text = pprof_string(r, m->comment[i]);
		if (!text)
			return -EBADMSG;
		/* pprof_read_comments() reads the books of CPUs */
		if (pprof_value_of(text, PPROF_EVENT_KEY) &&
		    !strstr(text, " cpu="))
			err = read_event(r, text);
	}
	if (!err && !r->nr_events)
		return error_set(r->error, -EBADMSG, "its events are missing");
	return err;
}

/* Nanoseconds per unit of time, or 0 if the unit is not one of time. */
static uint64_t unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "nanoseconds", 1 }, { "microseconds", 1000 },
		{ "milliseconds", 1000000 }, { "seconds", 1000000000 },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i].name))
			return units[i].ns;
	return 0;
}

/*
 * Add an event of another program's file; times are converted to nanoseconds.
 */
static int add_other(struct pprof_reader *r, size_t weight, size_t count)
{
	struct pprof_event *event = &r->events[r->nr_events];
	int err = add_event(r, weight);

	if (err)
		return err;
	event->places.count = count;
	event->places.scale = unit_ns(event->unit);
	event->period_ns = !!event->places.scale;
	return 0;
}

/*
 * Make every sample type an event: first the default type, or the last one;
 * numbers of samples come at the end.
 */
static int other_events(struct pprof_reader *r)
{
	const struct pprof_decoded *m = r->message;
	size_t first = SIZE_MAX, count, i;
	const char *name;
	int err;

	if (!m->n_sample_type)
		return error_set(r->error, -EBADMSG, "it has no sample types");
	if (m->default_sample_type) {
		name = pprof_string(r, m->default_sample_type);
		err = name ? find_value(r, name, &first) : -EBADMSG;
		if (err)
			return err;
	}
	if (first == SIZE_MAX)
		first = m->n_sample_type - 1;
	err = find_value(r, "samples", &count) ?: add_other(r, first, count);
	for (i = 0; i < m->n_sample_type && !err; i++)
		if (i != first && i != count)
			err = add_other(r, i, count);
	r->nr_kept = r->nr_events;
	if (!err && count != SIZE_MAX && count != first)
		err = add_other(r, count, count);
	return err;
}

int pprof_find_events(struct pprof_reader *r)
{
	int err;

	if (r->message->n_sample_type > PPROF_TYPES_MAX)
		return error_set(r->error, -EBADMSG, "it has more than %d sample types",
				 PPROF_TYPES_MAX);
	if (!r->ours)
		return other_events(r);
	err = r->layout == PPROF_LAYOUT_TIME ? our_times(r) :
	      r->layout == PPROF_LAYOUT_WEIGHT ? our_weights(r) : our_events(r);
	if (!err && r->layout != PPROF_LAYOUT_EVENTS)
		err = find_name(r);
	r->nr_kept = r->nr_events;
	return err;
}

void pprof_begin_event(struct pprof_reader *r, unsigned int number)
{
	const struct pprof_event *event = &r->events[number];
	struct profile_meta *meta = &r->profile->meta;
	bool is_alone = r->ours && r->layout != PPROF_LAYOUT_EVENTS;

	r->event = number;
	r->places = event->places;
	meta->time_ns = r->message->time_nanos;
	meta->duration_ns = (uint64_t)r->message->duration_nanos;
	meta->period_ns = is_alone ? (uint64_t)r->message->period :
				     event->period_ns;
	if (event->is_perf || r->perf_name)
		copy_text(meta->event, sizeof(meta->event),
			  r->perf_name ?: event->name);
	if (r->layout == PPROF_LAYOUT_EVENTS) {
		meta->duration_ns = event->duration_ns;
		meta->settings.hz = event->hz;
		meta->nr_summed_cpus = event->nr_summed_cpus;
		meta->intervals = event->intervals;
	}
	if (r->layout == PPROF_LAYOUT_TIME)
		return;
	if (r->ours && strcmp(event->unit, "nanoseconds"))
		meta->period_ns = 0;
	if (event->is_named)
		name_weights(meta, event->name, event->unit);
}

const char *pprof_event_name(const struct pprof_reader *r, unsigned int number)
{
	bool is_plain = r->ours && r->nr_events == 1 &&
			(r->layout == PPROF_LAYOUT_TIME ||
			 !strcmp(r->events[0].name, PPROF_WEIGHT_TYPE));

	return r->perf_name ?: is_plain ? "" : r->events[number].name;
}

/* Find the index of the event asked for. */
static int find_wanted(struct pprof_reader *r, const char *name)
{
	const char *names[PPROF_TYPES_MAX];
	unsigned int i;

	/* the sample type of the only one is its name as well: "cpu" */
	if (r->layout == PPROF_LAYOUT_TIME && !strcmp(name, "cpu"))
		return 0;
	for (i = 0; i < r->nr_events; i++)
		names[i] = pprof_event_name(r, i);
	return events_find(names, r->nr_events, name, r->error);
}

static void note_left_out(const struct pprof_reader *r, unsigned int nr_taken)
{
	const char *names[PPROF_TYPES_MAX];
	char text[EVENTS_TEXT];
	unsigned int i;

	for (i = 0; i < r->nr_kept; i++)
		names[i] = r->events[i].name;
	events_text(text, names, r->nr_kept, nr_taken);
	if (nr_taken == 1 && r->nr_kept > 1)
		notes_add(r->wanted->notes, "this shows the event %.40s, not %s: %s",
			  r->events[0].name, text, WORDING(CHOOSE_EVENT));
	else if (nr_taken < r->nr_kept)
		notes_add(r->wanted->notes, "it has more than %d events, and this leaves out %s: %s",
			  EVENTS_MAX, text, WORDING(CHOOSE_EVENT));
}

int pprof_choose_events(struct pprof_reader *r, unsigned int *first,
			unsigned int *nr)
{
	const struct events_wanted *wanted = r->wanted;
	int place = 0;

	*nr = 1;
	if (wanted->name) {
		place = find_wanted(r, wanted->name);
		if (place < 0)
			return -EBADMSG;
	} else if (wanted->all) {
		*nr = r->nr_kept < EVENTS_MAX ? r->nr_kept : EVENTS_MAX;
	}
	*first = (unsigned int)place;
	if (!wanted->name)
		note_left_out(r, *nr);
	return 0;
}
