/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's sampler: its timer, its hot tables and its books.
 *
 * The books count what became of each timer period; see books.h.
 *
 * Each CPU has a sampled clock, which runs while the timer is armed. The clock
 * has one tick per period (ticks.h), and the timer fires at each tick. After a
 * stop the clock continues where it stood, so fires + missed is always the number
 * of its ticks, however often sampling stopped and started.
 *
 * An idle CPU may nap: its timer is cancelled when it switches to the idle task, or
 * is not restarted by a fire that finds the CPU idle. The timer starts again when
 * the CPU switches to a task. The clock runs meanwhile, and the ticks that passed
 * count as missed: as idle time or as interrupts, split by the kernel's account of
 * idle time. What interrupts do in a nap is not seen. To keep that small, a CPU
 * may nap only if samples found it busy for at most a fiftieth of the last second,
 * and the worker ends a nap in which interrupts take more. The rate of naps is
 * limited: each costs FM_NAP_NS of the sampled clock.
 *
 * Locking: "callback" members belong to the CPU itself with interrupts off:
 * to the timer callback, and to functions called on that CPU. While the timer
 * is not armed they belong to the holder of the session's lock. "session"
 * members belong to the holder of the session's lock.
 */
#ifndef _FLAMEMOD_SAMPLER_H
#define _FLAMEMOD_SAMPLER_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
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

/* One nap is earned per FM_NAP_NS of the sampled clock; this many may be saved. */
#define FM_NAP_NS	(10 * NSEC_PER_MSEC)
#define FM_NAPS_SAVED	5
/* How often to check if a CPU is idle: busy for at most 1/FM_NAP_BUSY of the time. */
#define FM_NAP_LOOK_NS	NSEC_PER_SEC
#define FM_NAP_BUSY	50
/* The longest time to fall asleep and wake up; it counts as idle time. */
#define FM_NAP_SLACK_NS	(50 * NSEC_PER_USEC)

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

	struct fm_filter filter;

	/* constant while armed */
	struct fm_ticks ticks;
	u32 max_depth;
	fm_stack_fn take_stack;
	bool learns;			/* take_stack is fm_learned_stack() */
	void (*ask_drain)(struct irq_work *work);
	struct irq_work drain_work;

	/* session */
	bool has_tables;		/* since it was first sampled */
	bool renew;			/* the next swap changes to the other table */
	bool rouse;			/* the next swap ends a nap */
	u64 asked_ns;			/* when fm_sampler_stirs() was asked last */
	u64 asked_idle_ns;		/* the kernel's account of idle time at asked_ns */
	struct fm_table *swapped_table;	/* its unused half is drained */
	u32 swapped_entries;		/* how many may have counts there */
	struct fm_books swapped;	/* the books at the last swap */
	u64 swapped_due_ns;		/* due_ns at the last swap */
	u64 swapped_overdue;		/* periods due at the last swap and not yet counted */
	struct fm_learned_counts swapped_learned;	/* at the last swap */
	u64 swapped_ns;			/* time of the last swap, or of a drain without one */
	struct fm_books refused;	/* what the aggregate had no room for */
	struct fm_books base;		/* the books at the last reset */
	u64 base_expected;		/* ticks of the clock then */
	u64 base_overdue;		/* overdue periods then */
	u64 base_sampled_ns;		/* the sampled clock then */
};

/* The argument of fm_sampler_refilter(). */
struct fm_refilter {
	struct fm_cpu *c;
	const struct fm_filter *filter;	/* complete: see fm_filter_begin() */
};

/* The argument of fm_sampler_forget_modules(), which is called until done is set. */
struct fm_forgetting {
	struct fm_cpu *c;
	u32 next;		/* where to continue; 0 at first */
	bool done;
};

int fm_sampler_init(struct fm_cpu *c, unsigned int cpu, size_t table_bytes,
		    void (*ask_drain)(struct irq_work *work));
void fm_sampler_quiesce(struct fm_cpu *c);
void fm_sampler_deinit(struct fm_cpu *c);

void fm_sampler_set_period(struct fm_cpu *c, u64 period_ns);
void fm_sampler_refilter(void *data);
void fm_sampler_arm(void *cpu);
void fm_sampler_disarm(void *cpu);
void fm_sampler_sleep(struct fm_cpu *c);
void fm_sampler_wake(struct fm_cpu *c);
void fm_sampler_swap(void *cpu);
void fm_sampler_forget_modules(void *forgetting);

bool fm_sampler_quiet(const struct fm_cpu *c, u64 now_ns);
bool fm_sampler_slept(const struct fm_cpu *c);
bool fm_sampler_stirs(struct fm_cpu *c, u64 now_ns);
u64 fm_sampler_sampled_ns(const struct fm_cpu *c, u64 now_ns);

#endif /* _FLAMEMOD_SAMPLER_H */
