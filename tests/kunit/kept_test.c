// SPDX-License-Identifier: GPL-2.0
/*
 * Closed epochs: they are kept until each reader that follows has had them, or for a
 * time, or until the memory is needed.
 */
#include <linux/netlink.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"
#include "allocations.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

#define FM_PORT		4711u
#define FM_OTHER	4712u

static struct fm_kept_counts *fm_counts(void)
{
	return &fm_session->kept.counts;
}

/* Ask as a reader; @epoch 0 for the current one. Return: a snapshot, or NULL if refused. */
static struct fm_snapshot *fm_ask(u32 port, u32 epoch, unsigned int flags)
{
	const struct fm_wanted wanted = {
		.flags = FM_SNAPSHOT_PROFILE | flags, .port = port, .epoch = epoch,
	};
	struct fm_snapshot *snapshot = NULL;

	return fm_snapshot_answer(fm_session, &wanted, &snapshot, NULL) ? NULL : snapshot;
}

/* Ask, and expect this epoch with so many periods. */
static void fm_expect(struct kunit *test, u32 port, u32 wanted, u32 epoch, bool closed,
		      u64 periods)
{
	struct fm_snapshot *snapshot = fm_ask(port, wanted, 0);
	u64 sum = 0;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	for (i = 0; i < snapshot->nr_records; i++)
		sum += fm_snapshot_counts(snapshot, i)->periods;
	KUNIT_EXPECT_EQ(test, snapshot->epoch, epoch);
	KUNIT_EXPECT_EQ(test, snapshot->closed, closed);
	KUNIT_EXPECT_EQ(test, snapshot->books.stored, periods);
	KUNIT_EXPECT_EQ(test, snapshot->expected, periods);
	KUNIT_EXPECT_EQ(test, sum, periods);
	fm_snapshot_put(snapshot);
}

/* A reader's first dump. */
static void fm_join(struct kunit *test, u32 port)
{
	struct fm_snapshot *snapshot = fm_ask(port, 0, 0);

	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	KUNIT_EXPECT_FALSE(test, snapshot->closed);
	fm_snapshot_put(snapshot);
}

static void fm_expect_nothing_kept(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 0);
	KUNIT_EXPECT_EQ(test, fm_session->memory.cached_bytes, 0);
}

static void fm_expect_lost(struct kunit *test, u64 expired, u64 reclaimed)
{
	KUNIT_EXPECT_EQ(test, fm_counts()->expired, expired);
	KUNIT_EXPECT_EQ(test, fm_counts()->reclaimed, reclaimed);
}

static void fm_reset(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
}

static void fm_close(u32 port)
{
	fm_session_close(fm_session, port);
	flush_work(&fm_session->undo_work);
}

static void fm_look_for_old(void)
{
	struct work_struct *work = &fm_session->kept.work.work;

	work->func(work);
}

static void a_reader_gets_what_a_reset_ended(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_join(test, FM_PORT);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	fm_reset(test);
	/* The same stacks: what is kept does not change. */
	fm_held_sample(fm_session, 2, 4, 0x1000);
	fm_held_drain();
	fm_expect(test, FM_PORT, 1, 1, true, 8);
	/* It may have failed to store it, so it gets it again. */
	fm_expect(test, FM_PORT, 1, 1, true, 8);
	snapshot = fm_ask(FM_PORT, 1, 0);
	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	KUNIT_EXPECT_TRUE(test, *fm_snapshot_uses(snapshot, 0));
	KUNIT_EXPECT_LE(test, snapshot->instant_ns, fm_session->since_ns);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 5);
	fm_expect(test, FM_PORT, 2, 2, false, 2);
	fm_expect_nothing_kept(test);
	/* It is freed only now. */
	KUNIT_EXPECT_EQ(test, fm_snapshot_counts(snapshot, 4)->periods, 1);
	fm_snapshot_put(snapshot);
	fm_expect_lost(test, 0, 0);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 1);
}

/* Sample, reset, and do so again, while one reader follows. */
static void fm_reset_twice(struct kunit *test, u32 first, u32 second)
{
	fm_held_start(test);
	fm_join(test, FM_PORT);
	fm_held_sample(fm_session, first, 4, 0x1000);
	fm_reset(test);
	fm_held_sample(fm_session, second, 4, 0x1000);
	fm_reset(test);
}

static void two_resets_in_a_row_are_two_epochs(struct kunit *test)
{
	fm_reset_twice(test, 8, 4);
	fm_held_sample(fm_session, 2, 4, 0x1000);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 2);
	fm_expect(test, FM_PORT, 1, 1, true, 8);
	fm_expect(test, FM_PORT, 2, 2, true, 4);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	fm_expect(test, FM_PORT, 3, 3, false, 2);
	fm_expect_nothing_kept(test);
	/* Who asks for the current epoch alone has had all others. */
	fm_reset(test);
	fm_reset(test);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 2);
	fm_expect(test, FM_PORT, 0, 5, false, 0);
	fm_expect_nothing_kept(test);
	fm_expect_lost(test, 0, 0);
}

static void nothing_is_kept_for_who_did_not_ask(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	fm_snapshot_put(snapshot);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_reset(test);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 0);
	fm_expect_nothing_kept(test);
	/* Who comes later gets what is there, whatever it asks for. */
	fm_expect(test, FM_PORT, 1, 2, false, 0);
	fm_expect(test, FM_OTHER, 77, 2, false, 0);
	fm_reset(test);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	/* The same epochs, asked for by somebody else. */
	fm_expect(test, 4713, 2, 3, false, 0);
	fm_expect_lost(test, 0, 0);
}

static void a_reader_is_not_kept_what_it_resets_itself(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_join(test, FM_PORT);
	fm_join(test, FM_OTHER);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	snapshot = fm_ask(FM_PORT, 1, FM_SNAPSHOT_RESET);
	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	KUNIT_EXPECT_EQ(test, snapshot->epoch, 1);
	KUNIT_EXPECT_FALSE(test, snapshot->closed);
	KUNIT_EXPECT_EQ(test, snapshot->books.stored, 5);
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 2);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	fm_expect(test, FM_PORT, 1, 2, false, 0);
	/* A closed epoch comes before another reset, which is not made then. */
	snapshot = fm_ask(FM_OTHER, 1, FM_SNAPSHOT_RESET);
	KUNIT_ASSERT_NOT_NULL(test, snapshot);
	KUNIT_EXPECT_TRUE(test, snapshot->closed);
	KUNIT_EXPECT_EQ(test, snapshot->books.stored, 5);
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 2);
	fm_expect(test, FM_OTHER, 2, 2, false, 0);
	fm_expect_nothing_kept(test);
}

static void a_ninth_reader_is_refused(struct kunit *test)
{
	struct fm_wanted wanted = { .flags = FM_SNAPSHOT_PROFILE | FM_SNAPSHOT_RESET };
	struct netlink_ext_ack extack = {};
	struct fm_snapshot *snapshot;
	u32 i;

	fm_held_start(test);
	for (i = 1; i <= FLAMEMOD_KEPT_READERS_MAX; i++)
		fm_join(test, i);
	fm_join(test, FLAMEMOD_KEPT_READERS_MAX);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 8);
	wanted.port = 9;
	KUNIT_EXPECT_EQ(test, fm_snapshot_answer(fm_session, &wanted, &snapshot, &extack),
			-EUSERS);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 1);
	/* Without keep it is a reader like any other. */
	wanted.port = 0;
	KUNIT_ASSERT_EQ(test, fm_snapshot_answer(fm_session, &wanted, &snapshot, NULL), 0);
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 8);
	/* What is kept for all eight is freed with the last. */
	for (i = 1; i <= FLAMEMOD_KEPT_READERS_MAX; i++) {
		KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
		fm_expect(test, i, 2, 2, false, 0);
	}
	fm_expect_nothing_kept(test);
	/* A socket is closed, and the worker has not come to it. */
	KUNIT_EXPECT_TRUE(test, fm_kept_close(&fm_session->kept, 3));
	fm_join(test, 9);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 8);
	KUNIT_EXPECT_NULL(test, fm_ask(3, 0, 0));
}

/* It was a reader when it was checked, and all places are taken. */
static void a_socket_that_was_closed_meanwhile_joins_nothing(struct kunit *test)
{
	struct fm_kept *kept = &fm_session->kept;
	u32 i;

	fm_held_start(test);
	for (i = 1; i <= FLAMEMOD_KEPT_READERS_MAX; i++)
		fm_join(test, i);
	fm_session_lock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_kept_check(fm_session, 3), 0);
	KUNIT_EXPECT_TRUE(test, fm_kept_close(kept, 3));
	fm_kept_join(fm_session, 3);
	KUNIT_EXPECT_EQ(test, kept->counts.nr_readers, FLAMEMOD_KEPT_READERS_MAX);
	/* The list that follows the places was not written. */
	KUNIT_EXPECT_TRUE(test, list_empty(&kept->epochs));
	fm_kept_leave(fm_session);
	KUNIT_EXPECT_EQ(test, kept->counts.nr_readers, FLAMEMOD_KEPT_READERS_MAX - 1);
	/* There is a place again. */
	fm_kept_join(fm_session, 3);
	KUNIT_EXPECT_TRUE(test, fm_claim_is(&kept->readers[2], 3));
	fm_session_unlock(fm_session);
}

static void a_closed_socket_is_no_reader(struct kunit *test)
{
	fm_held_start(test);
	fm_join(test, FM_PORT);
	fm_join(test, FM_OTHER);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_reset(test);
	fm_close(FM_PORT + 7);
	fm_close(0);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 2);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 1);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	/* The next socket with this port has not followed. */
	fm_expect(test, FM_PORT, 1, 2, false, 0);
	fm_expect(test, FM_OTHER, 1, 1, true, 5);
	fm_close(FM_OTHER);
	fm_expect_nothing_kept(test);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 0);
	fm_reset(test);
	fm_expect_nothing_kept(test);
	/* What nobody wants any more is not lost. */
	fm_expect_lost(test, 0, 0);
	/* A reset before the worker has come keeps nothing either. */
	fm_join(test, FM_PORT);
	KUNIT_EXPECT_TRUE(test, fm_kept_close(&fm_session->kept, FM_PORT));
	fm_reset(test);
	fm_expect_nothing_kept(test);
}

static void an_epoch_expires(struct kunit *test)
{
	u64 closed_ns;

	fm_held_start(test);
	fm_join(test, FM_PORT);
	fm_join(test, FM_OTHER);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	closed_ns = fm_hand.now_ns;
	fm_reset(test);
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&fm_session->kept.work));
	fm_held_sample(fm_session, 3, 4, 0x1000);
	fm_reset(test);
	fm_hand.now_ns = closed_ns + FM_KEPT_NS - 1;
	fm_look_for_old();
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 2);
	fm_expect_lost(test, 0, 0);
	fm_hand.now_ns++;
	cancel_delayed_work_sync(&fm_session->kept.work);
	fm_look_for_old();
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	fm_expect_lost(test, 2, 0);
	/* It comes again for the other one. */
	KUNIT_EXPECT_TRUE(test, delayed_work_pending(&fm_session->kept.work));
	fm_expect(test, FM_PORT, 1, 2, true, 3);
	fm_join(test, FM_PORT);
	fm_hand.now_ns += FM_KEPT_NS;
	cancel_delayed_work_sync(&fm_session->kept.work);
	fm_look_for_old();
	/* One of the two readers had it. */
	fm_expect_lost(test, 3, 0);
	fm_expect_nothing_kept(test);
	KUNIT_EXPECT_FALSE(test, delayed_work_pending(&fm_session->kept.work));
}

/* Memory that is kept is free to whoever needs it, and the oldest epoch goes first. */
static void memory_is_given_back(struct kunit *test)
{
	struct fm_memory *memory = &fm_session->memory;
	size_t used, cached;

	fm_reset_twice(test, 5, 3);
	fm_held_drain();
	used = fm_memory_used(memory);
	memory->limit_bytes = used;
	KUNIT_EXPECT_TRUE(test, fm_memory_has_room(memory, memory->cached_bytes));
	KUNIT_EXPECT_FALSE(test, fm_memory_has_room(memory, memory->cached_bytes + 1));
	cached = memory->cached_bytes;
	/* The new epoch's first task and record. */
	fm_held_sample(fm_session, 7, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	fm_expect_lost(test, 0, 1);
	KUNIT_EXPECT_LT(test, memory->cached_bytes, cached);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).stored, 7);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).lost[FLAMEMOD_LOST_AGGREGATE_FULL], 0);
	/* The reader sees that one is missing. */
	fm_expect(test, FM_PORT, 1, 2, true, 3);
	cached = memory->cached_bytes;
	used = fm_memory_used(memory);
	fm_expect(test, FM_PORT, 3, 3, false, 7);
	/* What was said to be free is. */
	KUNIT_EXPECT_EQ(test, fm_memory_used(memory), used - cached);
	fm_expect_nothing_kept(test);
}

static int fm_attempt_reset(struct kunit *test, void *data)
{
	u64 reclaimed = fm_counts()->reclaimed;
	u32 epoch = fm_session->epoch;

	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, epoch + 1);
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, fm_counts()->reclaimed == reclaimed);
	return fm_counts()->reclaimed == reclaimed + 1 ? -ENOMEM : 0;
}

static void fm_cleanup_reset(struct kunit *test, void *data)
{
	fm_join(test, FM_PORT);
	fm_expect_nothing_kept(test);
	fm_held_drain();
}

static void an_epoch_that_cannot_be_kept_is_counted(struct kunit *test)
{
	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_reset(test);
	fm_held_drain();
	fm_join(test, FM_PORT);
	/* Itself; a snapshot with its CPUs and frames. */
	fm_allocations_fail_each(test, 1 + 1 + 2 * 2, -ENOMEM, fm_attempt_reset,
				 fm_cleanup_reset, NULL);
	/* An older one is given up for it. */
	fm_reset(test);
	fm_held_drain();
	fm_allocations_fail(1);
	fm_reset(test);
	KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_epochs, 1);
	KUNIT_EXPECT_EQ(test, fm_counts()->reclaimed, 6 + 1);
}

/* Without a new aggregate nothing ends, and nothing is kept. */
static void a_reset_that_fails_keeps_nothing(struct kunit *test)
{
	struct fm_memory *memory = &fm_session->memory;

	fm_held_start(test);
	fm_join(test, FM_PORT);
	fm_held_drop_spare(fm_session);
	memory->limit_bytes = 0;
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), -ENOMEM);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 1);
	fm_expect_nothing_kept(test);
	fm_expect_lost(test, 0, 0);
	KUNIT_EXPECT_NULL(test, fm_ask(FM_PORT, 1, FM_SNAPSHOT_RESET));
	fm_expect_nothing_kept(test);
}

static void a_reader_that_is_refused_follows_nothing(struct kunit *test)
{
	fm_held_start(test);
	fm_session->readers.limit_bytes = 0;
	KUNIT_EXPECT_NULL(test, fm_ask(FM_PORT, 0, 0));
	KUNIT_EXPECT_EQ(test, fm_counts()->nr_readers, 0);
}

static struct kunit_case fm_kept_cases[] = {
	KUNIT_CASE(a_reader_gets_what_a_reset_ended),
	KUNIT_CASE(two_resets_in_a_row_are_two_epochs),
	KUNIT_CASE(nothing_is_kept_for_who_did_not_ask),
	KUNIT_CASE(a_reader_is_not_kept_what_it_resets_itself),
	KUNIT_CASE(a_ninth_reader_is_refused),
	KUNIT_CASE(a_socket_that_was_closed_meanwhile_joins_nothing),
	KUNIT_CASE(a_closed_socket_is_no_reader),
	KUNIT_CASE(an_epoch_expires),
	KUNIT_CASE(memory_is_given_back),
	KUNIT_CASE(an_epoch_that_cannot_be_kept_is_counted),
	KUNIT_CASE(a_reset_that_fails_keeps_nothing),
	KUNIT_CASE(a_reader_that_is_refused_follows_nothing),
	{}
};

struct kunit_suite fm_kept_suite = {
	.name = "flamemod_kept",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_kept_cases,
};
