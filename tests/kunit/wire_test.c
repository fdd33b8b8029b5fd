// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots as messages: complete and exact, whatever the size of a message.
 */
#include <linux/bitmap.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <net/netlink.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"
#include "../../module/wire.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

static struct fm_snapshot *fm_snapshot;

#define FM_STACKS	40
#define FM_DEPTH	3

static int fm_wire_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	fm_snapshot = NULL;
	if (err)
		return err;
	fm_held_start(test);
	fm_held_sample(fm_session, FM_STACKS / 2, FM_DEPTH, 0x1000);
	fm_held_sample(fm_session, FM_STACKS / 2, FM_DEPTH, 0x100000);
	fm_hand.context = FLAMEMOD_CONTEXT_USER;
	fm_hand_fire(fm_session->cpus[0], 999999);
	return fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE, &fm_snapshot,
				  NULL);
}

static void fm_wire_end(struct kunit *test)
{
	if (fm_snapshot)
		fm_snapshot_destroy(fm_snapshot);
	fm_held_end(test);
}

/* A message with exactly @room bytes of room. */
static struct sk_buff *fm_skb(struct kunit *test, u32 room)
{
	struct sk_buff *skb = alloc_skb(room, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, skb_tailroom(skb) - room);
	return skb;
}

/* What a dump contained. */
struct fm_seen {
	u32 nr_messages, nr_heads, nr_cpus, nr_frames, nr_nodes, nr_tasks,
	    nr_records;
	u32 last_frame;
	u32 nr_batches_followed;
	u64 count, periods, late_us;
};

#define FM_NUMBERS_MAX	256

/* Decode a column as common/flamemod.yaml describes; freed when the test ends. */
static u64 *fm_numbers(struct kunit *test, const struct nlattr *column, u32 *nr)
{
	u64 *numbers = kunit_kzalloc(test, FM_NUMBERS_MAX * sizeof(*numbers),
				     GFP_KERNEL);
	const u8 *at = nla_data(column), *end = at + nla_len(column);
	u32 shift = 0;

	KUNIT_ASSERT_NOT_NULL(test, numbers);
	for (*nr = 0; at < end; at++) {
		KUNIT_ASSERT_LT(test, *nr, FM_NUMBERS_MAX);
		KUNIT_ASSERT_LT(test, shift, 64);
		numbers[*nr] |= (u64)(*at & 0x7f) << shift;
		/* No number has more bytes than it needs. */
		KUNIT_EXPECT_TRUE(test, *at || !shift);
		shift = *at & 0x80 ? shift + 7 : 0;
		*nr += !shift;
	}
	KUNIT_ASSERT_EQ(test, shift, 0);
	KUNIT_ASSERT_GT(test, *nr, 0);
	return numbers;
}

static u64 *fm_differences(struct kunit *test, const struct nlattr *column,
			   u32 *nr)
{
	u64 *numbers = fm_numbers(test, column, nr), last = 0;
	u32 i;

	for (i = 0; i < *nr; i++) {
		last += numbers[i] & 1 ? -(numbers[i] / 2) - 1 : numbers[i] / 2;
		numbers[i] = last;
	}
	return numbers;
}

/* The same for a column that must have @nr numbers. */
static u64 *fm_more_numbers(struct kunit *test, const struct nlattr *column,
			    u32 nr)
{
	u64 *numbers;
	u32 own;

	numbers = fm_numbers(test, column, &own);
	KUNIT_ASSERT_EQ(test, own, nr);
	return numbers;
}

static u64 *fm_more_differences(struct kunit *test,
				const struct nlattr *column, u32 nr)
{
	u64 *numbers;
	u32 own;

	numbers = fm_differences(test, column, &own);
	KUNIT_ASSERT_EQ(test, own, nr);
	return numbers;
}

static void fm_see_frames(struct kunit *test, struct fm_seen *seen,
			  const struct nlattr *nest)
{
	const u64 *ids = NULL, *kinds = NULL;
	u32 nr = 0, names = 0, id;
	const struct fm_frame *frame;
	const struct nlattr *attr;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_ID)
			ids = fm_differences(test, attr, &nr);
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_KIND)
			kinds = fm_more_numbers(test, attr, nr);
		if (nla_type(attr) != FLAMEMOD_A_FRAMES_NAME)
			continue;
		KUNIT_ASSERT_TRUE(test, ids && kinds);
		KUNIT_ASSERT_LT(test, names, nr);
		id = ids[names];
		KUNIT_EXPECT_TRUE(test, !seen->nr_frames || id > seen->last_frame);
		KUNIT_ASSERT_LT(test, id, fm_snapshot->nr_frames);
		frame = fm_set_at(&fm_snapshot->symbols->frames, id);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), frame->name);
		KUNIT_EXPECT_EQ(test, kinds[names], frame->kind);
		seen->last_frame = id;
		seen->nr_frames++;
		names++;
	}
	KUNIT_ASSERT_TRUE(test, ids && kinds);
	KUNIT_EXPECT_EQ(test, names, nr);
}

static void fm_see_nodes(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	struct nlattr *tb[FLAMEMOD_A_NODES_MAX + 1];
	const struct fm_node *node;
	u64 *parents, *frames;
	u32 nr, i, first;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_NODES_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_NODES_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_nodes + 1);
	parents = fm_differences(test, tb[FLAMEMOD_A_NODES_PARENT], &nr);
	frames = fm_more_differences(test, tb[FLAMEMOD_A_NODES_FRAME], nr);
	for (i = 0; i < nr; i++) {
		node = fm_set_at(&fm_snapshot->aggregate->nodes, first + i);
		KUNIT_EXPECT_EQ(test, parents[i], node->parent);
		KUNIT_EXPECT_EQ(test, frames[i], node->frame);
	}
	seen->nr_nodes += nr;
}

static void fm_see_tasks(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	const struct nlattr *attr, *first = NULL;
	const u64 *pids = NULL, *tids = NULL;
	const struct fm_task *task;
	u32 comms = 0, nr = 0;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_TASKS_FIRST)
			first = attr;
		if (nla_type(attr) == FLAMEMOD_A_TASKS_PID)
			pids = fm_differences(test, attr, &nr);
		if (nla_type(attr) == FLAMEMOD_A_TASKS_TID)
			tids = fm_more_differences(test, attr, nr);
		if (nla_type(attr) != FLAMEMOD_A_TASKS_COMM)
			continue;
		KUNIT_ASSERT_TRUE(test, first && pids && tids);
		KUNIT_ASSERT_LT(test, comms, nr);
		task = fm_set_at(&fm_snapshot->aggregate->tasks,
				 nla_get_u32(first) + comms);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), task->comm);
		KUNIT_EXPECT_EQ(test, pids[comms], task->pid);
		KUNIT_EXPECT_EQ(test, tids[comms], task->tid);
		comms++;
	}
	KUNIT_ASSERT_TRUE(test, first && pids && tids);
	KUNIT_EXPECT_EQ(test, nla_get_u32(first), seen->nr_tasks);
	KUNIT_EXPECT_EQ(test, comms, nr);
	seen->nr_tasks += comms;
}

static void fm_see_records(struct kunit *test, struct fm_seen *seen,
			   const struct nlattr *nest)
{
	u64 *nodes, *tasks, *cpus, *contexts, *count, *periods, *late_us;
	u64 *followed = NULL;
	struct nlattr *tb[FLAMEMOD_A_RECORDS_MAX + 1];
	const struct fm_record *record;
	u32 nr, i, first;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_RECORDS_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_RECORDS_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_records);
	nodes = fm_differences(test, tb[FLAMEMOD_A_RECORDS_NODE], &nr);
	tasks = fm_more_differences(test, tb[FLAMEMOD_A_RECORDS_TASK], nr);
	cpus = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_CPU], nr);
	contexts = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_CONTEXT], nr);
	count = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_COUNT], nr);
	periods = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_PERIODS], nr);
	late_us = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_LATE_US], nr);
	if (tb[FLAMEMOD_A_RECORDS_FOLLOWED])
		followed = fm_more_numbers(test, tb[FLAMEMOD_A_RECORDS_FOLLOWED],
					   nr);
	/* The column is not sent if it would be all zero. */
	seen->nr_batches_followed += !!followed;
	KUNIT_EXPECT_TRUE(test, !followed || memchr_inv(followed, 0, nr * sizeof(*followed)));
	for (i = 0; i < nr; i++) {
		record = fm_set_at(&fm_snapshot->aggregate->records, first + i);
		KUNIT_EXPECT_EQ(test, nodes[i], record->node);
		KUNIT_EXPECT_EQ(test, tasks[i], record->task);
		KUNIT_EXPECT_EQ(test, cpus[i], record->cpu);
		KUNIT_EXPECT_EQ(test, contexts[i], record->context);
		KUNIT_EXPECT_EQ(test, count[i], fm_snapshot->counts[first + i].count);
		KUNIT_EXPECT_EQ(test, followed ? followed[i] : 0, record->followed);
		seen->count += count[i];
		seen->periods += periods[i];
		seen->late_us += late_us[i];
	}
	seen->nr_records += nr;
}

/* Expect that each attribute of a message agrees with the snapshot. */
static void fm_see_message(struct kunit *test, struct fm_seen *seen,
			   const struct sk_buff *skb)
{
	const struct nlattr *attr;
	int rest;

	KUNIT_EXPECT_GT(test, skb->len, 0);
	nla_for_each_attr(attr, (struct nlattr *)skb->data, skb->len, rest) {
		switch (nla_type(attr)) {
		case FLAMEMOD_A_STATE:
			seen->nr_heads++;
			break;
		case FLAMEMOD_A_CPU:
			seen->nr_cpus++;
			break;
		case FLAMEMOD_A_FRAMES:
			fm_see_frames(test, seen, attr);
			break;
		case FLAMEMOD_A_NODES:
			fm_see_nodes(test, seen, attr);
			break;
		case FLAMEMOD_A_TASKS:
			fm_see_tasks(test, seen, attr);
			break;
		case FLAMEMOD_A_RECORDS:
			fm_see_records(test, seen, attr);
			break;
		case FLAMEMOD_A_SESSION:
		case FLAMEMOD_A_SETTINGS:
			break;
		default:
			KUNIT_FAIL(test, "attribute %u", nla_type(attr));
		}
	}
	KUNIT_EXPECT_EQ(test, rest, 0);
	seen->nr_messages++;
}

/* The head gets enough room; each message after it has @room bytes. */
static void fm_dump(struct kunit *test, struct fm_seen *seen, u32 room)
{
	struct fm_wire_cursor cursor = {};
	struct sk_buff *skb;
	int err;

	while (!fm_wire_done(&cursor) && seen->nr_messages < 10000) {
		skb = fm_skb(test, seen->nr_messages ? room : 4096);
		err = fm_wire_put_batch(skb, fm_snapshot, &cursor);
		KUNIT_ASSERT_EQ(test, err, 0);
		fm_see_message(test, seen, skb);
		kfree_skb(skb);
	}
	KUNIT_EXPECT_TRUE(test, fm_wire_done(&cursor));
}

static const struct fm_room_case {
	const char *name;
	u32 room;
	u64 more;		/* added to a record's counts */
	u32 nr_messages;	/* the most it may take */
} fm_room_cases[] = {
	{ "room for all", 16384, 0, 6 },
	{ "a page", 3776, 0, 6 },
	{ "1000 bytes", 1000, 0, 9 },
	{ "200 bytes", 200, 0, 40 },
	{ "201 bytes", 201, 0, 40 },
	{ "203 bytes", 203, 0, 40 },
	{ "numbers of 32 bits to the last", 1000, U32_MAX - 1, 9 },
	{ "numbers of 41 bits", 200, 1ull << 40, 40 },
	{ "numbers of 64 bits", 200, U64_MAX - 2 * FM_STACKS, 40 },
};

FM_ARRAY_PARAM(room);

static void a_dump_is_whole_in_any_room(struct kunit *test)
{
	const struct fm_room_case *c = test->param_value;
	struct fm_counts *counts = &fm_snapshot->counts[7];
	struct fm_record *record = fm_set_at(&fm_snapshot->aggregate->records, 9);
	struct fm_seen seen = {};

	counts->count += c->more;
	counts->periods += c->more + 5;
	counts->late_ns += 3000;
	/* A CPU whose number needs more than a byte. */
	record->cpu = 300;
	fm_dump(test, &seen, c->room);
	KUNIT_EXPECT_EQ(test, seen.nr_heads, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_cpus, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_frames, FM_STACKS * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_nodes, FM_STACKS * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_tasks, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_records, FM_STACKS + 1);
	KUNIT_EXPECT_EQ(test, seen.count, FM_STACKS + 1 + c->more);
	KUNIT_EXPECT_EQ(test, seen.periods, FM_STACKS + 6 + c->more);
	KUNIT_EXPECT_EQ(test, seen.late_us, 1002);
	KUNIT_EXPECT_LE(test, seen.nr_messages, c->nr_messages);
	KUNIT_EXPECT_EQ(test, seen.nr_batches_followed, 0);
}

/* One followed record, so that one batch has the column and others have not. */
static void followed_records_are_reported(struct kunit *test)
{
	struct fm_record *record;
	struct fm_seen seen = {};
	u32 room;

	record = fm_set_at(&fm_snapshot->aggregate->records, FM_STACKS / 2);
	record->followed = 1;
	for (room = 200; room < 260; room++) {
		seen = (struct fm_seen){};
		fm_dump(test, &seen, room);
		KUNIT_EXPECT_EQ(test, seen.nr_records, FM_STACKS + 1);
		KUNIT_EXPECT_EQ(test, seen.nr_batches_followed, 1);
		KUNIT_EXPECT_GT(test, seen.nr_messages, 10);
	}
	record->followed = 0;
}

/*
 * For each size of a message: a batch fits. A batch that does not end its part
 * would not fit into less. Without room for one element there is an error.
 */
static const struct fm_part_case {
	const char *name;
	u32 part;		/* number of the part in wire.c */
	u64 more;		/* added to the first record's counts */
	u32 least;		/* bytes for the first element */
} fm_part_cases[] = {
	/* A nest of 4, an u32 of 8, columns of 4 and a number each, padded. */
	{ "nodes", 3, 0, 4 + 8 + 2 * 8 },
	{ "tasks", 4, 0, 4 + 8 + 2 * 8 + 20 },
	{ "records", 5, 0, 4 + 8 + 7 * 8 },
	{ "records of large numbers", 5, 1ull << 40, 4 + 8 + 5 * 8 + 2 * 12 },
	{ "frames", 2, 0, 4 + 2 * 8 + 20 },
};

FM_ARRAY_PARAM(part);

static void a_batch_fills_its_room(struct kunit *test)
{
	const struct fm_part_case *c = test->param_value;
	u32 room, first = c->part == 3, before = first;
	struct fm_wire_cursor cursor;
	struct sk_buff *skb;
	bool ended;
	int err;

	fm_snapshot->counts[0].count += c->more;
	fm_snapshot->counts[0].periods += c->more;
	for (room = 0; room < 700; room++) {
		cursor.part = c->part;
		cursor.next = first;
		skb = fm_skb(test, room);
		err = fm_wire_put_batch(skb, fm_snapshot, &cursor);
		KUNIT_EXPECT_EQ_MSG(test, err, room < c->least ? -EMSGSIZE : 0,
				    "room of %u", room);
		ended = cursor.part != c->part;
		if (err) {
			KUNIT_EXPECT_EQ(test, skb->len, 0);
			KUNIT_EXPECT_EQ(test, cursor.next, first);
			KUNIT_EXPECT_FALSE(test, ended);
		} else if (!ended) {
			KUNIT_EXPECT_GE(test, cursor.next, before);
			/* If one byte more admits another element, the message is full. */
			if (cursor.next > before)
				KUNIT_EXPECT_EQ_MSG(test, skb->len, room,
						    "room of %u", room);
			before = cursor.next;
		}
		kfree_skb(skb);
	}
}

/* After a reset, frames that no record uses are kept, but not sent. */
static void frames_of_old_are_not_sent(struct kunit *test)
{
	struct fm_seen seen = {};

	/* Use some frames in the middle; the first and the last are unused now. */
	fm_snapshot_destroy(fm_snapshot);
	fm_snapshot = NULL;
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	fm_hand.context = FLAMEMOD_CONTEXT_TASK;
	fm_held_sample(fm_session, 4, FM_DEPTH, 0x1000 + FM_DEPTH);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &fm_snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_snapshot->nr_frames, FM_STACKS * FM_DEPTH);
	fm_dump(test, &seen, 300);
	KUNIT_EXPECT_EQ(test, seen.nr_frames, 4 * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_nodes, 4 * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_records, 4);
	KUNIT_EXPECT_EQ(test, seen.periods, 4);
}

static void a_dump_of_nothing_is_a_head(struct kunit *test)
{
	struct fm_seen seen = {};

	fm_snapshot_destroy(fm_snapshot);
	fm_snapshot = NULL;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &fm_snapshot, NULL), 0);
	fm_dump(test, &seen, 300);
	KUNIT_EXPECT_EQ(test, seen.nr_messages, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_heads, 1);
}

/* A head or a CPU that does not fit is not sent in part. */
static void what_does_not_fit_is_refused(struct kunit *test)
{
	struct fm_wire_cursor cursor;
	u32 part, room, whole;
	struct sk_buff *skb;
	int err;

	for (part = 0; part < 2; part++) {
		skb = fm_skb(test, 4096);
		cursor = (struct fm_wire_cursor) { .part = part };
		KUNIT_ASSERT_EQ(test, fm_wire_put_batch(skb, fm_snapshot, &cursor), 0);
		whole = skb->len;
		kfree_skb(skb);
		for (room = 0; room <= whole; room++) {
			skb = fm_skb(test, room);
			cursor = (struct fm_wire_cursor) { .part = part };
			err = fm_wire_put_batch(skb, fm_snapshot, &cursor);
			KUNIT_EXPECT_EQ_MSG(test, err, room < whole ? -EMSGSIZE : 0,
					    "room of %u of %u", room, whole);
			KUNIT_EXPECT_EQ(test, cursor.part == part, room < whole);
			if (part == 1)
				KUNIT_EXPECT_EQ(test, skb->len,
						room < whole ? 0 : whole);
			kfree_skb(skb);
		}
	}
}

static struct kunit_case fm_wire_cases[] = {
	KUNIT_CASE_PARAM(a_dump_is_whole_in_any_room, fm_room_gen_params),
	KUNIT_CASE(followed_records_are_reported),
	KUNIT_CASE_PARAM(a_batch_fills_its_room, fm_part_gen_params),
	KUNIT_CASE(frames_of_old_are_not_sent),
	KUNIT_CASE(a_dump_of_nothing_is_a_head),
	KUNIT_CASE(what_does_not_fit_is_refused),
	{}
};

struct kunit_suite fm_wire_suite = {
	.name = "flamemod_wire",
	.init = fm_wire_begin,
	.exit = fm_wire_end,
	.test_cases = fm_wire_cases,
};
