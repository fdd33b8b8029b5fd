// SPDX-License-Identifier: GPL-2.0
/*
 * Latencies over time: see latencies.h. The module counts calls by powers of two of their
 * nanoseconds, which is a histogram of each slice, whatever the calls' stacks are.
 */
#include "view/heat/latencies.h"

#include <errno.h>

#include "base/wording.h"
#include "profile/slices.h"

int latencies_rows(struct heat *heat, const struct profile *profile,
		   const struct selection *selection, uint32_t first, uint32_t end,
		   struct error *error)
{
	const char *event = profile_event(&profile->meta);
	struct profile_intervals sum;
	unsigned int low, top;

	if (!intervals_range(&profile->meta.intervals, &low, &top))
		return error_set(error, -EINVAL, "%.100s has no histogram of durations, which %s; %s",
				 *event ? event : "on-cpu", WORDING(RECORD_LATENCY),
				 WORDING(ROWS_COMM));
	/* latencies of calls are not known one by one */
	if (select_restricts(selection))
		return error_set(error, -EINVAL, "the histogram is of all calls, whoever made them, and no part can be selected from it but a range of time; %s",
				 WORDING(ROWS_COMM));
	/* cannot overflow: it is a part of the profile's */
	slices_sum_intervals(profile, first, end, &sum);
	if (!intervals_range(&sum, &low, &top))
		return error_set(error, -ENODATA, "no call of %.100s returned in that range", event);
	heat->power = top - 1;
	heat->nr_rows = top - low;
	return 0;
}

static void fill_column(struct heat *heat, const struct slice *slice, struct heat_cell *cells)
{
	uint64_t whole = 0;

	for (uint32_t row = 0; row < heat->nr_rows; row++) {
		cells[row].part = slice->intervals.powers[heat->power - row];
		whole += cells[row].part;
		if (cells[row].part > heat->most)
			heat->most = cells[row].part;
	}
	for (uint32_t row = 0; row < heat->nr_rows; row++)
		cells[row].whole = whole;
}

void latencies_fill(struct heat *heat, const struct profile *profile, uint32_t first,
		    uint32_t end)
{
	for (uint32_t i = first; i < end; i++)
		fill_column(heat, &profile->slices->list[i],
			    &heat->cells[(size_t)(i - first) * heat->nr_rows]);
}
