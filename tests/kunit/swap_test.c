// SPDX-License-Identifier: GPL-2.0
/*
 * Swaps of one CPU's sampler: when it requests a drain, and which half and which table it
 * fills after the drain has swapped them.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "by_hand.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static struct fm_cpu *fm_cpu_of(struct kunit *test)
{
	return test->priv;
}

static int fm_swap_begin(struct kunit *test)
{
	test->priv = fm_hand_cpu(test, FM_PERIOD_NS);
	return test->priv ? 0 : -ENOMEM;
}

static void fm_swap_end(struct kunit *test)
{
	fm_hand_cpu_end(test, fm_cpu_of(test));
}

/* Fire so many times, each time with another stack. */
static void fm_fire_others(struct fm_cpu *c, u32 nr)
{
	u32 i;

	for (i = 1; i <= nr; i++) {
		fm_hand.leaf = 16 * i;
		fm_hand_fire(c, 0);
	}
}

/* Stacks of @nr_frames, and how many of them request a drain. */
static const struct fm_ask_case {
	const char *name;
	u32 nr_frames, nr;
} fm_ask_cases[] = {
	{ "entries", 2, 40 },	/* of 54 */
	{ "paths", 6, 31 },	/* 5 each, of 202 */
};

FM_ARRAY_PARAM(ask);

static void requests_a_drain_once(struct kunit *test)
{
	const struct fm_ask_case *ask = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i;

	fm_sampler_arm(c);
	fm_hand.nr_frames = ask->nr_frames;
	for (i = 1; i <= ask->nr + 3; i++) {
		fm_hand.leaf = 16 * i;
		fm_hand_fire(c, 0);
		KUNIT_EXPECT_EQ_MSG(test, fm_hand.nr_asked, i >= ask->nr,
				    "after fire %u", i);
	}
	/* After the drain it requests another. */
	fm_sampler_swap(c);
	fm_table_clear(&c->tables[0]);
	fm_fire_others(c, ask->nr - 1);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 1);
	fm_hand.leaf = 16 * ask->nr;
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 2);
	KUNIT_EXPECT_EQ(test, c->books.stored, 2 * ask->nr + 3);
}

/* A stack whose path is known is not slow, but its entry may be new. */
static void a_new_entry_requests_a_drain(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_arm(c);
	fm_hand.quick = true;
	c->tables[0].max = 4;
	fm_fire_others(c, 3);
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, 3);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 0);
	fm_hand.leaf = 16 * 4;
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_FALSE(test, c->sample.slow);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 1);
}

static void swap_changes_halves(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry = c->tables[0].entries;

	fm_sampler_arm(c);
	fm_hand_fire(c, 0);
	fm_sampler_swap(c);
	KUNIT_EXPECT_EQ(test, c->swapped_ns, fm_hand.now_ns);
	KUNIT_EXPECT_EQ(test, c->swapped.stored, 1);
	KUNIT_EXPECT_PTR_EQ(test, c->swapped_table, &c->tables[0]);
	KUNIT_EXPECT_EQ(test, c->swapped_entries, 1);
	fm_hand_fire(c, FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->swapped.stored, 1);
	KUNIT_EXPECT_EQ(test, c->books.stored, 3);
	/* The same entry with counts of its own; the late entry; and a new one. */
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, 2);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].periods, 1);
	KUNIT_EXPECT_EQ(test, entry[0].halves[1].periods, 1);
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].periods, 0);
	KUNIT_EXPECT_EQ(test, entry[1].halves[1].periods, 1);
	fm_hand.leaf += 16;
	fm_hand_fire(c, 0);
	KUNIT_ASSERT_EQ(test, c->tables[0].nr, 3);
	KUNIT_EXPECT_EQ(test, entry[2].halves[0].count, 0);
	KUNIT_EXPECT_EQ(test, entry[2].halves[1].count, 1);
	KUNIT_EXPECT_EQ(test, c->swapped_entries, 1);
	KUNIT_EXPECT_EQ(test, c->tables[1].nr, 0);
}

/* How full a table is when the next swap changes to the other one. */
static const struct fm_renew_case {
	const char *name;
	u32 nr_entries, nr_frames;
	bool renew, other, other_paths;
} fm_renew_cases[] = {
	{ "five eighths of the entries", 30, 2, false, false, false },
	{ "more of the entries", 31, 2, false, true, false },
	{ "five eighths of the paths", 24, 6, false, false, false },
	{ "more of the paths", 25, 6, false, true, true },
	{ "as asked for", 1, 2, true, true, true },
};

FM_ARRAY_PARAM(renew);

static void swap_changes_tables(struct kunit *test)
{
	const struct fm_renew_case *renew = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_arm(c);
	fm_hand.nr_frames = renew->nr_frames;
	fm_fire_others(c, renew->nr_entries);
	KUNIT_ASSERT_EQ(test, c->tables[0].nr, renew->nr_entries);
	c->renew = renew->renew;
	fm_sampler_swap(c);
	KUNIT_EXPECT_FALSE(test, c->renew);
	KUNIT_EXPECT_PTR_EQ(test, c->swapped_table, &c->tables[0]);
	KUNIT_EXPECT_EQ(test, c->swapped_entries, renew->nr_entries);
	KUNIT_EXPECT_EQ(test, c->table, renew->other);
	KUNIT_EXPECT_PTR_EQ(test, c->sample.paths, c->tables[renew->other].paths);
	KUNIT_EXPECT_PTR_EQ(test, c->sample.paths, &c->tables[renew->other_paths].own);
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, renew->nr_entries);
	KUNIT_EXPECT_EQ(test, c->tables[1].nr, renew->other);
	KUNIT_EXPECT_EQ(test, c->tables[1].own.nr, FM_PATH_NOWHERE + 1 +
			(renew->other_paths ? renew->nr_frames - 1 : 0));
	/* The next swap changes back. */
	fm_table_clear(&c->tables[0]);
	c->renew = true;
	fm_sampler_swap(c);
	KUNIT_EXPECT_EQ(test, c->table, !renew->other);
	KUNIT_EXPECT_PTR_EQ(test, c->sample.paths, &c->tables[!renew->other_paths].own);
}

static struct kunit_case fm_swap_cases[] = {
	KUNIT_CASE_PARAM(requests_a_drain_once, fm_ask_gen_params),
	KUNIT_CASE(a_new_entry_requests_a_drain),
	KUNIT_CASE(swap_changes_halves),
	KUNIT_CASE_PARAM(swap_changes_tables, fm_renew_gen_params),
	{}
};

struct kunit_suite fm_swap_suite = {
	.name = "flamemod_swap",
	.init = fm_swap_begin,
	.exit = fm_swap_end,
	.test_cases = fm_swap_cases,
};
