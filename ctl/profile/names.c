// SPDX-License-Identifier: GPL-2.0
/*
 * Names for a profile's numbers, and simple look-ups: names as in the YAML, the
 * unit of weights, sums, a CPU by its number.
 */
#include "profile/profile.h"

#include <string.h>

#include "profile/records.h"

static const char *const lost_names[PROFILE_LOST_MAX] = {
	[FLAMEMOD_LOST_TABLE_FULL] = "table-full",
	[FLAMEMOD_LOST_AGGREGATE_FULL] = "aggregate-full",
	[FLAMEMOD_LOST_OVERLOAD] = "overload",
	[FLAMEMOD_LOST_NO_REGS] = "no-regs",
	[FLAMEMOD_LOST_STOPPED] = "stopped",
	[PROFILE_LOST_OTHER] = "other",
};

static const char *const context_names[__FLAMEMOD_CONTEXT_MAX] = {
	[FLAMEMOD_CONTEXT_USER] = "user",
	[FLAMEMOD_CONTEXT_TASK] = "task",
	[FLAMEMOD_CONTEXT_SOFTIRQ] = "softirq",
	[FLAMEMOD_CONTEXT_HARDIRQ] = "hardirq",
	[FLAMEMOD_CONTEXT_IDLE] = "idle",
};

static const char *const state_names[__FLAMEMOD_STATE_MAX] = {
	[FLAMEMOD_STATE_STOPPED] = "stopped",
	[FLAMEMOD_STATE_RUNNING] = "running",
	[FLAMEMOD_STATE_BROKEN] = "broken",
};

static const char *const user_side_names[__FLAMEMOD_USER_MAX] = {
	[FLAMEMOD_USER_WHOLE] = "whole",
	[FLAMEMOD_USER_BY_FP] = "by-fp",
	[FLAMEMOD_USER_DEEP] = "deep",
	[FLAMEMOD_USER_UNVERIFIED] = "unverified",
	[FLAMEMOD_USER_NO_MAPPING] = "no-mapping",
	[FLAMEMOD_USER_NOT_LEARNED] = "not-learned",
	[FLAMEMOD_USER_FAULT] = "fault",
	[FLAMEMOD_USER_NO_RULE] = "no-rule",
	[FLAMEMOD_USER_EXEC] = "exec",
	[FLAMEMOD_USER_COMPAT32] = "compat32",
	[FLAMEMOD_USER_CROWDED] = "crowded",
	[FLAMEMOD_USER_COPY_SHORT] = "copy-short",
	[FLAMEMOD_USER_AWAY] = "away",
};

const char *profile_lost_name(enum flamemod_lost reason)
{
	return lost_names[reason];
}

const char *profile_user_side_name(enum flamemod_user_side side)
{
	return user_side_names[side];
}

const char *profile_context_name(enum flamemod_context context)
{
	return context_names[context];
}

const char *profile_state_name(enum flamemod_state state)
{
	return state_names[state];
}

const char *profile_unit(const struct profile_meta *meta)
{
	if (!strcmp(meta->weight_unit, "count") && *meta->weight_type)
		return meta->intervals.of_hits ? "hits" : meta->weight_type;
	if (*meta->weight_unit)
		return meta->weight_unit;
	/* no timer has a period of 1 ns: the weights are time, see merge.h */
	if (meta->period_ns == 1)
		return "nanoseconds";
	return meta->period_ns ? "periods" : "samples";
}

const char *profile_event(const struct profile_meta *meta)
{
	if (meta->intervals.known)
		return meta->weight_type;
	return meta->period_ns ? "" : meta->event;
}

bool profile_is_imported(const struct profile_meta *meta)
{
	/* a sum keeps what all have in common, or the resolution alone */
	return !*meta->module_version && !meta->resolution_ns &&
	       !meta->settings.max_depth && !meta->instant_ns;
}

uint64_t profile_lost(const struct profile_books *books)
{
	uint64_t lost = 0;
	unsigned int i;

	for (i = 0; i < PROFILE_LOST_MAX; i++)
		lost += books->lost[i];
	return lost;
}

uint64_t profile_sampled_ns(const struct profile *profile)
{
	uint64_t longest = 0;
	uint32_t i;

	for (i = 0; i < profile->nr_cpus; i++)
		if (profile->cpus[i].sampled_ns > longest)
			longest = profile->cpus[i].sampled_ns;
	return longest;
}

struct profile_cpu *profile_find_cpu(const struct profile *profile, uint32_t cpu)
{
	uint32_t low = 0, high = profile->nr_cpus;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->cpus[middle].cpu == cpu)
			return &profile->cpus[middle];
		if (profile->cpus[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
