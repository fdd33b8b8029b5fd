// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots of a session: they belong to one instant, and together have a limit.
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

static u64 fm_snapshot_sum(const struct fm_snapshot *snapshot)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < snapshot->nr_records; i++)
		sum += fm_snapshot_counts(snapshot, i)->periods;
	return sum;
}

static void a_snapshot_is_an_instant(struct kunit *test)
{
	struct fm_snapshot *first, *second;
	u32 i;

	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &first, NULL), 0);
	fm_held_sample(fm_session, 8, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_RESET,
						 &second, NULL), 0);
	fm_held_sample(fm_session, 40, 2, 0x9000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, first->books.stored, 5);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(first), 5);
	KUNIT_EXPECT_EQ(test, first->expected, 5);
	KUNIT_EXPECT_EQ(test, first->nr_records, 5);
	KUNIT_EXPECT_EQ(test, first->nr_nodes, 21);
	KUNIT_EXPECT_EQ(test, first->nr_tasks, 1);
	KUNIT_EXPECT_EQ(test, first->nr_frames, 20);
	KUNIT_EXPECT_EQ(test, first->nr_cpus, 1);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_TRUE(test, *fm_snapshot_uses(first, i));
	KUNIT_EXPECT_EQ(test, second->books.stored, 13);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(second), 13);
	KUNIT_EXPECT_EQ(test, second->epoch, 1);
	KUNIT_EXPECT_EQ(test, second->nr_records, 8);
	KUNIT_EXPECT_PTR_EQ(test, second->aggregate, first->aggregate);
	KUNIT_EXPECT_PTR_NE(test, fm_session->aggregate, first->aggregate);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 40);
	fm_snapshot_put(second);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(first), 5);
	fm_snapshot_put(first);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), 0);
}

static int fm_attempt_snapshot(struct kunit *test, void *data)
{
	struct fm_snapshot **snapshot = data;
	struct netlink_ext_ack extack = {};
	int err;

	*snapshot = NULL;
	err = fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
				 FM_SNAPSHOT_RESET, snapshot, &extack);
	KUNIT_EXPECT_EQ(test, !!extack._msg, !!err);
	/* On an error nothing was reset. */
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), err ? 6 : 0);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, err ? 1 : 2);
	return err;
}

static void fm_cleanup_snapshot(struct kunit *test, void *data)
{
	struct fm_snapshot **snapshot = data;

	if (*snapshot) {
		fm_snapshot_put(*snapshot);
		/* As it was, since the old aggregate had a little more in it. */
		fm_held_sample(fm_session, 6, 4, 0x1000);
		fm_held_drain();
	}
	fm_held_drop_spare(fm_session);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), 0);
}

static void snapshot_fails_cleanly(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_sample(fm_session, 6, 4, 0x1000);
	fm_held_drain();
	fm_held_drop_spare(fm_session);
	/* A new aggregate; itself, with its CPUs, counts and frames. */
	fm_allocations_fail_each(test, 11 + 1 + 3 * 2, -ENOMEM, fm_attempt_snapshot,
				 fm_cleanup_snapshot, &snapshot);
}

static void snapshots_together_have_a_limit(struct kunit *test)
{
	struct fm_snapshot *snapshots[64], *more;
	struct netlink_ext_ack extack = {};
	size_t bytes;
	u32 nr = 0;
	int err = 0;

	KUNIT_ASSERT_EQ(test, fm_held_renew(64 << 10), 0);
	while (nr < ARRAY_SIZE(snapshots)) {
		err = fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
					 &snapshots[nr], &extack);
		if (err)
			break;
		nr++;
	}
	KUNIT_ASSERT_GT(test, nr, 1);
	KUNIT_EXPECT_EQ(test, err, -EBUSY);
	KUNIT_EXPECT_NOT_NULL(test, extack._msg);
	bytes = fm_memory_used(&fm_session->readers) / nr;
	KUNIT_EXPECT_EQ(test, nr, (64 << 10) / 3 / bytes);
	fm_snapshot_put(snapshots[--nr]);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), nr * bytes);
	KUNIT_EXPECT_EQ(test, fm_snapshot_create(fm_session, 0, &more, NULL), 0);
	fm_snapshot_put(more);
	while (nr--)
		fm_snapshot_put(snapshots[nr]);
}

/* A reader is refused before it has allocated, so that it is told to try again. */
static void a_snapshot_asks_for_all_that_it_takes(struct kunit *test)
{
	struct fm_memory *readers = &fm_session->readers;
	struct fm_snapshot *snapshot;
	size_t bytes, head;

	fm_held_start(test);
	fm_held_sample(fm_session, 6, 4, 0x1000);
	fm_held_drain();
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	bytes = fm_memory_used(readers);
	head = fm_memory_bytes(snapshot->size_bytes);
	fm_snapshot_put(snapshot);
	readers->limit_bytes = bytes;
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	fm_snapshot_put(snapshot);
	readers->limit_bytes = bytes - 1;
	KUNIT_EXPECT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), -EBUSY);
	readers->limit_bytes = head - 1;
	KUNIT_EXPECT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), -EBUSY);
	KUNIT_EXPECT_EQ(test, fm_memory_used(readers), 0);
}

/* With the least memory that a load allows, a profile can be read, also with events. */
static void the_least_memory_is_enough_for_a_reader(struct kunit *test)
{
	u32 nr = num_possible_cpus();
	struct fm_snapshot *snapshot;
	size_t cpus, used;

	KUNIT_ASSERT_EQ(test, fm_held_renew(fm_snapshot_aggregate_least(nr)), 0);
	fm_held_start(test);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	used = fm_memory_used(&fm_session->readers);
	cpus = fm_pool_fixed_bytes(sizeof(struct fm_snapshot_cpu), nr);
	KUNIT_EXPECT_EQ(test, used, fm_memory_bytes(snapshot->size_bytes) +
			fm_pool_bytes(&snapshot->cpus));
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_GE(test, fm_snapshot_aggregate_least(nr) / (2 * FM_READERS_SHARE), used);
	KUNIT_EXPECT_GE(test, fm_snapshot_aggregate_least(nr) / (2 * FM_READERS_SHARE),
			cpus + sizeof(*snapshot) + sizeof(*snapshot->events));
	for (nr = 1; nr <= 8192; nr *= 2) {
		cpus = fm_pool_fixed_bytes(sizeof(struct fm_snapshot_cpu), nr);
		KUNIT_EXPECT_GT(test, fm_snapshot_aggregate_least(nr), 3 * 2 * cpus);
		KUNIT_EXPECT_LE(test, fm_snapshot_aggregate_least(nr), 3 * 2 * (cpus + 16384));
	}
}

static void a_cpu_not_sampled_has_no_books(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_cpus, 0);
	KUNIT_EXPECT_NULL(test, snapshot->aggregate);
	fm_snapshot_put(snapshot);
	fm_held_start(test);
	fm_hand.now_ns++;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_cpus, 1);
	KUNIT_EXPECT_EQ(test, fm_snapshot_cpu(snapshot, 0)->sampled_ns, 1);
	KUNIT_EXPECT_FALSE(test, fm_snapshot_cpu(snapshot, 0)->sampling);
	fm_snapshot_put(snapshot);
}

static struct kunit_case fm_snapshot_cases[] = {
	KUNIT_CASE(a_snapshot_is_an_instant),
	KUNIT_CASE(snapshot_fails_cleanly),
	KUNIT_CASE(snapshots_together_have_a_limit),
	KUNIT_CASE(a_snapshot_asks_for_all_that_it_takes),
	KUNIT_CASE(the_least_memory_is_enough_for_a_reader),
	KUNIT_CASE(a_cpu_not_sampled_has_no_books),
	{}
};

struct kunit_suite fm_snapshot_suite = {
	.name = "flamemod_snapshot",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_snapshot_cases,
};
