// SPDX-License-Identifier: GPL-2.0
/*
 * The source wakers: wake-ups of tasks that were blocked. The stack is the waker's, on top
 * of where the woken task was blocked; the weight is for how long, in nanoseconds.
 *
 * The kernel calls the tracepoint sched_waking in whatever wakes, a task or an interrupt,
 * with the woken task's pi_lock held and interrupts off. So nobody else can wake that task
 * meanwhile. If it has left its CPU and is in no run queue, it stays off, and its stack may
 * be read. Since when it is off is in its slot (slots.h), which the switch of tasks keeps
 * (switch.c).
 *
 * A task that was preempted or still runs was not blocked: it is not counted. One that is
 * being switched away from is counted, without the stack that it waits with.
 *
 * The user stack of the waker is taken a moment later: see pending.h. That of the woken
 * task cannot be taken from here.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/barrier.h>

#include "compat/compat.h"
#include "caller_regs.h"
#include "context.h"
#include "hit.h"
#include "path.h"
#include "source.h"
#include "switch.h"
#include "tracepoints.h"
#include "waking.h"

/*
 * Is a task blocked, or about to be? *off is set to whether it has left its CPU; its slot
 * is up to date then.
 *
 * A task that has left its CPU and is in a run queue was preempted before it could block,
 * or a signal kept it from blocking. Its slot may not say so, and another CPU may run it at
 * any moment. To see that, on_cpu is loaded before on_rq: a task that blocks leaves the run
 * queue first.
 *
 * But a task that was in a run queue, and not on a CPU, may have got one since, and be
 * about to block there:
 *
 *   __schedule() (switch to the task)	here
 *					  LOAD on_cpu: 0
 *     STORE on_cpu = 1
 *   __schedule() (the task blocks)
 *     STORE on_rq = 0			  LOAD on_rq: 0
 *					  smp_rmb()
 *					  LOAD on_cpu: 1
 *     (its stack is in use)
 *     STORE on_cpu = 0
 *
 * Only a task that has a CPU leaves the run queue, and whoever sees that it has left sees
 * on_cpu as it was then, or later. So on_cpu is loaded again after on_rq, as
 * try_to_wake_up() does. A task whose dequeue is delayed stays in the run queue, and
 * se.sched_delayed is set where on_rq would be cleared.
 */
static bool fm_waking_is_blocked(const struct task_struct *task, bool *off)
{
	*off = fm_compat_left_cpu(task);
	if (READ_ONCE(task->on_rq) && !fm_compat_is_delayed(task))
		return !*off;
	/* Pairs with the lock of the run queue in __schedule(). */
	smp_rmb();
	*off = fm_compat_left_cpu(task);
	return true;
}

/**
 * fm_waking_look() - find out since when a task is blocked that is being woken.
 * @events: attached
 * @task: the task, not the current one; nobody else wakes it meanwhile
 * @wait: set to what is known of it
 *
 * Context: Any, interrupts off.
 * Return: false if it is not blocked, so that there is nothing to count.
 */
bool fm_waking_look(const struct fm_events *events, const struct task_struct *task,
		    struct fm_wait *wait)
{
	struct fm_slot *slot = fm_slots_find(&events->slots, task);
	u64 since;

	wait->slot = slot;
	wait->why = FLAMEMOD_EVENT_LOST_NO_SLOT;
	wait->since_ns = 0;
	wait->state = FLAMEMOD_TASK_STATE_OTHER;
	if (!fm_waking_is_blocked(task, &wait->off))
		return false;
	if (!slot)
		return wait->off;
	/* Pairs with fm_switch_set(). */
	since = smp_load_acquire(&slot->since);
	if (since & FM_SINCE_ON)
		return false;
	wait->why = FLAMEMOD_EVENT_LOST_NESTED;
	if (since == FM_SINCE_NONE)
		return wait->off;
	wait->state = READ_ONCE(slot->state);
	if (wait->state == FLAMEMOD_TASK_STATE_PREEMPTED)
		return false;
	if (since == FM_SINCE_UNSEEN && !wait->off)
		return false;
	wait->since_ns = READ_ONCE(slot->off_ns) ?: fm_switch_begin(events, task);
	return true;
}

/* Set the key but for the stack. Return: the note that says who wakes. */
static u32 fm_waking_key(struct fm_turn *turn, const struct fm_source *source,
			 const struct task_struct *task, u8 state)
{
	struct fm_wakers *wakers = &turn->c->sample.paths->wakers;
	u8 context = fm_context_in(preempt_count() & HARDIRQ_MASK, in_serving_softirq(),
				   false, false);

	fm_hit_key(turn, context, source->event, state);
	fm_key_set_task(&turn->c->sample.key, fm_turn_groups(turn), task);
	switch (context) {
	case FLAMEMOD_CONTEXT_HARDIRQ:
		return FM_WAKER_HARDIRQ;
	case FLAMEMOD_CONTEXT_SOFTIRQ:
		return FM_WAKER_SOFTIRQ;
	default:
		return fm_wakers_number(wakers, current->comm);
	}
}

/* Let the waker's path go on with a note and the woken task's stack. Return: the path. */
static noinline u32 fm_waking_add(struct fm_event_cpu *c, const struct fm_joined *parts)
{
	struct fm_paths *paths = c->sample.paths;
	unsigned int nr = 0;

	if (parts->leaf) {
		c->woken[0] = parts->leaf;
		nr = 1 + fm_paths_callers(paths, parts->callers, c->woken + 1);
	}
	return fm_paths_append(paths, fm_paths_add_note(paths, parts->waker, parts->note),
			       c->woken, nr);
}

/* The same, if it was not done a short time ago. */
static u32 fm_waking_join(struct fm_event_cpu *c, const struct fm_joined *parts)
{
	struct fm_wakers *wakers = &c->sample.paths->wakers;
	struct fm_joined *known = fm_wakers_joined(wakers, parts->waker, parts->callers);

	if (likely(known->leaf == parts->leaf && known->callers == parts->callers &&
		   known->waker == parts->waker && known->note == parts->note &&
		   known->path))
		return known->path;
	*known = *parts;
	known->path = fm_waking_add(c, parts);
	return known->path;
}

/* Take both stacks. Return: false without room for them. */
static bool fm_waking_stack(struct fm_turn *turn, struct task_struct *task,
			    const struct fm_spot *spot, bool off, u32 note)
{
	struct fm_key *key = &turn->c->sample.key;
	struct fm_joined parts = { .note = note };
	u8 marks = FM_STACK_INCOMPLETE;

	if (off && fm_turn_task_stack(turn, task)) {
		parts.leaf = key->leaf;
		parts.callers = key->path;
		marks = key->marks;
	}
	if (!fm_hit_stack(turn, spot))
		return false;
	key->marks |= marks;
	parts.waker = key->path;
	key->path = fm_waking_join(turn->c, &parts);
	return key->path;
}

/* Store a wait that has ended. */
static void fm_waking_store(struct fm_turn *turn, struct fm_source *source,
			    struct task_struct *task, const struct fm_spot *spot,
			    const struct fm_wait *wait, u64 ns)
{
	struct fm_event_books *books = fm_hit_see(turn, source, ns);
	/* With user stacks it is stored later, when others may wake that task. */
	u32 *last = turn->events->request.user_stacks ? &turn->c->table->last :
							&wait->slot->wake_entry;
	u32 note;

	if (unlikely(!fm_throttle_allows(turn->c->throttle, turn->now_ns))) {
		fm_event_lose(books, ns, FLAMEMOD_EVENT_LOST_OVERLOAD);
		return;
	}
	note = fm_waking_key(turn, source, task, wait->state);
	if (likely(fm_waking_stack(turn, task, spot, wait->off, note)))
		fm_hit_keep(turn, current, books, ns, last);
	else
		fm_event_lose(books, ns, FLAMEMOD_EVENT_LOST_TABLE_FULL);
	fm_hit_pay(turn);
}

/**
 * fm_waking_count() - count a wake-up.
 * @source: the source
 * @task: the task that is woken, not the current one
 * @spot: where the waker is
 *
 * Unlike other sources this one is never suspended: past a quarter of a CPU no stacks are
 * taken, and what is left costs little, as nothing traps.
 *
 * Context: The tracepoint, interrupts off.
 */
void fm_waking_count(struct fm_source *source, struct task_struct *task,
		     const struct fm_spot *spot)
{
	const struct fm_events *events = source->events;
	struct fm_wait wait;
	struct fm_turn turn;
	u64 ns;

	if (!fm_waking_look(events, task, &wait))
		return;
	turn = fm_hit_begin_for(source, task, in_nmi(), 0);
	if (!turn.c)
		return;
	ns = turn.now_ns > wait.since_ns ? turn.now_ns - wait.since_ns : 0;
	if (unlikely(!wait.since_ns))
		fm_hit_lose(&turn, source, wait.why);
	else if (unlikely(ns > FM_HIT_WEIGHT_MAX))
		fm_hit_lose(&turn, source, FLAMEMOD_EVENT_LOST_TOO_LARGE);
	else if (!(events->request.states & BIT(wait.state)))
		fm_hit_filter(&turn, source, ns);
	else if (ns < source->request.min_ns)
		fm_hit_below(&turn, source, ns);
	else
		fm_waking_store(&turn, source, task, spot, &wait, ns);
	fm_turn_end(&turn);
	fm_guard_leave();
}

#ifdef FM_HAVE_SCHED_WAKING
/* The probe, which is called by the function that wakes. */
static noinline notrace void fm_waking_probe(void *data, struct task_struct *task)
{
	struct fm_source *source = data;
	struct pt_regs caller = {};
	struct fm_spot spot = { .regs = &caller, .leaf = _RET_IP_ - 1, .inside = true };

	/* A task that wakes itself is on its CPU. Pairs with fm_events_begin(). */
	if (task == current || !smp_load_acquire(&source->events->on))
		return;
	fm_caller_regs_here(&caller);
	fm_waking_count(source, task, &spot);
}

static struct tracepoint *fm_waking_tracepoint;

/* Return: whether the kernel reports wake-ups. */
static bool fm_waking_exists(void)
{
	if (!fm_waking_tracepoint)
		fm_waking_tracepoint = fm_tracepoint_find("sched_waking");
	return fm_waking_tracepoint;
}

static int fm_waking_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	int err = tracepoint_probe_register(fm_waking_tracepoint, fm_waking_probe, source);

	if (err)
		NL_SET_ERR_MSG(extack, "attach: the kernel refused to report wake-ups of tasks");
	return err;
}

static void fm_waking_detach(struct fm_source *source)
{
	tracepoint_probe_unregister(fm_waking_tracepoint, fm_waking_probe, source);
	tracepoint_synchronize_unregister();
}
#else
static bool fm_waking_exists(void)
{
	return false;
}

static int fm_waking_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static void fm_waking_detach(struct fm_source *source)
{
}
#endif

static int fm_waking_check(const struct fm_source_request *request,
			   struct netlink_ext_ack *extack)
{
	if (!fm_waking_exists()) {
		NL_SET_ERR_MSG(extack, "wakers: this kernel has no tracepoint sched_waking");
		return -EOPNOTSUPP;
	}
	return fm_switch_check(request, extack);
}

const struct fm_source_ops fm_wakers_ops = {
	.kind = FLAMEMOD_SOURCE_KIND_WAKERS,
	.bytes = sizeof(struct fm_source),
	.unit = "ns",
	.check = fm_waking_check,
	.attach = fm_waking_attach,
	.detach = fm_waking_detach,
};
