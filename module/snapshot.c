// SPDX-License-Identifier: GPL-2.0
/*
 * Copies a session at one instant: see snapshot.h.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "follow.h"
#include "irqs.h"
#include "session.h"
#include "snapshot.h"

/* Where the events are in a snapshot that has them, after itself and its settings. */
#define FM_SNAPSHOT_EVENTS_AT \
	ALIGN(sizeof(struct fm_snapshot) + sizeof(struct fm_settings), sizeof(u64))

static u32 fm_snapshot_nr_cpus(struct fm_session *session)
{
	struct fm_cpu *c = NULL;
	u32 nr = 0;

	while ((c = fm_session_next_cpu(session, c)))
		nr++;
	return nr;
}

/* Set up a snapshot's pools: all zero, large enough. Return: 0, -EBUSY or -ENOMEM. */
static int fm_snapshot_alloc_pools(struct fm_snapshot *snapshot, u32 nr_cpus)
{
	struct fm_memory *memory = snapshot->memory;
	u32 nr_records = snapshot->closed ? 0 : snapshot->nr_records;
	u32 nr_frames = snapshot->nr_frames;
	size_t bytes;

	bytes = fm_pool_fixed_bytes(sizeof(struct fm_snapshot_cpu), nr_cpus) +
		fm_pool_fixed_bytes(sizeof(struct fm_counts), nr_records) +
		fm_pool_fixed_bytes(sizeof(bool), nr_frames);
	if (!fm_memory_has_room(memory, bytes))
		return -EBUSY;
	return fm_pool_init_fixed(&snapshot->cpus, memory,
				  sizeof(struct fm_snapshot_cpu), nr_cpus) ?:
	       fm_pool_init_fixed(&snapshot->counts, memory,
				  sizeof(struct fm_counts), nr_records) ?:
	       fm_pool_init_fixed(&snapshot->frames_used, memory, sizeof(bool),
				  nr_frames);
}

/* Return: the profile that a snapshot is of. */
static struct fm_aggregate *fm_snapshot_aggregate(const struct fm_session *session,
						  unsigned int flags,
						  const struct fm_events *events)
{
	return flags & FM_SNAPSHOT_EVENTS ? events->aggregate : session->aggregate;
}

/* Allocate a snapshot, to be destroyed on an error, too. Return: 0, -EBUSY or -ENOMEM. */
static int fm_snapshot_alloc(struct fm_session *session, unsigned int flags,
			     const struct fm_events *events, struct fm_snapshot **new)
{
	struct fm_memory *memory = flags & FM_SNAPSHOT_CLOSED ? &session->memory :
								&session->readers;
	struct fm_snapshot *snapshot;
	size_t bytes = FM_SNAPSHOT_EVENTS_AT;

	static_assert(!(sizeof(*snapshot) % sizeof(u64)));
	static_assert(sizeof(*snapshot) + sizeof(*snapshot->settings) + sizeof(u64) +
		      sizeof(*snapshot->events) <= FM_MEMORY_BLOCK);
	if (events)
		bytes += sizeof(*snapshot->events);
	if (!fm_memory_has_room(memory, fm_memory_bytes(bytes)))
		return -EBUSY;
	snapshot = fm_memory_alloc(memory, bytes);
	if (!snapshot)
		return -ENOMEM;
	*new = snapshot;
	refcount_set(&snapshot->refs, 1);
	snapshot->closed = flags & FM_SNAPSHOT_CLOSED;
	snapshot->memory = memory;
	snapshot->size_bytes = bytes;
	snapshot->settings = (void *)(snapshot + 1);
	*snapshot->settings = *session->settings;
	if (events)
		snapshot->events = (void *)snapshot + FM_SNAPSHOT_EVENTS_AT;
	if (flags & FM_SNAPSHOT_PROFILE && !(flags & FM_SNAPSHOT_FRAMES)) {
		struct fm_aggregate *aggregate =
			fm_snapshot_aggregate(session, flags, events);

		snapshot->nr_records = fm_set_nr(&aggregate->records);
		snapshot->nr_frames = fm_set_nr(&session->symbols.frames);
	}
	return fm_snapshot_alloc_pools(snapshot, fm_snapshot_nr_cpus(session));
}

static void fm_snapshot_fill_cpus(struct fm_snapshot *snapshot,
				  struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c))) {
		struct fm_snapshot_cpu *cpu =
			fm_snapshot_cpu(snapshot, snapshot->nr_cpus);
		u64 sampled_ns = fm_sampler_sampled_ns(c, c->swapped_ns);

		fm_learned_add(&snapshot->learned, &c->swapped_learned);
		fm_pauses_add(&snapshot->pauses, &c->pauses);
		cpu->cpu = c->cpu;
		cpu->sampling = c->armed;
		cpu->sampled_ns = sampled_ns - c->base_sampled_ns;
		cpu->expected = fm_ticks_passed(&c->ticks, sampled_ns) -
				c->base_expected;
		cpu->overdue = c->swapped_overdue - c->base_overdue;
		cpu->books = fm_session_books(c);
		cpu->nr_stalls = READ_ONCE(c->late.stalls.nr);
		cpu->nr_listed = fm_stalls_copy(&c->late.stalls, cpu->stalls);
		/* A CPU that was not sampled in this epoch has no books. */
		if (!cpu->sampling && !cpu->sampled_ns)
			continue;
		snapshot->expected += cpu->expected;
		snapshot->overdue += cpu->overdue;
		fm_books_add(&snapshot->books, &cpu->books);
		snapshot->nr_cpus++;
	}
}

static void fm_snapshot_fill_counts(struct fm_snapshot *snapshot,
				    struct fm_session *session, unsigned int flags,
				    const struct fm_events *events)
{
	struct fm_aggregate *aggregate = fm_snapshot_aggregate(session, flags, events);
	struct fm_set *records = &aggregate->records;
	u32 i;

	for (i = 0; !snapshot->closed && i < snapshot->nr_records; i++) {
		struct fm_record *record = fm_set_at(records, i);

		*fm_snapshot_counts(snapshot, i) = record->counts;
		if (!(i % FM_POOL_CHUNK))
			cond_resched();
	}
	snapshot->aggregate = aggregate;
	fm_aggregate_get(snapshot->aggregate);
	snapshot->symbols = &session->symbols;
	snapshot->nr_nodes = fm_set_nr(&aggregate->nodes);
	snapshot->nr_tasks = fm_set_nr(&aggregate->tasks);
}

/* Nothing is copied: frames never change, and stay as long as the session. */
static void fm_snapshot_fill_frames(struct fm_snapshot *snapshot,
				    struct fm_session *session)
{
	snapshot->symbols = &session->symbols;
	snapshot->nr_frames = fm_set_nr(&session->symbols.frames);
}

static void fm_snapshot_fill_user(struct fm_snapshot *snapshot,
				  struct fm_session *session)
{
	if (!session->objects)
		return;
	snapshot->user_stacks = true;
	memcpy(snapshot->sides, session->sides, sizeof(snapshot->sides));
	snapshot->user_files = fm_objects_nr(session->objects);
	snapshot->rows_bytes = READ_ONCE(session->objects->bytes);
	snapshot->rows_limit_bytes = session->limits.rows_bytes;
}

static void fm_snapshot_fill_source(struct fm_snapshot_source *copy,
				    const struct fm_source *source)
{
	copy->kind = source->ops->kind;
	strscpy(copy->name, source->request.name, sizeof(copy->name));
	strscpy(copy->unit, fm_source_unit(source), sizeof(copy->unit));
	copy->min_ns = source->request.min_ns;
	copy->suspended_ns = READ_ONCE(source->suspended_ns);
}

/* What concerns all clients, and for a status who they are. */
static void fm_snapshot_fill_clients(struct fm_snapshot *snapshot,
				     struct fm_session *session, unsigned int flags)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events))) {
		fm_events_add_learned(events, &snapshot->learned);
		if (flags & FM_SNAPSHOT_PROFILE || !fm_events_begun(events))
			continue;
		snapshot->clients[snapshot->nr_clients++] = (struct fm_snapshot_client){
			.epoch = events->epoch, .pid = events->pid,
		};
	}
}

static void fm_snapshot_fill_events(struct fm_snapshot *snapshot, unsigned int flags,
				    const struct fm_events *events)
{
	struct fm_snapshot_events *copy = snapshot->events;
	unsigned long numbers = events->numbers;
	unsigned int i;

	copy->epoch = events->epoch;
	copy->broken = events->broken;
	copy->request = events->request;
	copy->since_ns = events->begin_ns;
	copy->numbers = numbers;
	memcpy(copy->sides, events->sides, sizeof(copy->sides));
	for_each_set_bit(i, &numbers, FM_EVENTS_NR)
		copy->books[i] = fm_events_books(events, i);
	for (i = 0; i < events->nr_sources; i++)
		fm_snapshot_fill_source(&copy->sources[i], events->sources[i]);
	if (!(flags & FM_SNAPSHOT_EVENTS))
		return;
	snapshot->epoch = events->epoch;
	snapshot->since_ns = events->begin_ns;
	snapshot->instant_ns = events->instant_ns;
}

static void fm_snapshot_fill(struct fm_snapshot *snapshot,
			     struct fm_session *session, unsigned int flags,
			     const struct fm_events *events)
{
	snapshot->state = session->state;
	snapshot->epoch = session->epoch;
	snapshot->followed = session->follow ? session->follow->pid : 0;
	snapshot->steal_clock = session->steal_clock;
	fm_session_find_isolated(session);
	cpumask_and(&snapshot->isolated, &session->isolated, cpu_online_mask);
	snapshot->period_ns = session->period_ns;
	snapshot->since_ns = session->since_ns;
	snapshot->instant_ns = ktime_get_ns();
	snapshot->learns = fm_stack_learns(session->limits.take_stack);
	snapshot->marks_irqs_off = fm_irqs_are_recognised();
	snapshot->kept = session->kept.counts;
	snapshot->kept_bytes = session->memory.cached_bytes;
	snapshot->memory_bytes = fm_session_memory(session);
	snapshot->memory_limit_bytes = fm_session_memory_limit(session);
	fm_snapshot_fill_user(snapshot, session);
	fm_snapshot_fill_cpus(snapshot, session);
	fm_snapshot_fill_clients(snapshot, session, flags);
	if (events)
		fm_snapshot_fill_events(snapshot, flags, events);
	if (flags & FM_SNAPSHOT_FRAMES)
		fm_snapshot_fill_frames(snapshot, session);
	else if (flags & FM_SNAPSHOT_PROFILE)
		fm_snapshot_fill_counts(snapshot, session, flags, events);
}

/**
 * fm_snapshot_mark_frames() - mark the frames to send.
 * @snapshot: the snapshot of a profile
 *
 * They are those of its epoch's nodes, which never change.
 *
 * Context: Process context, may sleep.
 */
void fm_snapshot_mark_frames(struct fm_snapshot *snapshot)
{
	u32 i;

	for (i = 1; i < snapshot->nr_nodes; i++) {
		struct fm_node *node =
			fm_set_at(&snapshot->aggregate->nodes, i);

		*fm_snapshot_uses(snapshot, node->frame) = true;
		if (!(i % FM_POOL_CHUNK))
			cond_resched();
	}
}

/**
 * fm_snapshot_make() - copy the session as of its last drain.
 * @session: locked, just drained
 * @flags: FM_SNAPSHOT_*
 * @events: attached, to be listed or dumped; NULL: none
 * @snapshot: where to put it, with one reference
 *
 * What is left for the caller, who does not need the lock for it, is
 * fm_snapshot_mark_frames().
 *
 * Context: Process context, may sleep.
 * Return: 0, -EBUSY if other readers hold the memory that readers may use, or -ENOMEM.
 */
int fm_snapshot_make(struct fm_session *session, unsigned int flags,
		     const struct fm_events *events, struct fm_snapshot **snapshot)
{
	struct fm_snapshot *new = NULL;
	int err = fm_snapshot_alloc(session, flags, events, &new);

	if (err) {
		if (new)
			fm_snapshot_put(new);
		return err;
	}
	fm_snapshot_fill(new, session, flags, events);
	*snapshot = new;
	return 0;
}

/**
 * fm_snapshot_bytes() - compute how much memory a closed epoch takes.
 * @snapshot: a snapshot of it, with all that it refers to
 *
 * Context: Process context.
 * Return: bytes of the profile's memory that are free once nobody has a reference.
 */
size_t fm_snapshot_bytes(const struct fm_snapshot *snapshot)
{
	return fm_memory_bytes(snapshot->size_bytes) + fm_pool_bytes(&snapshot->cpus) +
	       fm_pool_bytes(&snapshot->frames_used) +
	       fm_aggregate_bytes(snapshot->aggregate);
}

/* Return: what a snapshot with events takes, without what it has of each record and frame. */
static size_t fm_snapshot_fixed_bytes(u32 nr_cpus)
{
	return fm_memory_bytes(FM_SNAPSHOT_EVENTS_AT + sizeof(struct fm_snapshot_events)) +
	       fm_pool_fixed_bytes(sizeof(struct fm_snapshot_cpu), nr_cpus);
}

/**
 * fm_snapshot_aggregate_least() - compute the least memory with which a profile can be read.
 * @nr_cpus: the CPUs of the machine, online or not
 *
 * A reader's snapshot has a part of each CPU. It gets as much again for its copies of
 * records, which do not take more unless records take half of the profile's memory.
 *
 * Context: Any.
 * Return: the least limits->aggregate_bytes of a session.
 */
size_t fm_snapshot_aggregate_least(u32 nr_cpus)
{
	return FM_READERS_SHARE * 2 * fm_snapshot_fixed_bytes(nr_cpus);
}

/**
 * fm_snapshot_get() - take a reference to a snapshot.
 * @snapshot: the snapshot, which must have a reference already
 *
 * Context: Any.
 */
void fm_snapshot_get(struct fm_snapshot *snapshot)
{
	refcount_inc(&snapshot->refs);
}

/**
 * fm_snapshot_put() - drop a reference to a snapshot.
 * @snapshot: the snapshot; freed with its last reference, and with it what only it held
 *
 * Context: Process context.
 */
void fm_snapshot_put(struct fm_snapshot *snapshot)
{
	if (!refcount_dec_and_test(&snapshot->refs))
		return;
	if (snapshot->aggregate)
		fm_aggregate_put(snapshot->aggregate);
	fm_pool_deinit(&snapshot->cpus);
	fm_pool_deinit(&snapshot->counts);
	fm_pool_deinit(&snapshot->frames_used);
	fm_memory_free(snapshot->memory, snapshot, snapshot->size_bytes);
}
