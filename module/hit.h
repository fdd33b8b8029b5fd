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
	struct fm_event_cpu *c;
	u32 nr_entries;		/* of the table, when it began */
	u64 now_ns;
};

bool fm_hit_wants(const struct fm_events *events, const struct task_struct *task);

bool fm_hit_begin_for(struct fm_turn *turn, struct fm_source *source,
		      const struct task_struct *task, bool nmi, u64 weight);
void fm_hit(struct fm_turn *turn, struct fm_source *source,
	    const struct fm_spot *spot, unsigned long preempt, u64 weight, u8 state);
void fm_hit_filter(struct fm_turn *turn, struct fm_source *source, u64 weight);
void fm_hit_below(struct fm_turn *turn, struct fm_source *source, u64 weight);
void fm_hit_lose(struct fm_turn *turn, struct fm_source *source,
		 enum flamemod_event_lost reason);
void fm_hit_end(struct fm_turn *turn, struct fm_source *source);

/* What fm_hit() does, for a handler whose hits are not all of the current task's. */
struct fm_event_books *fm_hit_see(struct fm_turn *turn, const struct fm_source *source,
				  u64 weight);
bool fm_hit_stack(struct fm_turn *turn, const struct fm_spot *spot);

/* As fm_hit_begin_for(), for a hit of the current task. */
static inline bool fm_hit_begin(struct fm_turn *turn, struct fm_source *source, bool nmi)
{
	return fm_hit_begin_for(turn, source, current, nmi, 0);
}

/* Begin a turn on this CPU, whose guard is set. */
static __always_inline void fm_turn_begin(struct fm_turn *turn, struct fm_events *events,
					  struct fm_event_cpu *c)
{
	c->sample.slow = false;
	turn->events = events;
	turn->c = c;
	turn->nr_entries = c->tables[c->table].nr;
	turn->now_ns = ktime_get_mono_fast_ns();
}

/* End it. A stack or task that was new may have filled the table. */
static __always_inline void fm_turn_end(struct fm_turn *turn)
{
	struct fm_event_cpu *c = turn->c;

	if (unlikely(c->tables[c->table].nr != turn->nr_entries || c->sample.slow))
		fm_event_ask_drain(c);
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
	return &turn->c->tables[turn->c->table].groups;
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
static __always_inline void fm_hit_store(const struct fm_turn *turn, u8 event, u64 weight,
					 u32 *last)
{
	fm_event_store(turn->c, &turn->c->sample.key, event, weight, last);
}

/* As fm_hit_store(); but if the hit has a user stack, that is taken first. */
static __always_inline void fm_hit_keep(const struct fm_turn *turn,
					const struct task_struct *task, u8 event, u64 weight,
					u32 *last)
{
	if (likely(!turn->events->request.user_stacks) ||
	    !fm_pending_add(turn->c, task, weight, last))
		fm_hit_store(turn, event, weight, last);
}

/* Pay for a stack, if it is time to. Return: true if it was. */
static __always_inline bool fm_hit_pay(const struct fm_turn *turn)
{
	struct fm_throttle *throttle = turn->c->throttle;

	if (!fm_throttle_times(throttle, turn->c->sample.slow))
		return false;
	fm_throttle_spend(throttle, turn->now_ns,
			  ktime_get_mono_fast_ns() - turn->now_ns);
	return true;
}

#endif /* _FLAMEMOD_HIT_H */
