// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU's sampler: see sampler.h.
 *
 * The timer callback runs in hard interrupt context, on PREEMPT_RT too. It
 * takes no lock, allocates nothing, prints nothing and wakes nobody. It only
 * writes data of its own CPU.
 */
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <asm/irq_regs.h>

#include "compat/compat.h"
#include "context.h"
#include "guard.h"
#include "irqs.h"
#include "key.h"
#include "nap.h"
#include "sampler.h"
#include "user_room.h"

/*
 * Take the user stack, of samples that have one: those of user mode, and of tasks in
 * the kernel, unless they are stolen. An interrupt's work is nobody's. A task that is
 * exiting, and has already given up its memory, has no user stack any more.
 */
static noinline void fm_sampler_user(struct fm_cpu *c, struct pt_regs *regs,
				     struct fm_key *key, bool stolen)
{
	bool from_user = key->context == FLAMEMOD_CONTEXT_USER;
	struct fm_user_stack stack;

	key->user = 0;
	key->side = 0;
	if (stolen || !fm_context_has_memory(current))
		return;
	if (!from_user && (key->context != FLAMEMOD_CONTEXT_TASK ||
			   current->flags & FM_COMPAT_NO_USER_MODE ||
			   fm_context_idles(current)))
		return;
	stack = fm_user_walk(c->maps, &c->sample.paths->user,
			     from_user ? regs : task_pt_regs(current), from_user);
	key->user = stack.path;
	key->side = stack.side;
	c->sample.slow = c->maps->slow;
	if (from_user)
		c->sample.last = &fm_maps_leaf(c->maps, instruction_pointer(regs))->entry;
}

/*
 * Take the sample of a fire, and count it for one period; stolen: without a stack.
 * Return: the counter of the books for it.
 */
static u64 *fm_sampler_account(struct fm_cpu *c, u64 now_ns, u64 periods,
			       u64 late_ns, bool stolen)
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
	fm_key_set_current(key, &table->groups);
	key->leaf = 0;
	key->path = FM_PATH_NONE;
	key->marks = 0;
	sample->last = &table->last;
	/* While user stacks are off, the key says so from the start: see fm_session_arm(). */
	if (unlikely(c->user_stacks))
		fm_sampler_user(c, regs, key, stolen);
	if (unlikely(stolen)) {
		key->marks = FM_STACK_STOLEN;
	} else if (key->context != FLAMEMOD_CONTEXT_USER) {
		bool injected = key->context == FLAMEMOD_CONTEXT_TASK &&
				fm_context_injects_idle(current);
		bool off = false;

		/* Idle loops sleep with interrupts off, or right after enabling them. */
		if (unlikely(late_ns >= FM_IRQS_LATE_NS) && !injected &&
		    key->context != FLAMEMOD_CONTEXT_IDLE) {
			off = fm_irqs_were_off(instruction_pointer(regs));
			if (!off && fm_irqs_in_caller(regs, &c->caller)) {
				off = true;
				/* The portable way would not find the call: it keeps regs. */
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
	if (!fm_table_add(table, key, 1, late_ns, sample->last))
		return &c->books.lost[FLAMEMOD_LOST_TABLE_FULL];
	if (unlikely(key->marks & (FM_STACK_TRUNCATED | FM_STACK_STOLEN))) {
		c->books.truncated += !stolen;
		c->books.stolen += stolen;
	}
	return &c->books.stored;
}

/* Return: periods that are due but not counted yet, because the timer is late. */
static u64 fm_sampler_overdue(const struct fm_cpu *c, u64 now_ns)
{
	u64 nr, begin_ns;

	if (!c->armed || now_ns < c->due_ns)
		return 0;
	nr = div64_u64(now_ns - c->tick_from_ns, c->ticks.period_ns);
	begin_ns = c->tick_from_ns + nr * c->ticks.period_ns;
	return nr + (begin_ns + fm_ticks_offset(&c->ticks, c->tick + nr) <= now_ns);
}

/* Stop the sampled clock. */
static void fm_sampler_halt(struct fm_cpu *c, u64 now_ns)
{
	fm_late_flush(c);
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

/* Count a fire. Return: what to do with the timer. */
static __always_inline enum hrtimer_restart fm_sampler_count(struct fm_cpu *c,
							     struct hrtimer *timer)
{
	struct fm_table *table = &c->tables[c->table];
	u64 now_ns, late_ns, periods, *to;
	bool stolen;

	if (!c->armed)
		return HRTIMER_NORESTART;
	now_ns = ktime_get_ns();
	late_ns = now_ns - c->due_ns;
	/*
	 * Not yet due: fire again when it is. A timer restarted without a new expiry
	 * would fire at once, again and again, with interrupts off.
	 */
	if (unlikely((s64)late_ns < 0)) {
		hrtimer_set_expires(timer, ns_to_ktime(c->due_ns));
		return HRTIMER_RESTART;
	}
	periods = fm_cpu_forward(c, now_ns);
	hrtimer_set_expires(timer, ns_to_ktime(c->due_ns));
	c->sample.slow = false;
	c->books.fires++;
	c->books.missed += periods - 1;
	stolen = unlikely(c->late.clock) && fm_late_steals(c, now_ns, periods);
	to = fm_sampler_account(c, now_ns, periods, late_ns, stolen);
	++*to;
	if (unlikely(periods > 1))
		fm_late_count(c, to, periods - 1, late_ns);
	if ((fm_table_grew(table) || unlikely(c->sample.slow)) &&
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
	if (unlikely(c->tick >= c->nap_tick) && fm_nap_nods(c))
		return HRTIMER_NORESTART;
	return HRTIMER_RESTART;
}

/* What this calls are no hits of a source. */
static enum hrtimer_restart fm_sampler_fire(struct hrtimer *timer)
{
	enum hrtimer_restart restart;
	bool guards = fm_guard_enter();

	restart = fm_sampler_count(container_of(timer, struct fm_cpu, timer), timer);
	if (guards)
		fm_guard_leave();
	return restart;
}

/**
 * fm_sampler_init() - set up a CPU's sampler, not armed.
 * @c: the sampler, all zero or already set up
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
 * fm_sampler_init_user() - allocate what a CPU needs for user stacks.
 * @c: the sampler, set up, not armed
 * @objects: the session's
 * @bytes: memory for the stacks
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOMEM with nothing allocated.
 */
int fm_sampler_init_user(struct fm_cpu *c, struct fm_objects *objects,
			 size_t bytes)
{
	return fm_user_room_init(&c->maps, c->tables, objects, c->cpu, FM_TAKER_TIMER, bytes);
}

/**
 * fm_sampler_quiesce() - wait until neither the timer nor a drain request is pending.
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
 * fm_sampler_deinit() - free a CPU's tables and learned steps.
 * @c: the sampler, quiesced, or all zero; with or without tables
 *
 * Context: Process context, may sleep.
 */
void fm_sampler_deinit(struct fm_cpu *c)
{
	fm_table_deinit(&c->tables[0]);
	fm_table_deinit(&c->tables[1]);
	fm_learned_deinit(&c->learned);
	fm_maps_destroy(c->maps);
	c->maps = NULL;
	c->has_tables = false;
}

/**
 * fm_sampler_set_period() - start a new sampled clock.
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
 * fm_sampler_refilter() - replace the filter.
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
	/* The filter only writes it while a process is followed. */
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
	fm_cpu_pass(c, 0);
	fm_nap_arm(c);
	fm_throttle_init(&c->throttle, now_ns);
	fm_late_arm(c);
	c->since_ns = now_ns;
	c->armed = true;
	hrtimer_start(&c->timer, ns_to_ktime(c->due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * fm_sampler_disarm() - stop sampling on this CPU.
 * @cpu: the CPU's struct fm_cpu
 *
 * If a fire is due, it comes as soon as interrupts are on or a hypervisor lets the
 * CPU run, and it disarms the CPU: the caller waits for that. If @cpu is hurried,
 * the periods of that fire are counted as lost instead.
 *
 * After that the callback touches nothing, but the timer may still be queued, so
 * the caller cancels it, from process context.
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
		fm_nap_count(c, now_ns);
		WRITE_ONCE(c->napping, false);
	} else if (now_ns >= c->due_ns) {
		c->stopping = true;
		if (!c->hurried)
			return;
		periods = fm_cpu_forward(c, now_ns);
		c->books.missed += periods;
		c->books.lost[FLAMEMOD_LOST_STOPPED] += periods;
	}
	fm_sampler_halt(c, now_ns);
}

/* Return: the paths that are not in use, which are empty. */
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
 * fm_sampler_swap() - make what was sampled available to a drain.
 * @cpu: the CPU's struct fm_cpu, whose last swap has been drained
 *
 * The clock is read once, so that the books, the overdue periods and the sampled
 * clock belong to the same instant.
 *
 * After this, samples go to the table's other half, or to the other table if this
 * one has filled up. The other table goes on with the same paths. It starts with
 * empty paths instead if these have filled up, if c->renew asks for it, or if the
 * CPU is not sampled, so that the next drain has nothing to walk.
 *
 * Context: On that CPU, interrupts off, so that no sample can interfere; or
 * anywhere under the session's lock while the CPU's timer is not armed.
 */
void fm_sampler_swap(void *cpu)
{
	struct fm_cpu *c = cpu;
	struct fm_table *table = &c->tables[c->table];
	u64 now_ns = ktime_get_ns();

	if (c->maps)
		c->swapped_copies = c->maps->copies->next;
	fm_late_swap(c);
	if (c->napping)
		fm_nap_count(c, now_ns);
	fm_nap_look(c);
	if (c->rouse && c->napping)
		fm_nap_rouse(c);
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
 * fm_sampler_forget_modules() - forget a part of what was learned about modules' text.
 * @forgetting: a struct fm_forgetting; its done is set when all is forgotten
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
 * fm_sampler_quiet() - check whether a drain may leave the CPU alone.
 * @c: the sampler, armed
 * @now_ns: the time, just read
 *
 * Counting a period always advances the next tick. So if the next tick is the same
 * as at the last swap, nothing was counted since; and if it is still to come,
 * nothing is overdue. Only one word is read, so a concurrent fire is seen either
 * entirely or not at all.
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
 * fm_sampler_sampled_ns() - compute the time on the sampled clock.
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
