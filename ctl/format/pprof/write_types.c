// SPDX-License-Identifier: GPL-2.0
/*
 * Choose the sample types of a pprof file, and fill in the values of each
 * sample.
 *
 * A file with one event has three types, as pprof.h says. A file with several
 * events has one row of values per stack and task, with columns for all events,
 * so that a stack that several events hit is one sample.
 */
#include "format/pprof/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pprof/layout.h"
#include "profile/join.h"
#include "profile/records.h"

static const char *unit_of(const struct profile_meta *meta)
{
	if (meta->period_ns)
		return "nanoseconds";
	return *meta->weight_unit ? meta->weight_unit : PPROF_WEIGHT_UNIT;
}

static bool counts_only_samples(const struct profile *profile)
{
	uint32_t i;

	if (profile->meta.period_ns || *profile->meta.weight_unit)
		return false;
	for (i = 0; i < profile->nr_records; i++)
		if (profile->records[i].count != profile->records[i].periods)
			return false;
	return true;
}

/* Report whether each hit has the weight 1, so that one type says both. */
static bool counts_hits(const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	bool alike = meta->intervals.of_hits && !meta->period_ns &&
		     !strcmp(meta->weight_unit, PPROF_WEIGHT_UNIT);

	for (uint32_t i = 0; i < profile->nr_records && alike; i++)
		alike = profile->records[i].count == profile->records[i].periods;
	return alike;
}

static bool has_samples(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_records; i++)
		if (profile->records[i].count)
			return true;
	return false;
}

static unsigned int add_type(struct pprof_writer *w, const char *name,
			     const char *suffix, const char *unit)
{
	struct pprof_type *type = &w->types[w->nr_types];

	snprintf(type->name, sizeof(type->name), "%s%s", name, suffix);
	type->unit = unit;
	return w->nr_types++;
}

static void choose_of_one(struct pprof_writer *w)
{
	const struct profile_meta *meta = &w->profile->meta;
	bool is_time = meta->period_ns && !*meta->weight_type;

	w->layout = is_time ? PPROF_LAYOUT_TIME : PPROF_LAYOUT_WEIGHT;
	w->only_weights = counts_only_samples(w->profile);
	add_type(w, "samples", "", "count");
	add_type(w, is_time ? "cpu" : *meta->weight_type ? meta->weight_type :
						      PPROF_WEIGHT_TYPE,
		 "", unit_of(meta));
	add_type(w, "late", "", "microseconds");
	w->event_types[0] = (struct pprof_event_types){
		.weight = PPROF_WEIGHT, .samples = PPROF_SAMPLES,
		.has_samples = true,
	};
	w->main_type = PPROF_WEIGHT;
	w->default_type = w->only_weights ? PPROF_SAMPLES : PPROF_WEIGHT;
}

static void choose_of_event(struct pprof_writer *w, unsigned int number)
{
	struct pprof_event_types *types = &w->event_types[number];
	const struct event *event = &w->events->list[number];
	const char *unit = unit_of(&event->profile->meta);

	types->has_samples = has_samples(event->profile);
	if (counts_only_samples(event->profile) || counts_hits(event->profile)) {
		types->weight = add_type(w, event->name, "", unit);
		types->samples = types->weight;
		return;
	}
	if (types->has_samples)
		types->samples = add_type(w, event->name, "-samples", "count");
	types->weight = add_type(w, event->name, "", unit);
}

static int to_value(uint64_t number, int64_t *value)
{
	*value = (int64_t)number;
	return number > INT64_MAX ? -EOVERFLOW : 0;
}

int pprof_values_of(const struct pprof_writer *w, unsigned int event,
		    const struct profile_record *record, int64_t *values)
{
	const struct pprof_event_types *types = &w->event_types[event];
	const struct profile *profile = w->events->list[event].profile;
	uint64_t ns;

	if (__builtin_mul_overflow(record->periods,
				   profile->meta.period_ns ?: 1, &ns))
		return -EOVERFLOW;
	if (w->layout != PPROF_LAYOUT_EVENTS &&
	    to_value(record->late_us, &values[PPROF_LATE]))
		return -EOVERFLOW;
	if (types->has_samples &&
	    to_value(record->count, &values[types->samples]))
		return -EOVERFLOW;
	return to_value(ns, &values[types->weight]);
}

/*
 * Set @places to the index of each of the event's records in the united
 * profile.
 */
static int find_places(struct pprof_writer *w, const struct profile *profile,
		       uint32_t *places)
{
	struct profile_record *joined = calloc((size_t)profile->nr_records + 1,
					       sizeof(*joined));
	int err = joined ? profile_join(w->united, profile, joined) : -ENOMEM;

	for (uint32_t i = 0; i < profile->nr_records && !err; i++)
		places[i] = profile_find_record(w->united, &joined[i]);
	free(joined);
	return err;
}

static int fill_rows(struct pprof_writer *w, unsigned int event,
		     const uint32_t *places)
{
	const struct profile *profile = w->events->list[event].profile;
	int err = 0;

	for (uint32_t i = 0; i < profile->nr_records && !err; i++)
		err = pprof_values_of(w, event, &profile->records[i],
				      w->rows + (size_t)places[i] * w->nr_types);
	return err;
}

static int unite(struct pprof_writer *w, uint32_t *places[EVENTS_MAX])
{
	const struct events *events = w->events;
	unsigned int i;
	int err = 0;

	for (i = 0; i < events->nr && !err; i++) {
		const struct profile *profile = events->list[i].profile;

		places[i] = calloc((size_t)profile->nr_records + 1,
				   sizeof(**places));
		err = places[i] ? find_places(w, profile, places[i]) : -ENOMEM;
	}
	if (err)
		return err;
	w->rows = calloc((size_t)w->united->nr_records + 1,
			 w->nr_types * sizeof(*w->rows));
	if (!w->rows)
		return -ENOMEM;
	for (i = 0; i < events->nr && !err; i++)
		err = fill_rows(w, i, places[i]);
	return err;
}

static int choose_of_several(struct pprof_writer *w)
{
	uint32_t *places[EVENTS_MAX] = { NULL };
	unsigned int i;
	int err;

	w->layout = PPROF_LAYOUT_EVENTS;
	for (i = 0; i < w->events->nr; i++)
		choose_of_event(w, i);
	w->main_type = w->default_type = w->event_types[0].weight;
	w->united = profile_create();
	if (!w->united)
		return -ENOMEM;
	w->united->meta = w->events->list[0].profile->meta;
	/* each event has its own rate */
	w->united->meta.settings.hz = 0;
	err = unite(w, places);
	for (i = 0; i < w->events->nr; i++)
		free(places[i]);
	w->profile = w->united;
	return err;
}

int pprof_choose_types(struct pprof_writer *w)
{
	w->profile = w->events->list[0].profile;
	if (w->events->nr > 1)
		return choose_of_several(w);
	choose_of_one(w);
	return 0;
}
