// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of sources: see hit.h.
 */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <asm/local.h>

#include "compat/compat.h"
#include "followed.h"
#include "hit.h"
#include "stack.h"

/**
 * fm_hit_wants() - check whether events are attached to a task.
 * @events: attached
 * @task: the task
 *
 * Context: Any.
 * Return: true if its hits are counted.
 */
bool fm_hit_wants(const struct fm_events *events, const struct task_struct *task)
{
	const struct fm_attach *request = &events->request;
	const struct fm_follow *follow;
	u32 i;

	if (request->followed) {
		/* Pairs with fm_events_unfollow(). */
		follow = READ_ONCE(events->follow);
		return follow && fm_follow_has(follow, task->pid);
	}
	for (i = 0; i < request->nr_pids; i++)
		if (request->pids[i] == task->tgid || request->pids[i] == task->pid)
			return true;
	return !request->nr_pids;
}

/**
 * fm_hit_unwanted() - let a hit of a task that was not asked for heat its source.
 * @source: the source that hit
 * @nmi: the hit is one in a non-maskable interrupt
 *
 * It is in no books, but costs the kernel's trap like any other. A hit that cannot have the
 * guard heats nothing, nor one in a non-maskable interrupt: whoever has the guard may be
 * counting in the same heat. Wake-ups do not trap, and are never suspended.
 *
 * Context: A handler of a source, interrupts off; any interrupt.
 */
noinline void fm_hit_unwanted(struct fm_source *source, bool nmi)
{
	struct fm_event_cpu *c = READ_ONCE(source->events->cpus[raw_smp_processor_id()]);

	if (!c || nmi || source->request.kind == FLAMEMOD_SOURCE_KIND_WAKERS ||
	    READ_ONCE(source->hot) || !fm_guard_enter())
		return;
	/* It began just now, whatever the last stack here took. */
	if (unlikely(fm_heat_hit(fm_source_heat(source, c))))
		fm_hit_look(c, source, ktime_get_mono_fast_ns());
	fm_guard_leave();
}

/**
 * fm_hit_outside() - count a hit that cannot have a turn.
 * @source: the source that hit
 * @c: the CPU's, or NULL: it has no tables
 * @nmi: the hit is one in a non-maskable interrupt; otherwise it is nested in another
 * @weight: the hit's, if it is known, or 0
 *
 * Context: A handler of a source, interrupts off; any interrupt.
 */
void fm_hit_outside(struct fm_source *source, struct fm_event_cpu *c, bool nmi, u64 weight)
{
	if (!c) {
		atomic64_inc(&source->homeless);
	} else if (nmi) {
		local_inc(&c->outside[source->number].nmi);
	} else {
		local_inc(&c->outside[source->number].nested);
		local_add(weight, &c->outside[source->number].weight);
	}
}

/**
 * fm_hit_suspended() - count a hit of a source that is suspended, and leave the guard.
 * @c: the CPU's
 * @source: the source that hit
 * @weight: the hit's, if it is known, or 0
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_suspended(struct fm_event_cpu *c, const struct fm_source *source, u64 weight)
{
	struct fm_event_books *books = fm_source_books(source, c);

	fm_event_see(books, weight);
	fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_SUSPENDED);
	fm_guard_leave();
}

/* Return: when a turn began, or its stack became slow; @now_ns if nobody knows. */
static u64 fm_hit_began_ns(const struct fm_event_cpu *c, u64 began_ns, u64 now_ns)
{
	if (began_ns)
		return began_ns;
	return c->sample.slow ? c->sample.slow_ns : now_ns;
}

/**
 * fm_hit_look() - look at what a source's hits took, and suspend it if that is too much.
 * @c: the CPU's
 * @source: the source
 * @began_ns: when the turn of the last one began, or 0
 *
 * A CPU that goes offline suspends nothing: see fm_event_ask_drain().
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_look(struct fm_event_cpu *c, struct fm_source *source, u64 began_ns)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	if (!fm_heat_look(fm_source_heat(source, c), now_ns,
			  now_ns - fm_hit_began_ns(c, began_ns, now_ns)) ||
	    !cpu_active(raw_smp_processor_id()))
		return;
	WRITE_ONCE(source->hot, true);
	irq_work_queue(&source->suspend_work);
}

/**
 * fm_hit_may_store() - check whether stacks may take more time, when credit is used up.
 * @c: the CPU's
 * @began_ns: when the turn began, or 0
 *
 * Context: As fm_hit_begin_for().
 * Return: true if there is credit again.
 */
bool fm_hit_may_store(struct fm_event_cpu *c, u64 began_ns)
{
	return fm_throttle_allows(c->throttle, began_ns ?: ktime_get_mono_fast_ns());
}

/**
 * fm_hit_spend() - pay for stacks.
 * @c: the CPU's
 * @began_ns: when the turn began, or 0
 *
 * A stack that was new is always paid for at once, and may have filled the paths, so that
 * a drain is requested here.
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_spend(struct fm_event_cpu *c, u64 began_ns)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	began_ns = fm_hit_began_ns(c, began_ns, now_ns);
	fm_throttle_spend(c->throttle, began_ns, now_ns - began_ns);
	fm_event_ask_drain(c);
}
