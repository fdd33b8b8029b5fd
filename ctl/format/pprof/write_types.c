// SPDX-License-Identifier: GPL-2.0
/*
 * Choose the sample types of a pprof file, and fill in the values of each
 * sample.
 *
 * A file with one event has three types, as pprof.h says. A file with several
 * events has columns for all of them: see write_rows.c.
 */
#include "format/pprof/write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "format/pprof/layout.h"
#include "profile/join.h"

static const char *unit_of(const struct profile_meta *meta)
{
	if (meta->period_ns)
		return "nanoseconds";
	return *meta->weight_unit ? meta->weight_unit : PPROF_WEIGHT_UNIT;
}

static bool are_alike(const struct profile_record *records, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		if (records[i].count != records[i].periods)
			return false;
	return true;
}

/*
 * Report whether all records have as many periods as samples. In slices, too: weights of 0
 * and of 2 are only in the sum as many as hits.
 */
static bool all_alike(const struct profile *profile)
{
	const struct slices *slices = profile->slices;
	bool alike = are_alike(profile->records, profile->nr_records);

	for (uint32_t i = 0; slices && i < slices->nr && alike; i++)
		alike = are_alike(slices->list[i].records, slices->list[i].nr_records);
	return alike;
}

static bool counts_only_samples(const struct profile *profile)
{
	return !profile->meta.period_ns && !*profile->meta.weight_unit && all_alike(profile);
}

/* Report whether each hit has the weight 1, so that one type says both. */
static bool counts_hits(const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;

	return meta->intervals.of_hits && !meta->period_ns &&
	       !strcmp(meta->weight_unit, PPROF_WEIGHT_UNIT) && all_alike(profile);
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

/* Put the stacks and tasks of all events together. */
static int unite(struct pprof_writer *w)
{
	const struct events *events = w->events;
	int err = 0;

	for (unsigned int i = 0; i < events->nr && !err; i++)
		err = profile_join(w->united, events->list[i].profile, NULL) ?:
		      profile_map_init(&w->maps[i], w->united, events->list[i].profile);
	return err;
}

/*
 * Return: the profile whose settings and session a file of several events has: that of the
 * samples, as events are not of the CPUs and filters that the timer has. Without samples it is
 * the first.
 */
static const struct profile *main_of(const struct events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (!events->list[i].profile->meta.intervals.known)
			return events->list[i].profile;
	return events->list[0].profile;
}

static int choose_of_several(struct pprof_writer *w)
{
	unsigned int i;
	int err;

	for (i = 1; i < w->events->nr; i++)
		if (!slices_same_times(w->profile, w->events->list[i].profile))
			return -EINVAL;
	w->layout = PPROF_LAYOUT_EVENTS;
	for (i = 0; i < w->events->nr; i++)
		choose_of_event(w, i);
	w->main_type = w->default_type = w->event_types[0].weight;
	w->united = profile_create();
	if (!w->united)
		return -ENOMEM;
	w->united->meta = main_of(w->events)->meta;
	/* each event has its own rate */
	w->united->meta.settings.hz = 0;
	err = unite(w);
	w->profile = w->united;
	return err;
}

int pprof_choose_types(struct pprof_writer *w)
{
	w->profile = w->events->list[0].profile;
	w->slices = w->profile->slices;
	if (w->events->nr > 1)
		return choose_of_several(w);
	choose_of_one(w);
	return 0;
}
