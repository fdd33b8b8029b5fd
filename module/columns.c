// SPDX-License-Identifier: GPL-2.0
/*
 * Writes batches of columns: see columns.h.
 *
 * Most numbers are small, or close to the one before. Each takes only as many
 * bytes as it needs, so a stack takes a third of what fixed-width columns would
 * take. A batch is measured before it is written, since sizes differ.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <net/netlink.h>

#include "columns.h"
#include "snapshot.h"
#include "symbols.h"

#define FM_COLUMNS_MAX	11

struct fm_column {
	int type;
	bool differs;			/* sent as differences */
	bool sparse;			/* not sent in a batch where all are 0 */
	u64 (*at)(const struct fm_snapshot *s, u32 i);
};

struct fm_part {
	int nest;
	int first;			/* the attribute of the first number, or 0 */
	int name;			/* the attribute of a name, or 0 */
	u32 (*name_bytes)(const struct fm_snapshot *s, u32 i);	/* with the final NUL */
	void (*name_put)(const struct fm_snapshot *s, u32 i, char *to);
	u32 (*end)(const struct fm_snapshot *s);
	u32 (*next)(const struct fm_snapshot *s, u32 from);
	u32 nr_columns;
	struct fm_column columns[FM_COLUMNS_MAX];
};

/* The state of a column while a batch is measured or written. */
struct fm_column_state {
	u64 last;
	u32 bytes;
	bool used;			/* one of its values is not 0 */
	u8 *to;
};

static const struct fm_frame *fm_frame_at(const struct fm_snapshot *s, u32 i)
{
	return fm_set_at(&s->symbols->frames, i);
}

static const struct fm_node *fm_node_at(const struct fm_snapshot *s, u32 i)
{
	return fm_set_at(&s->aggregate->nodes, i);
}

static const struct fm_task *fm_task_at(const struct fm_snapshot *s, u32 i)
{
	return fm_set_at(&s->aggregate->tasks, i);
}

static const struct fm_record *fm_record_at(const struct fm_snapshot *s, u32 i)
{
	return fm_set_at(&s->aggregate->records, i);
}

#define FM_COLUMN_AT(name, value)					\
static u64 fm_##name(const struct fm_snapshot *s, u32 i)		\
{									\
	return value;							\
}

FM_COLUMN_AT(frame_id, i)
FM_COLUMN_AT(frame_kind, fm_frame_at(s, i)->kind)
FM_COLUMN_AT(node_parent, fm_node_at(s, i)->parent)
FM_COLUMN_AT(node_frame, fm_node_at(s, i)->frame)
FM_COLUMN_AT(task_pid, fm_task_at(s, i)->pid)
FM_COLUMN_AT(task_tid, fm_task_at(s, i)->tid)
FM_COLUMN_AT(task_cgroup, fm_task_at(s, i)->cgroup)
FM_COLUMN_AT(record_node, fm_record_at(s, i)->node)
FM_COLUMN_AT(record_task, fm_record_at(s, i)->task)
FM_COLUMN_AT(record_cpu, fm_record_at(s, i)->cpu)
FM_COLUMN_AT(record_context, fm_record_at(s, i)->context)
FM_COLUMN_AT(record_event, fm_record_at(s, i)->event)
FM_COLUMN_AT(record_state, fm_record_at(s, i)->state)
FM_COLUMN_AT(record_followed, fm_record_at(s, i)->followed)
FM_COLUMN_AT(record_user, fm_record_at(s, i)->user)
FM_COLUMN_AT(record_count, fm_snapshot_counts(s, i)->count)
FM_COLUMN_AT(record_periods, fm_snapshot_counts(s, i)->periods)
FM_COLUMN_AT(record_late_us,
	     div_u64(fm_snapshot_counts(s, i)->late_ns, NSEC_PER_USEC))

static u32 fm_frame_name_bytes(const struct fm_snapshot *s, u32 i)
{
	return fm_frame_at(s, i)->name_bytes;
}

static void fm_frame_name(const struct fm_snapshot *s, u32 i, char *to)
{
	fm_frame_put(fm_frame_at(s, i), to);
}

static u32 fm_task_comm_bytes(const struct fm_snapshot *s, u32 i)
{
	return strlen(fm_task_at(s, i)->comm) + 1;
}

static void fm_task_comm(const struct fm_snapshot *s, u32 i, char *to)
{
	memcpy(to, fm_task_at(s, i)->comm, fm_task_comm_bytes(s, i));
}

/*
 * Frames stay for the session, so skip those that only earlier epochs used. Whoever asks
 * for frames alone gets these, too.
 */
static u32 fm_frame_next(const struct fm_snapshot *s, u32 from)
{
	u32 i = max(from, s->first_frame);

	while (s->aggregate && i < s->nr_frames && !*fm_snapshot_uses(s, i))
		i++;
	return min(i, s->nr_frames);
}

static u32 fm_next(const struct fm_snapshot *s, u32 from)
{
	return from;
}

#define FM_PART_END(name)						\
static u32 fm_nr_##name(const struct fm_snapshot *s)			\
{									\
	return s->nr_##name;						\
}

FM_PART_END(frames)
FM_PART_END(nodes)
FM_PART_END(tasks)
FM_PART_END(records)

const struct fm_part fm_part_frames = {
	.nest = FLAMEMOD_A_FRAMES,
	.name = FLAMEMOD_A_FRAMES_NAME,
	.name_bytes = fm_frame_name_bytes,
	.name_put = fm_frame_name,
	.end = fm_nr_frames,
	.next = fm_frame_next,
	.nr_columns = 2,
	.columns = {
		{ FLAMEMOD_A_FRAMES_ID, true, false, fm_frame_id },
		{ FLAMEMOD_A_FRAMES_KIND, false, false, fm_frame_kind },
	},
};

const struct fm_part fm_part_nodes = {
	.nest = FLAMEMOD_A_NODES,
	.first = FLAMEMOD_A_NODES_FIRST,
	.end = fm_nr_nodes,
	.next = fm_next,
	.nr_columns = 2,
	.columns = {
		{ FLAMEMOD_A_NODES_PARENT, true, false, fm_node_parent },
		{ FLAMEMOD_A_NODES_FRAME, true, false, fm_node_frame },
	},
};

const struct fm_part fm_part_tasks = {
	.nest = FLAMEMOD_A_TASKS,
	.first = FLAMEMOD_A_TASKS_FIRST,
	.name = FLAMEMOD_A_TASKS_COMM,
	.name_bytes = fm_task_comm_bytes,
	.name_put = fm_task_comm,
	.end = fm_nr_tasks,
	.next = fm_next,
	.nr_columns = 3,
	.columns = {
		{ FLAMEMOD_A_TASKS_PID, true, false, fm_task_pid },
		{ FLAMEMOD_A_TASKS_TID, true, false, fm_task_tid },
		{ FLAMEMOD_A_TASKS_CGROUP, true, true, fm_task_cgroup },
	},
};

const struct fm_part fm_part_records = {
	.nest = FLAMEMOD_A_RECORDS,
	.first = FLAMEMOD_A_RECORDS_FIRST,
	.end = fm_nr_records,
	.next = fm_next,
	.nr_columns = 11,
	.columns = {
		{ FLAMEMOD_A_RECORDS_NODE, true, false, fm_record_node },
		{ FLAMEMOD_A_RECORDS_TASK, true, false, fm_record_task },
		{ FLAMEMOD_A_RECORDS_CPU, false, false, fm_record_cpu },
		{ FLAMEMOD_A_RECORDS_CONTEXT, false, false, fm_record_context },
		{ FLAMEMOD_A_RECORDS_COUNT, false, false, fm_record_count },
		{ FLAMEMOD_A_RECORDS_PERIODS, false, false, fm_record_periods },
		{ FLAMEMOD_A_RECORDS_LATE_US, false, false, fm_record_late_us },
		{ FLAMEMOD_A_RECORDS_EVENT, false, true, fm_record_event },
		{ FLAMEMOD_A_RECORDS_USER_NODE, true, true, fm_record_user },
		{ FLAMEMOD_A_RECORDS_FOLLOWED, false, true, fm_record_followed },
		{ FLAMEMOD_A_RECORDS_STATE, false, true, fm_record_state },
	},
};

/* Return: the number to send for a value; the formula is in the YAML's doc. */
static u64 fm_column_number(const struct fm_column *column,
			    struct fm_column_state *state, u64 value)
{
	s64 difference = value - state->last;

	if (!column->differs)
		return value;
	state->last = value;
	return (u64)difference << 1 ^ (u64)(difference >> 63);
}

/* Is the column part of the batch? */
static bool fm_column_sent(const struct fm_column *column,
			   const struct fm_column_state *state)
{
	return !column->sparse || state->used;
}

static u32 fm_number_bytes(u64 number)
{
	u32 bytes = 1;

	while (number >>= 7)
		bytes++;
	return bytes;
}

static u8 *fm_number_put(u8 *to, u64 number)
{
	for (; number > 0x7f; number >>= 7)
		*to++ = number | 0x80;
	*to++ = number;
	return to;
}

/* Grow the columns by one element. Return: whether they still fit. */
static bool fm_columns_grow(const struct fm_snapshot *s,
			    const struct fm_part *part,
			    struct fm_column_state *states, u32 i, u32 room)
{
	u32 bytes = 0, c;

	for (c = 0; c < part->nr_columns; c++) {
		const struct fm_column *column = &part->columns[c];
		u64 value = column->at(s, i);

		states[c].used |= value != 0;
		states[c].bytes += fm_number_bytes(fm_column_number(column, &states[c],
								    value));
		if (fm_column_sent(column, &states[c]))
			bytes += nla_total_size(states[c].bytes);
	}
	return bytes <= room;
}

/* Measure the columns of a batch from @from on. Return: where it must end. */
static u32 fm_columns_measure(const struct fm_snapshot *s,
			      const struct fm_part *part, u32 from, u32 room,
			      struct fm_column_state *states)
{
	struct fm_column_state grown[FM_COLUMNS_MAX] = {};
	u32 fixed = nla_total_size(0), end = part->end(s), i;

	if (part->first)
		fixed += nla_total_size(sizeof(u32));
	for (i = from; i < end; i = part->next(s, i + 1)) {
		if (part->name)
			fixed += nla_total_size(part->name_bytes(s, i));
		if (fixed > room ||
		    !fm_columns_grow(s, part, grown, i, room - fixed))
			break;
		memcpy(states, grown, sizeof(grown));
	}
	return i;
}

/**
 * fm_columns_put() - put a batch of as many elements as there is room for.
 * @skb: the message
 * @snapshot: the snapshot, with a profile
 * @part: the part
 * @from: the first element, which must exist
 *
 * Context: Process context, may sleep.
 * Return: the next element to send, or the part's end; or @from with nothing
 * put if there is no room for one element.
 */
u32 fm_columns_put(struct sk_buff *skb, const struct fm_snapshot *snapshot,
		   const struct fm_part *part, u32 from)
{
	struct fm_column_state states[FM_COLUMNS_MAX] = {};
	u32 end, c, i;
	struct nlattr *nest;

	end = fm_columns_measure(snapshot, part, from, skb_tailroom(skb), states);
	if (end == from)
		return from;
	nest = nla_nest_start(skb, part->nest);
	if (part->first)
		nla_put_u32(skb, part->first, from);
	for (c = 0; c < part->nr_columns; c++) {
		const struct fm_column *column = &part->columns[c];
		struct fm_column_state *state = &states[c];

		if (!fm_column_sent(column, state))
			continue;
		state->to = nla_data(nla_reserve(skb, column->type, state->bytes));
		state->last = 0;
		for (i = from; i < end; i = part->next(snapshot, i + 1))
			state->to = fm_number_put(state->to,
						  fm_column_number(column, state,
								   column->at(snapshot, i)));
	}
	for (i = from; part->name && i < end; i = part->next(snapshot, i + 1))
		part->name_put(snapshot, i,
			       nla_data(nla_reserve(skb, part->name,
						    part->name_bytes(snapshot, i))));
	nla_nest_end(skb, nest);
	return end;
}

/**
 * fm_columns_next() - find the first element to send, starting at a number.
 * @snapshot: the snapshot
 * @part: the part
 * @from: the number
 *
 * Context: Any.
 * Return: its number, or the part's end.
 */
u32 fm_columns_next(const struct fm_snapshot *snapshot,
		    const struct fm_part *part, u32 from)
{
	return part->next(snapshot, from);
}

/**
 * fm_columns_end() - return where a part ends.
 * @snapshot: the snapshot
 * @part: the part
 *
 * Context: Any.
 * Return: the number of its last element + 1.
 */
u32 fm_columns_end(const struct fm_snapshot *snapshot,
		   const struct fm_part *part)
{
	return part->end(snapshot);
}
