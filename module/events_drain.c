// SPDX-License-Identifier: GPL-2.0
/*
 * Moves the counts of events from the CPUs' tables to their profile: see events.h, and
 * drain.c, which does so for what the timer samples.
 *
 * The profile ends with its tables, so a note of where an entry is in it always holds,
 * unless an address may have another name the next time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "aggregate.h"
#include "drain_user.h"
#include "events.h"
#include "frames.h"
#include "guard.h"
#include "session.h"
#include "user/copies.h"

/* Call cond_resched() at least once in this many entries without counts. */
#define FM_EVENTS_ENTRIES	256

/* Return: the paths that are not in use, which are empty. */
static struct fm_paths *fm_events_other_paths(struct fm_event_cpu *c)
{
	return c->sample.paths == &c->tables[0].own ? &c->tables[1].own :
						      &c->tables[0].own;
}

static void fm_events_change_tables(struct fm_event_cpu *c, struct fm_paths *paths)
{
	c->table = &c->tables[c->table == &c->tables[0]];
	c->table->paths = paths;
	c->sample.paths = paths;
}

/*
 * Copy the books of the events that are attached, with what was counted beside them. What
 * switches leave out as a whole is in those of off-cpu; if waiting is attached without it,
 * that is added here, so that switches need not look.
 */
static void fm_events_copy(struct fm_event_cpu *c)
{
	unsigned long numbers = c->events->numbers;
	unsigned int event;

	for_each_set_bit(event, &numbers, FM_EVENTS_NR) {
		struct fm_event_sums *hits = &c->swapped[event].hits;
		const struct fm_event_outside *outside;
		u64 nested, nmi, weight;

		c->swapped[event] = c->books[event];
		if (event == FLAMEMOD_EVENT_WAITING && !(numbers & FM_EVENT(OFF_CPU)))
			fm_event_books_add(&c->swapped[event],
					   &c->books[FLAMEMOD_EVENT_OFF_CPU]);
		if (event < FLAMEMOD_SOURCE_FIRST)
			continue;
		outside = &c->outside[event - FLAMEMOD_SOURCE_FIRST];
		nested = local_read(&outside->nested);
		nmi = local_read(&outside->nmi);
		weight = local_read(&outside->weight);
		hits->seen += nested + nmi;
		hits->lost[FLAMEMOD_EVENT_LOST_NESTED] += nested;
		hits->lost[FLAMEMOD_EVENT_LOST_NMI] += nmi;
		c->swapped[event].weight.seen += weight;
		c->swapped[event].weight.lost[FLAMEMOD_EVENT_LOST_NESTED] += weight;
	}
}

/*
 * Make what was counted available to a drain. As fm_sampler_swap(). A hit in what this
 * calls must find the guard set.
 */
static void fm_events_swap_guarded(struct fm_event_cpu *c)
{
	struct fm_table *table = c->table;

	fm_pending_flush(c);
	if (c->maps)
		c->swapped_copies = c->maps->copies->next;
	c->swapped_table = table;
	c->swapped_entries = table->nr;
	table->half = !table->half;
	if (c->renew || fm_paths_used_up(table->paths))
		fm_events_change_tables(c, fm_events_other_paths(c));
	else if (fm_table_used_up(table))
		fm_events_change_tables(c, table->paths);
	c->renew = false;
	c->drain_asked = false;
	fm_events_copy(c);
	c->swapped_learned = c->learned.counts;
}

static void fm_events_swap(void *cpu)
{
	unsigned long flags;
	bool guards;

	raw_local_irq_save(flags);
	guards = fm_guard_enter();
	fm_events_swap_guarded(cpu);
	if (guards)
		fm_guard_leave();
	raw_local_irq_restore(flags);
}

/* If the swap changed tables, clear the old one, and its paths unless shared. */
static void fm_events_leave(struct fm_event_cpu *c)
{
	struct fm_table *table = c->swapped_table;

	if (c->sample.paths != table->paths)
		fm_table_clear(table);
	else if (c->table != table)
		fm_table_empty(table);
}

/* Call a function on a CPU with interrupts off, or here if nothing can run there. */
static void fm_events_call(struct fm_events *events, struct fm_event_cpu *c,
			   void (*function)(void *), void *data)
{
	if (events->attached && cpu_online(c->cpu))
		smp_call_function_single(c->cpu, function, data, 1);
	else
		function(data);
}

/*
 * Find or add the record of an entry without a note. @side changes as by fm_drain_user().
 * Return: 0 or -ENOSPC.
 */
static int fm_events_find(struct fm_session *session, struct fm_event_cpu *c,
			  struct fm_table *table, struct fm_entry *entry, u32 *id, u8 *side)
{
	struct fm_aggregate *aggregate = c->events->aggregate;
	const struct fm_drain_to to = {
		.aggregate = aggregate,
		.memory = &c->events->memory,
		.copies = c->maps ? c->maps->copies : NULL,
		.places = c->events->places,
	};
	const struct fm_key *key = &entry->key;
	struct fm_folded folded = {
		.pid = key->pid,
		.tid = key->tid,
		.comm = key->comm,
		.cgroup = fm_groups_id(&table->groups, key->group),
		.cpu = c->cpu,
		.context = key->context,
		.event = key->event,
		.followed = key->followed,
		.state = key->state,
	};
	int callers = 0, leaf = 0, user = 0;
	u32 nr, frame;

	if (key->leaf) {
		callers = fm_frames_find(session, table->paths, key->path,
					 key->marks, &nr);
		if (callers < 0 || fm_aggregate_node(aggregate, 0, session->frames, nr,
						     &folded.callers))
			return -ENOSPC;
		leaf = fm_symbols_resolve(&session->symbols, key->leaf, &frame);
		if (leaf < 0)
			return leaf;
		folded.frames = &frame;
		folded.nr_frames = 1;
	}
	if (key->user)
		user = fm_drain_user(session, &to, &table->paths->user, key->user,
				     &folded.user, side);
	if (user < 0 || fm_aggregate_find(aggregate, &folded, id))
		return -ENOSPC;
	if (!callers && !leaf && !user)
		entry->record = *id + 1;
	return 0;
}

static void fm_events_drain_entry(struct fm_session *session, struct fm_event_cpu *c,
				  struct fm_table *table, struct fm_entry *entry,
				  const struct fm_counts *counts)
{
	struct fm_event_books *refused = &c->refused[entry->key.event];
	u32 id = entry->record - 1;
	u8 side = entry->key.side;

	if (!entry->record && fm_events_find(session, c, table, entry, &id, &side)) {
		refused->hits.stored += counts->count;
		refused->weight.stored += counts->periods;
		return;
	}
	fm_aggregate_count(c->events->aggregate, id, counts);
	if (entry->key.user)
		c->events->sides[entry->key.event][side] += counts->periods;
}

static void fm_events_drain_entries(struct fm_session *session, struct fm_event_cpu *c)
{
	struct fm_counts *drained = c->events->drained;
	struct fm_table *table = c->swapped_table;
	u32 i;

	for (i = 0; i < c->swapped_entries; i++) {
		struct fm_entry *entry = &table->entries[i];
		struct fm_counts *counts = &entry->halves[!table->half];

		if (counts->count || i % FM_EVENTS_ENTRIES == 0)
			cond_resched();
		if (!counts->count)
			continue;
		fm_counts_add(&drained[entry->key.event], counts);
		fm_events_drain_entry(session, c, table, entry, counts);
		*counts = (struct fm_counts){};
	}
}

/* Check that the books balance, and that as much was drained as was stored. */
static void fm_events_check(struct fm_events *events, const struct fm_event_cpu *c)
{
	const struct fm_event_books *now = c->swapped, *before = events->before;
	const struct fm_counts *drained = events->drained;
	unsigned int i;

	for (i = 0; i < FM_EVENTS_NR && !events->broken; i++) {
		u64 hits = now[i].hits.stored - before[i].hits.stored;
		u64 weight = now[i].weight.stored - before[i].weight.stored;

		if (fm_event_books_balance(&now[i]) && drained[i].count == hits &&
		    drained[i].periods == weight)
			continue;
		/* No WARN(): panic_on_warn would take the machine down for our bug. */
		pr_err("CPU %u, event %u: %llu hits of weight %llu drained, %llu of %llu stored%s: events end\n",
		       c->cpu, i, drained[i].count, drained[i].periods,
		       hits, weight, fm_event_books_balance(&now[i]) ? "" :
		       ", and the books do not balance");
		fm_events_break(events);
	}
}

/* Return: how many hits some books have seen, those of another CPU. */
static u64 fm_events_seen(const struct fm_event_books *books)
{
	u64 seen = 0;
	unsigned int i;

	for (i = 0; i < FM_EVENTS_NR; i++)
		seen += READ_ONCE(books[i].hits.seen);
	return seen;
}

/* Return: how many hits were on a CPU. */
static u64 fm_events_seen_now(const struct fm_event_cpu *c)
{
	u64 seen = fm_events_seen(c->books);
	unsigned int i;

	for (i = 0; i < FLAMEMOD_SOURCES_MAX; i++)
		seen += local_read(&c->outside[i].nested) + local_read(&c->outside[i].nmi);
	return seen;
}

/* Drain one CPU. Return: how many hits were there since its last drain. */
static u64 fm_events_drain_cpu(struct fm_session *session, struct fm_event_cpu *c)
{
	struct fm_events *events = c->events;
	u64 seen = fm_events_seen(c->swapped);

	/* Each hit is seen, so there was none since: leave the CPU alone. */
	if (!c->renew && fm_events_seen_now(c) == seen)
		return 0;
	memcpy(events->before, c->swapped, sizeof(events->before));
	memset(events->drained, 0, sizeof(events->drained));
	fm_events_call(events, c, fm_events_swap, c);
	if (c->maps)
		session->wait_jiffies = fm_copies_wait(c->maps->copies, c->swapped_copies,
						       session->wait_jiffies);
	fm_events_drain_entries(session, c);
	if (c->maps)
		fm_copies_release(c->maps->copies, c->swapped_copies);
	fm_events_leave(c);
	fm_events_check(events, c);
	return fm_events_seen(c->swapped) - seen;
}

/**
 * fm_events_drain() - bring the profiles of all clients' events up to date.
 * @session: locked
 *
 * Context: Process context, may sleep.
 * Return: how many hits there were since the last drain.
 */
u64 fm_events_drain(struct fm_session *session)
{
	struct fm_events *events = NULL;
	unsigned int cpu;
	u64 seen = 0;

	lockdep_assert_held(&session->lock);
	while ((events = fm_events_next(session, events)))
		for (cpu = 0; events->attached && cpu < nr_cpu_ids; cpu++)
			if (events->cpus[cpu])
				seen += fm_events_drain_cpu(session, events->cpus[cpu]);
	return seen;
}

/**
 * fm_events_renew() - let the next drain empty all tables, and forget their paths.
 * @events: the events
 *
 * Context: Process context, under the session's lock.
 */
void fm_events_renew(struct fm_events *events)
{
	unsigned int cpu;

	for (cpu = 0; events->attached && cpu < nr_cpu_ids; cpu++)
		if (events->cpus[cpu])
			events->cpus[cpu]->renew = true;
}

/* The argument of fm_events_forget(), which is called until done is set. */
struct fm_events_forgetting {
	struct fm_event_cpu *c;
	u32 next;
	bool done;
};

static void fm_events_forget(void *forgetting)
{
	struct fm_events_forgetting *f = forgetting;

	unsigned long flags;
	bool guards;

	raw_local_irq_save(flags);
	guards = fm_guard_enter();
	f->done = fm_learned_forget_modules(&f->c->learned, &f->next);
	if (guards)
		fm_guard_leave();
	raw_local_irq_restore(flags);
}

/**
 * fm_events_forget_modules() - forget the steps that CPUs learned from modules.
 * @events: the events
 *
 * Context: Process context, may sleep; under the session's lock.
 */
void fm_events_forget_modules(struct fm_events *events)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		struct fm_events_forgetting forgetting = { .c = events->cpus[cpu] };

		while (forgetting.c && !forgetting.done)
			fm_events_call(events, forgetting.c, fm_events_forget,
				       &forgetting);
	}
}
