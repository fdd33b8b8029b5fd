/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One sample: what was interrupted, whose it was, and its stack.
 */
#ifndef _FLAMEMOD_SAMPLE_H
#define _FLAMEMOD_SAMPLE_H

#include <linux/build_bug.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/* Marks that a stack may carry, as bits. */
#define FM_STACK_TRUNCATED	1	/* deeper than max_depth */
#define FM_STACK_INCOMPLETE	2	/* the unwinder lost its way */
#define FM_STACK_IRQS_OFF	4	/* interrupts were off until the leaf */
#define FM_STACK_WOKEN		8	/* by an interrupt, in a nap; no stack is known */
#define FM_STACK_INJECTED	16	/* a thread keeps the CPU idle on purpose */
/* Those of its callers, not of its leaf. */
#define FM_STACK_CALLERS	(FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE)

/*
 * stack_trace_save() begins in our own callback: up to 13 frames of the
 * interrupt were seen before the interrupted one.
 */
#define FM_STACK_SPARE		16

/*
 * What samples are counted under: two are the same if these bytes are. The
 * stack is its leaf, the address of the interrupted instruction, and the path
 * of that one's callers (path.h); the leaf is 0 where there is no stack.
 */
struct fm_key {
	unsigned long leaf;
	u32 path;
	u8 context;		/* enum flamemod_context */
	u8 marks;		/* FM_STACK_* */
	u8 followed;		/* 1 where the task was: see filter.h */
	u8 zero;
	u32 pid;
	u32 tid;
	char comm[TASK_COMM_LEN];
};

struct fm_paths;

struct fm_sample {
	struct fm_key key;
	struct fm_paths *paths;		/* that key.path is one of */
	u32 *last;			/* where its table's entry is noted */
	/*
	 * What took long is paid for at its full price (see throttle.h).
	 */
	bool slow;
	/*
	 * The stack, leaf first, where it is not a path yet; none where it is.
	 * Addresses to look up: the leaf's own, and one below each return
	 * address, since a call may be its function's last instruction.
	 */
	u16 nr_frames;
	unsigned long frames[FLAMEMOD_MAX_DEPTH_MAX + FM_STACK_SPARE];
};

bool fm_sample_fold(struct fm_sample *sample);

#endif /* _FLAMEMOD_SAMPLE_H */
