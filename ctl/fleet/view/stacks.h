/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A window's stacks, in the form in which views get them: Pyroscope, Parca, OTLP.
 *
 * Process, thread and CPU are dropped, and equal stacks are added up. The command and the
 * context become frames, the two outermost ones, because these servers make a series of
 * each label of a sample: thousands for each host. Lost periods are the stacks
 * "[lost: reason]", so that all weights sum to stored + lost of the books (the counts of
 * what became of each timer period).
 */
#ifndef FLAMECTL_VIEW_STACKS_H
#define FLAMECTL_VIEW_STACKS_H

#include <stdint.h>

#include "base/error.h"
#include "base/intern.h"
#include "fleet/target.h"
#include "tree/tree.h"

struct view_stacks {
	const struct target_window *window;
	struct tree *tree;		/* every node has a weight, or one below it has */
	struct intern names;		/* of its frames; valid UTF-8, none empty */
	uint32_t *name;			/* by node: its number in @names */
	uint32_t *samples;		/* nodes that stacks end at, with a weight */
	uint32_t nr_samples;
	uint32_t depth_max;		/* frames of the longest stack */
};

/**
 * view_stacks_init() - fold a window's profile.
 * @window: kept, not copied.
 *
 * Return: 0, to be freed by view_stacks_deinit(); -EINVAL with @error for a profile that
 * is not of time, -EOVERFLOW if its time in nanoseconds exceeds 2^63, or -ENOMEM.
 */
int view_stacks_init(struct view_stacks *stacks, const struct target_window *window,
		     struct error *error);

/** view_stacks_deinit() - free what @stacks holds; fine if all is 0. */
void view_stacks_deinit(struct view_stacks *stacks);

/**
 * view_stack() - get the names of a sample's frames, leaf first.
 * @sample: below nr_samples.
 * @names: set to numbers in @stacks->names; has room for depth_max.
 *
 * Return: how many there are.
 */
uint32_t view_stack(const struct view_stacks *stacks, uint32_t sample, uint32_t *names);

/** view_periods() - return a sample's weight, in sampling periods. */
static inline uint64_t view_periods(const struct view_stacks *stacks, uint32_t sample)
{
	return stacks->tree->nodes[stacks->samples[sample]].self;
}

#endif /* FLAMECTL_VIEW_STACKS_H */
