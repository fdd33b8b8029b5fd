// SPDX-License-Identifier: GPL-2.0
/*
 * Writes snapshots as netlink messages: see wire.h and common/flamemod.yaml.
 *
 * A dump is a sequence of parts, each sent in batches of as many elements as
 * the message has room for.
 */
#include <linux/limits.h>
#include <linux/module.h>
#include <net/netlink.h>

#include "columns.h"
#include "session.h"
#include "snapshot.h"
#include "wire.h"

enum fm_wire_part {
	FM_WIRE_HEAD,
	FM_WIRE_CPUS,
	FM_WIRE_FRAMES,
	FM_WIRE_NODES,
	FM_WIRE_TASKS,
	FM_WIRE_RECORDS,
	FM_WIRE_DONE,
};

/* Put the YAML's uint: 4 bytes if they suffice, else 8. */
static int fm_wire_put_uint(struct sk_buff *skb, int type, u64 value)
{
	u32 narrow = value;

	if (narrow == value)
		return nla_put_u32(skb, type, narrow);
	return nla_put(skb, type, sizeof(value), &value);
}

/* Put the YAML's sint: 4 bytes if they suffice, else 8. */
static int fm_wire_put_sint(struct sk_buff *skb, int type, s64 value)
{
	s32 narrow = value;

	if (narrow == value)
		return nla_put_s32(skb, type, narrow);
	return nla_put(skb, type, sizeof(value), &value);
}

static int fm_wire_put_books(struct sk_buff *skb, int type, u64 expected,
			     s64 overdue, const struct fm_books *books)
{
	struct nlattr *nest = nla_nest_start(skb, type), *lost;
	unsigned int i;

	static_assert((int)FLAMEMOD_A_LOST_MAX == (int)__FLAMEMOD_LOST_MAX);
	if (!nest ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_EXPECTED, expected) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_FIRES, books->fires) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_MISSED, books->missed) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_STORED, books->stored) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_FILTERED,
			     books->filtered) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_TRUNCATED,
			     books->truncated) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_ASLEEP, books->asleep) ||
	    fm_wire_put_sint(skb, FLAMEMOD_A_BOOKS_OVERDUE, overdue) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_LATE, books->late) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_STOLEN, books->stolen))
		return -EMSGSIZE;
	lost = nla_nest_start(skb, FLAMEMOD_A_BOOKS_LOST);
	if (!lost)
		return -EMSGSIZE;
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		if (fm_wire_put_uint(skb, i + 1, books->lost[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, lost);
	nla_nest_end(skb, nest);
	return 0;
}

/* Put a list such as "0-3,8", or nothing if it would be too long. */
static int fm_wire_put_cpulist(struct sk_buff *skb, int type,
			       const struct cpumask *cpus)
{
	int bytes = fm_settings_print_cpus(cpus, NULL, 0) + 1;
	struct nlattr *attr;

	if (bytes > FLAMEMOD_CPUS_BYTES_MAX)
		return 0;
	attr = nla_reserve(skb, type, bytes);
	if (!attr)
		return -EMSGSIZE;
	fm_settings_print_cpus(cpus, nla_data(attr), bytes);
	return 0;
}

/* The list of the settings is never too long: see fm_settings_parse_cpus(). */
static int fm_wire_put_cpus_setting(struct sk_buff *skb,
				    const struct fm_settings *settings)
{
	if (settings->usual_cpus)
		return nla_put_string(skb, FLAMEMOD_A_SETTINGS_CPUS, "");
	return fm_wire_put_cpulist(skb, FLAMEMOD_A_SETTINGS_CPUS,
				   &settings->cpus);
}

static int fm_wire_put_isolated(struct sk_buff *skb, const struct cpumask *cpus)
{
	if (cpumask_empty(cpus))
		return 0;
	return nla_put_u32(skb, FLAMEMOD_A_STATE_NR_ISOLATED,
			   cpumask_weight(cpus)) ?:
	       fm_wire_put_cpulist(skb, FLAMEMOD_A_STATE_ISOLATED, cpus);
}

static int fm_wire_put_settings(struct sk_buff *skb,
				const struct fm_settings *settings)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_SETTINGS);
	const struct fm_filter *filter = &settings->filter;

	if (!nest ||
	    nla_put_u32(skb, FLAMEMOD_A_SETTINGS_HZ, settings->hz) ||
	    nla_put_u32(skb, FLAMEMOD_A_SETTINGS_MAX_DEPTH,
			settings->max_depth) ||
	    nla_put_u8(skb, FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE,
		       filter->exclude_idle) ||
	    nla_put_u8(skb, FLAMEMOD_A_SETTINGS_KERNEL_ONLY,
		       filter->kernel_only) ||
	    nla_put(skb, FLAMEMOD_A_SETTINGS_PIDS,
		    filter->nr_pids * sizeof(u32), filter->pids) ||
	    fm_wire_put_cpus_setting(skb, settings) ||
	    nla_put_u8(skb, FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY,
		       filter->followed_only) ||
	    nla_put_u8(skb, FLAMEMOD_A_SETTINGS_USER_STACKS,
		       settings->user_stacks) ||
	    nla_put_u8(skb, FLAMEMOD_A_SETTINGS_USER_PLACES,
		       settings->user_places))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_stacks(struct sk_buff *skb,
			      const struct fm_learned_counts *counts)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_STACKS);

	if (!nest ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STACKS_LEARNED, counts->learned) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STACKS_UNWOUND, counts->unwound) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STACKS_STEPS, counts->steps) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STACKS_VERIFIED,
			     counts->verified) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STACKS_DIFFERENCES,
			     counts->differences))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_user_stacks(struct sk_buff *skb,
				   const struct fm_snapshot *s)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_USER_STACKS);
	u32 i;

	/* Those that samples can have; numbers above belong to what follows. */
	static_assert((int)FLAMEMOD_USER_AWAY + 1 == (int)FLAMEMOD_A_USER_STACKS_FILES);
	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < FLAMEMOD_USER_AWAY; i++)
		if (fm_wire_put_uint(skb, i + 1, s->sides[i]))
			return -EMSGSIZE;
	if (fm_wire_put_uint(skb, FLAMEMOD_A_USER_STACKS_FILES, s->user_files) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_USER_STACKS_ROWS_BYTES, s->rows_bytes) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_USER_STACKS_ROWS_LIMIT_BYTES,
			     s->rows_limit_bytes))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_pauses(struct sk_buff *skb,
			      const struct fm_pauses *pauses)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_PAUSES);

	if (!nest ||
	    nla_put(skb, FLAMEMOD_A_PAUSES_CALLBACKS,
		    sizeof(pauses->callbacks), pauses->callbacks) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX,
			     pauses->callback_ns_max) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_PAUSES_SWAP_NS_MAX,
			     pauses->swap_ns_max) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_PAUSES_FORGET_NS_MAX,
			     pauses->forget_ns_max))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Put sums; FLAMEMOD_A_EVENT_BOOKS_*. */
static int fm_wire_put_event_sums(struct sk_buff *skb, int type,
				  const struct fm_event_sums *sums)
{
	struct nlattr *nest = nla_nest_start(skb, type), *lost;
	unsigned int i;

	static_assert((int)FLAMEMOD_A_EVENT_LOST_MAX == (int)__FLAMEMOD_EVENT_LOST_MAX);
	if (!nest ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_BOOKS_SEEN, sums->seen) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_BOOKS_STORED, sums->stored) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_BOOKS_FILTERED, sums->filtered) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_BOOKS_BELOW, sums->below))
		return -EMSGSIZE;
	lost = nla_nest_start(skb, FLAMEMOD_A_EVENT_BOOKS_LOST);
	if (!lost)
		return -EMSGSIZE;
	/* Older readers refuse reasons that they do not know. */
	for (i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		if ((i <= FLAMEMOD_EVENT_LOST_NESTED || sums->lost[i]) &&
		    fm_wire_put_uint(skb, i + 1, sums->lost[i]))
			return -EMSGSIZE;
	nla_nest_end(skb, lost);
	nla_nest_end(skb, nest);
	return 0;
}

/* Names of enum flamemod_event. */
static const char *const fm_wire_events[] = {
	[FLAMEMOD_EVENT_ON_CPU] = "on-cpu",
	[FLAMEMOD_EVENT_OFF_CPU] = "off-cpu",
	[FLAMEMOD_EVENT_WAITING] = "waiting",
	[FLAMEMOD_EVENT_RAN] = "ran",
};

/* Put what is particular to an event of a switch of tasks. */
static int fm_wire_put_switches(struct sk_buff *skb, const struct fm_snapshot_events *events,
				u8 event)
{
	static_assert(ARRAY_SIZE(fm_wire_events) == __FLAMEMOD_EVENT_MAX);
	if (nla_put_string(skb, FLAMEMOD_A_EVENT_UNIT, "ns") ||
	    nla_put_string(skb, FLAMEMOD_A_EVENT_NAME, fm_wire_events[event]) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_MIN_NS, events->request.min_ns))
		return -EMSGSIZE;
	return 0;
}

/* Put what is particular to an event of a source. */
static int fm_wire_put_source(struct sk_buff *skb, const struct fm_snapshot_source *source)
{
	if (nla_put_string(skb, FLAMEMOD_A_EVENT_UNIT, source->unit) ||
	    nla_put_string(skb, FLAMEMOD_A_EVENT_NAME, source->name) ||
	    nla_put_u32(skb, FLAMEMOD_A_EVENT_KIND, source->kind) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_MIN_NS, source->min_ns) ||
	    (source->suspended_ns &&
	     fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_SUSPENDED_NS, source->suspended_ns)))
		return -EMSGSIZE;
	return 0;
}

static int fm_wire_put_event(struct sk_buff *skb, const struct fm_snapshot_events *events,
			     u8 event)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_EVENT);
	const struct fm_event_books *books = &events->books[event];
	const struct fm_attach *request = &events->request;

	if (!nest ||
	    nla_put_u32(skb, FLAMEMOD_A_EVENT_EVENT, event) ||
	    (event < FLAMEMOD_SOURCE_FIRST ?
	     fm_wire_put_switches(skb, events, event) :
	     fm_wire_put_source(skb, &events->sources[event - FLAMEMOD_SOURCE_FIRST])) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_EVENT_SINCE_NS, events->since_ns) ||
	    nla_put_u32(skb, FLAMEMOD_A_EVENT_STATES, request->states) ||
	    nla_put(skb, FLAMEMOD_A_EVENT_PIDS, request->nr_pids * sizeof(u32),
		    request->pids) ||
	    nla_put_u8(skb, FLAMEMOD_A_EVENT_FOLLOWED, request->followed) ||
	    fm_wire_put_event_sums(skb, FLAMEMOD_A_EVENT_HITS, &books->hits) ||
	    fm_wire_put_event_sums(skb, FLAMEMOD_A_EVENT_WEIGHT, &books->weight) ||
	    nla_put_u8(skb, FLAMEMOD_A_EVENT_BROKEN, events->broken) ||
	    (request->user_stacks &&
	     nla_put(skb, FLAMEMOD_A_EVENT_USER_SIDES, sizeof(events->sides[event]),
		     events->sides[event])))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_events(struct sk_buff *skb, const struct fm_snapshot *s)
{
	const struct fm_snapshot_events *events = s->events;
	unsigned int i;

	if (events && nla_put_u32(skb, FLAMEMOD_A_STATE_EVENTS_EPOCH, events->epoch))
		return -EMSGSIZE;
	for (i = 0; events && i < FM_EVENTS_NR; i++)
		if (events->numbers & BIT(i) && fm_wire_put_event(skb, events, i))
			return -EMSGSIZE;
	return 0;
}

static int fm_wire_put_client(struct sk_buff *skb, const struct fm_snapshot_client *client)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_CLIENT);

	if (!nest || nla_put_u32(skb, FLAMEMOD_A_CLIENT_EPOCH, client->epoch) ||
	    nla_put_u32(skb, FLAMEMOD_A_CLIENT_PID, client->pid))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_clients(struct sk_buff *skb, const struct fm_snapshot *s)
{
	u32 i;

	for (i = 0; i < s->nr_clients; i++)
		if (fm_wire_put_client(skb, &s->clients[i]))
			return -EMSGSIZE;
	return 0;
}

static int fm_wire_put_kept(struct sk_buff *skb, const struct fm_snapshot *s)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE_KEPT);
	const struct fm_kept_counts *counts = &s->kept;

	if (!nest ||
	    nla_put_u32(skb, FLAMEMOD_A_KEPT_READERS, counts->nr_readers) ||
	    nla_put_u32(skb, FLAMEMOD_A_KEPT_EPOCHS, counts->nr_epochs) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_KEPT_BYTES, s->kept_bytes) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_KEPT_EXPIRED, counts->expired) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_KEPT_RECLAIMED, counts->reclaimed))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_state(struct sk_buff *skb,
			     const struct fm_snapshot *s)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_STATE);

	if (!nest ||
	    nla_put_string(skb, FLAMEMOD_A_STATE_VERSION,
			   FLAMEMOD_VERSION) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_STATE, s->state) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_EPOCH, s->epoch) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_PERIOD_NS, s->period_ns) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_RESOLUTION_NS,
			     hrtimer_resolution) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_SINCE_NS, s->since_ns) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_INSTANT_NS,
			     s->instant_ns) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_MEMORY_BYTES,
			     s->memory_bytes) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STATE_MEMORY_LIMIT_BYTES,
			     s->memory_limit_bytes) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_NR_FRAMES, s->nr_frames) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_NR_NODES, s->nr_nodes) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_NR_TASKS, s->nr_tasks) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_NR_RECORDS, s->nr_records) ||
	    nla_put_u32(skb, FLAMEMOD_A_STATE_FOLLOWED, s->followed) ||
	    nla_put_u8(skb, FLAMEMOD_A_STATE_IRQS_OFF, s->marks_irqs_off) ||
	    nla_put_u8(skb, FLAMEMOD_A_STATE_STEAL_CLOCK, s->steal_clock) ||
	    fm_wire_put_isolated(skb, &s->isolated) ||
	    fm_wire_put_books(skb, FLAMEMOD_A_STATE_BOOKS, s->expected,
			      s->overdue, &s->books) ||
	    fm_wire_put_pauses(skb, &s->pauses) ||
	    (s->learns && fm_wire_put_stacks(skb, &s->learned)) ||
	    (s->user_stacks && fm_wire_put_user_stacks(skb, s)) ||
	    (s->closed && nla_put_u8(skb, FLAMEMOD_A_STATE_CLOSED, 1)) ||
	    fm_wire_put_kept(skb, s) ||
	    fm_wire_put_clients(skb, s) ||
	    fm_wire_put_events(skb, s))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fm_wire_put_head() - put the session, its settings and its books.
 * @skb: the message
 * @snapshot: the snapshot
 *
 * Context: Process context, may sleep.
 * Return: 0, or -EMSGSIZE if there is no room; the message is then unusable.
 */
int fm_wire_put_head(struct sk_buff *skb, const struct fm_snapshot *snapshot)
{
	if (nla_put_u32(skb, FLAMEMOD_A_SESSION, 0) ||
	    fm_wire_put_settings(skb, snapshot->settings) ||
	    fm_wire_put_state(skb, snapshot))
		return -EMSGSIZE;
	return 0;
}

static int fm_wire_put_stall(struct sk_buff *skb, const struct fm_stall *stall)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_CPU_STALL);

	if (!nest ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STALL_FROM_NS, stall->from_ns) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_STALL_NS, stall->ns))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fm_wire_put_stalls(struct sk_buff *skb,
			      const struct fm_snapshot_cpu *cpu)
{
	u32 i;

	if (fm_wire_put_uint(skb, FLAMEMOD_A_CPU_NR_STALLS, cpu->nr_stalls))
		return -EMSGSIZE;
	for (i = 0; i < cpu->nr_listed; i++)
		if (fm_wire_put_stall(skb, &cpu->stalls[i]))
			return -EMSGSIZE;
	return 0;
}

static int fm_wire_put_cpu(struct sk_buff *skb,
			   const struct fm_snapshot_cpu *cpu)
{
	struct nlattr *nest = nla_nest_start(skb, FLAMEMOD_A_CPU);

	if (!nest ||
	    nla_put_u32(skb, FLAMEMOD_A_CPU_CPU, cpu->cpu) ||
	    nla_put_u8(skb, FLAMEMOD_A_CPU_SAMPLING, cpu->sampling) ||
	    fm_wire_put_uint(skb, FLAMEMOD_A_CPU_SAMPLED_NS,
			     cpu->sampled_ns) ||
	    fm_wire_put_books(skb, FLAMEMOD_A_CPU_BOOKS, cpu->expected,
			      cpu->overdue, &cpu->books) ||
	    fm_wire_put_stalls(skb, cpu)) {
		if (nest)
			nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static u32 fm_wire_put_cpus(struct sk_buff *skb, const struct fm_snapshot *s,
			    u32 from)
{
	u32 i;

	for (i = from; i < s->nr_cpus; i++)
		if (fm_wire_put_cpu(skb, fm_snapshot_cpu(s, i)))
			break;
	return i;
}

/* The profile's parts, in the order of enum fm_wire_part. */
static const struct fm_part *const fm_wire_parts[] = {
	&fm_part_frames, &fm_part_nodes, &fm_part_tasks, &fm_part_records,
};

static const struct fm_part *fm_wire_profile(u32 part)
{
	return fm_wire_parts[part - FM_WIRE_FRAMES];
}

static u32 fm_wire_put_part(struct sk_buff *skb, const struct fm_snapshot *s,
			    u32 part, u32 from)
{
	if (part == FM_WIRE_CPUS)
		return fm_wire_put_cpus(skb, s, from);
	return fm_columns_put(skb, s, fm_wire_profile(part), from);
}

/* Set *@next to the next element to send. Return: whether there is one. */
static bool fm_wire_more(const struct fm_snapshot *s, u32 part, u32 *next)
{
	if (part == FM_WIRE_CPUS)
		return *next < s->nr_cpus;
	*next = fm_columns_next(s, fm_wire_profile(part), *next);
	return *next < fm_columns_end(s, fm_wire_profile(part));
}

/* Skip parts that have nothing to send, so that no message is empty. */
static void fm_wire_skip(const struct fm_snapshot *s,
			 struct fm_wire_cursor *cursor)
{
	if (cursor->part == FM_WIRE_HEAD)
		cursor->part++;
	while (cursor->part != FM_WIRE_DONE) {
		if (fm_wire_more(s, cursor->part, &cursor->next))
			return;
		cursor->part++;
		/* Node 0, the root, is never sent. */
		cursor->next = cursor->part == FM_WIRE_NODES;
	}
}

/**
 * fm_wire_put_batch() - put the next message of a dump.
 * @skb: the message
 * @snapshot: the snapshot
 * @cursor: the position in the dump, which is advanced
 *
 * Context: Process context, may sleep.
 * Return: 0, or -EMSGSIZE if there is no room for anything; the cursor is then
 * unchanged.
 */
int fm_wire_put_batch(struct sk_buff *skb, const struct fm_snapshot *snapshot,
		      struct fm_wire_cursor *cursor)
{
	u32 next;

	if (cursor->part == FM_WIRE_HEAD) {
		if (fm_wire_put_head(skb, snapshot))
			return -EMSGSIZE;
		goto skip;
	}
	next = fm_wire_put_part(skb, snapshot, cursor->part, cursor->next);
	if (next == cursor->next)
		return -EMSGSIZE;
	cursor->next = next;
skip:
	fm_wire_skip(snapshot, cursor);
	return 0;
}

/**
 * fm_wire_done() - check whether everything was sent.
 * @cursor: the position in the dump
 *
 * Context: Any.
 * Return: true when there is no further message.
 */
bool fm_wire_done(const struct fm_wire_cursor *cursor)
{
	return cursor->part == FM_WIRE_DONE;
}
