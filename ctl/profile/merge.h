/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merge any number of profiles, from any number of hosts, into one whose
 * records and books are their sums. The books are the counts of what became of
 * each timer period: fires + missed = stored + filtered + lost.
 *
 * Profiles are added one by one and not kept, so memory grows only with
 * distinct stacks. A task keeps its host: equal tasks of two hosts stay two
 * tasks. CPUs of the same number become one, whatever their host: their books
 * are summed, and so are the times for which they were sampled.
 *
 * Different events are not summed; a profile whose event is not known is summed
 * with any.
 *
 * A profile whose host is sampled in one hour of K counts K times, see inclusion.h; but
 * windows of one host can be summed to a longer one, which has their inclusion.
 *
 * A sum of several profiles has no slices: slices of one recording do not apply
 * to another.
 *
 * Periods of different lengths cannot be summed, nor can weights of different
 * units. They are refused; or, if they are time and the caller asks for it, all
 * weights become nanoseconds from the first profile on: each period becomes as
 * many periods of 1 ns as it was long.
 */
#ifndef FLAMECTL_MERGE_H
#define FLAMECTL_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

struct merge {
	struct profile *sum;
	bool in_ns;
	uint32_t nr;			/* added so far */
	char first[128];		/* first profile's name, for messages */
	char event[PROFILE_EVENT_MAX];	/* the first that is known */
	char event_of[128];		/* that profile's name */
	bool several_hosts;
	bool no_times;			/* at least one time is not known */
	bool sliced;			/* by the caller: keep slices of one */
	bool of_one_host;		/* by the caller: windows of one host, of one inclusion */
	const char *slices_of;		/* whose slices were left out, or NULL */
};

/**
 * merge_init() - start; @in_ns: convert weights to time.
 *
 * Return: 0 or -ENOMEM.
 */
int merge_init(struct merge *merge, bool in_ns);

/** merge_deinit() - free the sum, unless the caller took it. */
void merge_deinit(struct merge *merge);

/**
 * merge_add() - add a profile.
 * @profile: must pass profile_check(); not kept.
 * @name: for messages; kept, not copied.
 *
 * Return: 0, -EINVAL if its event, its period or, with ->of_one_host, its inclusion
 * differs from that of the others, -EOVERFLOW if a sum does not fit, -EFBIG for more stacks than could be
 * read back, or -ENOMEM. After an error the sum holds a part of the profile.
 */
int merge_add(struct merge *merge, const struct profile *profile,
	      const char *name, struct error *error);

#endif /* FLAMECTL_MERGE_H */
