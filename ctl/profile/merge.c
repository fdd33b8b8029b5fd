// SPDX-License-Identifier: GPL-2.0
/*
 * Sum profiles: see merge.h.
 */
#include "profile/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wording.h"
#include "profile/events.h"
#include "profile/inclusion.h"
#include "profile/origin.h"
#include "profile/profile_map.h"
#include "profile/settings.h"
#include "profile/slices.h"

int merge_init(struct merge *merge, bool in_ns)
{
	memset(merge, 0, sizeof(*merge));
	merge->in_ns = in_ns;
	merge->sum = profile_create();
	return merge->sum ? 0 : -ENOMEM;
}

void merge_deinit(struct merge *merge)
{
	profile_destroy(merge->sum);
}

/*
 * The best name for weights in messages: "delay", if two are both nanoseconds.
 */
static const char *what_weights(const struct profile_meta *meta)
{
	return *meta->weight_type ? meta->weight_type : profile_unit(meta);
}

static bool other_weights(const struct merge *merge,
			  const struct profile *profile)
{
	const struct profile_meta *sum = &merge->sum->meta;

	return strcmp(sum->weight_type, profile->meta.weight_type) ||
	       strcmp(sum->weight_unit, profile->meta.weight_unit);
}

/* Refuse different events: their samples count different things. */
static int check_event(struct merge *merge, const struct profile *profile,
		       const char *name, struct error *error)
{
	const char *event = profile->meta.event;

	if (!*event)
		return 0;
	if (!*merge->event) {
		memcpy(merge->event, event, sizeof(merge->event));
		snprintf(merge->event_of, sizeof(merge->event_of), "%s", name);
		return 0;
	}
	if (events_same(merge->event, event))
		return 0;
	return error_set(error, -EINVAL, "%.90s: its event is %.60s, that of %.90s is %.60s: different events cannot be summed; %s",
			 name, event, merge->event_of, merge->event,
			 WORDING(COMMON_EVENT));
}

static int check_period(const struct merge *merge,
			const struct profile *profile, const char *name,
			struct error *error)
{
	uint64_t period_ns = profile->meta.period_ns;
	uint64_t first_ns = merge->sum->meta.period_ns;

	if (!merge->in_ns && merge->nr && other_weights(merge, profile))
		return error_set(error, -EINVAL, "%.200s: its weights are %.64s, those of %.100s are %.64s: they cannot be summed",
				 name, what_weights(&profile->meta), merge->first,
				 what_weights(&merge->sum->meta));
	if (merge->in_ns && *profile->meta.weight_unit && !period_ns)
		return error_set(error, -EINVAL, "%.200s: its weights are %.64s, which are not time: %s cannot sum them",
				 name, what_weights(&profile->meta), WORDING(IN_NS));
	if (merge->in_ns && !period_ns)
		return error_set(error, -EINVAL, "%.200s: the length of its periods is unknown, so they cannot become time; %s",
				 name, WORDING(IMPORT_RATE));
	if (merge->in_ns || !merge->nr || period_ns == first_ns)
		return 0;
	if (!period_ns || !first_ns)
		return error_set(error, -EINVAL, "%.200s: the length of the periods of %.100s is not known: they cannot be summed with those of %.100s; %s",
				 name, first_ns ? name : merge->first,
				 first_ns ? merge->first : name,
				 WORDING(IMPORT_RATE));
	return error_set(error, -EINVAL, "%.200s: its periods are of %" PRIu64 " ns, those of %.100s of %" PRIu64 " ns: they cannot be summed; %s sums time instead",
			 name, period_ns, merge->first, first_ns, WORDING(IN_NS));
}

/* What figures of a profile are multiplied by. */
struct scale {
	uint64_t periods;		/* all that is counted in periods */
	uint64_t samples;		/* all else: how often the profile counts */
};

static bool scale_one(uint64_t *figure, uint64_t scale)
{
	return __builtin_mul_overflow(*figure, scale, figure);
}

static int scale_record(struct profile_record *record, const struct scale *scale)
{
	bool over = scale_one(&record->periods, scale->periods);

	over |= scale_one(&record->count, scale->samples);
	over |= scale_one(&record->late_us, scale->samples);
	return over ? -EOVERFLOW : 0;
}

static int add_records(struct profile *sum, const struct profile *profile,
		       struct profile_map *map, const struct scale *scale)
{
	struct profile_record record;
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_records && !err; i++) {
		record = profile->records[i];
		if (scale_record(&record, scale))
			return -EOVERFLOW;
		err = profile_map_record(map, &record) ?:
		      profile_add_record(sum, &record);
	}
	return err;
}

/* truncated counts samples. */
static int scale_books(struct profile_books *books, const struct scale *scale)
{
	uint64_t *figures[] = {
		&books->expected, &books->fires, &books->missed,
		&books->stored, &books->filtered, &books->asleep,
		&books->late, &books->stolen,
	};
	bool over = scale_one(&books->truncated, scale->samples);
	size_t i;

	for (i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		over |= scale_one(figures[i], scale->periods);
	for (i = 0; i < PROFILE_LOST_MAX; i++)
		over |= scale_one(&books->lost[i], scale->periods);
	over |= __builtin_mul_overflow(books->overdue, scale->periods, &books->overdue);
	return over ? -EOVERFLOW : 0;
}

static int scale_cpu(struct profile_cpu *cpu, const struct scale *scale)
{
	int err = scale_books(&cpu->books, scale);

	return scale_one(&cpu->sampled_ns, scale->samples) ? -EOVERFLOW : err;
}

static int add_cpus(struct profile *sum, const struct profile *profile,
		    const struct scale *scale)
{
	struct profile_cpu cpu;
	uint32_t i;
	int err = 0;

	for (i = 0; i < profile->nr_cpus && !err; i++) {
		cpu = profile->cpus[i];
		err = scale_cpu(&cpu, scale) ?: profile_add_cpu(sum, &cpu);
	}
	return err;
}

/* Add a slice to the sum; done only if a single profile is merged. */
static int add_slice(struct profile *sum, const struct slice *slice,
		     struct profile_map *map, const struct scale *scale)
{
	int err = slices_begin(sum, slice->begin_ns, slice->end_ns);
	uint32_t i;

	/* a profile of intervals is never multiplied: see check_inclusion() */
	if (!err)
		slices_last(sum)->intervals = slice->intervals;

	for (i = 0; i < slice->nr_cpus && !err; i++) {
		struct profile_cpu cpu = slice->cpus[i];

		err = scale_cpu(&cpu, scale) ?: slices_add_cpu(sum, &cpu);
	}
	for (i = 0; i < slice->nr_records && !err; i++) {
		struct profile_record record = slice->records[i];

		/* cannot overflow: the sum of all was multiplied already */
		scale_record(&record, scale);
		err = profile_map_record(map, &record) ?:
		      slices_add_record(sum, slice->begin_ns, &record);
	}
	return err;
}

static int add_slices(struct merge *merge, const struct profile *profile,
		      const char *name, struct profile_map *map,
		      const struct scale *scale)
{
	const struct slices *slices = profile->slices;
	int err = 0;

	if (slices && !merge->sliced)
		merge->slices_of = merge->slices_of ?: name;
	for (uint32_t i = 0; slices && merge->sliced && i < slices->nr && !err; i++)
		err = add_slice(merge->sum, &slices->list[i], map, scale);
	return err;
}

static bool same_settings(const struct profile_settings *a,
			  const struct profile_settings *b)
{
	char left[1100], right[1100];
	unsigned int i;

	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++) {
		settings_value(a, i, left, sizeof(left));
		settings_value(b, i, right, sizeof(right));
		if (strcmp(left, right))
			return false;
	}
	return true;
}

/* Clear a text that is not the same in all profiles. */
static void keep_same(char *kept, const char *other)
{
	if (strcmp(kept, other))
		*kept = '\0';
}

/* Keep "cycles" of cycles:u and cycles, and none if either has no name. */
static void keep_event(char kept[PROFILE_EVENT_MAX],
		       const char other[PROFILE_EVENT_MAX])
{
	if (strlen(other) < strlen(kept))
		memcpy(kept, other, PROFILE_EVENT_MAX);
}

/* Report whether tasks ran on several hosts, as in a merged profile. */
static bool has_several_hosts(const struct profile *profile)
{
	uint32_t i;

	for (i = 1; i < profile->nr_tasks; i++)
		if (strcmp(profile_host(profile, &profile->tasks[i]),
			   profile_host(profile, &profile->tasks[0])))
			return true;
	return false;
}

/* How often a profile counts in this sum. */
static uint64_t weight_of(const struct merge *merge, const struct profile_meta *meta)
{
	return merge->of_one_host ? 1 : inclusion_weight(meta);
}

/*
 * Set the begin to that of the first, if all are known, and the duration to the
 * sum of all durations: nothing was sampled between them. pprof does the same.
 */
static void merge_times(struct merge *merge, const struct profile_meta *meta)
{
	struct profile_meta *sum = &merge->sum->meta;
	uint64_t duration_ns = meta->duration_ns;

	/* a longer duration could not be saved either */
	if (scale_one(&duration_ns, weight_of(merge, meta)) ||
	    __builtin_add_overflow(sum->duration_ns, duration_ns, &sum->duration_ns))
		sum->duration_ns = UINT64_MAX;
	merge->no_times |= sum->time_ns <= 0 || meta->time_ns <= 0;
	if (merge->no_times)
		sum->time_ns = 0;
	else if (meta->time_ns < sum->time_ns)
		sum->time_ns = meta->time_ns;
}

/* A sum with an estimate is one. */
static void merge_threshold(struct merge *merge, const struct profile_meta *meta)
{
	uint64_t threshold = meta->threshold;

	if (merge->in_ns && __builtin_mul_overflow(threshold, meta->period_ns, &threshold))
		threshold = UINT64_MAX;
	if (threshold > merge->sum->meta.threshold)
		merge->sum->meta.threshold = threshold;
}

/* A sum says that it was weighted, as it is an estimate; one of a host's windows is not. */
static void merge_inclusion(struct merge *merge, const struct profile_meta *meta)
{
	struct profile_meta *sum = &merge->sum->meta;
	uint64_t weight = weight_of(merge, meta);

	if (merge->of_one_host)
		sum->inclusion = meta->inclusion;
	if (weight > 1 && weight > sum->weighted)
		sum->weighted = weight;
	if (meta->weighted > sum->weighted)
		sum->weighted = meta->weighted;
}

static void begin_meta(struct merge *merge, const struct profile *profile,
		       const char *name)
{
	struct profile_meta *sum = &merge->sum->meta;
	const struct profile_meta *meta = &profile->meta;

	snprintf(merge->first, sizeof(merge->first), "%s", name);
	*sum = (struct profile_meta){
		.settings = meta->settings, .nr_summed_cpus = meta->nr_summed_cpus,
		.period_ns = merge->in_ns ? 1 : meta->period_ns,
		.resolution_ns = meta->resolution_ns, .steal = meta->steal,
		.duration_ns = meta->duration_ns, .time_ns = meta->time_ns,
		.origin = meta->origin,
	};
	if (scale_one(&sum->duration_ns, weight_of(merge, meta)))
		sum->duration_ns = UINT64_MAX;
	memcpy(sum->weight_type, meta->weight_type, sizeof(sum->weight_type));
	memcpy(sum->weight_unit, meta->weight_unit, sizeof(sum->weight_unit));
	memcpy(sum->event, meta->event, sizeof(sum->event));
	memcpy(sum->module_version, meta->module_version,
	       sizeof(sum->module_version));
	memcpy(sum->release, meta->release, sizeof(sum->release));
	memcpy(sum->host, meta->host, sizeof(sum->host));
	if (merge->in_ns)
		sum->settings.hz = 0;
}

static void merge_meta(struct merge *merge, const struct profile *profile,
		       const char *name)
{
	struct profile_meta *sum = &merge->sum->meta;
	struct profile_settings settings = profile->meta.settings;

	if (!merge->nr) {
		begin_meta(merge, profile, name);
	} else {
		merge_times(merge, &profile->meta);
		keep_same(sum->weight_type, profile->meta.weight_type);
		keep_event(sum->event, profile->meta.event);
		keep_same(sum->module_version, profile->meta.module_version);
		keep_same(sum->release, profile->meta.release);
		origin_merge(&sum->origin, &profile->meta.origin);
		merge->several_hosts |= strcmp(sum->host, profile->meta.host);
		if (merge->in_ns)
			settings.hz = 0;
		/* drop settings that differ, but keep an equal rate */
		if (!same_settings(&sum->settings, &settings))
			sum->settings = (struct profile_settings){
				.hz = sum->settings.hz == settings.hz ?
				      settings.hz : 0,
			};
		if (profile->meta.resolution_ns > sum->resolution_ns)
			sum->resolution_ns = profile->meta.resolution_ns;
		if (profile->meta.nr_summed_cpus > sum->nr_summed_cpus)
			sum->nr_summed_cpus = profile->meta.nr_summed_cpus;
		if (profile->meta.steal != sum->steal)
			sum->steal = PROFILE_STEAL_UNKNOWN;
	}
	merge_threshold(merge, &profile->meta);
	merge_inclusion(merge, &profile->meta);
	merge->several_hosts |= has_several_hosts(profile);
	if (merge->several_hosts)
		*sum->host = '\0';
}

static bool knows_powers(const struct profile *profile)
{
	return intervals_know_powers(&profile->meta.intervals, profile->records,
				     profile->nr_records);
}

/*
 * The first sum has its own; a sum of profiles that are no events has none.
 * @known: the powers of two of all hits are known.
 */
static int merge_intervals(struct merge *merge, const struct profile_meta *meta, bool known)
{
	struct profile_intervals *sum = &merge->sum->meta.intervals;
	int err;

	if (!merge->nr) {
		*sum = meta->intervals;
		return 0;
	}
	sum->known &= meta->intervals.known;
	err = intervals_add(sum, &meta->intervals);
	if (!known)
		memset(sum->powers, 0, sizeof(sum->powers));
	return err;
}

static int add_all(struct merge *merge, const struct profile *profile,
		   const char *name)
{
	const struct profile_meta *meta = &profile->meta;
	struct scale scale = {
		.periods = merge->in_ns ? meta->period_ns : 1,
		.samples = weight_of(merge, meta),
	};
	/* before the sum has these records */
	bool known = knows_powers(merge->sum) && knows_powers(profile);
	struct profile_map map;
	int err;

	if (scale_one(&scale.periods, scale.samples))
		return -EOVERFLOW;
	err = profile_map_init(&map, merge->sum, profile);

	map.hosts = true;
	err = err ?: profile_map_all(&map);
	if (!err && merge->sum->nr_nodes > PROFILE_NODES_MAX)
		err = -EFBIG;
	err = err ?: add_records(merge->sum, profile, &map, &scale) ?:
	      add_cpus(merge->sum, profile, &scale) ?:
	      merge_intervals(merge, meta, known) ?:
	      add_slices(merge, profile, name, &map, &scale);
	profile_map_deinit(&map);
	return err;
}

/* The agent does not count events of tasks, so there is no estimate of them. */
static int check_inclusion(const struct merge *merge, const struct profile *profile,
			   const char *name, struct error *error)
{
	const struct profile_meta *meta = &profile->meta;
	uint64_t sum = inclusion_weight(&merge->sum->meta);

	if (meta->inclusion > 1 && meta->intervals.known)
		return error_set(error, -EINVAL, "%.200s: its inclusion is 1/%" PRIu64 ", which only samples may have: %s are no samples",
				 name, meta->inclusion, what_weights(meta));
	if (merge->of_one_host && merge->nr && sum != inclusion_weight(meta))
		return error_set(error, -EINVAL, "%.200s: its inclusion is 1/%" PRIu64 ", that of %.100s is 1/%" PRIu64 ": as one window they would have none",
				 name, inclusion_weight(meta), merge->first, sum);
	return 0;
}

int merge_add(struct merge *merge, const struct profile *profile,
	      const char *name, struct error *error)
{
	int err = check_event(merge, profile, name, error) ?:
		  check_period(merge, profile, name, error) ?:
		  check_inclusion(merge, profile, name, error);

	if (err)
		return err;
	merge_meta(merge, profile, name);
	err = add_all(merge, profile, name);
	merge->nr++;
	if (err == -EOVERFLOW)
		return error_set(error, err, "%.200s: with it the sums are above 2^64",
				 name);
	if (err == -EFBIG)
		return error_set(error, err, "%.200s: with it all stacks together have more than %u calls",
				 name, PROFILE_NODES_MAX);
	return err ? error_set(error, err, "%.200s: %s", name, strerror(-err)) : 0;
}
