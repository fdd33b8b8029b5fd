/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of learned steps, for learned.c, which fills it, and walk.c.
 *
 * Locking: as in learned.h.
 */
#ifndef _FLAMEMOD_LEARNED_STEPS_H
#define _FLAMEMOD_LEARNED_STEPS_H

#include <linux/compiler.h>
#include <linux/hash.h>

#include "learned.h"
#include "step.h"

/* Learning a step costs somewhat more than a frame of the kernel's unwinder. */
#define FM_LEARNED_PER_SAMPLE	16

/* Steps with the same hash; the last two learned are kept. */
struct fm_step_set {
	struct fm_step ways[2];
};

static __always_inline u32 fm_steps_slot(const struct fm_steps *steps, u32 key)
{
	return (key * GOLDEN_RATIO_32) >> steps->shift;
}

/* Find a step. Return: NULL if it was not learned or was replaced by others. */
static __always_inline struct fm_step *
fm_steps_find(const struct fm_steps *steps, u32 key)
{
	struct fm_step_set *set = &steps->sets[fm_steps_slot(steps, key)];

	if (likely(set->ways[0].key == key))
		return &set->ways[0];
	if (set->ways[1].key == key)
		return &set->ways[1];
	return NULL;
}

struct fm_step *fm_learned_learn(struct fm_learned *learned,
				 struct fm_steps *steps, unsigned long address,
				 bool interrupted);

#endif /* _FLAMEMOD_LEARNED_STEPS_H */
