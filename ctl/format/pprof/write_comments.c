// SPDX-License-Identifier: GPL-2.0
/*
 * Write the comments of our pprof files: settings, session, machine and books,
 * laid out as in pprof.h.
 */
#include "format/pprof/write.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/pprof/intervals.h"
#include "format/pprof/layout.h"
#include "profile/settings.h"
#include "profile/slices.h"

__attribute__((format(printf, 2, 3)))
static void comment(struct pprof_writer *w, const char *format, ...)
{
	Pprof__Profile part = PPROF__PROFILE__INIT;
	char text[1200 + PPROF_INTERVALS_TEXT];
	va_list args;
	int64_t index;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	index = pprof_write_string(w, text);
	part.n_comment = 1;
	part.comment = &index;
	pprof_emit(w, &part);
}

static void write_settings(struct pprof_writer *w)
{
	const struct profile_settings *settings = &w->profile->meta.settings;
	unsigned int i;
	char text[1100];

	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++) {
		settings_value(settings, i, text, sizeof(text));
		/* 0 means unknown, and is not a value that could be set */
		if (i <= FLAMEMOD_A_SETTINGS_MAX_DEPTH && !strcmp(text, "0"))
			continue;
		/* most profiles do not use these */
		if (i == FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY &&
		    !settings->followed_only)
			continue;
		if (i == FLAMEMOD_A_SETTINGS_USER_STACKS && !settings->user_stacks)
			continue;
		if (i == FLAMEMOD_A_SETTINGS_USER_PLACES && !settings->user_places)
			continue;
		comment(w, "%s=%s", settings_name(i), text);
	}
}

/* @what: a word that says what the books belong to, or "" */
static void write_cpu(struct pprof_writer *w, const char *what,
		      const struct profile_cpu *cpu)
{
	const struct profile_books *books = &cpu->books;
	char lost[PROFILE_LOST_MAX * 64];
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < PROFILE_LOST_MAX; i++)
		used += (size_t)snprintf(lost + used, sizeof(lost) - used,
					 " lost.%s=%" PRIu64,
					 profile_lost_name(i), books->lost[i]);
	comment(w, "%scpu=%" PRIu32 " sampling=%d sampled-ns=%" PRIu64
		" expected=%" PRIu64 " fires=%" PRIu64 " missed=%" PRIu64
		" stored=%" PRIu64 " filtered=%" PRIu64 " truncated=%" PRIu64
		" asleep=%" PRIu64 " late=%" PRIu64 " stolen=%" PRIu64
		" overdue=%" PRId64 "%s", what, cpu->cpu, cpu->sampling,
		cpu->sampled_ns, books->expected, books->fires, books->missed,
		books->stored, books->filtered, books->truncated, books->asleep,
		books->late, books->stolen, books->overdue, lost);
}

static void write_slice(struct pprof_writer *w, const struct slice *slice)
{
	char what[64], intervals[PPROF_INTERVALS_TEXT];

	comment(w, PPROF_SLICE_KEY "=%" PRIu64 " end-ns=%" PRIu64,
		slice->begin_ns, slice->end_ns);
	snprintf(what, sizeof(what), PPROF_SLICE_KEY "=%" PRIu64 " ",
		 slice->begin_ns);
	for (uint32_t i = 0; i < slice->nr_cpus; i++)
		write_cpu(w, what, &slice->cpus[i]);
	if (slice->intervals.known)
		comment(w, PPROF_SLICE_INTERVALS_KEY "=%" PRIu64 " %s", slice->begin_ns,
			pprof_intervals_text(intervals, &slice->intervals));
}

/* Write the slice number @at of all events. */
static void write_event_slice(struct pprof_writer *w, uint32_t at)
{
	const struct slice *first = &w->slices->list[at];
	char what[96], intervals[PPROF_INTERVALS_TEXT];

	comment(w, PPROF_EVENT_SLICE_KEY "=%" PRIu64 " end-ns=%" PRIu64,
		first->begin_ns, first->end_ns);
	for (unsigned int i = 0; i < w->events->nr; i++) {
		const struct slice *slice = &w->events->list[i].profile->slices->list[at];

		snprintf(what, sizeof(what), PPROF_EVENT_SLICE_KEY "=%" PRIu64 " "
			 PPROF_EVENT_KEY "=%u ", first->begin_ns, i);
		for (uint32_t j = 0; j < slice->nr_cpus; j++)
			write_cpu(w, what, &slice->cpus[j]);
		if (slice->intervals.known)
			comment(w, "%s%s", what,
				pprof_intervals_text(intervals, &slice->intervals));
	}
}

/* Write "event=N weight=INDEX ...", then "event=N cpu=N ..." for each CPU. */
static void write_event(struct pprof_writer *w, unsigned int number)
{
	const struct profile *profile = w->events->list[number].profile;
	const struct pprof_event_types *types = &w->event_types[number];
	const struct profile_meta *meta = &profile->meta;
	char what[64], samples[64] = "", intervals[PPROF_INTERVALS_TEXT], summed[32] = "";

	if (meta->nr_summed_cpus)
		snprintf(summed, sizeof(summed), " summed-cpus=%" PRIu32, meta->nr_summed_cpus);
	if (types->has_samples)
		snprintf(samples, sizeof(samples), " samples=%u", types->samples);
	comment(w, PPROF_EVENT_KEY "=%u weight=%u%s period-ns=%" PRIu64
		" hz=%" PRIu32 " duration-ns=%" PRIu64 " named=%d " PPROF_PERF_KEY "=%d%s%s%s",
		number, types->weight, samples, meta->period_ns, meta->settings.hz,
		meta->duration_ns, *meta->weight_type || *meta->weight_unit,
		!!*meta->event, summed, meta->intervals.known ? " " : "",
		pprof_intervals_text(intervals, &meta->intervals));
	snprintf(what, sizeof(what), PPROF_EVENT_KEY "=%u ", number);
	for (uint32_t i = 0; i < profile->nr_cpus; i++)
		write_cpu(w, what, &profile->cpus[i]);
}

/* Write the origin; values that are not known have no line. */
static void write_origin(struct pprof_writer *w, const struct profile_origin *origin)
{
	const struct { const char *key, *text; } texts[] = {
		{ "command", origin->command }, { "cmdline", origin->cmdline },
		{ "cpu-model", origin->cpu_model }, { "arch", origin->arch },
		{ "build", origin->build }, { "boot-id", origin->boot_id },
	};
	const struct { const char *key; uint64_t number; } numbers[] = {
		{ "machine-cpus", origin->nr_cpus },
		{ "machine-memory-bytes", origin->memory_bytes },
		{ "cpu-kb", origin->cpu_kb },
		{ "aggregate-kb", origin->aggregate_kb },
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (*texts[i].text)
			comment(w, "%s=%s", texts[i].key, texts[i].text);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].number)
			comment(w, "%s=%" PRIu64, numbers[i].key,
				numbers[i].number);
}

void pprof_write_comments(struct pprof_writer *w)
{
	const struct slices *slices = w->slices;
	const struct profile_meta *meta = &w->profile->meta;
	char intervals[PPROF_INTERVALS_TEXT];
	uint32_t i;

	comment(w, PPROF_LAYOUT_KEY "=%d", w->layout);
	comment(w, "module-version=%s", meta->module_version);
	comment(w, "release=%s", meta->release);
	comment(w, "host=%s", meta->host);
	write_settings(w);
	comment(w, "state=%s", profile_state_name(meta->state));
	comment(w, "epoch=%" PRIu32, meta->epoch);
	/* of several each has its own */
	if (meta->nr_summed_cpus && w->layout != PPROF_LAYOUT_EVENTS)
		comment(w, "summed-cpus=%" PRIu32, meta->nr_summed_cpus);
	if (meta->threshold)
		comment(w, "threshold=%" PRIu64, meta->threshold);
	if (meta->inclusion > 1)
		comment(w, "inclusion=1/%" PRIu64, meta->inclusion);
	if (meta->weighted > 1)
		comment(w, "weighted=1/%" PRIu64, meta->weighted);
	comment(w, "resolution-ns=%" PRIu64, meta->resolution_ns);
	comment(w, "since-ns=%" PRIu64, meta->since_ns);
	comment(w, "instant-ns=%" PRIu64, meta->instant_ns);
	comment(w, "memory-bytes=%" PRIu64, meta->memory_bytes);
	comment(w, "memory-limit-bytes=%" PRIu64, meta->memory_limit_bytes);
	if (meta->steal)
		comment(w, PPROF_CLOCK_KEY "=%d", meta->steal == PROFILE_STEAL_CLOCK);
	if (meta->begin_ns)
		comment(w, "begin-ns=%" PRIu64, meta->begin_ns);
	write_origin(w, &meta->origin);
	if (meta->intervals.known && w->layout != PPROF_LAYOUT_EVENTS)
		comment(w, "%s", pprof_intervals_text(intervals, &meta->intervals));
	/* of several each has its own */
	if (*meta->event && w->layout != PPROF_LAYOUT_EVENTS)
		comment(w, PPROF_NAME_KEY "=%s", meta->event);
	for (i = 0; i < w->events->nr && w->layout == PPROF_LAYOUT_EVENTS; i++)
		write_event(w, i);
	for (i = 0; i < w->profile->nr_cpus && w->layout != PPROF_LAYOUT_EVENTS; i++)
		write_cpu(w, "", &w->profile->cpus[i]);
	for (i = 0; slices && i < slices->nr; i++) {
		if (w->layout == PPROF_LAYOUT_EVENTS)
			write_event_slice(w, i);
		else
			write_slice(w, &slices->list[i]);
	}
}
