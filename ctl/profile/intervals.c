// SPDX-License-Identifier: GPL-2.0
/*
 * Events of tasks: see intervals.h.
 */
#include "profile/intervals.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

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
};

const char *profile_event_name(enum flamemod_event event)
{
	return event_names[event];
}

const char *profile_event_lost_name(enum flamemod_event_lost reason)
{
	return lost_names[reason];
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
	if (over)
		return -EOVERFLOW;
	to.no_waiting |= more->no_waiting;
	if (to.min_ns < more->min_ns)
		to.min_ns = more->min_ns;
	*sum = to;
	return 0;
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
	if (over)
		return -ERANGE;
	*from = left;
	return 0;
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

/* A text that grows, and is cut at its room. */
struct growing {
	char *text;
	size_t used;
};

__attribute__((format(printf, 2, 3)))
static void add(struct growing *to, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(to->text + to->used, INTERVALS_TEXT - to->used, format, args);
	va_end(args);
	if (length > 0)
		to->used += (size_t)length;
	if (to->used >= INTERVALS_TEXT)
		to->used = INTERVALS_TEXT - 1;
}

const char *intervals_books(char text[INTERVALS_TEXT], const struct profile *profile)
{
	const struct profile_books *books = &profile->books;
	struct growing to = { .text = text };
	const char *before = " (";
	char weight[WEIGHT_TEXT];

	add(&to, "%s: seen %s", profile_event(&profile->meta),
	    weight_text(weight, books->fires, "nanoseconds"));
	add(&to, " = stored %s", weight_text(weight, books->stored, "nanoseconds"));
	add(&to, " + filtered %s", weight_text(weight, books->filtered, "nanoseconds"));
	add(&to, " + lost %s", weight_text(weight, profile_lost(books), "nanoseconds"));
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		if (!books->lost[i])
			continue;
		add(&to, "%s%s %s", before, profile_lost_name(i),
		    weight_text(weight, books->lost[i], "nanoseconds"));
		before = ", ";
	}
	if (*before == ',')
		add(&to, ")");
	return text;
}

/* Intervals whose length is not known, so that no sum has them. */
static void add_unknown(struct growing *to, const struct profile_intervals *intervals)
{
	const uint64_t no_slot = intervals->lost[FLAMEMOD_EVENT_LOST_NO_SLOT];
	const uint64_t nested = intervals->lost[FLAMEMOD_EVENT_LOST_NESTED];

	if (no_slot)
		add(to, ", %" PRIu64 " lost of unknown length (no-slot)", no_slot);
	if (nested)
		add(to, ", %" PRIu64 " lost of unknown length (nested)", nested);
}

const char *intervals_fact(char text[INTERVALS_TEXT], const struct profile *profile)
{
	const struct profile_intervals *intervals = &profile->meta.intervals;
	struct growing to = { .text = text };
	char weight[WEIGHT_TEXT];

	add(&to, "%" PRIu64 " interval%s", intervals->seen, intervals->seen == 1 ? "" : "s");
	if (intervals->min_ns)
		add(&to, ", %" PRIu64 " below %s left out", intervals->below,
		    weight_text(weight, intervals->min_ns, "nanoseconds"));
	if (intervals->below_ns)
		add(&to, " (%s)", weight_text(weight, intervals->below_ns, "nanoseconds"));
	add_unknown(&to, intervals);
	if (intervals->no_waiting)
		add(&to, ", waits for a CPU not told apart: this kernel has no CONFIG_SCHED_INFO");
	return text;
}
