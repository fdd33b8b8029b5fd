// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots as messages: complete and exact, whatever the size of a message.
 */
#include <linux/skbuff.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"
#include "../../module/wire.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"
#include "wire_seen.h"

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
		fm_snapshot_put(fm_snapshot);
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

/* The head gets enough room; each message after it has @room bytes. */
static void fm_dump(struct kunit *test, struct fm_seen *seen, u32 room)
{
	struct fm_wire_cursor cursor = {};
	struct sk_buff *skb;
	int err;

	seen->snapshot = fm_snapshot;
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
	struct fm_counts *counts = fm_snapshot_counts(fm_snapshot, 7);
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

/* Ids of all lengths; without any there is no column. */
static void cgroups_of_tasks_are_reported(struct kunit *test)
{
	static const u64 ids[] = { 1, 1234, 1ull << 32 | 7, FM_CGROUP_OTHER, FM_CGROUP_NONE };
	struct fm_task *task = fm_set_at(&fm_snapshot->aggregate->tasks, 0);
	u64 before = task->cgroup;
	struct fm_seen seen;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		task->cgroup = ids[i];
		seen = (struct fm_seen){};
		fm_dump(test, &seen, 4096);
		KUNIT_EXPECT_EQ(test, seen.nr_batches_in_cgroups, ids[i] != FM_CGROUP_NONE);
	}
	task->cgroup = before;
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
	{ "tasks", 4, 0, 4 + 8 + 3 * 8 + 20 },
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

	fm_snapshot_counts(fm_snapshot, 0)->count += c->more;
	fm_snapshot_counts(fm_snapshot, 0)->periods += c->more;
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
	fm_snapshot_put(fm_snapshot);
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

/* Whoever looks for names wants those of earlier epochs, too, but only new ones. */
static void frames_alone_are_sent_from_a_number_on(struct kunit *test)
{
	struct fm_wanted wanted = { .flags = FM_SNAPSHOT_PROFILE | FM_SNAPSHOT_FRAMES };
	struct fm_seen seen;
	u32 i;

	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	for (i = 0; i < FM_STACKS * FM_DEPTH + 2; i += 7) {
		fm_snapshot_put(fm_snapshot);
		fm_snapshot = NULL;
		wanted.first_frame = i;
		KUNIT_ASSERT_EQ(test, fm_snapshot_answer(fm_session, &wanted, &fm_snapshot,
							 NULL), 0);
		seen = (struct fm_seen){};
		fm_dump(test, &seen, 300);
		KUNIT_EXPECT_EQ(test, seen.nr_frames, FM_STACKS * FM_DEPTH -
				min_t(u32, i, FM_STACKS * FM_DEPTH));
		KUNIT_EXPECT_EQ(test, seen.nr_heads, 1);
		KUNIT_EXPECT_EQ(test, seen.nr_nodes + seen.nr_tasks + seen.nr_records, 0);
		KUNIT_EXPECT_EQ(test, fm_snapshot->nr_frames, FM_STACKS * FM_DEPTH);
	}
	/* It holds nothing but itself and the CPUs' books. */
	KUNIT_EXPECT_NULL(test, fm_snapshot->aggregate);
	KUNIT_EXPECT_EQ(test, fm_pool_bytes(&fm_snapshot->frames_used), 0);
}

static void a_dump_of_nothing_is_a_head(struct kunit *test)
{
	struct fm_seen seen = {};

	fm_snapshot_put(fm_snapshot);
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
	KUNIT_CASE(cgroups_of_tasks_are_reported),
	KUNIT_CASE_PARAM(a_batch_fills_its_room, fm_part_gen_params),
	KUNIT_CASE(frames_of_old_are_not_sent),
	KUNIT_CASE(frames_alone_are_sent_from_a_number_on),
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
