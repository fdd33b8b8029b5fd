/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One sample: what was interrupted, whose it was, and its stack.
 *
 * The part from nr_frames to the last frame is the key under which samples
 * are counted: two samples are the same if those bytes are.
 */
#ifndef _FLAMEMOD_SAMPLE_H
#define _FLAMEMOD_SAMPLE_H

#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/* Marks that a stack may carry, as bits. */
#define FM_STACK_TRUNCATED	1	/* deeper than max_depth */
#define FM_STACK_INCOMPLETE	2	/* the unwinder lost its way */

/*
 * stack_trace_save() begins in our own callback: up to 13 frames of the
 * interrupt were seen before the interrupted one.
 */
#define FM_STACK_SPARE		16

struct fm_sample {
	u32 hash;
	/* from here on: the key */
	u16 nr_frames;
	u8 context;		/* enum flamemod_context */
	u8 marks;		/* FM_STACK_* */
	u32 pid;
	u32 tid;
	char comm[TASK_COMM_LEN];
	/*
	 * Leaf first. Addresses to look up: the leaf's own, and one below each
	 * return address, since a call may be its function's last instruction.
	 */
	unsigned long frames[FLAMEMOD_MAX_DEPTH_MAX + FM_STACK_SPARE];
};

#define FM_SAMPLE_KEY		offsetof(struct fm_sample, nr_frames)

static inline size_t fm_sample_key_bytes(const struct fm_sample *sample)
{
	return offsetof(struct fm_sample, frames) - FM_SAMPLE_KEY +
	       sample->nr_frames * sizeof(sample->frames[0]);
}

void fm_sample_rehash(struct fm_sample *sample);

#endif /* _FLAMEMOD_SAMPLE_H */
