/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One sample: what was interrupted, its task, and its stack.
 */
#ifndef _FLAMEMOD_SAMPLE_H
#define _FLAMEMOD_SAMPLE_H

#include <linux/build_bug.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/* Marks that a stack may carry, as bits. */
#define FM_STACK_TRUNCATED	1	/* deeper than max_depth */
#define FM_STACK_INCOMPLETE	2	/* the unwinder lost its way */
#define FM_STACK_IRQS_OFF	4	/* interrupts were off until the leaf */
#define FM_STACK_WOKEN		8	/* an interrupt ran in a nap; its stack is not known */
#define FM_STACK_INJECTED	16	/* a thread keeps the CPU idle on purpose */
#define FM_STACK_STALLED	32	/* excess of a late fire: see late.h */
#define FM_STACK_STOLEN		64	/* a hypervisor had the CPU; there is no stack */
/* The marks that belong to the callers, not to the leaf. */
#define FM_STACK_CALLERS	(FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE)

/*
 * Spare frames for stack_trace_save(), which starts in our own callback: up to
 * 13 frames of the interrupt were seen before the interrupted one.
 */
#define FM_STACK_SPARE		16

/*
 * The key that a sample is counted under: samples with the same bytes here are
 * counted together. The stack is a leaf, which is the address of the
 * interrupted instruction, and the path of its callers (path.h). Without a
 * stack the leaf is 0.
 */
struct fm_key {
	unsigned long leaf;
	u32 path;
	u8 context;		/* enum flamemod_context */
	u8 marks;		/* FM_STACK_* */
	u8 followed;		/* 1 if the task is followed: see filter.h */
	u8 event;		/* enum flamemod_event */
	u32 pid;
	u32 tid;
	char comm[TASK_COMM_LEN];
	u32 user;		/* the path of the user stack: user/paths.h; 0: none */
	u8 side;		/* enum flamemod_user_side, if there is a user stack */
	u8 state;		/* enum flamemod_task_state, of some events */
	u16 group;		/* the task's cgroup: its number in the table's groups */
};

struct fm_paths;

struct fm_sample {
	struct fm_key key;
	struct fm_paths *paths;		/* the paths that key.path belongs to */
	u32 *last;			/* where to note its table entry */
	/*
	 * It took more than one comparison per frame, so it is timed
	 * (throttle.h).
	 */
	bool slow;
	bool untimed;		/* nobody has read the clock: note when it becomes slow */
	u64 slow_ns;		/* if it was not timed */
	/*
	 * The stack, leaf first, if it is not a path yet; empty if it is. These
	 * are addresses to look up: the leaf's own, and one below each return
	 * address, since a call may be the last instruction of its function.
	 */
	u16 nr_frames;
	unsigned long frames[FLAMEMOD_MAX_DEPTH_MAX + FM_STACK_SPARE];
};

/* A sample becomes slow here. Context: Interrupts off. */
static inline void fm_sample_slows(struct fm_sample *sample)
{
	if (sample->untimed && !sample->slow)
		sample->slow_ns = ktime_get_mono_fast_ns();
	sample->slow = true;
}

bool fm_sample_fold(struct fm_sample *sample);

#endif /* _FLAMEMOD_SAMPLE_H */
