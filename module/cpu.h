/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is kept for one CPU: its timer, its sampled clock, its hot tables and its
 * books. The sampler (sampler.h), naps (nap.h) and late fires (late.h) work on it,
 * each on members of its own and on the clock and the books.
 *
 * The books count what became of each timer period; see books.h.
 *
 * Each CPU has a sampled clock, which runs while the timer is armed. The clock
 * has one tick per period (ticks.h), and the timer fires at each tick. After a
 * stop the clock continues where it stood, so fires + missed is always the number
 * of its ticks, however often sampling stopped and started.
 *
 * The clock runs on while an idle CPU naps, with its timer cancelled: see nap.h.
 *
 * Locking: "callback" members belong to the CPU itself with interrupts off:
 * to the timer callback, and to functions called on that CPU. While the timer
 * is not armed they belong to the holder of the session's lock. "session"
 * members belong to the holder of the session's lock.
 */
#ifndef _FLAMEMOD_CPU_H
#define _FLAMEMOD_CPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/math64.h>
#include <linux/ptrace.h>

#include "books.h"
#include "filter.h"
#include "late.h"
#include "learned.h"
#include "pauses.h"
#include "stack.h"
#include "table.h"
#include "throttle.h"
#include "ticks.h"
#include "user/walk.h"

struct fm_cpu {
	unsigned int cpu;

	/* callback */
	struct hrtimer timer;
	bool armed;
	bool drain_asked;
	bool stopping;			/* the fire that is due is the last */
	bool hurried;			/* do not wait for that fire */
	bool may_nap;			/* idle.c will report its wake-up */
	bool napping;			/* in its idle task, with no timer set */
	bool met_idle;			/* the last fire found the CPU idle */
	bool is_idle;			/* as of the last check for idleness */
	u64 nap_tick;			/* the next nap may start from this tick on */
	u64 nap_from_ns;		/* when the current nap started */
	u64 nap_ns;			/* up to when the nap is counted */
	u64 nap_idle_ns;		/* the kernel's account of idle time at nap_ns */
	u64 busy;			/* ticks since looked_tick that were not idle */
	u64 looked_tick;		/* when idleness was last checked */
	u64 look_tick;			/* when to check it again */
	u8 table;			/* index of the table in use; the other is empty */
	struct fm_table tables[2];
	struct fm_books books;
	struct fm_throttle throttle;
	struct fm_pauses pauses;
	struct fm_learned learned;
	u64 tick;			/* number of the next tick */
	u64 tick_from_ns;		/* start of the next tick's period */
	u64 due_ns;			/* time of the next tick */
	u64 since_ns;			/* when it was armed; 0: never */
	u64 sampled_ns;			/* the sampled clock at since_ns */
	struct fm_late late;
	struct fm_sample sample;	/* the sample being taken */
	struct pt_regs caller;		/* registers before a call: see fm_irqs_in_caller() */
	struct fm_maps *maps;		/* of user stacks; NULL: none were ever taken here */

	struct fm_filter filter;

	/* constant while armed */
	struct fm_ticks ticks;
	u32 max_depth;
	fm_stack_fn take_stack;
	bool learns;			/* take_stack is fm_learned_stack() */
	bool user_stacks;		/* take them; there are maps */
	void (*ask_drain)(struct irq_work *work);
	struct irq_work drain_work;

	/* session */
	bool has_tables;		/* since it was first sampled */
	bool renew;			/* the next swap changes to the other table */
	bool rouse;			/* the next swap ends a nap */
	u64 asked_ns;			/* when fm_nap_stirs() was asked last */
	u64 asked_idle_ns;		/* the kernel's account of idle time at asked_ns */
	struct fm_table *swapped_table;	/* its unused half is drained */
	u32 swapped_entries;		/* how many may have counts there */
	struct fm_books swapped;	/* the books at the last swap */
	u64 swapped_due_ns;		/* due_ns at the last swap */
	u64 swapped_overdue;		/* periods due at the last swap and not yet counted */
	struct fm_learned_counts swapped_learned;	/* at the last swap */
	u32 swapped_copies;		/* the number of the next copy at the last swap */
	u64 swapped_ns;			/* time of the last swap, or of a drain without one */
	struct fm_books refused;	/* what the aggregate had no room for */
	struct fm_books base;		/* the books at the last reset */
	u64 base_expected;		/* ticks of the clock then */
	u64 base_overdue;		/* overdue periods then */
	u64 base_sampled_ns;		/* the sampled clock then */
};

/* Advance by so many ticks. */
static __always_inline void fm_cpu_pass(struct fm_cpu *c, u64 nr)
{
	c->tick += nr;
	c->tick_from_ns += nr * c->ticks.period_ns;
	c->due_ns = c->tick_from_ns + fm_ticks_offset(&c->ticks, c->tick);
}

/**
 * fm_cpu_forward() - advance the clock to the first tick after now.
 * @c: the sampler
 * @now_ns: the time, not before the next tick
 *
 * Context: As the "callback" members.
 * Return: how many ticks passed, at least one.
 */
static __always_inline u64 fm_cpu_forward(struct fm_cpu *c, u64 now_ns)
{
	u64 first = c->tick;

	fm_cpu_pass(c, 1);
	if (likely(c->due_ns > now_ns))
		return 1;
	fm_cpu_pass(c, div64_u64(now_ns - c->tick_from_ns,
				 c->ticks.period_ns));
	if (c->due_ns <= now_ns)
		fm_cpu_pass(c, 1);
	return c->tick - first;
}

#endif /* _FLAMEMOD_CPU_H */
