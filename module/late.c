// SPDX-License-Identifier: GPL-2.0
/*
 * The excess of late fires: see late.h.
 */
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/irq_regs.h>

#include "compat/compat.h"
#include "cpu.h"
#include "irqs.h"
#include "late.h"

/**
 * fm_late_found_clock() - check whether a CPU's steal clock has run.
 * @cpu: any possible CPU
 *
 * Context: Any.
 * Return: true if the kernel accounted stolen time of it since the machine started.
 */
bool fm_late_found_clock(unsigned int cpu)
{
	return READ_ONCE(kcpustat_cpu(cpu).cpustat[CPUTIME_STEAL]);
}

static u64 fm_late_stolen_ns(void)
{
	return kcpustat_this_cpu->cpustat[CPUTIME_STEAL];
}

/*
 * A number that changes when the tick updates this CPU's account. The time of interrupts
 * is left out, because it may also be updated between ticks. From v7.2 on that is true of
 * idle time, too: a CPU that stops being idle then accounts a part of its stolen time.
 */
static u64 fm_late_updates(void)
{
	const u64 *cpustat = kcpustat_this_cpu->cpustat;
	u64 busy = cpustat[CPUTIME_USER] + cpustat[CPUTIME_NICE] +
		   cpustat[CPUTIME_SYSTEM];

	if (FM_COMPAT_IDLE_DYNTICK)
		return busy;
	return busy + cpustat[CPUTIME_IDLE] +
	       cpustat[CPUTIME_IOWAIT] + cpustat[CPUTIME_STEAL];
}

/* Count periods without a sample, under a key of the table in use. */
static void fm_late_store(struct fm_cpu *c, const struct fm_key *key, u64 periods)
{
	struct fm_table *table = &c->tables[c->table];

	if (!fm_table_add_periods(table, key, periods, &table->last)) {
		c->books.lost[FLAMEMOD_LOST_TABLE_FULL] += periods;
		return;
	}
	c->books.stored += periods;
	if (key->marks & FM_STACK_STOLEN)
		c->books.stolen += periods;
}

/* Turn what is owed into at most so many periods. Return: how many. */
static u64 fm_late_take(struct fm_cpu *c, u64 periods)
{
	u64 taken = min(periods, div64_u64(c->late.owed_ns, c->ticks.period_ns));

	c->late.owed_ns -= taken * c->ticks.period_ns;
	return taken;
}

static void fm_late_store_stolen(struct fm_cpu *c, const struct fm_key *victim,
				 u64 periods)
{
	struct fm_key key = *victim;

	key.leaf = 0;
	key.path = FM_PATH_NONE;
	key.user = 0;
	key.side = 0;
	key.marks = FM_STACK_STOLEN;
	if (periods)
		fm_late_store(c, &key, periods);
}

/* Remove the oldest. */
static struct fm_held fm_late_shift(struct fm_late *late)
{
	struct fm_held held = late->held[0];

	late->nr_held--;
	memmove(&late->held[0], &late->held[1],
		late->nr_held * sizeof(late->held[0]));
	return held;
}

/* Count one late fire's excess: what is owed as stolen, the rest with a mark. */
static void fm_late_decide(struct fm_cpu *c, struct fm_held held, u8 mark)
{
	u64 stolen = fm_late_take(c, held.periods);

	held.periods -= stolen;
	if (held.counted)
		return;
	fm_late_store_stolen(c, &held.key, stolen);
	held.key.marks |= mark;
	if (held.periods)
		fm_late_store(c, &held.key, held.periods);
}

/* Decide about the fires after which the account was updated. */
static void fm_late_settle(struct fm_cpu *c)
{
	u64 updates = fm_late_updates();

	while (c->late.nr_held && c->late.held[0].updates != updates)
		fm_late_decide(c, fm_late_shift(&c->late), 0);
}

/* Count the oldest as undecided. Its stolen time may still come to the account. */
static void fm_late_give_up(struct fm_cpu *c)
{
	struct fm_held held = fm_late_shift(&c->late);
	u64 owed_ns = c->late.owed_ns;

	fm_late_decide(c, held, held.stalled);
	c->late.stalled_ns += held.periods * c->ticks.period_ns -
			      (owed_ns - c->late.owed_ns);
	c->late.updates = fm_late_updates();
}

/* Read the account, and drop what was stolen around a nap or counted as stalled. */
static void fm_late_look(struct fm_cpu *c, u64 now_ns)
{
	struct fm_late *late = &c->late;
	u64 stolen_ns = fm_late_stolen_ns();
	u64 new_ns = stolen_ns - late->stolen_ns, known_ns;

	late->stolen_ns = stolen_ns;
	if (now_ns - c->nap_ns < FM_LATE_WAKES_NS)
		new_ns = 0;
	known_ns = min(new_ns, late->stalled_ns);
	new_ns -= known_ns;
	late->stalled_ns -= known_ns;
	if (late->updates != fm_late_updates())
		late->stalled_ns = 0;
	late->owed_ns += new_ns;
}

/**
 * fm_late_steals() - read the account of stolen time, and decide what can be decided.
 * @c: the CPU's sampler, which uses the steal clock
 * @now_ns: the time of the fire
 * @periods: those that the fire stands for
 *
 * Context: On that CPU, interrupts off, in a fire, before its periods are counted.
 * Return: true if the fire must be counted as stolen; its only period is then paid.
 */
bool fm_late_steals(struct fm_cpu *c, u64 now_ns, u64 periods)
{
	if (likely(fm_late_stolen_ns() == c->late.stolen_ns) &&
	    !c->late.nr_held && !c->late.stalled_ns &&
	    c->late.owed_ns < c->ticks.period_ns)
		return false;
	fm_late_look(c, now_ns);
	fm_late_settle(c);
	/* What is owed goes to the excess of late fires first: fm_late_count() does that. */
	return periods == 1 && !c->late.nr_held && fm_late_take(c, 1);
}

/* Return: the mark of a late fire's excess if it is not known to be something else. */
static u8 fm_late_mark(const struct fm_key *key, u64 late_ns, bool clock)
{
	if (key->context == FLAMEMOD_CONTEXT_IDLE ||
	    key->marks & FM_STACK_INJECTED)
		return late_ns >= FM_STALL_NS ? FM_STACK_STALLED : 0;
	if (key->marks & FM_STACK_IRQS_OFF)
		/* Without a steal clock, nothing says that any of it was stolen. */
		return clock ? FM_STACK_STALLED : 0;
	return late_ns >= FM_IRQS_LATE_NS ? FM_STACK_STALLED : 0;
}

static void fm_late_hold(struct fm_cpu *c, u64 excess, u8 mark, bool counted)
{
	struct fm_late *late = &c->late;

	if (late->nr_held == FM_LATE_HELD)
		fm_late_give_up(c);
	late->held[late->nr_held++] = (struct fm_held) {
		.key = c->sample.key,
		.periods = excess,
		.updates = fm_late_updates(),
		.stalled = mark,
		.counted = counted,
	};
}

/* Were interrupts off until what the fire interrupted? */
static bool fm_late_irqs_off(struct fm_cpu *c)
{
	struct pt_regs *regs = get_irq_regs();

	/* Idle loops sleep that way. */
	if (!regs || user_mode(regs) ||
	    c->sample.key.context == FLAMEMOD_CONTEXT_IDLE)
		return false;
	return fm_irqs_were_off(instruction_pointer(regs)) ||
	       fm_irqs_in_caller(regs, &c->caller);
}

static void fm_late_list(struct fm_cpu *c, u64 late_ns)
{
	struct fm_stalls *stalls = &c->late.stalls;
	struct fm_stall *last = &stalls->last[stalls->nr % FM_STALLS];

	WRITE_ONCE(last->from_ns, ktime_get_ns() - late_ns);
	WRITE_ONCE(last->ns, late_ns);
	/* Pairs with fm_stalls_copy(): it reads what was written before this. */
	smp_store_release(&stalls->nr, stalls->nr + 1);
}

/**
 * fm_late_count() - count the excess of a late fire.
 * @c: the CPU's sampler; its sample is that of the fire
 * @to: the counter of the books that the fire's first period was added to
 * @excess: the fire's other periods, at least one
 * @late_ns: how late the fire was
 *
 * Context: On that CPU, interrupts off, in a fire.
 */
void fm_late_count(struct fm_cpu *c, u64 *to, u64 excess, u64 late_ns)
{
	bool counted = to != &c->books.stored, clock = c->late.clock;
	struct fm_key *key = &c->sample.key;
	u8 mark = fm_late_mark(key, late_ns, clock);
	u64 stolen = 0;

	c->books.late += excess;
	if (late_ns >= FM_STALL_NS && !fm_late_irqs_off(c))
		fm_late_list(c, late_ns);
	if (counted)
		*to += excess;
	if (clock) {
		/* The account may have been updated before this fire. */
		if (!c->late.nr_held)
			stolen = fm_late_take(c, excess);
		if (!counted)
			fm_late_store_stolen(c, key, stolen);
		if (stolen < excess)
			fm_late_hold(c, excess - stolen, mark, counted);
	} else if (!counted) {
		key->marks |= mark;
		fm_late_store(c, key, excess);
	}
}

/**
 * fm_late_flush() - count the excess that is held as undecided.
 * @c: the CPU's sampler
 *
 * Context: On that CPU, interrupts off.
 */
void fm_late_flush(struct fm_cpu *c)
{
	while (c->late.nr_held)
		fm_late_give_up(c);
}

/**
 * fm_late_arm() - start to read the steal clock, if the machine has one.
 * @c: the CPU's sampler
 *
 * Context: On that CPU, interrupts off.
 */
void fm_late_arm(struct fm_cpu *c)
{
	c->late.clock = READ_ONCE(c->late.has_clock);
	c->late.stolen_ns = fm_late_stolen_ns();
	c->late.owed_ns = 0;
	c->late.stalled_ns = 0;
}

/**
 * fm_late_swap() - prepare for a swap: nothing is held, a new steal clock is used.
 * @c: the CPU's sampler
 *
 * Context: As fm_sampler_swap(), before the tables change.
 */
void fm_late_swap(struct fm_cpu *c)
{
	fm_late_flush(c);
	if (!c->late.clock && c->armed && READ_ONCE(c->late.has_clock))
		fm_late_arm(c);
}

/**
 * fm_stalls_copy() - copy a CPU's latest stalls, oldest first.
 * @stalls: the CPU's, which may be sampling
 * @last: room for FM_STALLS - 1
 *
 * The oldest is left out, because a stall that is being listed replaces it.
 *
 * Context: Any.
 * Return: how many were copied.
 */
u32 fm_stalls_copy(const struct fm_stalls *stalls, struct fm_stall *last)
{
	/* Pairs with fm_late_list(). */
	u64 nr = smp_load_acquire(&stalls->nr), i;
	u32 copied = min_t(u64, nr, FM_STALLS - 1);

	for (i = 0; i < copied; i++) {
		const struct fm_stall *from =
			&stalls->last[(nr - copied + i) % FM_STALLS];

		last[i].from_ns = READ_ONCE(from->from_ns);
		last[i].ns = READ_ONCE(from->ns);
	}
	return copied;
}
