// SPDX-License-Identifier: GPL-2.0
/*
 * Hot half-tables are emptied into the aggregate: see drain.h.
 */
#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "drain.h"
#include "session.h"

static int fm_drain_frames(struct fm_session *session,
			   const struct fm_sample *sample, u32 *nr)
{
	u32 *frames = session->frames;
	u32 i;

	for (i = 0; i < sample->nr_frames; i++)
		if (fm_symbols_resolve(&session->symbols, sample->frames[i],
				       &frames[i]))
			return -ENOSPC;
	if (sample->marks & FM_STACK_INCOMPLETE &&
	    fm_symbols_mark(&session->symbols, "[incomplete]", &frames[i++]))
		return -ENOSPC;
	if (sample->marks & FM_STACK_TRUNCATED &&
	    fm_symbols_mark(&session->symbols, "[truncated]", &frames[i++]))
		return -ENOSPC;
	*nr = i;
	return 0;
}

static int fm_drain_entry(struct fm_session *session, struct fm_cpu *c,
			  const struct fm_entry *entry)
{
	const struct fm_sample *sample = &entry->sample;
	struct fm_folded folded = {
		.frames = session->frames,
		.pid = sample->pid,
		.tid = sample->tid,
		.comm = sample->comm,
		.cpu = c->cpu,
		.context = sample->context,
		.counts = {
			.count = entry->count,
			.periods = entry->periods,
			.late_ns = entry->late_ns,
		},
	};
	int err;

	err = fm_drain_frames(session, sample, &folded.nr_frames);
	return err ?: fm_aggregate_add(session->aggregate, &folded);
}

/* What a swap must have brought: balanced books, and as many periods. */
static void fm_drain_check(struct fm_session *session, struct fm_cpu *c,
			   u64 periods, u64 stored)
{
	if (session->state == FLAMEMOD_STATE_BROKEN)
		return;
	if (WARN_ONCE(!fm_books_balance(&c->swapped),
		      "flamemod: CPU %u: the books do not balance\n", c->cpu) ||
	    WARN_ONCE(periods != stored,
		      "flamemod: CPU %u: %llu periods drained, %llu stored\n",
		      c->cpu, periods, stored))
		fm_session_break(session);
}

static void fm_drain_cpu(struct fm_session *session, struct fm_cpu *c)
{
	u64 stored = c->swapped.stored, periods = 0;
	const struct fm_entry *entry;
	struct fm_table *table;
	u32 position = 0;

	if (c->armed && fm_sampler_quiet(c)) {
		c->swapped_ns = ktime_get_ns();
		return;
	}
	if (c->armed)
		smp_call_function_single(c->cpu, fm_sampler_swap, c, 1);
	else
		fm_sampler_swap(c);
	table = &c->halves[!c->active];
	while ((entry = fm_table_next(table, &position))) {
		periods += entry->periods;
		if (fm_drain_entry(session, c, entry)) {
			c->refused.stored += entry->periods;
			if (entry->sample.marks & FM_STACK_TRUNCATED)
				c->refused.truncated += entry->count;
		}
		cond_resched();
	}
	fm_table_clear(table);
	fm_drain_check(session, c, periods, c->swapped.stored - stored);
}

/**
 * fm_drain() - bring the aggregate up to now, CPU by CPU.
 * @session: locked
 *
 * Afterwards fm_session_books() of each CPU, and their sum, are what the
 * aggregate holds, to the period, whatever was sampled meanwhile.
 *
 * Context: Process context, may sleep.
 */
void fm_drain(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	lockdep_assert_held(&session->lock);
	/* Before the profile takes what readers have given back. */
	fm_session_refill(session);
	while ((c = fm_session_next_cpu(session, c)))
		fm_drain_cpu(session, c);
}

/**
 * fm_drain_work() - the worker: drain, and come again while sampling goes on.
 * @work: the session's drain_work
 *
 * Context: Process context, may sleep.
 */
void fm_drain_work(struct work_struct *work)
{
	struct fm_session *session = container_of(to_delayed_work(work),
						  struct fm_session,
						  drain_work);

	fm_session_lock(session);
	fm_drain(session);
	if (session->state == FLAMEMOD_STATE_RUNNING)
		queue_delayed_work(session->wq, &session->drain_work,
				   FM_DRAIN_INTERVAL);
	fm_session_unlock(session);
}
