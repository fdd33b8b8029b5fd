/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's sampler: its timer, its hot tables, its books.
 *
 * The sampled clock of a CPU runs while its timer is armed, and the timer
 * fires at its ticks (ticks.h), one a period. The clock goes on where it was
 * after a stop, so that fires + missed is the number of ticks on it, however
 * often sampling stopped and started.
 *
 * A CPU that is idle may nap: when it switches to its idle task the timer is
 * cancelled, or a fire that finds it idle does not restart it; and it is started
 * again when the CPU switches to a task. The clock runs on, and the ticks that
 * passed are missed ones of idle time, or of interrupts, by the kernel's account of
 * idle time. What an interrupt does in a nap is not seen. So that this is little, a
 * CPU has to have been idle but for a fiftieth of the last second, by its samples,
 * and the worker ends a nap in which interrupts take more; and naps are earned, each
 * by FM_NAP_NS.
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
#include "learned.h"
#include "pauses.h"
#include "stack.h"
#include "table.h"
#include "throttle.h"
#include "ticks.h"

/* Of the sampled clock, for each nap; and how many may be saved up. */
#define FM_NAP_NS	(10 * NSEC_PER_MSEC)
#define FM_NAPS_SAVED	5
/* How often it is looked at whether a CPU is idle, but for one part in so many. */
#define FM_NAP_LOOK_NS	NSEC_PER_SEC
#define FM_NAP_BUSY	50
/* Falling asleep and waking up, at their most, which is as good as idle time. */
#define FM_NAP_SLACK_NS	(50 * NSEC_PER_USEC)

struct fm_cpu {
	unsigned int cpu;

	/* callback */
	struct hrtimer timer;
	bool armed;
	bool drain_asked;
	bool stopping;			/* the fire that is due is the last */
	bool hurried;			/* do not wait for it */
	bool may_nap;			/* somebody tells when it wakes up; as idle.c sets it */
	bool napping;			/* in its idle task, with no timer set */
	bool met_idle;			/* by the last fire */
	bool is_idle;			/* it was, when it was looked at last */
	u64 nap_tick;			/* the next nap may begin from here on */
	u64 nap_from_ns;		/* when this one began */
	u64 nap_ns;			/* likewise, or when it was counted */
	u64 nap_idle_ns;		/* the kernel's account of idle time then */
	u64 busy;			/* ticks that were not idle since then */
	u64 looked_tick;		/* when that was */
	u64 look_tick;			/* when it is to be looked at again */
	u8 table;			/* that samples go to; the other is empty */
	struct fm_table tables[2];
	struct fm_books books;
	struct fm_throttle throttle;
	struct fm_pauses pauses;
	struct fm_learned learned;
	u64 tick;			/* the next one's number */
	u64 tick_from_ns;		/* when its period began or begins */
	u64 due_ns;			/* when it is itself */
	u64 since_ns;			/* when it was armed; 0: never */
	u64 sampled_ns;			/* the sampled clock until then */
	struct fm_sample sample;	/* the sample being taken */
	struct pt_regs caller;		/* those of who let interrupts in, and called */

	struct fm_filter filter;

	/* constant while armed */
	struct fm_ticks ticks;
	u32 max_depth;
	fm_stack_fn take_stack;
	bool learns;			/* by learned steps, then */
	void (*ask_drain)(struct irq_work *work);
	struct irq_work drain_work;

	/* session */
	bool has_tables;		/* since it was to be sampled first */
	bool renew;			/* the next swap is to the other table */
	bool rouse;			/* the next swap ends a nap */
	u64 asked_ns;			/* when fm_sampler_stirs() was asked last */
	u64 asked_idle_ns;		/* the kernel's account of idle time then */
	struct fm_table *swapped_table;	/* whose other half is to be drained */
	u32 swapped_entries;		/* that many may have something there */
	struct fm_books swapped;	/* the books at the last swap */
	u64 swapped_due_ns;		/* and when the next tick was then */
	u64 swapped_overdue;		/* periods due then that were not yet counted */
	struct fm_learned_counts swapped_learned;	/* likewise */
	u64 swapped_ns;			/* when that was; of a CPU left alone, the drain */
	struct fm_books refused;	/* what the aggregate then had no room for */
	struct fm_books base;		/* where the books stood at the last reset */
	u64 base_expected;		/* likewise, in ticks of the clock */
	u64 base_overdue;		/* likewise */
	u64 base_sampled_ns;		/* likewise */
};

/* What fm_sampler_refilter() takes. */
struct fm_refilter {
	struct fm_cpu *c;
	const struct fm_filter *filter;	/* complete: see fm_filter_begin() */
};

/* What fm_sampler_forget_modules() takes, called until all is done. */
struct fm_forgetting {
	struct fm_cpu *c;
	u32 next;		/* how far it is; 0 at first */
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
bool fm_sampler_is_idle(const struct fm_cpu *c);
u64 fm_sampler_sampled_ns(const struct fm_cpu *c, u64 now_ns);

#endif /* _FLAMEMOD_SAMPLER_H */
