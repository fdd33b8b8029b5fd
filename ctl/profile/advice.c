// SPDX-License-Identifier: GPL-2.0
/*
 * Advice on what to change so that less is lost: see advice.h.
 *
 * The tables of an event are separate from the timer's, but cpu_kb sets the size of both.
 * The memory behind them is aggregate_kb or events_kb.
 */
#include "profile/advice.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/growing.h"
#include "base/wording.h"

/* The module's parameters: defaults and upper limits. */
#define CPU_KB		1024
#define CPU_KB_MAX	65536
#define AGGREGATE_KB	16384
#define AGGREGATE_KB_MAX (1024 * 1024)

/* Advise this many times the memory, so that one more try should be enough. */
#define ROOM_FACTOR	4

static const char *advise_room(const char *parameter, uint64_t now, uint64_t most,
			       const char *otherwise, char *text, size_t size)
{
	uint64_t more = now > most / ROOM_FACTOR ? most : now * ROOM_FACTOR;

	if (now < most)
		snprintf(text, size, "load with %s=%" PRIu64, parameter, more);
	else
		snprintf(text, size, "%s=%" PRIu64 " is the maximum, so %s",
			 parameter, now, otherwise);
	return text;
}

static const char *advise_cpu_kb(const struct profile_meta *meta, const char *otherwise,
				 char *text, size_t size)
{
	return advise_room("cpu_kb", meta->origin.cpu_kb ?: CPU_KB, CPU_KB_MAX, otherwise,
			   text, size);
}

const char *advice_lost(const struct profile_meta *meta, enum flamemod_lost reason,
			char *text, size_t size)
{
	switch (reason) {
	case FLAMEMOD_LOST_TABLE_FULL:
		return advise_cpu_kb(meta, WORDING(LOWER_RATE), text, size);
	case FLAMEMOD_LOST_AGGREGATE_FULL:
		return advise_room("aggregate_kb", meta->origin.aggregate_kb ?: AGGREGATE_KB,
				   AGGREGATE_KB_MAX, WORDING(RESET), text, size);
	case FLAMEMOD_LOST_OVERLOAD:
		/* a sum of recordings at several rates has 0; no rate is below 1 */
		if (meta->settings.hz > 1)
			snprintf(text, size, "%s %" PRIu32,
				 WORDING(LOWER_RATE_TO), meta->settings.hz / 2);
		else
			snprintf(text, size, "%s", WORDING(LOWER_RATE));
		return meta->settings.hz == 1 ? NULL : text;
	default:
		return NULL;
	}
}

/* ---- events ---- */

enum event_kind { KIND_OTHER, KIND_OFF_CPU, KIND_FUNC, KIND_LATENCY, KIND_TRACEPOINT,
		  KIND_COUNTER };

/*
 * A file has an event's name, but not its kind. Events that are not here, such as page
 * faults, all time of tasks, or those that a user named, have no options of their own.
 */
static enum event_kind kind_of(const struct profile_meta *meta)
{
	static const struct {
		const char *word;	/* the name up to its first colon */
		enum event_kind kind;
	} kinds[] = {
		{ "off-cpu", KIND_OFF_CPU }, { "waiting", KIND_OFF_CPU },
		{ "wakers", KIND_OFF_CPU }, { "func", KIND_FUNC },
		{ "latency", KIND_LATENCY }, { "tracepoint", KIND_TRACEPOINT },
		{ "contention", KIND_TRACEPOINT }, { "cycles", KIND_COUNTER },
		{ "instructions", KIND_COUNTER }, { "ref-cycles", KIND_COUNTER },
		{ "branches", KIND_COUNTER }, { "branch-misses", KIND_COUNTER },
		{ "cache-references", KIND_COUNTER }, { "cache-misses", KIND_COUNTER },
	};
	const char *name = profile_event(meta);
	size_t length = strcspn(name, ":");

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strlen(kinds[i].word) == length && !strncmp(name, kinds[i].word, length))
			return kinds[i].kind;
	return KIND_OTHER;
}

/* Return: how to record less of an event. */
static const char *less_of(const struct profile_meta *meta)
{
	switch (kind_of(meta)) {
	case KIND_OFF_CPU:
		return WORDING(RAISE_MIN_BLOCK);
	case KIND_LATENCY:
		return WORDING(COUNT_LONGER);
	case KIND_FUNC:
	case KIND_TRACEPOINT:
		return WORDING(COUNT_LESS);
	case KIND_COUNTER:
		return WORDING(RAISE_PERIOD);
	default:
		return WORDING(RECORD_FEWER);
	}
}

/* Return: the option that helps, without a parameter of the module; or NULL. */
static const char *option_for(const struct profile_meta *meta, enum flamemod_event_lost reason)
{
	switch (reason) {
	case FLAMEMOD_EVENT_LOST_OVERLOAD:
	case FLAMEMOD_EVENT_LOST_SUSPENDED:
		return less_of(meta);
	case FLAMEMOD_EVENT_LOST_MISSED:
		/* perf stopped a counter that interrupted too often */
		return kind_of(meta) == KIND_COUNTER ? WORDING(RAISE_PERIOD) : NULL;
	case FLAMEMOD_EVENT_LOST_TOO_LARGE:
		return kind_of(meta) == KIND_FUNC ? WORDING(TYPE_WEIGHT) : NULL;
	default:
		return NULL;
	}
}

const char *advice_event_lost(const struct profile_meta *meta, enum flamemod_event_lost reason,
			      char *text, size_t size)
{
	const char *option = option_for(meta, reason);

	switch (reason) {
	case FLAMEMOD_EVENT_LOST_TABLE_FULL:
		return advise_cpu_kb(meta, less_of(meta), text, size);
	case FLAMEMOD_EVENT_LOST_AGGREGATE_FULL:
		snprintf(text, size, "load with a larger events_kb, or %s",
			 WORDING(RECORD_FEWER));
		return text;
	case FLAMEMOD_EVENT_LOST_NO_SLOT:
		/* all tasks have slots, whichever are recorded */
		snprintf(text, size, "load with a larger events_kb");
		return text;
	default:
		if (!option)
			return NULL;
		snprintf(text, size, "%s", option);
		return text;
	}
}

/* ---- all reasons ---- */

static void add_one(struct growing *to, const char *reason, const char *advice)
{
	if (advice)
		growing_add(to, "%s%s: %s", to->used ? "; " : "", reason, advice);
}

static void add_periods(struct growing *to, const struct profile *profile)
{
	char one[ADVICE_MAX];

	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		if (profile->books.lost[i])
			add_one(to, profile_lost_name(i),
				advice_lost(&profile->meta, i, one, sizeof(one)));
}

static_assert((int)FLAMEMOD_LOST_TABLE_FULL == (int)FLAMEMOD_EVENT_LOST_TABLE_FULL &&
	      (int)FLAMEMOD_LOST_AGGREGATE_FULL == (int)FLAMEMOD_EVENT_LOST_AGGREGATE_FULL &&
	      (int)FLAMEMOD_LOST_OVERLOAD == (int)FLAMEMOD_EVENT_LOST_OVERLOAD,
	      "the books have these reasons at the same places");

/*
 * Add the advice for an event. Its books have the weight of the first reasons, also that of
 * time on a CPU in a graph of all time; the numbers have the others, which often have no
 * weight.
 */
static void add_hits(struct growing *to, const struct profile *profile)
{
	char one[ADVICE_MAX];

	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		if (profile->meta.intervals.lost[i] ||
		    (i <= FLAMEMOD_EVENT_LOST_OVERLOAD && profile->books.lost[i]))
			add_one(to, profile_event_lost_name(i),
				advice_event_lost(&profile->meta, i, one, sizeof(one)));
}

const char *advice_all(const struct profile *profile, char text[ADVICE_ALL_MAX])
{
	struct growing to = { .text = text, .room = ADVICE_ALL_MAX };

	if (profile->meta.intervals.known)
		add_hits(&to, profile);
	else
		add_periods(&to, profile);
	return to.used ? text : NULL;
}
