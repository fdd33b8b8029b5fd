// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the intervals of tasks at each switch: see switch.h and events.h.
 *
 * When a CPU switches from a task to the next, the time that the first one ran is
 * known, and so is the time that the next one was off. The stack of the next one is
 * taken at that moment: it is where the task was all the time, its start is what its
 * last switch left, and how long it took is known before any of it is looked at.
 *
 * This runs in the scheduler, with interrupts off and the lock of the CPU's run queue
 * held. It takes no lock, allocates nothing, prints nothing, wakes nobody and reads
 * nothing that can fault: only structs of the two tasks, and the kernel stack of the
 * next one within its bounds. A drain is requested by irq_work, which interrupts this
 * CPU later. Tracepoints may be called with preemption enabled from v7.3 on, but this
 * one always has interrupts off, so the CPU stays the same.
 */
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "context.h"
#include "events.h"
#include "hit.h"
#include "reason.h"
#include "stack.h"
#include "switch.h"
#include "tracepoints.h"

/**
 * fm_switch_wants() - check whether a task's intervals are counted.
 * @events: attached
 * @task: the task
 *
 * Context: Any.
 * Return: false for an idle task, whatever is asked for.
 */
bool fm_switch_wants(const struct fm_events *events, const struct task_struct *task)
{
	return !fm_context_idles(task) && fm_hit_wants(events, task);
}

/* The same, without a call if events are attached to all tasks. */
static __always_inline bool fm_switch_selects(const struct fm_events *events,
					      const struct task_struct *task)
{
	if (likely(!events->selects))
		return !fm_context_idles(task);
	return fm_switch_wants(events, task);
}

#ifdef CONFIG_SCHED_INFO
/**
 * fm_switch_waited() - compute how long a task has waited for a CPU.
 * @task: the task, off the CPU
 * @run_delay: its wait when it went off
 *
 * The kernel adds a wait to the task's run_delay when it ends; one that lasts began at
 * last_queued, on the scheduler's clock.
 *
 * Context: Any.
 * Return: nanoseconds.
 */
u64 fm_switch_waited(const struct task_struct *task, u64 run_delay)
{
	u64 queued_ns = READ_ONCE(task->sched_info.last_queued);
	u64 ns = READ_ONCE(task->sched_info.run_delay) - run_delay;
	s64 lasts_ns = queued_ns ? local_clock() - queued_ns : 0;

	/* The clocks of CPUs may differ a little. */
	return max_t(s64, ns, 0) + max_t(s64, lasts_ns, 0);
}

/**
 * fm_switch_accounts_wait() - check whether the kernel accounts the wait for a CPU.
 *
 * A kernel may be able to and not do it, unless it is booted with delayacct. The
 * current task got its CPU at least once.
 *
 * Context: Process context.
 * Return: true if it does.
 */
bool fm_switch_accounts_wait(void)
{
	return current->sched_info.pcount;
}
#else
u64 fm_switch_waited(const struct task_struct *task, u64 run_delay)
{
	return 0;
}

bool fm_switch_accounts_wait(void)
{
	return false;
}
#endif

/**
 * fm_switch_begin() - return since when a task that was not switched yet is what it is.
 * @events: attached
 * @task: the task
 *
 * Context: Any.
 * Return: when events were attached or the task was created, whichever was later.
 */
u64 fm_switch_begin(const struct fm_events *events, const struct task_struct *task)
{
	return max_t(u64, events->begin_ns, task->start_time);
}

/* A slot, and since when its task is on or off; 0: that is not known. */
struct fm_taken {
	struct fm_slot *slot;		/* NULL: none was free */
	u64 since_ns;
};

/* Claim a slot for a task that has none. */
static noinline struct fm_taken fm_switch_claim(struct fm_events *events,
						const struct task_struct *task)
{
	struct fm_taken taken = {};
	bool unseen;

	taken.slot = fm_slots_claim(&events->slots, task, &unseen);
	if (!taken.slot)
		return taken;
	if (unseen)
		taken.since_ns = fm_switch_begin(events, task);
	taken.slot->state = FLAMEMOD_TASK_STATE_OTHER;
	/* An older task has waited before, and it is not known how long. */
	if (task->start_time < events->begin_ns)
		taken.slot->run_delay = fm_switch_run_delay(task);
	return taken;
}

/*
 * Find a task's slot, or claim one, and take its time; on: FM_SINCE_ON if it was on its
 * CPU. *since is what was in it. If the time is not known, *why says the reason.
 */
static __always_inline struct fm_taken
fm_switch_take(const struct fm_turn *s, const struct task_struct *task, u64 on,
	       u64 *since, enum flamemod_event_lost *why)
{
	struct fm_taken taken = { fm_slots_find(&s->events->slots, task) };

	*why = FLAMEMOD_EVENT_LOST_NESTED;
	*since = FM_SINCE_UNSEEN;
	if (unlikely(!taken.slot)) {
		*why = FLAMEMOD_EVENT_LOST_NO_SLOT;
		return fm_switch_claim(s->events, task);
	}
	*since = xchg(&taken.slot->since, FM_SINCE_NONE);
	if (unlikely(*since == FM_SINCE_UNSEEN))
		taken.since_ns = fm_switch_begin(s->events, task);
	else if (likely((*since & FM_SINCE_ON) == on))
		/* Else the last switch was not seen, and NONE is no time. */
		taken.since_ns = fm_since_ns(*since);
	return taken;
}

/* Set when a task was switched. What is in the slot is valid for whoever reads it. */
static __always_inline void fm_switch_set(const struct fm_turn *s, struct fm_slot *slot, u64 on)
{
	/* Pairs with fm_events_cut_task(). */
	smp_store_release(&slot->since, fm_since(s->now_ns, on));
}

/* Return: the length of an interval; clocks of CPUs may differ a little. */
static __always_inline u64 fm_switch_length(const struct fm_turn *s, u64 since_ns)
{
	return s->now_ns > since_ns ? s->now_ns - since_ns : 0;
}

/* Set the key for a task, which is not an idle one, without its stack. */
static __always_inline void fm_switch_key(const struct fm_turn *s, const struct task_struct *task,
					  u8 event, u8 state)
{
	fm_hit_key(s, FLAMEMOD_CONTEXT_TASK, event, state);
	fm_key_set_task(&s->c->sample.key, fm_turn_groups(s), task);
}

static __always_inline void fm_switch_ran(const struct fm_turn *s, const struct task_struct *task,
					  struct fm_slot *slot, u64 ns)
{
	struct fm_event_books *books = &s->c->books[FLAMEMOD_EVENT_RAN];

	fm_event_see(books, ns);
	fm_switch_key(s, task, FLAMEMOD_EVENT_RAN, 0);
	fm_hit_store(s, books, ns, &slot->ran_entry);
}

/* A task leaves its CPU. */
static __always_inline void fm_switch_out(const struct fm_turn *s, const struct task_struct *task,
					  bool preempted, unsigned int state)
{
	enum flamemod_event_lost why;
	u64 since;
	struct fm_taken taken = fm_switch_take(s, task, FM_SINCE_ON, &since, &why);
	struct fm_slot *slot = taken.slot;

	if (s->events->request.events & FM_EVENT(RAN)) {
		if (likely(taken.since_ns))
			fm_switch_ran(s, task, slot,
				      fm_switch_length(s, taken.since_ns));
		else
			fm_event_miss(&s->c->books[FLAMEMOD_EVENT_RAN], why);
	}
	if (!slot)
		return;
	if (state & TASK_DEAD && !preempted) {
		fm_slot_free(slot);
		return;
	}
	slot->state = fm_switch_state(preempted, state);
	slot->run_delay = fm_switch_run_delay(task);
	slot->off_ns = s->now_ns;
	fm_switch_set(s, slot, 0);
}

/* What a task was off, in its parts. */
struct fm_off {
	bool is_off;		/* @off_ns counts; it may be 0: see fm_switch_was_cut() */
	u64 off_ns;		/* blocked, or preempted */
	u64 waiting_ns;		/* for a CPU, after it was woken up */
};

/* Take the stack of a task once, and store what it was off. */
static __always_inline void fm_switch_store_off(const struct fm_turn *s, struct task_struct *task,
						struct fm_slot *slot, const struct fm_off *off)
{
	struct fm_event_books *books = s->c->books;
	struct fm_throttle *throttle = s->c->throttle;
	enum flamemod_event_lost why;

	why = FLAMEMOD_EVENT_LOST_OVERLOAD;
	if (!fm_throttle_allows(throttle, s->now_ns))
		goto lose;
	fm_switch_key(s, task, FLAMEMOD_EVENT_OFF_CPU, slot->state);
	why = FLAMEMOD_EVENT_LOST_TABLE_FULL;
	if (!fm_turn_task_stack(s, task))
		goto lose;
	if (off->is_off)
		fm_hit_keep(s, task, &books[FLAMEMOD_EVENT_OFF_CPU], off->off_ns,
			    &slot->entry);
	s->c->sample.key.event = FLAMEMOD_EVENT_WAITING;
	if (off->waiting_ns)
		fm_hit_keep(s, task, &books[FLAMEMOD_EVENT_WAITING], off->waiting_ns,
			    &slot->wait_entry);
	goto pay;
lose:
	if (off->is_off)
		fm_event_lose(&books[FLAMEMOD_EVENT_OFF_CPU], off->off_ns, why);
	if (off->waiting_ns)
		fm_event_lose(&books[FLAMEMOD_EVENT_WAITING], off->waiting_ns, why);
	if (why == FLAMEMOD_EVENT_LOST_OVERLOAD)
		return;
pay:
	fm_hit_pay(s);
}

/*
 * Return: whether a dump has counted all that a task was blocked, so that nothing but its
 * number is left to count. The rest is the end of its wait for a CPU.
 */
static noinline bool fm_switch_was_cut(const struct fm_turn *s, const struct task_struct *task,
				       const struct fm_slot *slot)
{
	u64 off_ns = slot->off_ns ?: fm_switch_begin(s->events, task);

	return s->events->request.events & FM_EVENT(OFF_CPU) &&
	       slot->state != FLAMEMOD_TASK_STATE_PREEMPTED &&
	       fm_switch_length(s, off_ns) > fm_switch_waited(task, slot->run_delay);
}

/* Divide what a task was off, and leave out what is not asked for. */
static __always_inline void fm_switch_off(const struct fm_turn *s, struct task_struct *task,
					  struct fm_slot *slot, u64 ns, bool counted)
{
	const struct fm_attach *request = &s->events->request;
	struct fm_event_books *books = s->c->books;
	struct fm_event_books *blocked = &books[FLAMEMOD_EVENT_OFF_CPU];
	struct fm_off off = { .off_ns = ns };

	/* What is left out counts as a whole. */
	if (unlikely(!(request->states & BIT(slot->state)))) {
		fm_event_see(blocked, ns);
		blocked->hits.filtered++;
		blocked->weight.filtered += ns;
		return;
	}
	/* If a part of it is counted, it was long enough then. */
	if (ns < request->min_ns && !counted) {
		fm_event_see(blocked, ns);
		blocked->hits.below++;
		blocked->weight.below += ns;
		return;
	}
	if (request->events & FM_EVENT(WAITING) &&
	    slot->state != FLAMEMOD_TASK_STATE_PREEMPTED)
		off.waiting_ns = min(ns, fm_switch_waited(task, slot->run_delay));
	off.off_ns = request->events & FM_EVENT(OFF_CPU) ? ns - off.waiting_ns : 0;
	off.is_off = off.off_ns || (unlikely(counted) && fm_switch_was_cut(s, task, slot));
	if (off.is_off)
		fm_event_see(blocked, off.off_ns);
	if (off.waiting_ns)
		fm_event_see(&books[FLAMEMOD_EVENT_WAITING], off.waiting_ns);
	if (off.is_off || off.waiting_ns)
		fm_switch_store_off(s, task, slot, &off);
}

/* A task gets a CPU. */
static __always_inline void fm_switch_in(const struct fm_turn *s, struct task_struct *task)
{
	enum flamemod_event_lost why;
	u64 since;
	struct fm_taken taken = fm_switch_take(s, task, 0, &since, &why);
	struct fm_slot *slot = taken.slot;

	if (s->events->request.events & (FM_EVENT(OFF_CPU) | FM_EVENT(WAITING))) {
		if (likely(taken.since_ns))
			fm_switch_off(s, task, slot,
				      fm_switch_length(s, taken.since_ns),
				      since & FM_SINCE_COUNTED);
		else
			fm_event_miss(&s->c->books[FLAMEMOD_EVENT_OFF_CPU], why);
	}
	if (slot)
		fm_switch_set(s, slot, FM_SINCE_ON);
}

/* A switch cannot be counted: see to it that the task's next switch finds a gap. */
static noinline void fm_switch_miss(struct fm_events *events, const struct task_struct *task,
				    bool dies)
{
	struct fm_slot *slot = fm_slots_find(&events->slots, task);
	bool unseen;

	if (!slot)
		slot = fm_slots_claim(&events->slots, task, &unseen);
	if (!slot)
		return;
	xchg(&slot->since, FM_SINCE_NONE);
	if (dies)
		fm_slot_free(slot);
}

/**
 * fm_switch_count() - count what a switch of tasks ends.
 * @events: attached
 * @preempted: the first task was preempted
 * @state: its state, bits of TASK_*
 * @prev: the first task
 * @next: the task that will run
 *
 * Context: In the scheduler, interrupts off.
 */
void fm_switch_count(struct fm_events *events, bool preempted, unsigned int state,
		     struct task_struct *prev, struct task_struct *next)
{
	bool leaves = fm_switch_selects(events, prev), comes = fm_switch_selects(events, next);
	struct fm_event_cpu *c;
	struct fm_turn s;

	if (!leaves && !comes)
		return;
	c = READ_ONCE(events->cpus[raw_smp_processor_id()]);
	/* A CPU that comes online has no tables yet. */
	if (unlikely(!c || !fm_guard_enter())) {
		if (leaves)
			fm_switch_miss(events, prev, !preempted && state & TASK_DEAD);
		if (comes)
			fm_switch_miss(events, next, false);
		return;
	}
	s = fm_turn_begin(events, c);
	if (leaves)
		fm_switch_out(&s, prev, preempted, state);
	if (comes)
		fm_switch_in(&s, next);
	fm_turn_end(&s);
	fm_guard_leave();
}

#ifdef FM_HAVE_SCHED_SWITCH
/* The probe. See the head of this file for its context. */
static notrace void fm_switch_probe(void *data, bool preempt,
				    struct task_struct *prev, fm_compat_switched)
{
	struct fm_events *events = data;

	/* Pairs with fm_events_begin(). */
	if (smp_load_acquire(&events->on))
		fm_switch_count(events, preempt, fm_compat_switched_state, prev, next);
}

static struct tracepoint *fm_switch_tracepoint;

/* Return: whether the kernel reports switches. */
static bool fm_switch_exists(void)
{
	if (!fm_switch_tracepoint)
		fm_switch_tracepoint = fm_tracepoint_find("sched_switch");
	return fm_switch_tracepoint;
}

static int fm_switch_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	int err = tracepoint_probe_register(fm_switch_tracepoint, fm_switch_probe,
					    source->events);

	if (err)
		NL_SET_ERR_MSG(extack,
			       "attach: the kernel refused to report switches of tasks");
	return err;
}

static void fm_switch_detach(struct fm_source *source)
{
	tracepoint_probe_unregister(fm_switch_tracepoint, fm_switch_probe, source->events);
	tracepoint_synchronize_unregister();
}
#else
static bool fm_switch_exists(void)
{
	return false;
}

static int fm_switch_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static void fm_switch_detach(struct fm_source *source)
{
}
#endif

/**
 * fm_switch_check() - check that switches of tasks can be attached to.
 * @request: not looked at
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -EOPNOTSUPP.
 */
int fm_switch_check(const struct fm_source_request *request,
		    struct netlink_ext_ack *extack)
{
	if (!fm_switch_exists()) {
		NL_SET_ERR_MSG(extack,
			       "attach: this kernel has no tracepoint sched_switch");
		return -EOPNOTSUPP;
	}
	if (!fm_stack_has_tasks()) {
		NL_SET_ERR_MSG(extack,
			       "attach: not on this architecture: events of tasks need x86-64 or arm64");
		return -EOPNOTSUPP;
	}
	return 0;
}

const struct fm_source_ops fm_switches_ops = {
	.kind = FLAMEMOD_SOURCE_KIND_SWITCHES,
	.bytes = sizeof(struct fm_source),
	.unit = "ns",
	.check = fm_switch_check,
	.attach = fm_switch_attach,
	.detach = fm_switch_detach,
};
