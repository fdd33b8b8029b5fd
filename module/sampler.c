// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU's sampler: see sampler.h.
 *
 * The timer callback runs in hard interrupt context, on PREEMPT_RT too. It
 * takes no lock, allocates nothing, prints nothing, wakes nobody; what it
 * touches is its own CPU's.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/topology.h>
#include <asm/irq_regs.h>

#include "compat/compat.h"
#include "context.h"
#include "irqs.h"
#include "sampler.h"

/* Whose time it is. Idle is one task to a reader, whatever its CPU. */
static void fm_sampler_fill_task(struct fm_key *key)
{
	key->pid = current->tgid;
	key->tid = current->pid;
	if (fm_context_idles(current)) {
		memcpy(key->comm, "swapper\0\0\0\0\0\0\0\0", TASK_COMM_LEN);
		return;
	}
	/* Another thread may be changing it: bytes of both are harmless. */
	memcpy(key->comm, current->comm, TASK_COMM_LEN);
	key->comm[TASK_COMM_LEN - 1] = 0;
}

/* Where do the periods of this fire go? */
static u64 *fm_sampler_account(struct fm_cpu *c, u64 now_ns, u64 periods,
			       u64 late_ns)
{
	struct pt_regs *regs = get_irq_regs();
	struct fm_sample *sample = &c->sample;
	struct fm_table *table = &c->tables[c->table];
	struct fm_key *key = &sample->key;

	c->met_idle = false;
	if (!regs)
		return &c->books.lost[FLAMEMOD_LOST_NO_REGS];
	key->context = fm_context_get(regs);
	c->met_idle = key->context == FLAMEMOD_CONTEXT_IDLE;
	c->busy += c->met_idle ? 0 : periods;
	if (fm_filter_drops(&c->filter, key->context, current->tgid,
			    current->pid, &key->followed))
		return &c->books.filtered;
	if (!fm_throttle_allows(&c->throttle, now_ns))
		return &c->books.lost[FLAMEMOD_LOST_OVERLOAD];
	fm_sampler_fill_task(key);
	key->leaf = 0;
	key->path = FM_PATH_NONE;
	key->marks = 0;
	sample->last = &table->last;
	if (key->context != FLAMEMOD_CONTEXT_USER) {
		bool injected = key->context == FLAMEMOD_CONTEXT_TASK &&
				fm_context_injects_idle(current);
		bool off = false;

		/* Idle loops sleep with interrupts off, or right behind letting them in. */
		if (unlikely(late_ns >= FM_IRQS_LATE_NS) && !injected &&
		    key->context != FLAMEMOD_CONTEXT_IDLE) {
			off = fm_irqs_were_off(instruction_pointer(regs));
			if (!off && fm_irqs_in_caller(regs, &c->caller)) {
				off = true;
				/* Which would look for the call in vain. */
				if (c->take_stack != fm_stack_portable)
					regs = &c->caller;
			}
		}
		if (likely(c->learns))
			fm_learned_stack(&c->learned, regs, sample, c->max_depth);
		else
			c->take_stack(&c->learned, regs, sample, c->max_depth);
		if (sample->nr_frames && !fm_sample_fold(sample))
			return &c->books.lost[FLAMEMOD_LOST_TABLE_FULL];
		if (unlikely(off))
			key->marks |= FM_STACK_IRQS_OFF;
		if (unlikely(injected))
			key->marks |= FM_STACK_INJECTED;
	}
	if (!fm_table_add(table, key, periods, late_ns, sample->last))
		return &c->books.lost[FLAMEMOD_LOST_TABLE_FULL];
	if (unlikely(key->marks & FM_STACK_TRUNCATED))
		c->books.truncated++;
	return &c->books.stored;
}

static __always_inline void fm_sampler_pass(struct fm_cpu *c, u64 nr)
{
	c->tick += nr;
	c->tick_from_ns += nr * c->ticks.period_ns;
	c->due_ns = c->tick_from_ns + fm_ticks_offset(&c->ticks, c->tick);
}

/* On to the first tick behind now. Return: how many passed. */
static __always_inline u64 fm_sampler_forward(struct fm_cpu *c, u64 now_ns)
{
	u64 first = c->tick;

	fm_sampler_pass(c, 1);
	if (likely(c->due_ns > now_ns))
		return 1;
	fm_sampler_pass(c, div64_u64(now_ns - c->tick_from_ns,
				     c->ticks.period_ns));
	if (c->due_ns <= now_ns)
		fm_sampler_pass(c, 1);
	return c->tick - first;
}

/* Periods that are due and not yet counted, as the timer is late. */
static u64 fm_sampler_overdue(const struct fm_cpu *c, u64 now_ns)
{
	u64 nr, begin_ns;

	if (!c->armed || now_ns < c->due_ns)
		return 0;
	nr = div64_u64(now_ns - c->tick_from_ns, c->ticks.period_ns);
	begin_ns = c->tick_from_ns + nr * c->ticks.period_ns;
	return nr + (begin_ns + fm_ticks_offset(&c->ticks, c->tick + nr) <= now_ns);
}

/* For how long the CPU was idle, by the kernel's account, interrupts left out. */
static u64 fm_sampler_idle_ns(const struct fm_cpu *c)
{
	return (get_cpu_idle_time_us(c->cpu, NULL) +
		get_cpu_iowait_time_us(c->cpu, NULL)) * NSEC_PER_USEC;
}

static void fm_sampler_set_idle(struct fm_cpu *c, bool is_idle)
{
	WRITE_ONCE(c->is_idle, is_idle);
	c->busy = 0;
	c->looked_tick = c->tick;
	c->look_tick = c->tick + div64_u64(FM_NAP_LOOK_NS, c->ticks.period_ns);
}

/* Was the CPU idle, but for little, since this was asked last? By its samples. */
static void fm_sampler_look(struct fm_cpu *c)
{
	if (c->tick >= c->look_tick)
		fm_sampler_set_idle(c, c->busy * FM_NAP_BUSY <=
				       c->tick - c->looked_tick);
}

/* May a nap begin? One that does is paid for. */
static bool fm_sampler_may_nap(struct fm_cpu *c)
{
	u64 price;

	/* Pairs with fm_idle_allow(): who ends naps is seen to listen. */
	if (!smp_load_acquire(&c->may_nap))
		return false;
	fm_sampler_look(c);
	if (!c->is_idle) {
		c->nap_tick = c->look_tick;
		return false;
	}
	price = div64_u64(FM_NAP_NS, c->ticks.period_ns) + 1;
	if (c->tick - c->nap_tick > FM_NAPS_SAVED * price)
		c->nap_tick = c->tick - FM_NAPS_SAVED * price;
	c->nap_tick += price;
	return true;
}

/* Where do periods go that were slept through, or woken by an interrupt in? */
static u64 *fm_sampler_account_nap(struct fm_cpu *c, u64 periods, u8 context)
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

/*
 * A nap goes on, or ends: the ticks up to now are missed ones. At its end may be
 * what an interrupt did that ended the sleep.
 */
static void fm_sampler_count_nap(struct fm_cpu *c, u64 now_ns)
{
	u64 idle_ns = fm_sampler_idle_ns(c) - c->nap_idle_ns;
	u64 until_ns = c->nap_ns + idle_ns;
	u64 periods;

	if (until_ns + FM_NAP_SLACK_NS > now_ns)
		until_ns = now_ns;
	c->nap_ns = now_ns;
	c->nap_idle_ns += idle_ns;
	if (c->due_ns <= until_ns) {
		periods = fm_sampler_forward(c, until_ns);
		c->books.missed += periods;
		c->books.asleep += periods;
		*fm_sampler_account_nap(c, periods, FLAMEMOD_CONTEXT_IDLE) += periods;
	}
	if (c->due_ns <= now_ns) {
		periods = fm_sampler_forward(c, now_ns);
		c->books.missed += periods;
		c->busy += periods;
		*fm_sampler_account_nap(c, periods, FLAMEMOD_CONTEXT_HARDIRQ) += periods;
	}
}

static void fm_sampler_begin_nap(struct fm_cpu *c, u64 now_ns)
{
	WRITE_ONCE(c->nap_from_ns, now_ns);
	WRITE_ONCE(c->napping, true);
	c->nap_ns = now_ns;
	c->nap_idle_ns = fm_sampler_idle_ns(c);
}

/* In a fire that found the CPU idle: is it to be the last for now? */
static bool fm_sampler_nods(struct fm_cpu *c)
{
	/* A task that is to run would end the nap at once. */
	if (need_resched() || !fm_sampler_may_nap(c))
		return false;
	fm_sampler_begin_nap(c, ktime_get_ns());
	return true;
}

/* The sampled clock stands still from here on. */
static void fm_sampler_halt(struct fm_cpu *c, u64 now_ns)
{
	c->sampled_ns += now_ns - c->since_ns;
	c->stopping = false;
	WRITE_ONCE(c->armed, false);
}

static void fm_sampler_pay(struct fm_cpu *c, u64 began_ns)
{
	u64 spent_ns = ktime_get_ns() - began_ns;

	fm_pauses_callback(&c->pauses, spent_ns,
			   c->sample.slow ? 1 : FM_THROTTLE_QUICK);
	fm_throttle_spend(&c->throttle, began_ns, spent_ns);
}

static enum hrtimer_restart fm_sampler_fire(struct hrtimer *timer)
{
	struct fm_cpu *c = container_of(timer, struct fm_cpu, timer);
	const struct fm_table *table = &c->tables[c->table];
	u32 nr_entries = table->nr;
	u64 now_ns, late_ns, periods;

	if (!c->armed)
		return HRTIMER_NORESTART;
	now_ns = ktime_get_ns();
	late_ns = now_ns - c->due_ns;
	/*
	 * It is not yet due: it fires again when it is. To restart a timer as it is
	 * would be to fire at once, again and again, with interrupts off.
	 */
	if (unlikely((s64)late_ns < 0)) {
		hrtimer_set_expires(timer, ns_to_ktime(c->due_ns));
		return HRTIMER_RESTART;
	}
	periods = fm_sampler_forward(c, now_ns);
	hrtimer_set_expires(timer, ns_to_ktime(c->due_ns));
	c->sample.slow = false;
	c->books.fires++;
	c->books.missed += periods - 1;
	*fm_sampler_account(c, now_ns, periods, late_ns) += periods;
	if (unlikely(table->nr != nr_entries || c->sample.slow) &&
	    !c->drain_asked && fm_table_filling(table)) {
		c->drain_asked = true;
		irq_work_queue(&c->drain_work);
	}
	if (unlikely(c->stopping)) {
		fm_sampler_halt(c, now_ns);
		return HRTIMER_NORESTART;
	}
	if (fm_throttle_times(&c->throttle, c->sample.slow))
		fm_sampler_pay(c, now_ns);
	if (c->met_idle && c->tick >= c->nap_tick && fm_sampler_nods(c))
		return HRTIMER_NORESTART;
	return HRTIMER_RESTART;
}

/**
 * fm_sampler_init() - set up a CPU's sampler, not armed.
 * @c: to set up, all zero or already set up
 * @cpu: the CPU
 * @table_bytes: memory for both tables
 * @ask_drain: called in interrupt context when a table fills up
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_sampler_init(struct fm_cpu *c, unsigned int cpu, size_t table_bytes,
		    void (*ask_drain)(struct irq_work *work))
{
	int node = cpu_to_node(cpu);

	if (c->has_tables)
		return 0;
	if (fm_table_init(&c->tables[0], table_bytes / 2, node))
		return -ENOMEM;
	if (fm_table_init(&c->tables[1], table_bytes / 2, node)) {
		fm_table_deinit(&c->tables[0]);
		return -ENOMEM;
	}
	c->cpu = cpu;
	c->sample.paths = c->tables[c->table].paths;
	c->ask_drain = ask_drain;
	init_irq_work(&c->drain_work, ask_drain);
	hrtimer_setup(&c->timer, fm_sampler_fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	c->has_tables = true;
	return 0;
}

/**
 * fm_sampler_quiesce() - wait until the sampler asks for nothing any more.
 * @c: the sampler, set up and not armed
 *
 * Context: Process context, may sleep.
 */
void fm_sampler_quiesce(struct fm_cpu *c)
{
	hrtimer_cancel(&c->timer);
	irq_work_sync(&c->drain_work);
}

/**
 * fm_sampler_deinit() - free a CPU's sampler, and what was learned for it.
 * @c: the sampler, quiesced, or all zero; with or without tables
 *
 * Context: Process context, may sleep.
 */
void fm_sampler_deinit(struct fm_cpu *c)
{
	fm_table_deinit(&c->tables[0]);
	fm_table_deinit(&c->tables[1]);
	fm_learned_deinit(&c->learned);
	c->has_tables = false;
}

/**
 * fm_sampler_set_period() - begin a new sampled clock.
 * @c: the sampler, not armed, with nothing in its tables
 * @period_ns: the sampling period
 *
 * Context: Process context, under the session's lock.
 */
void fm_sampler_set_period(struct fm_cpu *c, u64 period_ns)
{
	c->ticks.period_ns = period_ns;
	c->ticks.spread_ns = period_ns;
	c->ticks.seed = c->cpu;
	c->sampled_ns = 0;
	c->swapped_overdue = 0;
	c->base_overdue = 0;
	c->base_expected = 0;
	c->base_sampled_ns = 0;
}

/**
 * fm_sampler_refilter() - filter in another way from now on.
 * @data: a struct fm_refilter
 *
 * Context: On its CPU, interrupts off; or anywhere under the session's lock
 * while the CPU's timer is not armed.
 */
void fm_sampler_refilter(void *data)
{
	const struct fm_refilter *refilter = data;
	struct fm_cpu *c = refilter->c;

	c->filter = *refilter->filter;
	/* Nobody writes it where nobody is followed. */
	c->sample.key.followed = 0;
}

/**
 * fm_sampler_arm() - start sampling on this CPU.
 * @cpu: the CPU's struct fm_cpu, not armed
 *
 * Context: On that CPU, interrupts off.
 */
void fm_sampler_arm(void *cpu)
{
	struct fm_cpu *c = cpu;
	u64 now_ns = ktime_get_ns();

	c->tick = fm_ticks_passed(&c->ticks, c->sampled_ns);
	c->tick_from_ns = now_ns - c->sampled_ns + c->tick * c->ticks.period_ns;
	fm_sampler_pass(c, 0);
	c->nap_tick = c->tick;
	c->look_tick = c->tick;
	fm_sampler_look(c);
	c->is_idle = false;
	fm_throttle_init(&c->throttle, now_ns);
	c->since_ns = now_ns;
	c->armed = true;
	hrtimer_start(&c->timer, ns_to_ktime(c->due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * fm_sampler_disarm() - stop sampling on this CPU.
 * @cpu: the CPU's struct fm_cpu
 *
 * Where a fire is due it comes as soon as interrupts are on, or a hypervisor
 * gets to it, and is the last: the caller waits until the CPU is not armed.
 * When @cpu is hurried, the periods of that fire are counted as lost instead.
 *
 * The callback will not touch anything any more, but the timer itself may
 * still be queued: the caller cancels it, from process context.
 *
 * Context: On that CPU, interrupts off.
 */
void fm_sampler_disarm(void *cpu)
{
	struct fm_cpu *c = cpu;
	u64 now_ns = ktime_get_ns();
	u64 periods;

	if (!c->armed)
		return;
	if (c->napping) {
		fm_sampler_count_nap(c, now_ns);
		WRITE_ONCE(c->napping, false);
	} else if (now_ns >= c->due_ns) {
		c->stopping = true;
		if (!c->hurried)
			return;
		periods = fm_sampler_forward(c, now_ns);
		c->books.missed += periods;
		c->books.lost[FLAMEMOD_LOST_STOPPED] += periods;
	}
	fm_sampler_halt(c, now_ns);
}

static void fm_sampler_end_nap(struct fm_cpu *c)
{
	WRITE_ONCE(c->napping, false);
	hrtimer_start(&c->timer, ns_to_ktime(c->due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * fm_sampler_sleep() - the CPU goes idle: it need not be woken for samples.
 * @c: the CPU's
 *
 * A nap that is not earned is not taken. Where a fire is due it comes first: it is
 * of the task that the CPU leaves.
 *
 * Cancels a timer, so it is not for the tracepoint cpu_idle, which is run while the
 * kernel may have shut the CPU's timer down: see docs/design.md.
 *
 * Context: On that CPU, interrupts off; in the scheduler, with its lock held.
 */
void fm_sampler_sleep(struct fm_cpu *c)
{
	u64 now_ns;

	/* What is busy comes here most often, and has nothing to do with it. */
	if (likely(c->tick < c->nap_tick))
		return;
	if (!c->armed || c->napping || c->stopping)
		return;
	now_ns = ktime_get_ns();
	if (now_ns >= c->due_ns || !fm_sampler_may_nap(c))
		return;
	/* Its callback runs on this CPU alone, with interrupts off: not now. */
	hrtimer_try_to_cancel(&c->timer);
	fm_sampler_begin_nap(c, now_ns);
}

/**
 * fm_sampler_wake() - a nap's end, if the CPU takes one: go on sampling.
 * @c: the CPU's
 *
 * Starts a timer: not for the tracepoint cpu_idle, either.
 *
 * Context: On that CPU, interrupts off; in the scheduler, with its lock held, or in
 * an interrupt.
 */
void fm_sampler_wake(struct fm_cpu *c)
{
	if (!c->napping)
		return;
	fm_sampler_count_nap(c, ktime_get_ns());
	fm_sampler_end_nap(c);
}

/*
 * Interrupts take more of a nap, which was just counted, than may go unseen: no
 * other begins before samples have shown for a second that they take less.
 */
static void fm_sampler_rouse(struct fm_cpu *c)
{
	fm_sampler_set_idle(c, false);
	fm_sampler_end_nap(c);
}

/* Those that are empty. */
static struct fm_paths *fm_sampler_other_paths(struct fm_cpu *c)
{
	return c->sample.paths == &c->tables[0].own ? &c->tables[1].own :
						      &c->tables[0].own;
}

static void fm_sampler_change_tables(struct fm_cpu *c, struct fm_paths *paths)
{
	c->table = !c->table;
	c->tables[c->table].paths = paths;
	c->sample.paths = paths;
}

/**
 * fm_sampler_swap() - let what was sampled be drained.
 * @cpu: the CPU's struct fm_cpu, of which nothing else is to be drained
 *
 * The clock is read once: the books, what is overdue and the sampled clock are of
 * one instant.
 *
 * Samples go to the table's other half from here on; to the other table where
 * this one has filled up. Its paths go on with that, but where these have filled
 * up, or are not to be followed any more, or where nothing is sampled: then there
 * is nothing to walk the next time.
 *
 * Context: On that CPU, interrupts off, so that it cannot meet a sample; or
 * anywhere under the session's lock while the CPU's timer is not armed.
 */
void fm_sampler_swap(void *cpu)
{
	struct fm_cpu *c = cpu;
	struct fm_table *table = &c->tables[c->table];
	u64 now_ns = ktime_get_ns();

	if (c->napping)
		fm_sampler_count_nap(c, now_ns);
	fm_sampler_look(c);
	if (c->rouse && c->napping)
		fm_sampler_rouse(c);
	c->rouse = false;
	c->swapped_table = table;
	c->swapped_entries = table->nr;
	table->half = !table->half;
	if (c->renew || !c->armed || fm_paths_used_up(table->paths))
		fm_sampler_change_tables(c, fm_sampler_other_paths(c));
	else if (fm_table_used_up(table))
		fm_sampler_change_tables(c, table->paths);
	c->renew = false;
	c->drain_asked = false;
	c->swapped = c->books;
	c->swapped_learned = c->learned.counts;
	c->swapped_ns = now_ns;
	c->swapped_due_ns = c->due_ns;
	c->swapped_overdue = fm_sampler_overdue(c, now_ns);
	if (c->armed)
		fm_pauses_longest(&c->pauses.swap_ns_max,
				  ktime_get_ns() - now_ns);
}

/**
 * fm_sampler_forget_modules() - forget a part of what was learned of modules' text.
 * @forgetting: a struct fm_forgetting, which says when all is forgotten
 *
 * Context: As fm_sampler_swap().
 */
void fm_sampler_forget_modules(void *forgetting)
{
	struct fm_forgetting *f = forgetting;
	struct fm_cpu *c = f->c;
	u64 began_ns = ktime_get_ns();

	f->done = fm_learned_forget_modules(&c->learned, &f->next);
	if (c->armed)
		fm_pauses_longest(&c->pauses.forget_ns_max,
				  ktime_get_ns() - began_ns);
}

/**
 * fm_sampler_quiet() - may the CPU be left alone by a drain?
 * @c: the sampler, armed
 * @now_ns: the time, just read
 *
 * Whatever is counted moves the next tick on, so that no period was counted since
 * the last swap where that tick is the same; and none is overdue before it. One
 * word is looked at: a fire that comes meanwhile is before or after.
 *
 * Context: Under the session's lock.
 * Return: true when the books of the last swap are those of @now_ns.
 */
bool fm_sampler_quiet(const struct fm_cpu *c, u64 now_ns)
{
	u64 due_ns = READ_ONCE(c->due_ns);

	return due_ns == c->swapped_due_ns && now_ns < due_ns;
}

/**
 * fm_sampler_slept() - has the CPU slept since the last drain?
 * @c: the sampler
 *
 * What it has to tell is that it was idle, and can wait until somebody asks.
 *
 * Context: Under the session's lock.
 * Return: true when nothing fired since.
 */
bool fm_sampler_slept(const struct fm_cpu *c)
{
	return READ_ONCE(c->napping) &&
	       READ_ONCE(c->books.fires) == c->swapped.fires;
}

/**
 * fm_sampler_stirs() - did interrupts keep a CPU busy since this was asked last?
 * @c: the sampler; none where it has not slept since then, as its samples tell
 * @now_ns: the time, just read
 *
 * By the kernel's account of idle time, which another CPU may read at any time. It
 * is two sums, and what counts in one may count in the other a moment later: this
 * may be wrong about the idle time that goes on just now, at the cost of a nap.
 *
 * Context: Under the session's lock.
 * Return: true when more than a fiftieth of the time was not idle.
 */
bool fm_sampler_stirs(struct fm_cpu *c, u64 now_ns)
{
	bool slept = READ_ONCE(c->napping) &&
		     READ_ONCE(c->nap_from_ns) < c->asked_ns;
	u64 idle_ns = fm_sampler_idle_ns(c);
	u64 passed_ns = now_ns - c->asked_ns;
	u64 rested_ns = idle_ns - c->asked_idle_ns;

	c->asked_ns = now_ns;
	c->asked_idle_ns = idle_ns;
	return slept && rested_ns + div_u64(passed_ns, FM_NAP_BUSY) + FM_NAP_SLACK_NS <
	       passed_ns;
}

/**
 * fm_sampler_is_idle() - was the CPU idle, but for little, of late?
 * @c: the sampler
 *
 * Context: Under the session's lock.
 * Return: true when it was, as far as was looked.
 */
bool fm_sampler_is_idle(const struct fm_cpu *c)
{
	return c->armed && READ_ONCE(c->is_idle);
}

/**
 * fm_sampler_sampled_ns() - how far the sampled clock is.
 * @c: the sampler
 * @now_ns: the time
 *
 * Context: Under the session's lock.
 * Return: nanoseconds.
 */
u64 fm_sampler_sampled_ns(const struct fm_cpu *c, u64 now_ns)
{
	return c->sampled_ns + (c->armed ? now_ns - c->since_ns : 0);
}
