// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the intervals that have not ended at the instant of a dump: see events.h.
 *
 * For each task that events are attached to, the part up to that instant is counted,
 * and the rest, when the interval ends. A task's time is replaced by the instant only
 * if it is still the one that was looked at: then the task has not been switched since,
 * so that its stack and its state are those of the interval too. Otherwise the switch
 * has counted all of it.
 */
#include <linux/atomic.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "aggregate.h"
#include "cgroup.h"
#include "events.h"
#include "frames.h"
#include "session.h"
#include "stack.h"
#include "switch.h"
#include "user/names.h"

/* An interval that lasts. */
struct fm_cut {
	struct task_struct *task;
	struct fm_slot *slot;
	u64 since;		/* as in the slot */
	u64 since_ns;
	u8 state;		/* the slot's, valid if it is still @since there */
	u64 now_ns;		/* the instant of the dump */
	bool on;		/* the task is on a CPU */
	u64 waiting_ns;		/* the part in which it waits for a CPU */
	bool has_user;		/* it has a user stack, which cannot be read from here */
	u32 callers;		/* the node of its stack */
	u32 user;		/* the node of its user stack */
};

/* Collect the tasks, with a reference to each. Return: how many. */
static u32 fm_events_cut_collect(struct fm_events *events)
{
	struct task_struct *process, *task;
	u32 nr = 0, max = BIT(events->slots.bits) * FM_SLOT_WAYS;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (nr == max || READ_ONCE(task->exit_state) ||
		    !fm_switch_wants(events, task) ||
		    !fm_slots_find(&events->slots, task))
			continue;
		*(struct task_struct **)fm_pool_at(&events->tasks, nr++) = task;
		get_task_struct(task);
	}
	rcu_read_unlock();
	return nr;
}

/*
 * Find out whether a task is on a CPU, and since when. A task that was not switched
 * yet is now what it always was. Return: false if there is nothing to count.
 */
static bool fm_events_cut_look(const struct fm_events *events, struct fm_cut *cut)
{
	/* Pairs with fm_switch_set(). */
	cut->since = smp_load_acquire(&cut->slot->since);
	/* Later the slot has the state of the next interval. */
	cut->state = READ_ONCE(cut->slot->state);
	/* Since it was found, the task may have ended, and another one may have its slot. */
	if (cut->since == FM_SINCE_NONE || READ_ONCE(cut->slot->task) != cut->task)
		return false;
	if (cut->since == FM_SINCE_UNSEEN) {
		cut->on = fm_compat_on_cpu(cut->task);
		cut->since_ns = max_t(u64, events->begin_ns, cut->task->start_time);
	} else {
		cut->on = cut->since & FM_SINCE_ON;
		cut->since_ns = fm_since_ns(cut->since);
	}
	return cut->since_ns < cut->now_ns;
}

/* Is the interval among what was asked for, and long enough already? */
static bool fm_events_cut_wanted(const struct fm_events *events, const struct fm_cut *cut)
{
	const struct fm_attach *request = &events->request;

	if (cut->on)
		return request->events & FM_EVENT(RAN);
	return request->events & (FM_EVENT(OFF_CPU) | FM_EVENT(WAITING)) &&
	       request->states & BIT(cut->state) &&
	       (cut->since & FM_SINCE_COUNTED ||
		cut->now_ns - cut->since_ns >= request->min_ns);
}

/*
 * Take the stack of a task that is off, if it still is. The stack must not be freed
 * meanwhile: a task that ends takes task_lock() after it set PF_EXITING, to give up its
 * namespaces, and leaves its stack after that. The kernel's own references to stacks
 * cannot be given back by a module.
 * Return: false if the task is about to end; it is counted then.
 */
static bool fm_events_cut_stack(struct fm_events *events, struct fm_cut *cut)
{
	struct fm_sample *sample = events->sample;
	bool lives;

	sample->nr_frames = 0;
	sample->key.marks = 0;
	if (cut->on)
		return true;
	task_lock(cut->task);
	lives = !(READ_ONCE(cut->task->flags) & PF_EXITING);
	if (lives)
		fm_stack_peek(cut->task, sample, events->max_depth);
	cut->has_user = events->request.user_stacks &&
			fm_pending_wants(cut->task, FLAMEMOD_CONTEXT_TASK);
	task_unlock(cut->task);
	return lives;
}

/* Count a part of an interval. Its number is counted when it ends. */
static void fm_events_cut_count(struct fm_events *events, const struct fm_cut *cut,
				enum flamemod_event event, u64 weight)
{
	struct fm_event_sums *sums = &events->cut[event].weight;
	const struct fm_counts counts = { .periods = weight };
	struct fm_folded folded = {
		.pid = cut->task->tgid,
		.tid = cut->task->pid,
		.cpu = task_cpu(cut->task),
		.context = FLAMEMOD_CONTEXT_TASK,
		.event = event,
		.followed = events->request.followed,
		.state = cut->on ? 0 : cut->state,
	};
	char comm[TASK_COMM_LEN];
	u32 id;

	if (event != FLAMEMOD_EVENT_RAN) {
		folded.callers = cut->callers;
		folded.user = cut->user;
	}
	if (!weight || !(events->request.events & BIT(event)))
		return;
	memcpy(comm, cut->task->comm, TASK_COMM_LEN);
	comm[TASK_COMM_LEN - 1] = 0;
	folded.comm = comm;
	rcu_read_lock();
	folded.cgroup = fm_cgroup_id(cut->task);
	rcu_read_unlock();
	sums->seen += weight;
	if (fm_aggregate_find(events->aggregate, &folded, &id)) {
		sums->lost[FLAMEMOD_EVENT_LOST_AGGREGATE_FULL] += weight;
		return;
	}
	sums->stored += weight;
	fm_aggregate_count(events->aggregate, id, &counts);
	if (folded.user)
		events->sides[event][FLAMEMOD_USER_AWAY] += weight;
}

/* Find the node of a user stack that cannot be read now. Return: 0 or -ENOSPC. */
static int fm_events_cut_user(struct fm_events *events, struct fm_cut *cut)
{
	struct fm_session *session = events->session;
	const u64 away = fm_user_frame(0, FM_USER_END + FLAMEMOD_USER_AWAY);

	if (!cut->has_user)
		return 0;
	if (fm_user_name(&session->symbols, session->objects, away, false, session->frames))
		return -ENOSPC;
	return fm_aggregate_node(events->aggregate, 0, session->frames, 1, &cut->user);
}

/* Find the node of the stack that was taken. Return: 0 or -ENOSPC. */
static int fm_events_cut_node(struct fm_events *events, struct fm_cut *cut)
{
	const struct fm_sample *sample = events->sample;
	struct fm_session *session = events->session;
	u32 nr = 0, i;

	for (i = 0; i < sample->nr_frames; i++)
		if (fm_symbols_resolve(&session->symbols, sample->frames[i],
				       &session->frames[nr++]) < 0)
			return -ENOSPC;
	if (fm_frames_mark(session, sample->key.marks, &nr))
		return -ENOSPC;
	return fm_aggregate_node(events->aggregate, 0, session->frames, nr, &cut->callers);
}

static void fm_events_cut_task(struct fm_events *events, struct fm_cut *cut)
{
	u64 ns, to = fm_since(cut->now_ns, FM_SINCE_COUNTED | (cut->on ? FM_SINCE_ON : 0));

	if (!fm_events_cut_stack(events, cut))
		return;
	if (!cut->on && events->request.events & FM_EVENT(WAITING) &&
	    cut->state != FLAMEMOD_TASK_STATE_PREEMPTED)
		cut->waiting_ns = fm_switch_waited(cut->task, cut->slot->run_delay);
	/* Find its place first: what cannot be stored is left to the end of the interval. */
	if (fm_events_cut_node(events, cut) || fm_events_cut_user(events, cut))
		return;
	if (cmpxchg(&cut->slot->since, cut->since, to) != cut->since)
		return;
	ns = cut->now_ns - cut->since_ns;
	if (cut->on) {
		fm_events_cut_count(events, cut, FLAMEMOD_EVENT_RAN, ns);
		return;
	}
	cut->waiting_ns = min(cut->waiting_ns, ns);
	fm_events_cut_count(events, cut, FLAMEMOD_EVENT_OFF_CPU, ns - cut->waiting_ns);
	fm_events_cut_count(events, cut, FLAMEMOD_EVENT_WAITING, cut->waiting_ns);
}

/**
 * fm_events_cut() - count the intervals that last, up to now.
 * @events: attached; drained after this
 *
 * Context: Process context, under the session's lock, may sleep.
 */
void fm_events_cut(struct fm_events *events)
{
	u32 nr, i;

	events->instant_ns = ktime_get_mono_fast_ns();
	/* While sources are being detached, or after an error, switches are not seen. */
	if (!events->on || !events->request.events)
		return;
	nr = fm_events_cut_collect(events);
	for (i = 0; i < nr; i++) {
		struct task_struct *task =
			*(struct task_struct **)fm_pool_at(&events->tasks, i);
		struct fm_cut cut = { .task = task, .now_ns = events->instant_ns };

		cut.slot = fm_slots_find(&events->slots, task);
		if (cut.slot && fm_events_cut_look(events, &cut) &&
		    fm_events_cut_wanted(events, &cut))
			fm_events_cut_task(events, &cut);
		put_task_struct(task);
		cond_resched();
	}
}
