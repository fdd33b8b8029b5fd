// SPDX-License-Identifier: GPL-2.0
/*
 * Naps of idle CPUs: see nap.h.
 *
 * What runs in the timer callback or in the scheduler takes no lock, allocates
 * nothing and prints nothing.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/tick.h>
#include <asm/barrier.h>

#include "compat/compat.h"
#include "cpu.h"
#include "nap.h"

/* The next switch to or from this CPU's idle task may start or end a nap. */
DEFINE_PER_CPU(bool, fm_nap_attends);

static void fm_nap_attend(const struct fm_cpu *c, bool attends)
{
	per_cpu(fm_nap_attends, c->cpu) = attends;
}

/* Return: how long the CPU was idle, without the time of interrupts: see fm_idle_init(). */
static u64 fm_nap_idle_ns(const struct fm_cpu *c)
{
	return (get_cpu_idle_time_us(c->cpu, NULL) +
		get_cpu_iowait_time_us(c->cpu, NULL)) * NSEC_PER_USEC;
}

static void fm_nap_set_idle(struct fm_cpu *c, bool is_idle)
{
	c->is_idle = is_idle;
	c->busy = 0;
	c->looked_tick = c->tick;
	c->look_tick = c->tick + div64_u64(FM_NAP_LOOK_NS, c->ticks.period_ns);
}

/**
 * fm_nap_look() - check whether the CPU is idle, if that is due.
 * @c: the CPU's sampler; the samples since the last check decide
 *
 * Context: On that CPU, interrupts off; or as fm_sampler_swap().
 */
void fm_nap_look(struct fm_cpu *c)
{
	if (c->tick >= c->look_tick)
		fm_nap_set_idle(c, c->busy * FM_NAP_BUSY <=
				   c->tick - c->looked_tick);
}

/* Is the CPU idle? If not, it takes no nap before the next check. */
static bool fm_nap_suits(struct fm_cpu *c)
{
	fm_nap_look(c);
	if (!c->is_idle)
		c->nap_tick = c->look_tick;
	return c->is_idle;
}

/* May a nap start now? If so, charge its price. */
static bool fm_nap_may_start(struct fm_cpu *c)
{
	u64 price;

	/* Pairs with fm_idle_allow(): the probe that ends naps is registered. */
	if (!smp_load_acquire(&c->may_nap) || !fm_nap_suits(c))
		return false;
	price = div64_u64(FM_NAP_NS, c->ticks.period_ns) + 1;
	if (c->tick - c->nap_tick > FM_NAPS_SAVED * price)
		c->nap_tick = c->tick - FM_NAPS_SAVED * price;
	c->nap_tick += price;
	return true;
}

/* Count periods of a nap: idle ones, or those of an interrupt. Return: their counter. */
static u64 *fm_nap_account(struct fm_cpu *c, u64 periods, u8 context)
{
	bool woken = context == FLAMEMOD_CONTEXT_HARDIRQ;
	struct fm_table *table = &c->tables[c->table];
	struct fm_key key = {
		.context = context,
		.marks = woken ? FM_STACK_WOKEN : 0,
		.comm = "swapper",
	};

	if (fm_filter_drops(&c->filter, key.context, key.pid, key.tid,
			    &key.followed))
		return &c->books.filtered;
	if (!fm_table_add(table, &key, periods, 0, &table->last))
		return &c->books.lost[FLAMEMOD_LOST_TABLE_FULL];
	return &c->books.stored;
}

/**
 * fm_nap_count() - count the ticks of a nap up to now as missed.
 * @c: the CPU's sampler, in a nap
 * @now_ns: the time, just read
 *
 * The idle ticks come first, then those of interrupts, such as the interrupt that
 * ended the sleep.
 *
 * Context: On that CPU, interrupts off.
 */
void fm_nap_count(struct fm_cpu *c, u64 now_ns)
{
	u64 idle_ns = fm_nap_idle_ns(c) - c->nap_idle_ns;
	u64 until_ns = c->nap_ns + idle_ns;
	u64 periods;

	if (until_ns + FM_NAP_SLACK_NS > now_ns)
		until_ns = now_ns;
	c->nap_ns = now_ns;
	c->nap_idle_ns += idle_ns;
	if (c->due_ns <= until_ns) {
		periods = fm_cpu_forward(c, until_ns);
		c->books.missed += periods;
		c->books.asleep += periods;
		*fm_nap_account(c, periods, FLAMEMOD_CONTEXT_IDLE) += periods;
	}
	if (c->due_ns <= now_ns) {
		periods = fm_cpu_forward(c, now_ns);
		c->books.missed += periods;
		c->busy += periods;
		*fm_nap_account(c, periods, FLAMEMOD_CONTEXT_HARDIRQ) += periods;
	}
}

static void fm_nap_start(struct fm_cpu *c, u64 now_ns)
{
	fm_late_flush(c);
	fm_nap_attend(c, true);
	WRITE_ONCE(c->nap_from_ns, now_ns);
	WRITE_ONCE(c->napping, true);
	c->nap_ns = now_ns;
	c->nap_idle_ns = fm_nap_idle_ns(c);
}

/**
 * fm_nap_arm() - sampling starts: a nap may start with the next idle task.
 * @c: the CPU's sampler, whose clock is set
 *
 * Context: On that CPU, interrupts off.
 */
void fm_nap_arm(struct fm_cpu *c)
{
	c->nap_tick = c->tick;
	c->look_tick = c->tick;
	fm_nap_set_idle(c, false);
	fm_nap_attend(c, true);
}

/**
 * fm_nap_nods() - start a nap in a fire that found the CPU idle, if allowed.
 * @c: the CPU's sampler, which has earned a nap
 *
 * If no nap starts, the next switch to the idle task may start one.
 *
 * Context: On that CPU, interrupts off, in a fire.
 * Return: true if a nap started, so that the timer must not be restarted.
 */
bool fm_nap_nods(struct fm_cpu *c)
{
	/* A task that is about to run would end the nap at once. */
	if (c->met_idle && !need_resched() && fm_nap_may_start(c)) {
		fm_nap_start(c, ktime_get_ns());
		return true;
	}
	fm_nap_attend(c, fm_nap_suits(c));
	return false;
}

static void fm_nap_end(struct fm_cpu *c)
{
	WRITE_ONCE(c->napping, false);
	fm_nap_attend(c, c->tick >= c->nap_tick);
	hrtimer_start(&c->timer, ns_to_ktime(c->due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * fm_nap_sleep() - start a nap, if allowed: the CPU goes idle and needs no samples.
 * @c: the CPU's sampler
 *
 * No nap starts if none is earned, or if a fire is due: that fire belongs to the
 * task that the CPU leaves.
 *
 * This cancels a timer, so it must not be called from the tracepoint cpu_idle,
 * where the CPU's timer device may be shut down: see docs/design.md.
 *
 * Context: On that CPU, interrupts off; in the scheduler, with its lock held.
 */
void fm_nap_sleep(struct fm_cpu *c)
{
	u64 now_ns;

	if (c->napping || c->stopping)
		return;
	if (!c->armed || c->tick < c->nap_tick) {
		fm_nap_attend(c, false);
		return;
	}
	now_ns = ktime_get_ns();
	if (now_ns >= c->due_ns || !fm_nap_may_start(c))
		return;
	/* Interrupts are off on its CPU, so the callback is not running. */
	hrtimer_try_to_cancel(&c->timer);
	fm_nap_start(c, now_ns);
}

/**
 * fm_nap_wake() - end a nap, if there is one, and go on sampling.
 * @c: the CPU's sampler
 *
 * This starts a timer, so it must not be called from the tracepoint cpu_idle either.
 *
 * Context: On that CPU, interrupts off; in the scheduler, with its lock held, or in
 * an interrupt.
 */
void fm_nap_wake(struct fm_cpu *c)
{
	if (!c->napping)
		return;
	fm_nap_count(c, ktime_get_ns());
	fm_nap_end(c);
}

/**
 * fm_nap_rouse() - end a nap in which interrupts took more time than may go unseen.
 * @c: the CPU's sampler, in a nap that was just counted
 *
 * No nap starts until samples have shown the CPU idle for a second.
 *
 * Context: On that CPU, interrupts off.
 */
void fm_nap_rouse(struct fm_cpu *c)
{
	fm_nap_set_idle(c, false);
	fm_nap_end(c);
}

/**
 * fm_nap_slept() - check whether the CPU has slept since the last drain.
 * @c: the sampler
 *
 * Such a CPU only has idle time to count, which can wait until a reader asks.
 *
 * Context: Under the session's lock.
 * Return: true when nothing fired since.
 */
bool fm_nap_slept(const struct fm_cpu *c)
{
	return READ_ONCE(c->napping) &&
	       READ_ONCE(c->books.fires) == c->swapped.fires;
}

/**
 * fm_nap_stirs() - check whether interrupts kept a napping CPU busy since the last call.
 * @c: the sampler; if the CPU was awake since the last call, the result is false,
 *     because its samples show how busy it was
 * @now_ns: the time, just read
 *
 * Uses the kernel's account of idle time, which another CPU may read at any time.
 * The account is two sums, and time may move from one to the other, so the result
 * may be wrong about the idle time in progress. A wrong result costs a nap.
 *
 * Context: Under the session's lock.
 * Return: true when more than a fiftieth of the time was not idle.
 */
bool fm_nap_stirs(struct fm_cpu *c, u64 now_ns)
{
	bool slept = READ_ONCE(c->napping) &&
		     READ_ONCE(c->nap_from_ns) < c->asked_ns;
	u64 idle_ns = fm_nap_idle_ns(c);
	u64 passed_ns = now_ns - c->asked_ns;
	u64 rested_ns = idle_ns - c->asked_idle_ns;

	c->asked_ns = now_ns;
	c->asked_idle_ns = idle_ns;
	return slept && rested_ns + div_u64(passed_ns, FM_NAP_BUSY) + FM_NAP_SLACK_NS <
	       passed_ns;
}
