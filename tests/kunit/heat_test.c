// SPDX-License-Identifier: GPL-2.0
/*
 * Heat: when a source takes too much of a CPU.
 */
#include <kunit/test.h>

#include "../../module/heat.h"
#include "suites.h"

#define FM_BEGIN	(1000ULL * NSEC_PER_SEC)

/*
 * Hits that take @hit_ns each, every @every_ns. Return: after how many the source is hot,
 * or 0.
 */
static u32 fm_hits(struct fm_heat *heat, u64 hit_ns, u64 every_ns, u32 nr)
{
	u64 now_ns = FM_BEGIN;
	u32 i;

	for (i = 1; i <= nr; i++, now_ns += every_ns)
		if (fm_heat_hit(heat) && fm_heat_look(heat, now_ns, hit_ns))
			return i;
	return 0;
}

static const struct fm_heat_case {
	const char *name;
	u64 hit_ns, every_ns;
	bool hot;
} fm_heat_cases[] = {
	{ "a tenth of a CPU", 600, 10000, false },
	{ "a fifth", 1600, 10000, false },
	{ "three tenths", 2600, 10000, true },
	{ "all of it", 600, 1000, true },
	{ "seldom and long", 40000, 1000000, false },
	{ "often and short, by the trap alone", 0, 800, true },
	{ "a hit that a hypervisor made long", 1000000000, 10000000, false },
};

FM_ARRAY_PARAM(heat);

static void a_quarter_of_a_cpu_is_hot(struct kunit *test)
{
	const struct fm_heat_case *c = test->param_value;
	struct fm_heat heat = {};
	u32 nr = fm_hits(&heat, c->hit_ns, c->every_ns, 200000);

	KUNIT_EXPECT_EQ(test, nr > 0, c->hot);
	/* Within two windows. */
	KUNIT_EXPECT_LE(test, nr * c->every_ns, 2 * FM_HEAT_WINDOW_NS);
}

static void a_window_ends(struct kunit *test)
{
	struct fm_heat heat = {};
	u64 spent_ns;

	heat.hits = FM_HEAT_HITS;
	KUNIT_EXPECT_FALSE(test, fm_heat_look(&heat, FM_BEGIN, 10000));
	KUNIT_EXPECT_EQ(test, heat.hits, 0);
	spent_ns = heat.spent_ns;
	KUNIT_EXPECT_EQ(test, spent_ns, FM_HEAT_HITS * (10000 + FM_HEAT_ENTRY_NS));
	heat.hits = FM_HEAT_HITS;
	KUNIT_EXPECT_FALSE(test, fm_heat_look(&heat, FM_BEGIN + FM_HEAT_WINDOW_NS - 1, 10000));
	KUNIT_EXPECT_EQ(test, heat.spent_ns, 2 * spent_ns);
	heat.hits = FM_HEAT_HITS;
	KUNIT_EXPECT_FALSE(test, fm_heat_look(&heat, FM_BEGIN + FM_HEAT_WINDOW_NS, 10000));
	KUNIT_EXPECT_EQ(test, heat.spent_ns, spent_ns);
}

static struct kunit_case fm_heat_tests[] = {
	KUNIT_CASE_PARAM(a_quarter_of_a_cpu_is_hot, fm_heat_gen_params),
	KUNIT_CASE(a_window_ends),
	{}
};

struct kunit_suite fm_heat_suite = {
	.name = "flamemod_heat",
	.test_cases = fm_heat_tests,
};
