// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots as netlink messages: see wire.h and common/flamemod.yaml.
 *
 * A dump is a sequence of parts, each sent in batches of as many elements as
 * the message has room for; that number is exact, as the columns of a batch
 * have elements of known size.
 */
#include <linux/bitmap.h>
#include <linux/math64.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <net/netlink.h>

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

/* The YAML's uint: 4 bytes where they suffice, else 8. */
static int fm_wire_put_uint(struct sk_buff *skb, int type, u64 value)
{
	u32 narrow = value;

	if (narrow == value)
		return nla_put_u32(skb, type, narrow);
	return nla_put(skb, type, sizeof(value), &value);
}

static int fm_wire_put_books(struct sk_buff *skb, int type, u64 expected,
			     const struct fm_books *books)
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
	    fm_wire_put_uint(skb, FLAMEMOD_A_BOOKS_ASLEEP, books->asleep))
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

static int fm_wire_put_cpulist(struct sk_buff *skb,
			       const struct fm_settings *settings)
{
	struct nlattr *attr;
	int bytes;

	if (settings->all_cpus)
		return nla_put_string(skb, FLAMEMOD_A_SETTINGS_CPUS, "");
	bytes = fm_settings_print_cpus(settings, NULL, 0) + 1;
	attr = nla_reserve(skb, FLAMEMOD_A_SETTINGS_CPUS, bytes);
	if (!attr)
		return -EMSGSIZE;
	fm_settings_print_cpus(settings, nla_data(attr), bytes);
	return 0;
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
	    fm_wire_put_cpulist(skb, settings))
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
	    fm_wire_put_books(skb, FLAMEMOD_A_STATE_BOOKS, s->expected,
			      &s->books) ||
	    fm_wire_put_pauses(skb, &s->pauses) ||
	    (s->learns && fm_wire_put_stacks(skb, &s->learned)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fm_wire_put_head() - the session, its settings and its books.
 * @skb: the message
 * @snapshot: the snapshot
 *
 * Context: Process context, may sleep.
 * Return: 0, or -EMSGSIZE when there is no room; what was put is then void.
 */
int fm_wire_put_head(struct sk_buff *skb, const struct fm_snapshot *snapshot)
{
	if (nla_put_u32(skb, FLAMEMOD_A_SESSION, 0) ||
	    fm_wire_put_settings(skb, snapshot->settings) ||
	    fm_wire_put_state(skb, snapshot))
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
			      &cpu->books)) {
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
		if (fm_wire_put_cpu(skb, &s->cpus[i]))
			break;
	return i;
}

/* How many elements fit, if each takes @bytes and the rest takes @fixed. */
static u32 fm_wire_room(struct sk_buff *skb, u32 fixed, u32 bytes, u32 wanted)
{
	u32 room = skb_tailroom(skb);

	return room <= fixed ? 0 : min(wanted, (room - fixed) / bytes);
}

/* One column of @nr elements: a place to fill in. The caller saw to the room. */
static void *fm_wire_column(struct sk_buff *skb, int type, u32 nr, u32 bytes)
{
	return nla_data(nla_reserve(skb, type, nr * bytes));
}

/*
 * Names differ in length, so a batch of frames is first measured: ids and
 * kinds must be whole when the first name is put.
 */
static u32 fm_wire_measure_frames(struct sk_buff *skb,
				  const struct fm_snapshot *s, u32 from,
				  u32 *nr)
{
	u32 room = skb_tailroom(skb), used, i = from;

	*nr = 0;
	/* The nest, and two columns with the padding of the second. */
	used = nla_total_size(0) + 2 * nla_total_size(0) + NLA_ALIGNTO;
	for_each_set_bit_from(i, s->frames_used, s->nr_frames) {
		const struct fm_frame *frame = fm_set_at(&s->symbols->frames,
							 i);

		used += sizeof(u32) + sizeof(u8) +
			nla_total_size(frame->name_bytes);
		if (used > room)
			return i;
		++*nr;
	}
	return s->nr_frames;
}

static u32 fm_wire_put_frames(struct sk_buff *skb, const struct fm_snapshot *s,
			      u32 from)
{
	u32 nr, end = fm_wire_measure_frames(skb, s, from, &nr), i;
	struct nlattr *nest;
	u32 *ids;
	u8 *kinds;

	if (!nr)
		return end;
	nest = nla_nest_start(skb, FLAMEMOD_A_FRAMES);
	ids = fm_wire_column(skb, FLAMEMOD_A_FRAMES_ID, nr, sizeof(*ids));
	kinds = fm_wire_column(skb, FLAMEMOD_A_FRAMES_KIND, nr,
			       sizeof(*kinds));
	i = from;
	for_each_set_bit_from(i, s->frames_used, end) {
		const struct fm_frame *frame = fm_set_at(&s->symbols->frames,
							 i);

		*ids++ = i;
		*kinds++ = frame->kind;
		nla_put_string(skb, FLAMEMOD_A_FRAMES_NAME, frame->name);
	}
	nla_nest_end(skb, nest);
	return end;
}

static u32 fm_wire_put_nodes(struct sk_buff *skb, const struct fm_snapshot *s,
			     u32 from)
{
	u32 fixed = 3 * nla_total_size(0) + nla_total_size(sizeof(u32));
	struct nlattr *nest;
	u32 *parents, *frames, nr, i;

	nr = fm_wire_room(skb, fixed, 2 * sizeof(u32), s->nr_nodes - from);
	if (!nr)
		return from;
	nest = nla_nest_start(skb, FLAMEMOD_A_NODES);
	nla_put_u32(skb, FLAMEMOD_A_NODES_FIRST, from);
	parents = fm_wire_column(skb, FLAMEMOD_A_NODES_PARENT, nr,
				 sizeof(*parents));
	frames = fm_wire_column(skb, FLAMEMOD_A_NODES_FRAME, nr,
				sizeof(*frames));
	for (i = 0; i < nr; i++) {
		const struct fm_node *node =
			fm_set_at(&s->aggregate->nodes, from + i);

		parents[i] = node->parent;
		frames[i] = node->frame;
	}
	nla_nest_end(skb, nest);
	return from + nr;
}

static u32 fm_wire_put_tasks(struct sk_buff *skb, const struct fm_snapshot *s,
			     u32 from)
{
	u32 fixed = 3 * nla_total_size(0) + nla_total_size(sizeof(u32));
	u32 each = 2 * sizeof(u32) + nla_total_size(TASK_COMM_LEN);
	struct nlattr *nest;
	u32 *pids, *tids, nr, i;

	nr = fm_wire_room(skb, fixed, each, s->nr_tasks - from);
	if (!nr)
		return from;
	nest = nla_nest_start(skb, FLAMEMOD_A_TASKS);
	nla_put_u32(skb, FLAMEMOD_A_TASKS_FIRST, from);
	pids = fm_wire_column(skb, FLAMEMOD_A_TASKS_PID, nr, sizeof(*pids));
	tids = fm_wire_column(skb, FLAMEMOD_A_TASKS_TID, nr, sizeof(*tids));
	for (i = 0; i < nr; i++) {
		const struct fm_task *task =
			fm_set_at(&s->aggregate->tasks, from + i);

		pids[i] = task->pid;
		tids[i] = task->tid;
		nla_put_string(skb, FLAMEMOD_A_TASKS_COMM, task->comm);
	}
	nla_nest_end(skb, nest);
	return from + nr;
}

static u64 fm_wire_late_us(const struct fm_counts *counts)
{
	return div_u64(counts->late_ns, NSEC_PER_USEC);
}

static bool fm_wire_is_wide(const struct fm_snapshot *s, u32 from, u32 nr)
{
	u64 all = 0;
	u32 i;

	for (i = from; i < from + nr; i++)
		all |= s->counts[i].count | s->counts[i].periods |
		       fm_wire_late_us(&s->counts[i]);
	return all > U32_MAX;
}

static void fm_wire_put_counts(struct sk_buff *skb, const struct fm_snapshot *s,
			       u32 from, u32 nr)
{
	u32 *count, *periods, *late_us, i;

	count = fm_wire_column(skb, FLAMEMOD_A_RECORDS_COUNT, nr, sizeof(u32));
	periods = fm_wire_column(skb, FLAMEMOD_A_RECORDS_PERIODS, nr,
				 sizeof(u32));
	late_us = fm_wire_column(skb, FLAMEMOD_A_RECORDS_LATE_US, nr,
				 sizeof(u32));
	for (i = 0; i < nr; i++) {
		const struct fm_counts *counts = &s->counts[from + i];

		count[i] = counts->count;
		periods[i] = counts->periods;
		late_us[i] = fm_wire_late_us(counts);
	}
}

static void fm_wire_put_wide_counts(struct sk_buff *skb,
				    const struct fm_snapshot *s, u32 from,
				    u32 nr)
{
	void *count, *periods, *late_us;
	u32 i;

	count = fm_wire_column(skb, FLAMEMOD_A_RECORDS_COUNT_WIDE, nr,
			       sizeof(u64));
	periods = fm_wire_column(skb, FLAMEMOD_A_RECORDS_PERIODS_WIDE, nr,
				 sizeof(u64));
	late_us = fm_wire_column(skb, FLAMEMOD_A_RECORDS_LATE_US_WIDE, nr,
				 sizeof(u64));
	for (i = 0; i < nr; i++) {
		const struct fm_counts *counts = &s->counts[from + i];
		size_t at = i * sizeof(u64);
		u64 us = fm_wire_late_us(counts);

		/* Attributes are aligned to 4 bytes only. */
		memcpy(count + at, &counts->count, sizeof(u64));
		memcpy(periods + at, &counts->periods, sizeof(u64));
		memcpy(late_us + at, &us, sizeof(u64));
	}
}

static u32 fm_wire_put_records(struct sk_buff *skb,
			       const struct fm_snapshot *s, u32 from)
{
	/* The nest, first, seven columns and the padding of two. */
	u32 fixed = 8 * nla_total_size(0) + nla_total_size(sizeof(u32)) +
		    2 * NLA_ALIGNTO;
	u32 key = 2 * sizeof(u32) + sizeof(u16) + sizeof(u8);
	u32 wanted = s->nr_records - from, nr, i, *nodes, *tasks;
	struct nlattr *nest;
	u16 *cpus;
	u8 *contexts;
	bool wide;

	nr = fm_wire_room(skb, fixed, key + 3 * sizeof(u32), wanted);
	wide = fm_wire_is_wide(s, from, nr);
	if (wide)
		nr = fm_wire_room(skb, fixed, key + 3 * sizeof(u64), wanted);
	if (!nr)
		return from;
	nest = nla_nest_start(skb, FLAMEMOD_A_RECORDS);
	nla_put_u32(skb, FLAMEMOD_A_RECORDS_FIRST, from);
	nodes = fm_wire_column(skb, FLAMEMOD_A_RECORDS_NODE, nr, sizeof(u32));
	tasks = fm_wire_column(skb, FLAMEMOD_A_RECORDS_TASK, nr, sizeof(u32));
	cpus = fm_wire_column(skb, FLAMEMOD_A_RECORDS_CPU, nr, sizeof(u16));
	contexts = fm_wire_column(skb, FLAMEMOD_A_RECORDS_CONTEXT, nr,
				  sizeof(u8));
	for (i = 0; i < nr; i++) {
		const struct fm_record *record =
			fm_set_at(&s->aggregate->records, from + i);

		nodes[i] = record->node;
		tasks[i] = record->task;
		cpus[i] = record->cpu;
		contexts[i] = record->context;
	}
	if (wide)
		fm_wire_put_wide_counts(skb, s, from, nr);
	else
		fm_wire_put_counts(skb, s, from, nr);
	nla_nest_end(skb, nest);
	return from + nr;
}

static u32 fm_wire_end(const struct fm_snapshot *s, u32 part)
{
	switch (part) {
	case FM_WIRE_CPUS:
		return s->nr_cpus;
	case FM_WIRE_FRAMES:
		return s->nr_frames;
	case FM_WIRE_NODES:
		return s->nr_nodes;
	case FM_WIRE_TASKS:
		return s->nr_tasks;
	case FM_WIRE_RECORDS:
		return s->nr_records;
	default:
		return 0;
	}
}

static u32 fm_wire_put_part(struct sk_buff *skb, const struct fm_snapshot *s,
			    u32 part, u32 from)
{
	switch (part) {
	case FM_WIRE_CPUS:
		return fm_wire_put_cpus(skb, s, from);
	case FM_WIRE_FRAMES:
		return fm_wire_put_frames(skb, s, from);
	case FM_WIRE_NODES:
		return fm_wire_put_nodes(skb, s, from);
	case FM_WIRE_TASKS:
		return fm_wire_put_tasks(skb, s, from);
	default:
		return fm_wire_put_records(skb, s, from);
	}
}

/* The next element of a part to be sent, or its end. */
static u32 fm_wire_next(const struct fm_snapshot *s,
			const struct fm_wire_cursor *cursor)
{
	/* Frames stay for the session; most may be of earlier epochs. */
	if (cursor->part == FM_WIRE_FRAMES && s->nr_frames)
		return find_next_bit(s->frames_used, s->nr_frames,
				     cursor->next);
	return cursor->next;
}

/* Parts with nothing in them are passed over, so that no message is empty. */
static void fm_wire_skip(const struct fm_snapshot *s,
			 struct fm_wire_cursor *cursor)
{
	while (cursor->part != FM_WIRE_DONE) {
		cursor->next = fm_wire_next(s, cursor);
		if (cursor->next < fm_wire_end(s, cursor->part))
			return;
		cursor->part++;
		/* Node 0, the root, goes without saying. */
		cursor->next = cursor->part == FM_WIRE_NODES;
	}
}

/**
 * fm_wire_put_batch() - the next message of a dump.
 * @skb: the message
 * @snapshot: the snapshot
 * @cursor: how far the dump has come; advanced
 *
 * Context: Process context, may sleep.
 * Return: 0, or -EMSGSIZE when there is no room for anything; the cursor is
 * then where it was.
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
 * fm_wire_done() - was everything sent?
 * @cursor: how far the dump has come
 *
 * Context: Any.
 * Return: true when there is no further message.
 */
bool fm_wire_done(const struct fm_wire_cursor *cursor)
{
	return cursor->part == FM_WIRE_DONE;
}
