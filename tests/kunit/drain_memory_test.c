// SPDX-License-Identifier: GPL-2.0
/*
 * Drains without memory: periods that have no room are counted as lost, and a later
 * reset still has its memory.
 */
#include <linux/netlink.h>
#include <kunit/test.h>

#include "../../module/drain.h"
#include "allocations.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

/*
 * Each allocation of a drain fails once: exactly the periods that have no room
 * move from stored to lost.
 */
static void a_drain_without_memory_loses_by_the_books(struct kunit *test)
{
	u32 nth, lost_at_all = 0;
	struct fm_books books;
	bool failed = true;

	for (nth = 1; failed && nth < 1000; nth++) {
		KUNIT_ASSERT_EQ(test, fm_held_renew(FM_HELD_BYTES), 0);
		fm_held_start(test);
		fm_hand.marks = FM_STACK_TRUNCATED;
		fm_held_sample(fm_session, 7, 3, 0x1000);
		fm_allocations_fail(nth);
		fm_held_drain();
		failed = fm_allocations_failed();
		fm_allocations_fail(0);
		books = fm_session_books(fm_cpu);
		KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
		KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
		KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
		KUNIT_EXPECT_EQ(test, books.fires, 7);
		KUNIT_EXPECT_EQ_MSG(test, books.lost[FLAMEMOD_LOST_AGGREGATE_FULL],
				    failed, "allocation %u", nth);
		KUNIT_EXPECT_EQ(test, books.stored, 7 - failed);
		KUNIT_EXPECT_EQ(test, books.truncated, 7 - failed);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), books.stored);
		lost_at_all += failed;
	}
	/* 21 names and a mark; a chunk of frames, tasks, records; extents, their directory. */
	KUNIT_EXPECT_EQ(test, lost_at_all, 27);
}

static void a_full_aggregate_loses_by_the_books(struct kunit *test)
{
	struct fm_books books;
	u32 i;

	KUNIT_ASSERT_EQ(test, fm_held_renew(256 << 10), 0);
	fm_held_start(test);
	for (i = 0; i < 200; i++) {
		fm_held_sample(fm_session, 14, 9, 0x10000 * i);
		fm_held_drain();
		books = fm_session_books(fm_cpu);
		KUNIT_ASSERT_TRUE(test, fm_books_balance(&books));
		KUNIT_ASSERT_EQ(test, fm_held_sum(fm_session), books.stored);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_EQ(test, books.fires, 2800);
	KUNIT_EXPECT_GT(test, books.lost[FLAMEMOD_LOST_AGGREGATE_FULL], 1000);
	KUNIT_EXPECT_GT(test, books.stored, 100);
	KUNIT_EXPECT_LE(test, fm_memory_used(&fm_session->memory),
			fm_session->memory.limit_bytes);
	/* Known stacks still have room. */
	fm_held_sample(fm_session, 1, 9, 0);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), books.stored + 1);
	/* A reset needs none. */
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	fm_held_sample(fm_session, 14, 9, 0);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 14);
}

/* The next drain allocates the next reset's aggregate again, if there is memory. */
static void a_drain_refills_the_reserve(struct kunit *test)
{
	size_t limit_bytes = fm_session->memory.limit_bytes;
	u32 nth;

	fm_held_drop_spare(fm_session);
	for (nth = 1; nth <= 8; nth++) {
		fm_allocations_fail(nth);
		fm_held_drain();
		KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
		fm_allocations_fail(0);
		KUNIT_EXPECT_NULL(test, fm_session->spare);
	}
	/* What is reserved is withheld from the profile, once. */
	KUNIT_EXPECT_EQ(test, fm_session->memory.limit_bytes,
			limit_bytes - fm_session->spare_bytes);
	fm_held_drain();
	KUNIT_EXPECT_NOT_NULL(test, fm_session->spare);
	KUNIT_EXPECT_EQ(test, fm_session->memory.limit_bytes, limit_bytes);
	fm_allocations_fail(1);
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_allocations_failed());
	KUNIT_EXPECT_NULL(test, fm_session->spare);
}

/* A profile that fills up leaves room for the next reset. */
static void a_reserve_is_not_the_profiles(struct kunit *test)
{
	struct fm_books books;
	u32 i;

	KUNIT_ASSERT_EQ(test, fm_held_renew(256 << 10), 0);
	fm_held_start(test);
	fm_held_drop_spare(fm_session);
	for (i = 0; i < 200; i++) {
		fm_held_sample(fm_session, 14, 9, 0x10000 * i);
		fm_allocations_fail(1);
		fm_held_drain();
		KUNIT_ASSERT_NULL(test, fm_session->spare);
	}
	fm_allocations_fail(0);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_GT(test, books.lost[FLAMEMOD_LOST_AGGREGATE_FULL], 1000);
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
}

static struct kunit_case fm_drain_memory_cases[] = {
	KUNIT_CASE(a_drain_without_memory_loses_by_the_books),
	KUNIT_CASE(a_full_aggregate_loses_by_the_books),
	KUNIT_CASE(a_drain_refills_the_reserve),
	KUNIT_CASE(a_reserve_is_not_the_profiles),
	{}
};

struct kunit_suite fm_drain_memory_suite = {
	.name = "flamemod_drain_memory",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_drain_memory_cases,
};
