// SPDX-License-Identifier: GPL-2.0
/*
 * Hits that wait for their user stacks: see pending.h.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>

#include "compat/compat.h"
#include "context.h"
#include "event_store.h"
#include "guard.h"
#include "pending.h"
#include "user/walk.h"

/**
 * fm_pending_wants() - check whether a hit has a user stack.
 * @task: the task
 * @context: the context of the hit, enum flamemod_context
 *
 * Context: Any.
 * Return: false for threads of the kernel, and for hits in interrupts.
 */
bool fm_pending_wants(const struct task_struct *task, u8 context)
{
	return (context == FLAMEMOD_CONTEXT_USER || context == FLAMEMOD_CONTEXT_TASK) &&
	       fm_context_has_memory(task) && !(task->flags & FM_COMPAT_NO_USER_MODE) &&
	       !fm_context_idles(task);
}

/**
 * fm_pending_add() - let a hit wait for its user stack, if it has one.
 * @c: the CPU's; its key is complete but for the user stack
 * @task: the hit's
 * @weight: its weight
 * @last: the entry to try first, which stays valid as long as the table
 *
 * Context: A handler's turn.
 * Return: false if it has none, and is not stored.
 */
bool fm_pending_add(struct fm_event_cpu *c, const struct task_struct *task, u64 weight,
		    u32 *last)
{
	struct fm_pending *pending;

	if (!fm_pending_wants(task, c->sample.key.context))
		return false;
	if (unlikely(c->nr_pending == FM_PENDING_MAX)) {
		struct fm_key *key = &c->sample.key;

		key->side = FLAMEMOD_USER_AWAY;
		key->user = fm_user_paths_nothing(key->side);
		fm_event_store(c->table, &c->books[key->event], key, weight, last);
		/* Other hits have no user stack. */
		key->side = 0;
		key->user = 0;
		return true;
	}
	pending = &c->pending[c->nr_pending++];
	pending->task = task;
	pending->key = c->sample.key;
	pending->weight = weight;
	pending->last = last;
	irq_work_queue(&c->user_work);
	return true;
}

/* Take the user stack of the current task. */
static struct fm_user_stack fm_pending_walk(struct fm_event_cpu *c)
{
	struct fm_user_stack stack = fm_user_walk(c->maps, &c->sample.paths->user,
						  task_pt_regs(current), false);

	c->sample.slow |= c->maps->slow;
	return stack;
}

/* With the guard set. */
static void fm_pending_store(struct fm_event_cpu *c)
{
	/* A drain may do this for a CPU that is offline. */
	bool here = c->cpu == raw_smp_processor_id() && fm_context_has_memory(current);
	struct fm_table *table = c->table;
	const struct fm_user_stack away = {
		fm_user_paths_nothing(FLAMEMOD_USER_AWAY), FLAMEMOD_USER_AWAY
	};
	struct fm_user_stack stack = {};
	u32 i;

	for (i = 0; i < c->nr_pending; i++) {
		struct fm_pending *pending = &c->pending[i];
		bool takes = here && pending->task == current;

		/* All of them are of the same moment. */
		if (takes && !stack.path)
			stack = fm_pending_walk(c);
		pending->key.user = takes ? stack.path : away.path;
		pending->key.side = takes ? stack.side : away.side;
		fm_event_store(table, &c->books[pending->key.event], &pending->key,
			       pending->weight, pending->last);
	}
	c->nr_pending = 0;
}

/**
 * fm_pending_flush() - store all hits that wait on a CPU.
 * @c: the CPU's
 *
 * What it takes is paid like other stacks.
 *
 * Context: On that CPU, interrupts off, with the guard set; or anywhere, while the CPU is
 * offline.
 */
void fm_pending_flush(struct fm_event_cpu *c)
{
	u64 began_ns;

	if (!c->nr_pending)
		return;
	began_ns = ktime_get_mono_fast_ns();
	c->sample.slow = false;
	fm_pending_store(c);
	if (fm_throttle_times(c->throttle, c->sample.slow))
		fm_throttle_spend(c->throttle, began_ns,
				  ktime_get_mono_fast_ns() - began_ns);
}

/**
 * fm_pending_work() - store all hits that wait on this CPU.
 * @work: the CPU's user_work
 *
 * Context: Hard interrupt, on PREEMPT_RT too.
 */
void fm_pending_work(struct irq_work *work)
{
	struct fm_event_cpu *c = container_of(work, struct fm_event_cpu, user_work);
	unsigned long flags;
	bool guards;

	raw_local_irq_save(flags);
	guards = fm_guard_enter();
	fm_pending_flush(c);
	fm_event_ask_drain(c);
	if (guards)
		fm_guard_leave();
	raw_local_irq_restore(flags);
}
