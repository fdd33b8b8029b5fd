/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hits of sources: stores each with its stack, task and weight.
 *
 * A handler turns interrupts off, begins, counts its hit and ends. In between it holds the
 * guard of its CPU and owns that CPU's tables: a hit that comes meanwhile, even in a
 * non-maskable interrupt, is only counted. Nothing here takes a lock, allocates, prints,
 * wakes anybody or reads what may fault, since a hit may be anywhere: with the run queue's
 * lock held, in an interrupt, in the clock's or the unwinder's code. A drain is requested
 * by irq_work, and so is the suspension of a source.
 */
#ifndef _FLAMEMOD_HIT_H
#define _FLAMEMOD_HIT_H

#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "context.h"
#include "event_store.h"
#include "events.h"
#include "guard.h"
#include "key.h"
#include "pending.h"
#include "source.h"
#include "stack.h"

/* Weights are less, so that a sum of 2^17 of them cannot overflow. */
#define FM_HIT_WEIGHT_MAX	(BIT_ULL(47) - 1)

/* A handler's turn on a CPU. */
struct fm_turn {
	struct fm_events *events;
	struct fm_event_cpu *c;	/* NULL: it did not begin */
	struct fm_table *table;	/* that hits are stored in */
	u64 now_ns;		/* when it began; 0: the clock was not read */
};

bool fm_hit_wants(const struct fm_events *events, const struct task_struct *task);
void fm_hit_unwanted(struct fm_source *source, bool nmi);
void fm_hit_outside(struct fm_source *source, struct fm_event_cpu *c, bool nmi, u64 weight);
void fm_hit_suspended(struct fm_event_cpu *c, const struct fm_source *source, u64 weight);
bool fm_hit_may_store(struct fm_event_cpu *c, u64 began_ns);
void fm_hit_spend(struct fm_event_cpu *c, u64 began_ns);
void fm_hit_look(struct fm_event_cpu *c, struct fm_source *source, u64 began_ns);

/* Begin a turn on this CPU, whose guard is set. If it is not @timed, its time is 0. */
static __always_inline struct fm_turn fm_turn_open(struct fm_events *events,
						   struct fm_event_cpu *c, bool timed)
{
	c->sample.slow = false;
	c->sample.untimed = !timed;
	return (struct fm_turn) {
		.events = events,
		.c = c,
		.table = c->table,
		.now_ns = unlikely(timed) ? ktime_get_mono_fast_ns() : 0,
	};
}

/* Begin a turn on this CPU, whose guard is set. */
static __always_inline struct fm_turn fm_turn_begin(struct fm_events *events,
						    struct fm_event_cpu *c)
{
	return fm_turn_open(events, c, true);
}

/*
 * As fm_turn_begin(), but only one hit in several reads the clock, and pays for those before
 * it as well. If the stack of another one turns out to be slow, the clock is read at that
 * moment, and the rest of this stack is timed.
 */
static __always_inline struct fm_turn fm_turn_begin_untimed(struct fm_events *events,
							    struct fm_event_cpu *c,
							    const struct fm_source *source)
{
	return fm_turn_open(events, c, fm_heat_is_due(fm_source_heat(source, c)) ||
				       fm_throttle_is_due(c->throttle));
}

/* End it. What was new may have filled the table; if it was a stack: fm_hit_spend(). */
static __always_inline void fm_turn_end(struct fm_turn *turn)
{
	if (fm_table_grew(turn->table))
		fm_event_ask_drain(turn->c);
}

/*
 * Take the stack of a task that is off its CPU, and stays off meanwhile. Return: false
 * without room for it.
 */
static __always_inline bool fm_turn_task_stack(const struct fm_turn *turn,
					       struct task_struct *task)
{
	struct fm_sample *sample = &turn->c->sample;
	u32 max_depth = turn->events->max_depth;

	if (turn->events->learns)
		fm_learned_task_stack(&turn->c->learned, task, sample, max_depth);
	else
		fm_stack_from_task(NULL, task, sample, max_depth);
	return !sample->nr_frames || fm_sample_fold(sample);
}

/* Return: the cgroups of the table that a turn stores in. */
static __always_inline struct fm_groups *fm_turn_groups(const struct fm_turn *turn)
{
	return &turn->table->groups;
}

/* Set the key but for its task and its stack. */
static __always_inline void fm_hit_key(const struct fm_turn *turn, u8 context, u8 event,
				       u8 state)
{
	struct fm_key *key = &turn->c->sample.key;

	key->leaf = 0;
	key->path = FM_PATH_NONE;
	key->context = context;
	key->marks = 0;
	key->followed = turn->events->request.followed;
	key->event = event;
	key->state = state;
}

/* Store what was seen, with the current key. */
static __always_inline void fm_hit_store(const struct fm_turn *turn,
					 struct fm_event_books *books, u64 weight, u32 *last)
{
	fm_event_store(turn->table, books, &turn->c->sample.key, weight, last);
}

/* As fm_hit_store(); but if the hit has a user stack, that is taken first. */
static __always_inline void fm_hit_keep(const struct fm_turn *turn,
					const struct task_struct *task,
					struct fm_event_books *books, u64 weight, u32 *last)
{
	if (likely(!turn->events->request.user_stacks) ||
	    !fm_pending_add(turn->c, task, weight, last))
		fm_hit_store(turn, books, weight, last);
}

/* Pay for a stack, if it is time to. */
static __always_inline void fm_hit_pay(const struct fm_turn *turn)
{
	if (unlikely(fm_throttle_times(turn->c->throttle, turn->c->sample.slow)))
		fm_hit_spend(turn->c, turn->now_ns);
}

/* Return: true if hits of all tasks are counted, and are not suspended. */
static __always_inline bool fm_hit_is_plain(const struct fm_source *source)
{
	const struct fm_events *events = source->events;

	/* Pairs with fm_events_begin(). */
	return smp_load_acquire(&events->on) && !events->selects && !READ_ONCE(source->hot);
}

/*
 * Find the tables for a hit, and set this CPU's guard. Return: NULL if there can be no turn.
 * The hit was counted then, unless its task is not asked for or nothing is counted.
 */
static __always_inline struct fm_event_cpu *
fm_hit_find_place(struct fm_source *source, const struct task_struct *task, bool nmi,
		  u64 weight)
{
	struct fm_events *events = source->events;
	struct fm_event_cpu *c;

	/* Pairs with fm_events_begin(). */
	if (!smp_load_acquire(&events->on))
		return NULL;
	if (unlikely(events->selects) && !fm_hit_wants(events, task)) {
		fm_hit_unwanted(source, nmi);
		return NULL;
	}
	c = READ_ONCE(events->cpus[raw_smp_processor_id()]);
	if (unlikely(!c || nmi) || unlikely(!fm_guard_enter())) {
		fm_hit_outside(source, c, nmi, weight);
		return NULL;
	}
	if (unlikely(READ_ONCE(source->hot))) {
		fm_hit_suspended(c, source, weight);
		return NULL;
	}
	return c;
}

/**
 * fm_hit_begin_for() - begin a handler's turn for a hit.
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
 * Return: the turn, in which the hit is to be counted, and which is to be ended; or one
 * whose @c is NULL, if the hit is not asked for, or was counted.
 */
static __always_inline struct fm_turn
fm_hit_begin_for(struct fm_source *source, const struct task_struct *task, bool nmi,
		 u64 weight)
{
	struct fm_event_cpu *c = fm_hit_find_place(source, task, nmi, weight);

	return likely(c) ? fm_turn_begin(source->events, c) : (struct fm_turn) { };
}

/* As fm_hit_begin_for(), for a hit of the current task. */
static __always_inline struct fm_turn fm_hit_begin(struct fm_source *source, bool nmi)
{
	return fm_hit_begin_for(source, current, nmi, 0);
}

/* As fm_hit_begin(), for a hit that needs no time. */
static __always_inline struct fm_turn fm_hit_begin_untimed(struct fm_source *source, bool nmi)
{
	struct fm_event_cpu *c = fm_hit_find_place(source, current, nmi, 0);

	return likely(c) ? fm_turn_begin_untimed(source->events, c, source) :
			   (struct fm_turn) { };
}

/**
 * fm_hit_end() - end a handler's turn.
 * @turn: begun
 * @source: the source that hit
 *
 * Context: As fm_hit_begin_for().
 */
static __always_inline void fm_hit_end(struct fm_turn *turn, struct fm_source *source)
{
	fm_turn_end(turn);
	if (unlikely(fm_heat_hit(fm_source_heat(source, turn->c))))
		fm_hit_look(turn->c, source, turn->now_ns);
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
static __always_inline struct fm_event_books *
fm_hit_see(struct fm_turn *turn, const struct fm_source *source, u64 weight)
{
	struct fm_event_books *books = fm_source_books(source, turn->c);

	fm_event_see(books, weight);
	return books;
}

/**
 * fm_hit_filter() - count a hit whose conditions do not hold.
 * @turn: begun
 * @source: the source that hit
 * @weight: the hit's, or 0 if it is not known; what is above FM_HIT_WEIGHT_MAX counts as 0,
 *          because it may be an address, which the books would show
 *
 * Context: As fm_hit_begin_for().
 */
static __always_inline void fm_hit_filter(struct fm_turn *turn,
					  struct fm_source *source, u64 weight)
{
	struct fm_event_books *books;

	if (unlikely(weight > FM_HIT_WEIGHT_MAX))
		weight = 0;
	books = fm_hit_see(turn, source, weight);
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
static __always_inline void fm_hit_below(struct fm_turn *turn,
					 struct fm_source *source, u64 weight)
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
static __always_inline void fm_hit_lose(struct fm_turn *turn, struct fm_source *source,
					enum flamemod_event_lost reason)
{
	fm_event_miss(fm_source_books(source, turn->c), reason);
}

/* Set the key for the current task. */
static __always_inline void fm_hit_key_current(struct fm_turn *turn,
					       const struct fm_source *source,
					       const struct fm_spot *spot,
					       unsigned long preempt, u8 state)
{
	u8 context = fm_context_in(preempt & HARDIRQ_MASK, in_serving_softirq(), !spot,
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
static __always_inline bool fm_hit_stack(struct fm_turn *turn, const struct fm_spot *spot)
{
	struct fm_sample *sample = &turn->c->sample;
	u32 max_depth = turn->events->max_depth;

	sample->last = &turn->table->last;
	if (!spot)
		return true;
	if (turn->events->learns && !spot->anywhere)
		fm_learned_spot_stack(&turn->c->learned, spot, sample, max_depth);
	else
		fm_stack_from_spot(NULL, spot, sample, max_depth);
	return likely(!sample->nr_frames) || fm_sample_fold(sample);
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
static __always_inline void fm_hit(struct fm_turn *turn, struct fm_source *source,
				   const struct fm_spot *spot, unsigned long preempt,
				   u64 weight, u8 state)
{
	struct fm_event_books *books;

	if (unlikely(weight > FM_HIT_WEIGHT_MAX)) {
		fm_hit_lose(turn, source, FLAMEMOD_EVENT_LOST_TOO_LARGE);
		return;
	}
	books = fm_hit_see(turn, source, weight);
	if (unlikely(turn->c->throttle->credit_ns <= 0) &&
	    !fm_hit_may_store(turn->c, turn->now_ns)) {
		fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_OVERLOAD);
		return;
	}
	fm_hit_key_current(turn, source, spot, preempt, state);
	if (likely(fm_hit_stack(turn, spot)))
		fm_hit_keep(turn, current, books, weight, turn->c->sample.last);
	else
		fm_event_lose(books, weight, FLAMEMOD_EVENT_LOST_TABLE_FULL);
	fm_hit_pay(turn);
}

#endif /* _FLAMEMOD_HIT_H */
