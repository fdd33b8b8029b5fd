// SPDX-License-Identifier: GPL-2.0
/*
 * Moves the counts of the hot tables into the aggregate: see drain.h.
 *
 * A drain notes in the table where it found an entry or a path in the aggregate, as
 * a number + 1, so that later drains need not search. A new epoch discards all
 * notes. When a module's text goes, the tables are discarded, notes included. If
 * an address may have another name the next time, its path's note is only valid for
 * one drain, and its entry gets no note.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/cpu.h>
#include <linux/ktime.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "drain.h"
#include "drain_user.h"
#include "events.h"
#include "frames.h"
#include "nap.h"
#include "session.h"
#include "user/copies.h"

/* Flag in a path's note: valid for this drain only. */
#define FM_NOTE_PASSES		BIT(31)

/* Call cond_resched() at least once in this many entries without counts. */
#define FM_DRAIN_ENTRIES	256

/* Find the call tree node of a stack's callers. Return: as fm_symbols_resolve(). */
static int fm_drain_callers(struct fm_session *session, struct fm_paths *paths,
			    const struct fm_key *key, u32 *node)
{
	u32 *note = &paths->nodes[key->path], nr;
	u8 marks = key->marks & FM_STACK_CALLERS;
	int passes;

	if (*note && !marks) {
		*node = (*note & ~FM_NOTE_PASSES) - 1;
		return *note & FM_NOTE_PASSES ? FM_SYMBOLS_PASSES : 0;
	}
	passes = fm_frames_find(session, paths, key->path, marks, &nr);
	if (passes < 0)
		return passes;
	if (fm_aggregate_node(session->aggregate, 0, session->frames, nr, node))
		return -ENOSPC;
	if (!marks)
		*note = (*node + 1) | (passes ? FM_NOTE_PASSES : 0);
	paths->passes |= passes;
	return passes;
}

/* Marks that are added as a leaf under the function, or alone without a stack. */
static const struct {
	u8 mark;
	const char *name;
} fm_drain_marks[] = {
	{ FM_STACK_STOLEN, "[steal]" },
	{ FM_STACK_STALLED, "[stalled]" },
	{ FM_STACK_WOKEN, "[interrupt]" },
	{ FM_STACK_INJECTED, "[injected idle]" },
	{ FM_STACK_IRQS_OFF, "[irqs-off]" },
};

/* Look up the frames of a leaf: its marks, then its function if there is one. */
static int fm_drain_leaf(struct fm_session *session, const struct fm_key *key,
			 u32 *frames, u32 *nr)
{
	unsigned int i;

	*nr = 0;
	for (i = 0; i < ARRAY_SIZE(fm_drain_marks); i++)
		if (key->marks & fm_drain_marks[i].mark &&
		    fm_symbols_mark(&session->symbols, fm_drain_marks[i].name,
				    &frames[(*nr)++]))
			return -ENOSPC;
	if (key->leaf)
		return fm_symbols_resolve(&session->symbols, key->leaf,
					  &frames[(*nr)++]);
	/* A mark below user mode; without marks readers name it by its context. */
	if (key->context == FLAMEMOD_CONTEXT_USER && !key->user &&
	    key->marks & FM_STACK_STALLED)
		return fm_symbols_user(&session->symbols, "[user]", &frames[(*nr)++]);
	return 0;
}

/*
 * Find or add the record of an entry without a note. @side changes if there is no
 * room for the user stack. Return: 0 or -ENOSPC.
 */
static int fm_drain_find(struct fm_session *session, struct fm_cpu *c,
			 const struct fm_table *table, struct fm_entry *entry, u32 *id,
			 u8 *side)
{
	struct fm_paths *paths = table->paths;
	const struct fm_key *key = &entry->key;
	u32 leaf[ARRAY_SIZE(fm_drain_marks) + 1];
	struct fm_folded folded = {
		.frames = leaf,
		.pid = key->pid,
		.tid = key->tid,
		.comm = key->comm,
		.cgroup = fm_groups_id(&table->groups, key->group),
		.cpu = c->cpu,
		.context = key->context,
		.followed = key->followed,
	};
	const struct fm_drain_to to = {
		.aggregate = session->aggregate,
		.memory = &session->memory,
		.copies = c->maps ? c->maps->copies : NULL,
		.places = session->settings->user_places,
	};
	int callers = 0, user = 0, self;

	if (key->leaf)
		callers = fm_drain_callers(session, paths, key, &folded.callers);
	if (callers < 0)
		return callers;
	if (key->user)
		user = fm_drain_user(session, &to, &paths->user, key->user, &folded.user, side);
	if (user < 0)
		return user;
	self = fm_drain_leaf(session, key, leaf, &folded.nr_frames);
	if (self < 0)
		return self;
	if (fm_aggregate_find(session->aggregate, &folded, id))
		return -ENOSPC;
	if (!callers && !user && !self)
		entry->record = *id + 1;
	return 0;
}

static void fm_drain_entry(struct fm_session *session, struct fm_cpu *c,
			   const struct fm_table *table, struct fm_entry *entry,
			   const struct fm_counts *counts)
{
	u32 id = entry->record - 1;
	u8 side = entry->key.side;

	if (!entry->record && fm_drain_find(session, c, table, entry, &id, &side)) {
		c->refused.stored += counts->periods;
		if (entry->key.marks & FM_STACK_TRUNCATED)
			c->refused.truncated += counts->count;
		return;
	}
	fm_aggregate_count(session->aggregate, id, counts);
	if (entry->key.user)
		session->sides[side] += counts->periods;
}

/* Forget notes that are not valid any more. */
static void fm_drain_check_notes(const struct fm_session *session,
				 struct fm_table *table, u32 nr)
{
	u64 noted = fm_session_noted(session);

	if (table->noted != noted)
		fm_table_forget_notes(table, nr);
	table->noted = noted;
	if (table->paths->noted != noted)
		fm_paths_forget_notes(table->paths);
	table->paths->noted = noted;
}

static void fm_drain_forget_passing(struct fm_paths *paths)
{
	u32 i;

	for (i = 0; paths->passes && i < paths->max; i++)
		if (paths->nodes[i] & FM_NOTE_PASSES)
			paths->nodes[i] = 0;
	paths->passes = false;
}

/* Move the counts of a CPU's swapped table. Return: the periods that it held. */
static u64 fm_drain_entries(struct fm_session *session, struct fm_cpu *c)
{
	struct fm_table *table = c->swapped_table;
	u64 periods = 0;
	u32 i;

	fm_drain_check_notes(session, table, c->swapped_entries);
	for (i = 0; i < c->swapped_entries; i++) {
		struct fm_entry *entry = &table->entries[i];
		struct fm_counts *counts = &entry->halves[!table->half];

		if (counts->periods || i % FM_DRAIN_ENTRIES == 0)
			cond_resched();
		if (!counts->periods)
			continue;
		periods += counts->periods;
		fm_drain_entry(session, c, table, entry, counts);
		*counts = (struct fm_counts){};
	}
	fm_drain_forget_passing(table->paths);
	return periods;
}

/* If the swap changed tables, clear the old one, and its paths unless shared. */
static void fm_drain_leave(struct fm_cpu *c)
{
	struct fm_table *table = c->swapped_table;

	if (c->sample.paths != table->paths)
		fm_table_clear(table);
	else if (&c->tables[c->table] != table)
		fm_table_empty(table);
}

/* Check that the books balance and that as many periods were drained as stored. */
static void fm_drain_check(struct fm_session *session, struct fm_cpu *c,
			   u64 periods, u64 stored)
{
	if (session->state == FLAMEMOD_STATE_BROKEN)
		return;
	/* No WARN(): panic_on_warn would take the machine down for our bug. */
	if (!fm_books_balance(&c->swapped))
		pr_err("CPU %u: the books do not balance: sampling ends\n",
		       c->cpu);
	else if (periods != stored)
		pr_err("CPU %u: %llu periods drained, %llu stored: sampling ends\n",
		       c->cpu, periods, stored);
	else
		return;
	fm_session_break(session);
}

/* The steal clock may run for the first time while sampling does. */
static void fm_drain_find_clock(struct fm_session *session, struct fm_cpu *c)
{
	if (!session->steal_clock)
		session->steal_clock = fm_late_found_clock(c->cpu);
	WRITE_ONCE(c->late.has_clock, session->steal_clock);
}

/* Drain one CPU. Return: how many fires there were since its last drain. */
static u64 fm_drain_cpu(struct fm_session *session, struct fm_cpu *c, bool wake)
{
	u64 stored = c->swapped.stored, fires = c->swapped.fires, periods;
	u64 now_ns = ktime_get_ns();

	if (c->armed && !wake) {
		c->rouse = fm_nap_stirs(c, now_ns);
		if (!c->rouse && fm_nap_slept(c))
			return 0;
	}
	if (c->armed && !c->renew && !c->rouse && fm_sampler_quiet(c, now_ns)) {
		c->swapped_ns = now_ns;
		return 0;
	}
	fm_drain_find_clock(session, c);
	if (c->armed)
		smp_call_function_single(c->cpu, fm_sampler_swap, c, 1);
	else
		fm_sampler_swap(c);
	if (c->maps)
		session->wait_jiffies = fm_copies_wait(c->maps->copies, c->swapped_copies,
						       session->wait_jiffies);
	periods = fm_drain_entries(session, c);
	if (c->maps)
		fm_copies_release(c->maps->copies, c->swapped_copies);
	fm_drain_leave(c);
	fm_drain_check(session, c, periods, c->swapped.stored - stored);
	return c->swapped.fires - fires;
}

/* Drain all CPUs. Return: how many fires there were since their last drains. */
static u64 fm_drain_cpus(struct fm_session *session, bool wake)
{
	struct fm_cpu *c = NULL;
	u64 fires = 0;

	while ((c = fm_session_next_cpu(session, c)))
		fires += fm_drain_cpu(session, c, wake);
	return fires;
}

/**
 * fm_drain() - bring the aggregate up to date, one CPU after another.
 * @session: locked
 * @wake: drain napping CPUs, too
 *
 * Afterwards, if @wake was set, fm_session_books() of each CPU, and their sum, match
 * what the aggregate holds to the period, whatever was sampled meanwhile.
 *
 * Context: Process context, may sleep.
 * Return: how many fires there were since the last drain, and intervals of tasks, if
 * events are attached.
 */
u64 fm_drain(struct fm_session *session, bool wake)
{
	bool broken = session->state == FLAMEMOD_STATE_BROKEN;
	u64 fires;

	lockdep_assert_held(&session->lock);
	session->wait_jiffies = FM_DRAIN_WAIT;
	/* Do this first, before the profile uses memory that readers gave back. */
	fm_session_refill(session);
	fm_drain_user_begin(session);
	fires = fm_drain_cpus(session, wake);
	/* CPUs that were drained before this drain ended sampling went on until then. */
	if (!broken && session->state == FLAMEMOD_STATE_BROKEN)
		fires += fm_drain_cpus(session, wake);
	return fires + fm_events_drain(session);
}

/**
 * fm_drain_work() - drain in the worker, and queue the next drain.
 * @work: the session's drain_work
 *
 * Context: Process context, may sleep.
 */
void fm_drain_work(struct work_struct *work)
{
	struct fm_session *session = container_of(to_delayed_work(work),
						  struct fm_session,
						  drain_work);
	bool ended = false;
	u64 fires;

	fm_session_lock(session);
	fires = fm_drain(session, false);
	if (session->state == FLAMEMOD_STATE_RUNNING || fm_events_nr_attached(session))
		queue_delayed_work(session->wq, &session->drain_work,
				   fires > FM_DRAIN_FIRES ? FM_DRAIN_INTERVAL :
							    FM_DRAIN_INTERVAL_IDLE);
	else
		ended = true;
	fm_session_unlock(session);
	/* An error that a drain finds ends sampling, too. */
	if (ended)
		fm_session_watch(session);
}
