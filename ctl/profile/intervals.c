// SPDX-License-Identifier: GPL-2.0
/*
 * Events other than samples: see intervals.h.
 */
#include "profile/intervals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/growing.h"
#include "base/weight.h"
#include "profile/profile.h"

static const char *const event_names[__FLAMEMOD_EVENT_MAX] = {
	[FLAMEMOD_EVENT_ON_CPU] = "on-cpu",
	[FLAMEMOD_EVENT_OFF_CPU] = "off-cpu",
	[FLAMEMOD_EVENT_WAITING] = "waiting",
	[FLAMEMOD_EVENT_RAN] = "ran",
};

static const char *const lost_names[__FLAMEMOD_EVENT_LOST_MAX] = {
	[FLAMEMOD_EVENT_LOST_TABLE_FULL] = "table-full",
	[FLAMEMOD_EVENT_LOST_AGGREGATE_FULL] = "aggregate-full",
	[FLAMEMOD_EVENT_LOST_OVERLOAD] = "overload",
	[FLAMEMOD_EVENT_LOST_NO_SLOT] = "no-slot",
	[FLAMEMOD_EVENT_LOST_NESTED] = "nested",
	[FLAMEMOD_EVENT_LOST_MISSED] = "missed",
	[FLAMEMOD_EVENT_LOST_NMI] = "nmi",
	[FLAMEMOD_EVENT_LOST_SUSPENDED] = "suspended",
	[FLAMEMOD_EVENT_LOST_TOO_LARGE] = "too-large",
	[FLAMEMOD_EVENT_LOST_MALFORMED] = "malformed",
};

const char *profile_event_name(enum flamemod_event event)
{
	return event_names[event];
}

const char *profile_event_lost_name(enum flamemod_event_lost reason)
{
	return lost_names[reason];
}

const char *intervals_unit(const struct profile_attached *attached)
{
	return strcmp(attached->unit, "ns") ? attached->unit : "nanoseconds";
}

unsigned int intervals_lost_in(enum flamemod_event_lost reason)
{
	switch (reason) {
	case FLAMEMOD_EVENT_LOST_TABLE_FULL:
		return FLAMEMOD_LOST_TABLE_FULL;
	case FLAMEMOD_EVENT_LOST_AGGREGATE_FULL:
		return FLAMEMOD_LOST_AGGREGATE_FULL;
	case FLAMEMOD_EVENT_LOST_OVERLOAD:
		return FLAMEMOD_LOST_OVERLOAD;
	default:
		/* mostly without a weight: how long they lasted is not known */
		return PROFILE_LOST_OTHER;
	}
}

void intervals_lost(const struct profile_intervals *intervals,
		    const struct profile_books *books, uint64_t *lost)
{
	memset(lost, 0, PROFILE_LOST_MAX * sizeof(*lost));
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		if (books->lost[intervals_lost_in(i)])
			lost[intervals_lost_in(i)] += intervals->lost[i];
}

const char *intervals_name(const struct profile_intervals *intervals)
{
	return intervals->of_hits ? "hits" : "intervals";
}

bool intervals_check_tally(const struct profile_tally *tally)
{
	uint64_t went;
	bool over;

	over = __builtin_add_overflow(tally->stored, tally->filtered, &went);
	over |= __builtin_add_overflow(went, tally->below, &went);
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		over |= __builtin_add_overflow(went, tally->lost[i], &went);
	return !over && went == tally->seen;
}

int intervals_add(struct profile_intervals *sum, const struct profile_intervals *more)
{
	struct profile_intervals to = *sum;
	bool over;

	over = __builtin_add_overflow(to.seen, more->seen, &to.seen);
	over |= __builtin_add_overflow(to.below, more->below, &to.below);
	over |= __builtin_add_overflow(to.below_ns, more->below_ns, &to.below_ns);
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		over |= __builtin_add_overflow(to.lost[i], more->lost[i], &to.lost[i]);
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++)
		over |= __builtin_add_overflow(to.powers[i], more->powers[i], &to.powers[i]);
	if (over)
		return -EOVERFLOW;
	to.no_waiting |= more->no_waiting;
	to.of_hits |= more->of_hits;
	if (to.min_ns < more->min_ns)
		to.min_ns = more->min_ns;
	*sum = to;
	return 0;
}

bool intervals_same_counts(const struct profile_intervals *a,
			   const struct profile_intervals *b)
{
	return a->seen == b->seen && a->below == b->below && a->below_ns == b->below_ns &&
	       !memcmp(a->lost, b->lost, sizeof(a->lost)) &&
	       !memcmp(a->powers, b->powers, sizeof(a->powers));
}

int intervals_subtract(struct profile_intervals *from, const struct profile_intervals *less)
{
	struct profile_intervals left = *from;
	bool over;

	over = __builtin_sub_overflow(left.seen, less->seen, &left.seen);
	over |= __builtin_sub_overflow(left.below, less->below, &left.below);
	over |= __builtin_sub_overflow(left.below_ns, less->below_ns, &left.below_ns);
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		over |= __builtin_sub_overflow(left.lost[i], less->lost[i], &left.lost[i]);
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++)
		over |= __builtin_sub_overflow(left.powers[i], less->powers[i], &left.powers[i]);
	if (over)
		return -ERANGE;
	*from = left;
	return 0;
}

void intervals_leave_out(struct profile_intervals *intervals,
			 const struct profile_record *record)
{
	bool is_single = record->count == 1 && record->periods;
	unsigned int power = is_single ? 63 - (unsigned int)__builtin_clzll(record->periods) : 0;

	if (!intervals->known || !record->count)
		return;
	intervals->seen -= record->count < intervals->seen ? record->count : intervals->seen;
	if (is_single && intervals->powers[power])
		intervals->powers[power]--;
	else
		memset(intervals->powers, 0, sizeof(intervals->powers));
}

void intervals_leave_out_lost(struct profile_intervals *intervals, unsigned int reason)
{
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++) {
		uint64_t *lost = &intervals->lost[i];

		if (intervals_lost_in(i) != reason)
			continue;
		intervals->seen -= *lost < intervals->seen ? *lost : intervals->seen;
		*lost = 0;
	}
}

bool intervals_check(const struct profile *profile)
{
	const struct profile_intervals *intervals = &profile->meta.intervals;
	uint64_t went = intervals->below;
	bool over = false;

	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		over |= __builtin_add_overflow(went, intervals->lost[i], &went);
	for (uint32_t i = 0; i < profile->nr_records; i++)
		over |= __builtin_add_overflow(went, profile->records[i].count, &went);
	return !over && went <= intervals->seen;
}

const char *intervals_books(char text[INTERVALS_TEXT], const struct profile *profile)
{
	const struct profile_books *books = &profile->books;
	const char *unit = profile_unit(&profile->meta), *before = " (";
	struct growing to = { .text = text, .room = INTERVALS_TEXT };
	char weight[WEIGHT_TEXT];

	growing_add(&to, "%s", profile_event(&profile->meta));
	if (weight_unit_length(0, unit))
		growing_add(&to, ", %s", unit);
	growing_add(&to, ": seen %s", weight_text(weight, books->fires, unit));
	growing_add(&to, " = stored %s", weight_text(weight, books->stored, unit));
	growing_add(&to, " + filtered %s", weight_text(weight, books->filtered, unit));
	growing_add(&to, " + lost %s", weight_text(weight, profile_lost(books), unit));
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++) {
		if (!books->lost[i])
			continue;
		growing_add(&to, "%s%s %s", before, profile_lost_name(i),
			    weight_text(weight, books->lost[i], unit));
		before = ", ";
	}
	if (*before == ',')
		growing_add(&to, ")");
	return text;
}

/*
 * Intervals whose length is not known, or hits without a weight, so that no sum has them.
 * A counter's hits in the module itself, or before it is detached, have one in the books.
 */
static void add_unknown(struct growing *to, const struct profile *profile)
{
	const struct profile_intervals *intervals = &profile->meta.intervals;
	bool in_books = profile->books.lost[PROFILE_LOST_OTHER];
	bool is_counted;

	for (unsigned int i = FLAMEMOD_EVENT_LOST_NO_SLOT; i < __FLAMEMOD_EVENT_LOST_MAX; i++) {
		if (!intervals->lost[i])
			continue;
		is_counted = in_books && (i == FLAMEMOD_EVENT_LOST_NESTED ||
					  i == FLAMEMOD_EVENT_LOST_SUSPENDED);
		growing_add(to, ", %" PRIu64 " lost%s (%s)", intervals->lost[i],
			    is_counted ? "" : intervals->of_hits ? " of unknown weight" :
			    " of unknown length", lost_names[i]);
	}
}

const char *intervals_fact(char text[INTERVALS_TEXT], const struct profile *profile)
{
	const struct profile_intervals *intervals = &profile->meta.intervals;
	const char *what = intervals->of_hits ? "hit" : "interval";
	struct growing to = { .text = text, .room = INTERVALS_TEXT };
	char weight[WEIGHT_TEXT];

	growing_add(&to, "%" PRIu64 " %s%s", intervals->seen, what,
		    intervals->seen == 1 ? "" : "s");
	if (intervals->min_ns)
		growing_add(&to, ", %" PRIu64 " below %s left out", intervals->below,
			    weight_text(weight, intervals->min_ns, "nanoseconds"));
	if (intervals->below_ns)
		growing_add(&to, " (%s)", weight_text(weight, intervals->below_ns, "nanoseconds"));
	add_unknown(&to, profile);
	if (intervals->no_waiting)
		growing_add(&to,
			    ", waits for a CPU not told apart: this kernel has no CONFIG_SCHED_INFO");
	return text;
}

bool intervals_range(const struct profile_intervals *intervals, unsigned int *first,
		     unsigned int *end)
{
	*first = INTERVALS_POWERS;
	*end = 0;
	for (unsigned int i = 0; i < INTERVALS_POWERS; i++) {
		if (!intervals->powers[i])
			continue;
		if (*first == INTERVALS_POWERS)
			*first = i;
		*end = i + 1;
	}
	return *end > 0;
}

bool intervals_know_powers(const struct profile_intervals *intervals,
			   const struct profile_record *records, uint32_t nr)
{
	unsigned int first, end;

	if (intervals_range(intervals, &first, &end))
		return true;
	for (uint32_t i = 0; i < nr; i++)
		if (records[i].count)
			return false;
	return true;
}

bool intervals_powers_fit(const struct profile_intervals *intervals,
			  const struct profile_record *records, uint32_t nr)
{
	uint64_t powers = 0, hits = 0;
	bool over = false;

	for (unsigned int i = 0; i < INTERVALS_POWERS; i++)
		over |= __builtin_add_overflow(powers, intervals->powers[i], &powers);
	for (uint32_t i = 0; i < nr; i++)
		over |= __builtin_add_overflow(hits, records[i].count, &hits);
	return !over && (!powers || powers == hits);
}
