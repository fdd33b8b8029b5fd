// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots as messages: whole, exact, and in whatever room there is.
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
	fm_hand_fire(fm_session->cpus[0], 5000000);
	return fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE, &fm_snapshot,
				  NULL);
}

static void fm_wire_end(struct kunit *test)
{
	if (fm_snapshot)
		fm_snapshot_destroy(fm_snapshot);
	fm_held_end(test);
}

/* A message with so much room, to the byte. */
static struct sk_buff *fm_skb(struct kunit *test, u32 room)
{
	struct sk_buff *skb = alloc_skb(room, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, skb_tailroom(skb) - room);
	return skb;
}

/* What came of a dump. */
struct fm_seen {
	u32 nr_messages, nr_heads, nr_cpus, nr_frames, nr_nodes, nr_tasks,
	    nr_records;
	u32 last_frame;
	u64 count, periods, late_us;
	bool wide;
};

static u32 fm_u32_at(const struct nlattr *column, u32 i)
{
	u32 value;

	memcpy(&value, nla_data(column) + i * sizeof(value), sizeof(value));
	return value;
}

static u64 fm_value_at(const struct nlattr *narrow, const struct nlattr *wide,
		       u32 i)
{
	u64 value;

	if (narrow)
		return fm_u32_at(narrow, i);
	memcpy(&value, nla_data(wide) + i * sizeof(value), sizeof(value));
	return value;
}

static void fm_see_frames(struct kunit *test, struct fm_seen *seen,
			  const struct nlattr *nest)
{
	const struct nlattr *attr, *ids = NULL, *kinds = NULL;
	const struct fm_frame *frame;
	u32 nr, names = 0, id;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_ID)
			ids = attr;
		if (nla_type(attr) == FLAMEMOD_A_FRAMES_KIND)
			kinds = attr;
		if (nla_type(attr) != FLAMEMOD_A_FRAMES_NAME)
			continue;
		KUNIT_ASSERT_TRUE(test, ids && kinds);
		KUNIT_ASSERT_LT(test, names * sizeof(u32), nla_len(ids));
		id = fm_u32_at(ids, names);
		KUNIT_EXPECT_TRUE(test, !seen->nr_frames || id > seen->last_frame);
		KUNIT_ASSERT_LT(test, id, fm_snapshot->nr_frames);
		frame = fm_set_at(&fm_snapshot->symbols->frames, id);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), frame->name);
		KUNIT_EXPECT_EQ(test, ((u8 *)nla_data(kinds))[names], frame->kind);
		seen->last_frame = id;
		seen->nr_frames++;
		names++;
	}
	KUNIT_ASSERT_TRUE(test, ids && kinds);
	nr = nla_len(kinds);
	KUNIT_EXPECT_GT(test, nr, 0);
	KUNIT_EXPECT_EQ(test, nla_len(ids), nr * sizeof(u32));
	KUNIT_EXPECT_EQ(test, names, nr);
}

static void fm_see_nodes(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	struct nlattr *tb[FLAMEMOD_A_NODES_MAX + 1];
	const struct fm_node *node;
	u32 nr, i, first;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_NODES_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_NODES_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_nodes + 1);
	nr = nla_len(tb[FLAMEMOD_A_NODES_PARENT]) / sizeof(u32);
	KUNIT_EXPECT_GT(test, nr, 0);
	KUNIT_EXPECT_EQ(test, nla_len(tb[FLAMEMOD_A_NODES_FRAME]),
			nr * sizeof(u32));
	for (i = 0; i < nr; i++) {
		node = fm_set_at(&fm_snapshot->aggregate->nodes, first + i);
		KUNIT_EXPECT_EQ(test, fm_u32_at(tb[FLAMEMOD_A_NODES_PARENT], i),
				node->parent);
		KUNIT_EXPECT_EQ(test, fm_u32_at(tb[FLAMEMOD_A_NODES_FRAME], i),
				node->frame);
	}
	seen->nr_nodes += nr;
}

static void fm_see_tasks(struct kunit *test, struct fm_seen *seen,
			 const struct nlattr *nest)
{
	const struct nlattr *attr, *first = NULL, *pids = NULL, *tids = NULL;
	const struct fm_task *task;
	u32 comms = 0;
	int rest;

	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == FLAMEMOD_A_TASKS_FIRST)
			first = attr;
		if (nla_type(attr) == FLAMEMOD_A_TASKS_PID)
			pids = attr;
		if (nla_type(attr) == FLAMEMOD_A_TASKS_TID)
			tids = attr;
		if (nla_type(attr) != FLAMEMOD_A_TASKS_COMM)
			continue;
		KUNIT_ASSERT_TRUE(test, first && pids && tids);
		task = fm_set_at(&fm_snapshot->aggregate->tasks,
				 nla_get_u32(first) + comms);
		KUNIT_EXPECT_STREQ(test, (char *)nla_data(attr), task->comm);
		KUNIT_EXPECT_EQ(test, fm_u32_at(pids, comms), task->pid);
		KUNIT_EXPECT_EQ(test, fm_u32_at(tids, comms), task->tid);
		comms++;
	}
	KUNIT_ASSERT_TRUE(test, first && pids && tids);
	KUNIT_EXPECT_EQ(test, nla_get_u32(first), seen->nr_tasks);
	KUNIT_EXPECT_EQ(test, nla_len(pids), comms * sizeof(u32));
	KUNIT_EXPECT_EQ(test, nla_len(tids), comms * sizeof(u32));
	seen->nr_tasks += comms;
}

static void fm_see_records(struct kunit *test, struct fm_seen *seen,
			   const struct nlattr *nest)
{
	struct nlattr *tb[FLAMEMOD_A_RECORDS_MAX + 1];
	const struct fm_record *record;
	const struct nlattr *count;
	u32 nr, i, first;
	bool wide;

	KUNIT_ASSERT_EQ(test, nla_parse_nested(tb, FLAMEMOD_A_RECORDS_MAX, nest,
					       NULL, NULL), 0);
	first = nla_get_u32(tb[FLAMEMOD_A_RECORDS_FIRST]);
	KUNIT_EXPECT_EQ(test, first, seen->nr_records);
	nr = nla_len(tb[FLAMEMOD_A_RECORDS_CONTEXT]);
	KUNIT_EXPECT_GT(test, nr, 0);
	wide = tb[FLAMEMOD_A_RECORDS_COUNT_WIDE];
	count = tb[wide ? FLAMEMOD_A_RECORDS_COUNT_WIDE : FLAMEMOD_A_RECORDS_COUNT];
	KUNIT_EXPECT_EQ(test, !!tb[FLAMEMOD_A_RECORDS_COUNT], !wide);
	KUNIT_EXPECT_EQ(test, nla_len(count), nr * (wide ? 8 : 4));
	KUNIT_EXPECT_EQ(test, nla_len(tb[FLAMEMOD_A_RECORDS_CPU]), nr * 2);
	for (i = 0; i < nr; i++) {
		record = fm_set_at(&fm_snapshot->aggregate->records, first + i);
		KUNIT_EXPECT_EQ(test, fm_u32_at(tb[FLAMEMOD_A_RECORDS_NODE], i),
				record->node);
		KUNIT_EXPECT_EQ(test, fm_u32_at(tb[FLAMEMOD_A_RECORDS_TASK], i),
				record->task);
		KUNIT_EXPECT_EQ(test, ((u16 *)nla_data(tb[FLAMEMOD_A_RECORDS_CPU]))[i],
				record->cpu);
		KUNIT_EXPECT_EQ(test, ((u8 *)nla_data(tb[FLAMEMOD_A_RECORDS_CONTEXT]))[i],
				record->context);
		seen->count += fm_value_at(tb[FLAMEMOD_A_RECORDS_COUNT],
					   tb[FLAMEMOD_A_RECORDS_COUNT_WIDE], i);
		seen->periods += fm_value_at(tb[FLAMEMOD_A_RECORDS_PERIODS],
					     tb[FLAMEMOD_A_RECORDS_PERIODS_WIDE], i);
		seen->late_us += fm_value_at(tb[FLAMEMOD_A_RECORDS_LATE_US],
					     tb[FLAMEMOD_A_RECORDS_LATE_US_WIDE], i);
	}
	seen->wide |= wide;
	seen->nr_records += nr;
}

/* What every attribute of a message says is what the snapshot holds. */
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

/* The head takes what it takes; what follows has so much room a message. */
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
	{ "1000 bytes", 1000, 0, 12 },
	{ "200 bytes", 200, 0, 80 },
	{ "201 bytes", 201, 0, 80 },
	{ "203 bytes", 203, 0, 80 },
	{ "numbers of 32 bits to the last", 1000, U32_MAX - 1, 12 },
	{ "wide numbers", 1000, 1ull << 40, 14 },
	{ "wide numbers in 200 bytes", 200, 1ull << 40, 90 },
};

static void fm_room_name(const struct fm_room_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_room, fm_room_cases, fm_room_name);

static void a_dump_is_whole_in_any_room(struct kunit *test)
{
	const struct fm_room_case *c = test->param_value;
	struct fm_counts *counts = &fm_snapshot->counts[7];
	struct fm_seen seen = {};

	counts->count += c->more;
	counts->periods += c->more;
	counts->late_ns += 3000;
	fm_dump(test, &seen, c->room);
	KUNIT_EXPECT_EQ(test, seen.nr_heads, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_cpus, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_frames, FM_STACKS * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_nodes, FM_STACKS * FM_DEPTH);
	KUNIT_EXPECT_EQ(test, seen.nr_tasks, 1);
	KUNIT_EXPECT_EQ(test, seen.nr_records, FM_STACKS + 1);
	KUNIT_EXPECT_EQ(test, seen.count, FM_STACKS + 1 + c->more);
	KUNIT_EXPECT_EQ(test, seen.periods, FM_STACKS + 6 + c->more);
	KUNIT_EXPECT_EQ(test, seen.late_us, 5003);
	KUNIT_EXPECT_EQ(test, seen.wide, c->more > U32_MAX);
	KUNIT_EXPECT_LE(test, seen.nr_messages, c->nr_messages);
}

/*
 * For every room there can be: a batch fits, what it leaves would not have held
 * one element more, and with no room for one it says so.
 */
static const struct fm_part_case {
	const char *name;
	u32 part;		/* as wire.c counts them */
	bool wide;
	u32 least;		/* bytes for the first element */
	u32 each;		/* bytes for one more, at the most */
} fm_part_cases[] = {
	/* A nest of 4, an u32 of 8, columns of 4 and their padding. */
	{ "nodes", 3, false, 4 + 8 + 2 * 4 + 8, 8 },
	{ "tasks", 4, false, 4 + 8 + 2 * 4 + 8 + 20, 28 },
	{ "records", 5, false, 4 + 8 + 7 * 4 + 8 + 23, 23 },
	{ "wide records", 5, true, 4 + 8 + 7 * 4 + 8 + 35, 35 },
	{ "frames", 2, false, 4 + 2 * 4 + 4 + 5 + 20, 5 + 20 },
};

static void fm_part_name(const struct fm_part_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_part, fm_part_cases, fm_part_name);

static void a_batch_fills_its_room(struct kunit *test)
{
	const struct fm_part_case *c = test->param_value;
	struct fm_wire_cursor cursor;
	struct sk_buff *skb;
	bool ended;
	u32 room;
	int err;

	if (c->wide)
		fm_snapshot->counts[0].periods = 1ull << 33;
	for (room = 0; room < 700; room++) {
		cursor.part = c->part;
		cursor.next = c->part == 3;
		skb = fm_skb(test, room);
		err = fm_wire_put_batch(skb, fm_snapshot, &cursor);
		KUNIT_EXPECT_EQ_MSG(test, err, room < c->least ? -EMSGSIZE : 0,
				    "room of %u", room);
		ended = cursor.part != c->part;
		if (err) {
			KUNIT_EXPECT_EQ(test, skb->len, 0);
			KUNIT_EXPECT_EQ(test, cursor.next, c->part == 3);
			KUNIT_EXPECT_FALSE(test, ended);
		} else if (!ended) {
			KUNIT_EXPECT_GT(test, cursor.next, c->part == 3);
			/* Padding that was allowed for may be left as well. */
			KUNIT_EXPECT_LT_MSG(test, skb_tailroom(skb), c->each + 8,
					    "room of %u", room);
		}
		kfree_skb(skb);
	}
}

/* Frames stay when all that used them is forgotten: those are not sent. */
static void frames_of_old_are_not_sent(struct kunit *test)
{
	struct fm_seen seen = {};

	/* The first are not used any more, nor are the last. */
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

/* A head, or a CPU, that does not fit is not sent by halves. */
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

/* The head of fm_snapshot into an empty skb, and what it says of the state. */
static void fm_parse_state(struct kunit *test, struct sk_buff *skb,
			   struct nlattr **state)
{
	struct nlattr *tb[FLAMEMOD_A_MAX + 1];

	KUNIT_ASSERT_EQ(test, fm_wire_put_head(skb, fm_snapshot), 0);
	KUNIT_ASSERT_EQ(test, nla_parse(tb, FLAMEMOD_A_MAX, (void *)skb->data,
					skb->len, NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(state, FLAMEMOD_A_STATE_MAX,
					       tb[FLAMEMOD_A_STATE], NULL, NULL), 0);
}

/* Each column of the books has the attribute of its name. */
static void books_have_their_attributes(struct kunit *test)
{
	static const u64 values[] = { 11, 22, 33, 44, 1ull << 35, 66, 77 };
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct nlattr *books[FLAMEMOD_A_BOOKS_MAX + 1];
	struct nlattr *lost[FLAMEMOD_A_LOST_MAX + 1];
	struct sk_buff *skb = fm_skb(test, 4096);
	u32 i;

	fm_snapshot->expected = values[0];
	fm_snapshot->books = (struct fm_books) {
		.fires = values[1], .missed = values[2], .stored = values[3],
		.filtered = values[4], .truncated = values[5],
		.asleep = values[6],
		.lost = { 101, 102, 103, 104, 105 },
	};
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(books, FLAMEMOD_A_BOOKS_MAX,
					       state[FLAMEMOD_A_STATE_BOOKS],
					       NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(lost, FLAMEMOD_A_LOST_MAX,
					       books[FLAMEMOD_A_BOOKS_LOST],
					       NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_EXPECTED]), 11);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_FIRES]), 22);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_MISSED]), 33);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_STORED]), 44);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_TRUNCATED]), 66);
	KUNIT_EXPECT_EQ(test, nla_get_u32(books[FLAMEMOD_A_BOOKS_ASLEEP]), 77);
	/* More than 32 bits take 8 bytes. */
	KUNIT_ASSERT_EQ(test, nla_len(books[FLAMEMOD_A_BOOKS_FILTERED]), 8);
	KUNIT_EXPECT_EQ(test, fm_value_at(NULL, books[FLAMEMOD_A_BOOKS_FILTERED], 0),
			1ull << 35);
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		KUNIT_EXPECT_EQ(test, nla_get_u32(lost[i + 1]), 101 + i);
	kfree_skb(skb);
}

static void pauses_have_their_attributes(struct kunit *test)
{
	struct nlattr *state[FLAMEMOD_A_STATE_MAX + 1];
	struct nlattr *pauses[FLAMEMOD_A_PAUSES_MAX + 1];
	struct sk_buff *skb = fm_skb(test, 4096);

	fm_snapshot->pauses = (struct fm_pauses) {
		.callbacks = { [0] = 11, [FM_PAUSES_BUCKETS - 1] = 1ull << 35 },
		.callback_ns_max = 22, .swap_ns_max = 33, .forget_ns_max = 44,
	};
	fm_parse_state(test, skb, state);
	KUNIT_ASSERT_EQ(test, nla_parse_nested(pauses, FLAMEMOD_A_PAUSES_MAX,
					       state[FLAMEMOD_A_STATE_PAUSES],
					       NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nla_len(pauses[FLAMEMOD_A_PAUSES_CALLBACKS]),
			FM_PAUSES_BUCKETS * 8);
	KUNIT_EXPECT_EQ(test, memcmp(nla_data(pauses[FLAMEMOD_A_PAUSES_CALLBACKS]),
				     fm_snapshot->pauses.callbacks,
				     FM_PAUSES_BUCKETS * 8), 0);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX]), 22);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_SWAP_NS_MAX]), 33);
	KUNIT_EXPECT_EQ(test, nla_get_u32(pauses[FLAMEMOD_A_PAUSES_FORGET_NS_MAX]), 44);
	kfree_skb(skb);
}

static struct kunit_case fm_wire_cases[] = {
	KUNIT_CASE_PARAM(a_dump_is_whole_in_any_room, fm_room_gen_params),
	KUNIT_CASE_PARAM(a_batch_fills_its_room, fm_part_gen_params),
	KUNIT_CASE(frames_of_old_are_not_sent),
	KUNIT_CASE(a_dump_of_nothing_is_a_head),
	KUNIT_CASE(what_does_not_fit_is_refused),
	KUNIT_CASE(books_have_their_attributes),
	KUNIT_CASE(pauses_have_their_attributes),
	{}
};

struct kunit_suite fm_wire_suite = {
	.name = "flamemod_wire",
	.init = fm_wire_begin,
	.exit = fm_wire_end,
	.test_cases = fm_wire_cases,
};
