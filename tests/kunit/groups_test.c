// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of cgroups: each cgroup keeps one, none has another's, until the table is full.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/groups.h"
#include "allocations.h"
#include "suites.h"

/* 32 slots, of which 16 may be in use. */
#define FM_SLOTS	32
#define FM_BYTES	(FM_SLOTS * sizeof(u64))

static struct fm_groups fm_groups;

static int fm_groups_begin(struct kunit *test)
{
	fm_allocations_init(test);
	return fm_groups_init(&fm_groups, FM_BYTES, NUMA_NO_NODE);
}

static void fm_groups_end(struct kunit *test)
{
	fm_groups_deinit(&fm_groups);
	fm_allocations_exit(test);
}

static void memory_is_a_share_of_a_hot_tables(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_groups_bytes(512 << 10), 1024 * sizeof(u64));
	KUNIT_EXPECT_EQ(test, fm_groups_bytes(16 << 10), 32 * sizeof(u64));
	/* A power of two, and not too many for 16 bits. */
	KUNIT_EXPECT_EQ(test, fm_groups_bytes(12288), 16 * sizeof(u64));
	KUNIT_EXPECT_EQ(test, fm_groups_bytes(1024), 2 * sizeof(u64));
	KUNIT_EXPECT_EQ(test, fm_groups_bytes(1 << 30), FM_GROUPS_SLOTS_MAX * sizeof(u64));
	KUNIT_EXPECT_LT(test, FM_GROUPS_SLOTS_MAX, FM_GROUP_OTHER);
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_groups_init(data, FM_BYTES, NUMA_NO_NODE);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_groups_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_groups groups = {};

	fm_allocations_fail_each(test, 1, -ENOMEM, fm_attempt_init, fm_cleanup_init,
				 &groups);
	KUNIT_EXPECT_NULL(test, memchr_inv(&groups, 0, sizeof(groups)));
}

static void a_cgroup_keeps_its_number(struct kunit *test)
{
	/* Ids as kernfs makes them: an inode number, and a generation above it. */
	static const u64 ids[] = { 1, 2, 1234, 1ull << 32 | 1, 1ull << 32 | 1234, U64_MAX - 1 };
	u16 numbers[ARRAY_SIZE(ids)];
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		numbers[i] = fm_groups_number(&fm_groups, ids[i]);
		KUNIT_EXPECT_NE(test, numbers[i], FM_GROUP_NONE);
		KUNIT_EXPECT_LE(test, numbers[i], FM_SLOTS);
		for (j = 0; j < i; j++)
			KUNIT_EXPECT_NE(test, numbers[i], numbers[j]);
	}
	KUNIT_EXPECT_EQ(test, fm_groups.nr, ARRAY_SIZE(ids));
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, ids[i]), numbers[i]);
		KUNIT_EXPECT_EQ(test, fm_groups_id(&fm_groups, numbers[i]), ids[i]);
	}
	KUNIT_EXPECT_EQ(test, fm_groups.nr, ARRAY_SIZE(ids));
}

static void what_is_no_number_of_a_slot(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_groups_id(&fm_groups, FM_GROUP_NONE), FM_CGROUP_NONE);
	KUNIT_EXPECT_EQ(test, fm_groups_id(&fm_groups, FM_GROUP_OTHER), FM_CGROUP_OTHER);
}

static void half_of_the_slots_are_used(struct kunit *test)
{
	u16 numbers[FM_SLOTS / 2];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		numbers[i] = fm_groups_number(&fm_groups, 100 + i);
		KUNIT_ASSERT_NE(test, numbers[i], FM_GROUP_OTHER);
		/* 12 of 16, and 10 of 16 */
		KUNIT_EXPECT_EQ_MSG(test, fm_groups_filling(&fm_groups), i >= 12, "%u", i);
		KUNIT_EXPECT_EQ_MSG(test, fm_groups_used_up(&fm_groups), i >= 10, "%u", i);
	}
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 99), FM_GROUP_OTHER);
	KUNIT_EXPECT_EQ(test, fm_groups.nr, ARRAY_SIZE(numbers));
	/* Those that are in are found all the same. */
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 100 + i), numbers[i]);
}

static void a_search_goes_on_at_the_first_slot(struct kunit *test)
{
	u16 first, second;

	/* All ids start in the last slot. */
	fm_groups.secret = 0;
	fm_groups.ids[0] = 5;
	fm_groups.nr = 1;
	first = fm_groups_find(&fm_groups, 6);
	second = fm_groups_find(&fm_groups, 7);
	KUNIT_EXPECT_EQ(test, first, 2);
	KUNIT_EXPECT_EQ(test, second, 3);
	fm_groups_clear(&fm_groups);
	/* The hash of all ones is in the last slot. */
	fm_groups.secret = U64_MAX;
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 1), FM_SLOTS);
	fm_groups.secret = U64_MAX >> 1;
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 2), 1);
	KUNIT_EXPECT_EQ(test, fm_groups_id(&fm_groups, 1), 2);
}

static void a_search_is_for_all_of_an_id(struct kunit *test)
{
	/* All ids start in the first slot. */
	fm_groups.secret = 0;
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 5), 1);
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 1ull << 32 | 5), 2);
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 5), 1);
}

static void a_search_goes_on_in_the_upper_half(struct kunit *test)
{
	/* These ids start in slot 20. */
	fm_groups.secret = 20ull << 59;
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 1), 21);
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 33), 22);
	KUNIT_EXPECT_EQ(test, fm_groups_find(&fm_groups, 65), 23);
}

static void a_search_is_bounded(struct kunit *test)
{
	u32 i;

	/* A larger one, all of whose ids start in the same slot. */
	fm_groups_deinit(&fm_groups);
	KUNIT_ASSERT_EQ(test, fm_groups_init(&fm_groups, 1024 * sizeof(u64), NUMA_NO_NODE), 0);
	fm_groups.secret = 0;
	for (i = 1; i <= FM_GROUPS_PROBES; i++)
		KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, i), i);
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, i), FM_GROUP_OTHER);
	KUNIT_EXPECT_EQ(test, fm_groups.nr, FM_GROUPS_PROBES);
}

static void a_clear_forgets_all(struct kunit *test)
{
	u32 i;

	for (i = 0; i < FM_SLOTS; i++)
		fm_groups_number(&fm_groups, 1 + i);
	fm_groups_clear(&fm_groups);
	KUNIT_EXPECT_EQ(test, fm_groups.nr, 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(fm_groups.ids, 0, FM_BYTES));
	KUNIT_EXPECT_NE(test, fm_groups_number(&fm_groups, 7), FM_GROUP_OTHER);
}

static void the_last_one_is_forgotten_with_all(struct kunit *test)
{
	/* Ids are made that start in the first slot, then in slot 20. */
	fm_groups.secret = 0;
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 1), 1);
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 1), 1);
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 1ull << 32 | 1), 2);
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 1), 1);
	fm_groups_clear(&fm_groups);
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, FM_CGROUP_NONE), FM_GROUP_NONE);
	fm_groups.secret = 20ull << 59;
	KUNIT_EXPECT_EQ(test, fm_groups_number(&fm_groups, 1), 21);
	KUNIT_EXPECT_EQ(test, fm_groups.nr, 1);
}

/* A known factor would let a user make cgroups that collide. */
static void each_table_has_its_own_secret(struct kunit *test)
{
	struct fm_groups other;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, fm_groups.secret & 1, 1);
	/* Of so many random numbers, some are even. */
	for (i = 0; i < 64; i++) {
		KUNIT_ASSERT_EQ(test, fm_groups_init(&other, FM_BYTES, NUMA_NO_NODE), 0);
		KUNIT_EXPECT_NE(test, other.secret, fm_groups.secret);
		KUNIT_EXPECT_EQ(test, other.secret & 1, 1);
		fm_groups_deinit(&other);
	}
}

static struct kunit_case fm_groups_cases[] = {
	KUNIT_CASE(memory_is_a_share_of_a_hot_tables),
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(a_cgroup_keeps_its_number),
	KUNIT_CASE(what_is_no_number_of_a_slot),
	KUNIT_CASE(half_of_the_slots_are_used),
	KUNIT_CASE(a_search_goes_on_at_the_first_slot),
	KUNIT_CASE(a_search_is_for_all_of_an_id),
	KUNIT_CASE(a_search_goes_on_in_the_upper_half),
	KUNIT_CASE(a_search_is_bounded),
	KUNIT_CASE(a_clear_forgets_all),
	KUNIT_CASE(the_last_one_is_forgotten_with_all),
	KUNIT_CASE(each_table_has_its_own_secret),
	{}
};

struct kunit_suite fm_groups_suite = {
	.name = "flamemod_groups",
	.init = fm_groups_begin,
	.exit = fm_groups_end,
	.test_cases = fm_groups_cases,
};
