/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A CPU's sampler worked by hand: no timer runs. What the clock says, what was
 * interrupted and what stack is found are the test's.
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
	bool injected;			/* idle time, by this thread */
	bool resched;			/* a task is to run here */
	u64 busy_us;			/* not idle, of all time */
	s64 moved_us;			/* of the idle time, to the time of waiting for a device */
	bool irqs_off;			/* until what was interrupted */
	enum flamemod_context context;
	u64 stack_ns;			/* how long taking a stack takes */
	bool quick;			/* it is found as a path */
	u32 nr_frames;			/* the stack: leaf, leaf + 1, ... */
	unsigned long leaf;		/* from FM_TEST_TEXT on */
	bool one_caller;		/* leaf, 0x1001, 0x1002, ... from there on */
	u8 marks;
	unsigned int nr_stacks;		/* taken so far */
	unsigned int nr_asked;		/* drains asked for so far */
	unsigned int nr_starts;		/* of the timer, so far */
	unsigned int nr_cancels;	/* likewise */
	unsigned int max_depth;		/* of the last stack taken */
	unsigned int cpu;		/* the CPU that this is, as the kernel accounts it */
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
