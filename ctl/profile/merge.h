/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Any number of profiles, from any number of hosts, as one whose records and
 * books are their sums.
 *
 * Profiles are added one by one and not kept, so memory grows with distinct
 * stacks. A task keeps its host, and those of two hosts are two. CPUs of one
 * number are one, whatever their host: their books are summed, and so are the
 * times for which they were sampled.
 *
 * Slices of one recording say nothing of another: a sum has none.
 *
 * Periods of different lengths are no numbers that can be summed, and neither
 * are weights of different units. They are refused, or, where they are time, all
 * weights are nanoseconds from the first one on: periods of 1 ns, as many as the
 * period had.
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
	char first[128];		/* the first one's name, for messages */
	bool several_hosts;
	bool no_times;			/* of one it is not known when it was */
	bool sliced;			/* to be set: the only one keeps its slices */
	const char *slices_of;		/* whose slices were left out, or NULL */
};

/** merge_init() - begin; with @in_ns weights become time. 0 or -ENOMEM. */
int merge_init(struct merge *merge, bool in_ns);

/** merge_deinit() - free the sum, unless the caller took it. */
void merge_deinit(struct merge *merge);

/**
 * merge_add() - one profile more.
 * @profile: balances, as profile_check() says; not kept.
 * @name: for messages; kept, not copied.
 *
 * Return: 0, -EINVAL where its period is not that of the others, -EOVERFLOW
 * where a sum does not fit, -EFBIG for more stacks than could be read back, or
 * -ENOMEM; after an error the sum holds a part of it.
 */
int merge_add(struct merge *merge, const struct profile *profile,
	      const char *name, struct error *error);

#endif /* FLAMECTL_MERGE_H */
