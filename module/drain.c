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

/* The frames of callers, the leaf's first, and of the marks at their end. */
static int fm_drain_frames(struct fm_session *session,
			   const struct fm_paths *paths, u32 path, u8 marks,
			   u32 *nr)
{
	unsigned long *callers = session->callers;
	u32 *frames = session->frames;
	u32 i;

	*nr = fm_paths_callers(paths, path, callers);
	for (i = 0; i < *nr; i++)
		if (fm_symbols_resolve(&session->symbols, callers[i], &frames[i]))
			return -ENOSPC;
	if (marks & FM_STACK_INCOMPLETE &&
	    fm_symbols_mark(&session->symbols, "[incomplete]", &frames[(*nr)++]))
		return -ENOSPC;
	if (marks & FM_STACK_TRUNCATED &&
	    fm_symbols_mark(&session->symbols, "[truncated]", &frames[(*nr)++]))
		return -ENOSPC;
	return 0;
}

/*
 * The call tree's node of a stack's callers. Nobody follows a drained table's
 * paths any more: where they went is in use for the node, once it is known.
 */
static int fm_drain_callers(struct fm_session *session, struct fm_paths *paths,
			    const struct fm_key *key, u32 *node)
{
	struct fm_path *path = &paths->paths[key->path];
	u8 marks = key->marks & FM_STACK_CALLERS;
	u32 nr;
	int err;

	if (path->next && !marks) {
		*node = path->next - 1;
		return 0;
	}
	err = fm_drain_frames(session, paths, key->path, marks, &nr) ?:
	      fm_aggregate_node(session->aggregate, 0, session->frames, nr, node);
	if (!err && !marks)
		path->next = *node + 1;
	return err;
}

/* The frames of a leaf: itself, and below it its mark. */
static int fm_drain_leaf(struct fm_session *session, const struct fm_key *key,
			 u32 *frames, u32 *nr)
{
	*nr = 0;
	if (key->marks & FM_STACK_IRQS_OFF &&
	    fm_symbols_mark(&session->symbols, "[irqs-off]", &frames[(*nr)++]))
		return -ENOSPC;
	return fm_symbols_resolve(&session->symbols, key->leaf, &frames[(*nr)++]);
}

static int fm_drain_entry(struct fm_session *session, struct fm_cpu *c,
			  struct fm_paths *paths, const struct fm_entry *entry)
{
	const struct fm_key *key = &entry->key;
	u32 leaf[2];
	struct fm_folded folded = {
		.frames = leaf,
		.pid = key->pid,
		.tid = key->tid,
		.comm = key->comm,
		.cpu = c->cpu,
		.context = key->context,
		.counts = {
			.count = entry->count,
			.periods = entry->periods,
			.late_ns = entry->late_ns,
		},
	};

	if (key->marks & FM_STACK_WOKEN &&
	    fm_symbols_mark(&session->symbols, "[interrupt]",
			    &leaf[folded.nr_frames++]))
		return -ENOSPC;
	if (key->leaf &&
	    (fm_drain_callers(session, paths, key, &folded.callers) ||
	     fm_drain_leaf(session, key, leaf, &folded.nr_frames)))
		return -ENOSPC;
	return fm_aggregate_add(session->aggregate, &folded);
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

/* Return: how many fires there were since the last time. */
static u64 fm_drain_cpu(struct fm_session *session, struct fm_cpu *c, bool wake)
{
	u64 stored = c->swapped.stored, fires = c->swapped.fires, periods = 0;
	const struct fm_entry *entry;
	struct fm_table *table;
	u32 i;

	if (c->armed && !wake && fm_sampler_slept(c))
		return 0;
	if (c->armed && fm_sampler_quiet(c)) {
		c->swapped_ns = ktime_get_ns();
		return 0;
	}
	if (c->armed)
		smp_call_function_single(c->cpu, fm_sampler_swap, c, 1);
	else
		fm_sampler_swap(c);
	table = &c->halves[!c->active];
	for (i = 0; i < table->paths.nr; i++)
		table->paths.paths[i].next = 0;
	for (i = 0; i < table->nr; i++) {
		entry = &table->entries[i];
		periods += entry->periods;
		if (fm_drain_entry(session, c, &table->paths, entry)) {
			c->refused.stored += entry->periods;
			if (entry->key.marks & FM_STACK_TRUNCATED)
				c->refused.truncated += entry->count;
		}
		cond_resched();
	}
	fm_table_clear(table);
	fm_drain_check(session, c, periods, c->swapped.stored - stored);
	return c->swapped.fires - fires;
}

/**
 * fm_drain() - bring the aggregate up to now, CPU by CPU.
 * @session: locked
 * @wake: those that sleep, too
 *
 * Afterwards, where all are awake, fm_session_books() of each CPU, and their sum, are what the
 * aggregate holds, to the period, whatever was sampled meanwhile.
 *
 * Context: Process context, may sleep.
 * Return: how many fires there were since the last time.
 */
u64 fm_drain(struct fm_session *session, bool wake)
{
	struct fm_cpu *c = NULL;
	u64 fires = 0;

	lockdep_assert_held(&session->lock);
	/* Before the profile takes what readers have given back. */
	fm_session_refill(session);
	while ((c = fm_session_next_cpu(session, c)))
		fires += fm_drain_cpu(session, c, wake);
	return fires;
}

static bool fm_drain_any_idle(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		if (fm_sampler_is_idle(c))
			return true;
	return false;
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
	void (*watch_idle)(struct fm_session *session, bool any);
	bool any_idle;
	u64 fires;

	fm_session_lock(session);
	fires = fm_drain(session, false);
	any_idle = fm_drain_any_idle(session);
	watch_idle = session->watch_idle;
	if (session->state == FLAMEMOD_STATE_RUNNING)
		queue_delayed_work(session->wq, &session->drain_work,
				   fires > FM_DRAIN_FIRES ? FM_DRAIN_INTERVAL :
							    FM_DRAIN_INTERVAL_IDLE);
	fm_session_unlock(session);
	if (watch_idle)
		watch_idle(session, any_idle);
}
