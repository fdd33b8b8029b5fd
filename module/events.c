// SPDX-License-Identifier: GPL-2.0
/*
 * Memory and state of events: see events.h.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "compat/compat.h"
#include "aggregate.h"
#include "events.h"
#include "session.h"
#include "user_room.h"

/* A quarter of the memory is for slots: 32768 tasks in 8 MiB. */
#define FM_EVENTS_SLOTS_SHARE	4

/* At most a quarter of a CPU's memory is for learned steps and shapes. */
#define FM_EVENTS_STEPS_SHARE	4
#define FM_EVENTS_STEPS_MAX	65536

/*
 * The credit that stacks of events are paid from: one for each CPU, so that several
 * clients cannot take more of it than one. It belongs to whoever holds the guard there.
 */
static DEFINE_PER_CPU(struct fm_throttle, fm_events_throttle);

static size_t fm_events_steps_bytes(const struct fm_limits *limits)
{
	if (!fm_stack_learns(limits->take_stack))
		return 0;
	return min_t(size_t, limits->cpu_bytes / FM_EVENTS_STEPS_SHARE,
		     FM_EVENTS_STEPS_MAX);
}

/**
 * fm_events_create() - allocate what a client needs to attach events later.
 * @session: the session, being created
 * @number: the client's, below FLAMEMOD_EVENT_CLIENTS_MAX
 * @bytes: the most memory for slots and a profile
 * @suspend: fm_events_suspend_work()
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_events_create(struct fm_session *session, u8 number, size_t bytes,
		     work_func_t suspend)
{
	struct fm_events *events = kzalloc(sizeof(*events), GFP_KERNEL);
	unsigned int cpu;

	if (!events)
		return -ENOMEM;
	events->number = number;
	/* Nobody pays from it yet. */
	for_each_possible_cpu(cpu)
		fm_throttle_init(per_cpu_ptr(&fm_events_throttle, cpu),
				 ktime_get_mono_fast_ns());
	mutex_init(&events->lock);
	INIT_WORK(&events->suspend_work, suspend);
	events->slots_bytes = bytes / FM_EVENTS_SLOTS_SHARE;
	fm_memory_init(&events->memory, bytes - events->slots_bytes);
	events->session = session;
	session->events[number] = events;
	events->cpus = kcalloc(nr_cpu_ids, sizeof(*events->cpus), GFP_KERNEL);
	return events->cpus ? 0 : -ENOMEM;
}

static void fm_event_cpu_destroy(struct fm_event_cpu *c)
{
	irq_work_sync(&c->user_work);
	irq_work_sync(&c->drain_work);
	fm_table_deinit(&c->tables[0]);
	fm_table_deinit(&c->tables[1]);
	fm_learned_deinit(&c->learned);
	fm_maps_destroy(c->maps);
	kfree(c);
}

/**
 * fm_events_destroy() - undo fm_events_create().
 * @events: the events, not attached; or NULL
 *
 * Context: Process context, may sleep.
 */
void fm_events_destroy(struct fm_events *events)
{
	unsigned int cpu;

	if (!events)
		return;
	cancel_work_sync(&events->suspend_work);
	for (cpu = 0; events->cpus && cpu < nr_cpu_ids; cpu++)
		if (events->cpus[cpu])
			fm_event_cpu_destroy(events->cpus[cpu]);
	fm_slots_deinit(&events->slots);
	kfree(events->cpus);
	mutex_destroy(&events->lock);
	kfree(events);
}

/* Allocate what a CPU's user stacks need, which is not in use. Return: 0 or -ENOMEM. */
static int fm_event_cpu_init_user(struct fm_event_cpu *c)
{
	struct fm_session *session = c->events->session;

	if (c->maps)
		return 0;
	return fm_user_room_init(&c->maps, c->tables, session->objects, c->cpu,
				 FM_TAKER_EVENTS + c->events->number,
				 session->limits.user_bytes);
}

/* Allocate a CPU's tables. Return: them, or NULL when memory is short. */
static struct fm_event_cpu *fm_event_cpu_create(struct fm_events *events, unsigned int cpu)
{
	const struct fm_limits *limits = &events->session->limits;
	size_t steps_bytes = fm_events_steps_bytes(limits);
	size_t bytes = (limits->cpu_bytes - steps_bytes) / 2;
	struct fm_event_cpu *c;
	int node = cpu_to_node(cpu);

	c = kzalloc_node(sizeof(*c), GFP_KERNEL, node);
	if (!c)
		return NULL;
	c->cpu = cpu;
	c->events = events;
	c->throttle = per_cpu_ptr(&fm_events_throttle, cpu);
	init_irq_work(&c->drain_work, events->session->ask_drain);
	fm_compat_init_hard_irq_work(&c->user_work, fm_pending_work);
	if (fm_learned_init_events(&c->learned, steps_bytes, node) ||
	    fm_table_init(&c->tables[0], bytes, node) ||
	    fm_table_init(&c->tables[1], bytes, node)) {
		fm_event_cpu_destroy(c);
		return NULL;
	}
	c->learned.text = &events->session->symbols.text;
	c->learned.verify = limits->verify;
	c->learned.verify_in = limits->verify;
	c->table = &c->tables[0];
	c->sample.paths = c->table->paths;
	return c;
}

/* Allocate tables of comms, which are not in use. Return: 0 or -ENOMEM. */
static int fm_event_cpu_init_wakers(struct fm_event_cpu *c)
{
	int node = cpu_to_node(c->cpu);

	return fm_wakers_init(&c->tables[0].own.wakers, node) ?:
	       fm_wakers_init(&c->tables[1].own.wakers, node);
}

/**
 * fm_events_equip() - allocate a CPU's tables, unless it has them.
 * @events: the events; if they are attached, the CPU has nothing or all of it
 * @cpu: the CPU
 * @user_stacks: allocate what user stacks need, too; the session has objects
 *
 * What wakers need is allocated if events->wakers is set. The tables stay until unload,
 * as those of the timer do: see session_equip.c.
 *
 * Context: Process context, may sleep; under the session's lock.
 * Return: 0 or -ENOMEM.
 */
int fm_events_equip(struct fm_events *events, unsigned int cpu, bool user_stacks)
{
	struct fm_event_cpu *c = events->cpus[cpu] ?: fm_event_cpu_create(events, cpu);

	if (!c)
		return -ENOMEM;
	if ((user_stacks && fm_event_cpu_init_user(c)) ||
	    (events->wakers && fm_event_cpu_init_wakers(c))) {
		if (!events->cpus[cpu])
			fm_event_cpu_destroy(c);
		return -ENOMEM;
	}
	/* Pairs with fm_switch_count(), which may look at once. */
	smp_store_release(&events->cpus[cpu], c);
	return 0;
}

/**
 * fm_events_cpu_online() - let sources count on a CPU that came online.
 * @events: attached or not
 * @cpu: the CPU
 *
 * Context: A hotplug callback, under the session's lock.
 */
void fm_events_cpu_online(struct fm_events *events, unsigned int cpu)
{
	u32 i;

	for (i = 0; i < events->nr_sources; i++)
		if (events->sources[i]->ops->online)
			events->sources[i]->ops->online(events->sources[i], cpu);
}

/**
 * fm_events_cpu_offline() - let sources know that a CPU will go offline.
 * @events: attached or not
 * @cpu: the CPU
 *
 * Context: As fm_events_cpu_online().
 */
void fm_events_cpu_offline(struct fm_events *events, unsigned int cpu)
{
	u32 i;

	for (i = 0; i < events->nr_sources; i++)
		if (events->sources[i]->ops->offline)
			events->sources[i]->ops->offline(events->sources[i], cpu);
}

/**
 * fm_events_break() - count nothing any more, because an invariant failed.
 * @events: attached
 *
 * What was counted can still be read, and the timer's samples are not affected.
 *
 * Context: Process context, under the session's lock.
 */
void fm_events_break(struct fm_events *events)
{
	events->broken = true;
	WRITE_ONCE(events->on, false);
}

/* Add the hits of a source that no CPU's books have. */
static void fm_events_add_missed(const struct fm_source *source, struct fm_event_sums *hits)
{
	u64 missed = fm_source_missed(source), homeless = atomic64_read(&source->homeless);

	hits->seen += missed + homeless;
	hits->lost[FLAMEMOD_EVENT_LOST_MISSED] += missed;
	hits->lost[FLAMEMOD_EVENT_LOST_TABLE_FULL] += homeless;
}

/**
 * fm_events_books() - compute an event's books, as of the last drain.
 * @events: attached
 * @event: the event's number, one of those that are attached
 *
 * Context: Process context, under the session's lock.
 * Return: the books, which balance.
 */
struct fm_event_books fm_events_books(const struct fm_events *events, u8 event)
{
	struct fm_event_books sum = {};
	unsigned int cpu;

	if (event < FLAMEMOD_SOURCE_FIRST)
		sum = events->cut[event];
	else
		fm_events_add_missed(events->sources[event - FLAMEMOD_SOURCE_FIRST],
				     &sum.hits);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct fm_event_cpu *c = events->cpus[cpu];

		if (!c)
			continue;
		fm_event_books_add(&sum, &c->swapped[event]);
		/* Stored in a table, then lost: see fm_events_drain_entry(). */
		sum.hits.stored -= c->refused[event].hits.stored;
		sum.weight.stored -= c->refused[event].weight.stored;
		sum.hits.lost[FLAMEMOD_EVENT_LOST_AGGREGATE_FULL] +=
			c->refused[event].hits.stored;
		sum.weight.lost[FLAMEMOD_EVENT_LOST_AGGREGATE_FULL] +=
			c->refused[event].weight.stored;
	}
	return sum;
}

/**
 * fm_events_add_learned() - add how stacks were taken since the module was loaded.
 * @events: the events
 * @sum: what to add to
 *
 * Context: Process context, under the session's lock.
 */
void fm_events_add_learned(const struct fm_events *events,
			   struct fm_learned_counts *sum)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (events->cpus[cpu])
			fm_learned_add(sum, &events->cpus[cpu]->swapped_learned);
}

/* Return: the memory of slots and of CPUs' tables, which stays until unload. */
static size_t fm_events_tables(const struct fm_events *events)
{
	size_t bytes = 0;
	unsigned int cpu, i;

	if (events->slots.sets)
		bytes += sizeof(struct fm_slot_set) << events->slots.bits;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		const struct fm_event_cpu *c = events->cpus[cpu];

		if (!c)
			continue;
		bytes += fm_session_cpu_bytes(events->session, c->maps);
		for (i = 0; i < ARRAY_SIZE(c->tables); i++)
			bytes += c->tables[i].own.wakers.slots ? FM_WAKERS_BYTES : 0;
	}
	return bytes;
}

/**
 * fm_events_memory() - compute the memory that events use.
 * @events: the events
 *
 * Context: Process context, under the session's lock.
 * Return: bytes.
 */
size_t fm_events_memory(const struct fm_events *events)
{
	return fm_memory_used(&events->memory) + fm_events_tables(events);
}

/**
 * fm_events_memory_limit() - compute the limit of fm_events_memory().
 * @events: the events
 *
 * Context: Process context, under the session's lock.
 * Return: bytes; without those of a CPU that comes online later.
 */
size_t fm_events_memory_limit(const struct fm_events *events)
{
	/* A reader may hold a profile that is not attached any more. */
	bool uses = events->attached || fm_memory_used(&events->memory);

	return (uses ? events->memory.limit_bytes : 0) + fm_events_tables(events);
}
