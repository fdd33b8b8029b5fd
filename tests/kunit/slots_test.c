// SPDX-License-Identifier: GPL-2.0
/*
 * Slots: each task has its own, and a set that was full is remembered.
 *
 * Tasks are only told apart by their addresses, and nothing of them is read.
 */
#include <kunit/test.h>

#include "../../module/slots.h"
#include "allocations.h"
#include "suites.h"

#define FM_BITS		3
#define FM_NR_TASKS	(8 << FM_BITS)

static struct fm_slots fm_slots;
static char fm_tasks[FM_NR_TASKS];

static const struct task_struct *fm_task(u32 nr)
{
	return (void *)&fm_tasks[nr];
}

static int fm_slots_begin(struct kunit *test)
{
	fm_allocations_init(test);
	return fm_slots_init(&fm_slots, FM_BITS);
}

static void fm_slots_end(struct kunit *test)
{
	fm_slots_deinit(&fm_slots);
	fm_allocations_exit(test);
}

static void each_task_has_its_own(struct kunit *test)
{
	struct fm_slot *slots[4];
	bool unseen;
	u32 i;

	for (i = 0; i < 4; i++) {
		KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_slots, fm_task(i)));
		slots[i] = fm_slots_claim(&fm_slots, fm_task(i), &unseen);
		KUNIT_ASSERT_NOT_NULL(test, slots[i]);
		KUNIT_EXPECT_TRUE(test, unseen);
		KUNIT_EXPECT_EQ(test, slots[i]->since, FM_SINCE_NONE);
	}
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_PTR_EQ(test, fm_slots_find(&fm_slots, fm_task(i)), slots[i]);
}

/* Nothing of the task that had a slot before is in it. */
static void a_slot_that_was_freed_is_like_new(struct kunit *test)
{
	struct fm_slot *slot, *again;
	bool unseen;

	slot = fm_slots_claim(&fm_slots, fm_task(0), &unseen);
	slot->since = fm_since(5, FM_SINCE_ON);
	slot->run_delay = 7;
	slot->state = 3;
	fm_slot_free(slot);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_slots, fm_task(0)));
	again = fm_slots_claim(&fm_slots, fm_task(0), &unseen);
	KUNIT_EXPECT_PTR_EQ(test, again, slot);
	KUNIT_EXPECT_TRUE(test, unseen);
	KUNIT_EXPECT_EQ(test, slot->since, FM_SINCE_NONE);
	KUNIT_EXPECT_EQ(test, slot->run_delay, 0);
	KUNIT_EXPECT_EQ(test, slot->state, 0);
}

/* A task that found no place may have been seen before, and so may its neighbours. */
static void a_set_that_was_full_is_remembered(struct kunit *test)
{
	u32 nr = 0, refused = 0, i;
	struct fm_slot *slot;
	bool unseen;

	for (i = 0; i < FM_NR_TASKS; i++)
		if (fm_slots_claim(&fm_slots, fm_task(i), &unseen))
			nr++;
		else
			refused = i;
	KUNIT_EXPECT_LE(test, nr, FM_SLOT_WAYS << FM_BITS);
	KUNIT_ASSERT_NE(test, refused, 0);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_slots, fm_task(refused)));
	for (i = 0; i < FM_NR_TASKS; i++) {
		slot = fm_slots_find(&fm_slots, fm_task(i));
		if (slot)
			fm_slot_free(slot);
	}
	slot = fm_slots_claim(&fm_slots, fm_task(refused), &unseen);
	KUNIT_EXPECT_NOT_NULL(test, slot);
	KUNIT_EXPECT_FALSE(test, unseen);
}

/* Events are attached again: the memory stays. */
static void slots_are_used_again(struct kunit *test)
{
	struct fm_slot_set *sets = fm_slots.sets;
	bool unseen;
	u32 i;

	for (i = 0; i < FM_NR_TASKS; i++)
		fm_slots_claim(&fm_slots, fm_task(i), &unseen);
	KUNIT_ASSERT_EQ(test, fm_slots_init(&fm_slots, FM_BITS), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_slots.sets, sets);
	for (i = 0; i < FM_NR_TASKS; i++)
		KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_slots, fm_task(i)));
	fm_slots_claim(&fm_slots, fm_task(0), &unseen);
	KUNIT_EXPECT_TRUE(test, unseen);
}

static void a_time_keeps_its_flags(struct kunit *test)
{
	u64 ns = 146ULL * 365 * 86400 * NSEC_PER_SEC;

	KUNIT_EXPECT_EQ(test, fm_since_ns(fm_since(ns, 0)), ns);
	KUNIT_EXPECT_EQ(test, fm_since_ns(fm_since(ns, FM_SINCE_ON | FM_SINCE_COUNTED)), ns);
	KUNIT_EXPECT_TRUE(test, fm_since(1, FM_SINCE_ON) & FM_SINCE_ON);
	KUNIT_EXPECT_FALSE(test, fm_since(1, FM_SINCE_ON) & FM_SINCE_COUNTED);
}

static struct kunit_case fm_slots_tests[] = {
	KUNIT_CASE(each_task_has_its_own),
	KUNIT_CASE(a_slot_that_was_freed_is_like_new),
	KUNIT_CASE(a_set_that_was_full_is_remembered),
	KUNIT_CASE(slots_are_used_again),
	KUNIT_CASE(a_time_keeps_its_flags),
	{}
};

struct kunit_suite fm_slots_suite = {
	.name = "flamemod_slots",
	.init = fm_slots_begin,
	.exit = fm_slots_end,
	.test_cases = fm_slots_tests,
};
