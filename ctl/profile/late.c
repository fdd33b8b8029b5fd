// SPDX-License-Identifier: GPL-2.0
/*
 * What late fires were counted for: see profile_late().
 */
#include "profile/profile.h"

#include <stdio.h>
#include <string.h>

#include "base/percent.h"

static bool is_mark(const struct profile *profile, uint32_t node,
		    const char *name)
{
	const struct profile_frame *frame;

	if (!node)
		return false;
	frame = &profile->frames[profile->nodes[node].frame];
	return frame->kind == FLAMEMOD_FRAME_MARK && !strcmp(frame->name, name);
}

/*
 * Match time of an idle CPU without a timer. Its periods have few samples or none,
 * but nothing was late. If the timer finds a CPU idle, there is a stack.
 */
static bool is_nap(const struct profile *profile,
		   const struct profile_record *record)
{
	return (record->context == FLAMEMOD_CONTEXT_IDLE && !record->node) ||
	       is_mark(profile, record->node, "[interrupt]");
}

uint64_t profile_late(const struct profile *profile,
		      const struct profile_record *record)
{
	const struct profile_meta *meta = &profile->meta;

	/* a sum of several rates is in nanoseconds, and does not say how many are a period */
	if (profile_is_imported(meta) || meta->intervals.known || meta->period_ns == 1 ||
	    is_nap(profile, record))
		return 0;
	if (is_mark(profile, record->node, "[steal]"))
		return record->periods;
	return record->periods > record->count ?
	       record->periods - record->count : 0;
}

uint64_t profile_late_all(const struct profile *profile)
{
	uint64_t late = 0;

	for (uint32_t i = 0; i < profile->nr_records; i++)
		late += profile_late(profile, &profile->records[i]);
	return late;
}

const char *profile_late_fact(const struct profile *profile,
			      char text[PROFILE_LATE_FACT])
{
	static const char *const clocks[] = {
		[PROFILE_STEAL_UNKNOWN] = "",
		[PROFILE_STEAL_NONE] = ", no steal clock",
		[PROFILE_STEAL_CLOCK] = ", with a steal clock",
	};
	uint64_t late = profile_late_all(profile);
	char share[PERCENT_TEXT];

	if (!late)
		return NULL;
	snprintf(text, PROFILE_LATE_FACT, "late %s %%%s",
		 percent_text(share, late, profile->books.stored),
		 clocks[profile->meta.steal]);
	return text;
}
