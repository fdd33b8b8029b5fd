/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU's sampler without a timer. The test decides when it fires, what the
 * clock says, what was interrupted and which stack is found.
 */
#ifndef _FM_BY_HAND_H
#define _FM_BY_HAND_H

#include <linux/kernel_stat.h>
#include <kunit/test.h>

#include "../../module/sampler.h"
#include "text.h"

struct fm_hand {
	u64 now_ns;
	bool no_regs;
	bool idle;
	bool has_memory;		/* what was interrupted has user memory */
	u64 cgroup;			/* id of the cgroup of what was interrupted */
	bool injected;			/* this thread injects idle time */
	bool resched;			/* a task waits to run here */
	u64 busy_us;			/* time since boot that was not idle */
	s64 moved_us;			/* idle time moved to time of waiting for a device */
	bool irqs_off;			/* up to the interrupted instruction */
	enum flamemod_context context;
	u64 stack_ns;			/* time that taking a stack takes */
	bool quick;			/* the stack is found as a path */
	u32 nr_frames;			/* the stack: leaf, leaf + 1, ... */
	unsigned long leaf;		/* offset from FM_TEST_TEXT */
	bool one_caller;		/* the stack: leaf, 0x1001, 0x1002, ... (offsets) */
	u8 marks;
	unsigned int nr_stacks;		/* stacks taken so far */
	unsigned int nr_asked;		/* drains requested so far */
	unsigned int nr_starts;		/* starts of the timer so far */
	unsigned int nr_cancels;	/* cancels of the timer so far */
	unsigned int max_depth;		/* limit given for the last stack */
	bool guarded;			/* the guard was set at the last stack */
	unsigned int cpu;		/* this CPU's number in the kernel's accounts */
	bool idle_dyntick;		/* ends of idle time update the account, as from v7.2 on */
	struct kernel_cpustat account, others;
};

extern struct fm_hand fm_hand;

void fm_hand_begin(void);
void fm_hand_end(void);

struct fm_cpu *fm_hand_cpu(struct kunit *test, u64 period_ns);
void fm_hand_cpu_end(struct kunit *test, struct fm_cpu *c);

void fm_hand_stack(struct fm_learned *learned, struct pt_regs *regs,
		   struct fm_sample *sample, unsigned int max_depth);
void fm_hand_ask(struct irq_work *work);
enum hrtimer_restart fm_hand_fire(struct fm_cpu *c, u64 late_ns);
enum hrtimer_restart fm_hand_fire_now(struct fm_cpu *c);
bool fm_hand_nap(struct fm_cpu *c);

#endif /* _FM_BY_HAND_H */
