/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All time of tasks in one profile: on a CPU and off it. Each task's weights sum to the
 * time for which it lived meanwhile, so all of them to threads times time.
 */
#ifndef FLAMECTL_WALL_H
#define FLAMECTL_WALL_H

#include "profile/profile.h"

/* The leaf of a task's time on a CPU if no sample says where it was spent. */
#define WALL_ON_CPU	"[on-cpu]"

/**
 * wall_make() - add samples to an event of tasks, as time.
 * @sampled: on-CPU samples of the same time, in periods.
 * @off: the event off-cpu, in nanoseconds.
 * @ran: the event ran, exact time on a CPU by task, in nanoseconds.
 * @wall: set, to be freed by profile_destroy().
 *
 * The time that a task ran is spread over its sampled stacks, by their periods; rounding
 * loses no nanosecond. Samples of a task that never ran, and lost periods, are of no task's
 * time and left out. Spread stacks have no number of intervals.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW.
 */
int wall_make(const struct profile *sampled, const struct profile *off,
	      const struct profile *ran, struct profile **wall);

#endif /* FLAMECTL_WALL_H */
