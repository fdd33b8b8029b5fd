// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of sources: see hit.h.
 */
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
 * fm_hit_begin_for() - begin a handler's turn for a hit.
 * @turn: to set up
 * @source: the source that hit
 * @task: whose hit it is
 * @nmi: count the hit as one in a non-maskable interrupt, and store nothing
 * @weight: the hit's, if it is known, or 0; for the books if it is not stored
 *
 * A counter of the processor stores hits in a non-maskable interrupt as well: if the guard
 * is not set, nobody else uses the tables of the CPU. A probe or a tracepoint there is
 * only counted, because steps are not learned from such places.
 *
 * Context: A handler of a source, interrupts off; a counter's also in a non-maskable
 * interrupt.
 * Return: true if the turn began, so that the hit is to be counted and the turn to be
 * ended; false if the hit is not asked for, or was counted.
 */
bool fm_hit_begin_for(struct fm_turn *turn, struct fm_source *source,
		      const struct task_struct *task, bool nmi, u64 weight)
{
	struct fm_events *events = source->events;
	struct fm_event_cpu *c;

	/* Pairs with fm_events_begin(). */
	if (!smp_load_acquire(&events->on))
		return false;
	if (unlikely(events->selects) && !fm_hit_wants(events, task))
		return false;
	c = READ_ONCE(events->cpus[raw_smp_processor_id()]);
	if (unlikely(!c)) {
		atomic64_inc(&source->homeless);
		return false;
	}
	if (unlikely(nmi)) {
		local_inc(&c->outside[source->number].nmi);
		return false;
	}
	if (unlikely(!fm_guard_enter())) {
		local_inc(&c->outside[source->number].nested);
		local_add(weight, &c->outside[source->number].weight);
		return false;
	}
	fm_turn_begin(turn, events, c);
	if (likely(!READ_ONCE(source->hot)))
		return true;
	fm_event_see(&c->books[source->event], weight);
	fm_event_lose(&c->books[source->event], weight, FLAMEMOD_EVENT_LOST_SUSPENDED);
	fm_guard_leave();
	return false;
}

/* Look at what a source's hits took. If it is too much, ask for its suspension. */
static noinline void fm_hit_look(struct fm_turn *turn, struct fm_source *source)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	if (!fm_heat_look(&turn->c->heat[source->number], now_ns, now_ns - turn->now_ns))
		return;
	WRITE_ONCE(source->hot, true);
	irq_work_queue(&source->suspend_work);
}

/**
 * fm_hit_end() - end a handler's turn.
 * @turn: begun
 * @source: the source that hit
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_end(struct fm_turn *turn, struct fm_source *source)
{
	fm_turn_end(turn);
	if (unlikely(fm_heat_hit(&turn->c->heat[source->number])))
		fm_hit_look(turn, source);
	fm_guard_leave();
}

/**
 * fm_hit_see() - count a hit as seen.
 * @turn: begun
 * @source: the source that hit
 * @weight: the hit's
 *
 * Context: As fm_hit_begin_for().
 * Return: its books, in which the caller counts what becomes of it.
 */
struct fm_event_books *fm_hit_see(struct fm_turn *turn, const struct fm_source *source,
				  u64 weight)
{
	struct fm_event_books *books = &turn->c->books[source->event];

	fm_event_see(books, weight);
	return books;
}

/**
 * fm_hit_filter() - count a hit whose conditions do not hold.
 * @turn: begun
 * @source: the source that hit
 * @weight: the hit's, or 0 if it is not known
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_filter(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	struct fm_event_books *books = fm_hit_see(turn, source, weight);

	books->hits.filtered++;
	books->weight.filtered += weight;
}

/**
 * fm_hit_below() - count a hit whose weight is below the minimum.
 * @turn: begun
 * @source: the source that hit
 * @weight: the hit's
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_below(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	struct fm_event_books *books = fm_hit_see(turn, source, weight);

	books->hits.below++;
	books->weight.below += weight;
}

/**
 * fm_hit_lose() - count a hit that has no weight and is not stored.
 * @turn: begun
 * @source: the source that hit
 * @reason: why
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit_lose(struct fm_turn *turn, struct fm_source *source,
		 enum flamemod_event_lost reason)
{
	fm_event_miss(&turn->c->books[source->event], reason);
}

/* Set the key for the current task. */
static void fm_hit_key_current(struct fm_turn *turn, const struct fm_source *source,
			       const struct fm_spot *spot, unsigned long preempt, u8 state)
{
	/* This count has no level of ours, unlike the timer's. */
	u8 context = fm_context_of(preempt + HARDIRQ_OFFSET, in_serving_softirq(), !spot,
				   fm_context_idles(current));

	fm_hit_key(turn, context, source->event, state);
	fm_key_set_current(&turn->c->sample.key, fm_turn_groups(turn));
}

/**
 * fm_hit_stack() - take the current stack.
 * @turn: begun; its key gets the stack
 * @spot: where; NULL: in user mode, without a stack
 *
 * Context: As fm_hit_begin_for().
 * Return: false without room for it.
 */
bool fm_hit_stack(struct fm_turn *turn, const struct fm_spot *spot)
{
	struct fm_sample *sample = &turn->c->sample;
	u32 max_depth = turn->events->max_depth;

	sample->last = &turn->c->tables[turn->c->table].last;
	if (!spot)
		return true;
	if (turn->events->learns && !spot->anywhere)
		fm_learned_spot_stack(&turn->c->learned, spot, sample, max_depth);
	else
		fm_stack_from_spot(NULL, spot, sample, max_depth);
	return !sample->nr_frames || fm_sample_fold(sample);
}

/**
 * fm_hit() - store a hit of the current task.
 * @turn: begun
 * @source: the source that hit
 * @spot: where; NULL: in user mode, without a stack
 * @preempt: preempt_count() there, without the levels of what called the handler
 * @weight: its weight; what is above FM_HIT_WEIGHT_MAX is refused
 * @state: what else to tell hits apart by, less than 128: see records in flamemod.yaml
 *
 * Context: As fm_hit_begin_for().
 */
void fm_hit(struct fm_turn *turn, struct fm_source *source,
	    const struct fm_spot *spot, unsigned long preempt, u64 weight, u8 state)
{
	struct fm_event_books *books;

	if (unlikely(weight > FM_HIT_WEIGHT_MAX)) {
		fm_hit_lose(turn, source, FLAMEMOD_EVENT_LOST_TOO_LARGE);
		return;
	}
	books = fm_hit_see(turn, source, weight);
	if (unlikely(!fm_throttle_allows(turn->c->throttle, turn->now_ns))) {
		fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_OVERLOAD);
		return;
	}
	fm_hit_key_current(turn, source, spot, preempt, state);
	if (likely(fm_hit_stack(turn, spot)))
		fm_hit_keep(turn, current, source->event, weight, turn->c->sample.last);
	else
		fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_TABLE_FULL);
	fm_hit_pay(turn);
}
