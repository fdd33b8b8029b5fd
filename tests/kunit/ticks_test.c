// SPDX-License-Identifier: GPL-2.0
/*
 * Ticks: one per period, at a random place in it.
 */
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/ticks.h"
#include "suites.h"

#define FM_PERIOD_NS	1003009
#define FM_TICKS	20000

/* Each tick is in its period, and is counted once, whatever times are compared. */
static void each_period_has_one(struct kunit *test)
{
	static const u64 from[] = { 0, U32_MAX - 50ull, 1ull << 40 };
	struct fm_ticks ticks = {
		.period_ns = FM_PERIOD_NS, .spread_ns = FM_PERIOD_NS, .seed = 3,
	};
	u64 k, at;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(from); i++) {
		for (k = from[i]; k < from[i] + 100; k++) {
			at = k * FM_PERIOD_NS + fm_ticks_offset(&ticks, k);
			KUNIT_ASSERT_GT(test, at, k * FM_PERIOD_NS);
			KUNIT_ASSERT_LE(test, at, (k + 1) * FM_PERIOD_NS);
			KUNIT_ASSERT_EQ(test, fm_ticks_passed(&ticks, at - 1), k);
			KUNIT_ASSERT_EQ(test, fm_ticks_passed(&ticks, at), k + 1);
			KUNIT_ASSERT_EQ(test, fm_ticks_passed(&ticks,
							      k * FM_PERIOD_NS), k);
		}
	}
}

static void without_spread_they_are_even(struct kunit *test)
{
	struct fm_ticks ticks = { .period_ns = FM_PERIOD_NS, .seed = 3 };
	u64 k;

	for (k = 0; k < 100; k++)
		KUNIT_ASSERT_EQ(test, fm_ticks_offset(&ticks, k), FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, fm_ticks_passed(&ticks, 0), 0);
}

/*
 * Periodic work with ten states of equal length, which repeats several times per
 * period, or once in several periods. Each state must be hit equally often.
 */
static const struct fm_turn_case {
	const char *name;
	u32 turns, periods;
} fm_turn_cases[] = {
	{ "in step", 1, 1 },
	{ "at twice the rate", 2, 1 },
	{ "at 64 times the rate", 64, 1 },
	{ "at half the rate", 1, 2 },
	{ "at 997 for 1000", 997, 1000 },
	{ "at the golden ratio", 610, 987 },
	{ "at the silver ratio", 408, 985 },
};

FM_ARRAY_PARAM(turn);

static void no_work_is_in_step(struct kunit *test)
{
	const struct fm_turn_case *turn = test->param_value;
	u64 lasts = (u64)FM_PERIOD_NS * turn->periods, at, into;
	struct fm_ticks ticks = {
		.period_ns = FM_PERIOD_NS, .spread_ns = FM_PERIOD_NS,
	};
	u32 met[10], i, k;

	for (ticks.seed = 0; ticks.seed < 4; ticks.seed++) {
		memset(met, 0, sizeof(met));
		for (k = 0; k < FM_TICKS; k++) {
			at = (u64)k * FM_PERIOD_NS + fm_ticks_offset(&ticks, k);
			div64_u64_rem(at * turn->turns, lasts, &into);
			met[div64_u64(into * ARRAY_SIZE(met), lasts)]++;
		}
		/* Four standard deviations of a share of a tenth are 0.85 points. */
		for (i = 0; i < ARRAY_SIZE(met); i++) {
			KUNIT_EXPECT_GE(test, met[i], FM_TICKS / 10 - 170);
			KUNIT_EXPECT_LE(test, met[i], FM_TICKS / 10 + 170);
		}
	}
}

/* CPUs do not fire together more often than by chance. */
static void clocks_are_apart(struct kunit *test)
{
	struct fm_ticks one = {
		.period_ns = FM_PERIOD_NS, .spread_ns = FM_PERIOD_NS,
	}, other = one;
	u32 near, k;
	s64 gap;

	for (other.seed = 1; other.seed < 64; other.seed++) {
		near = 0;
		for (k = 0; k < 1000; k++) {
			gap = fm_ticks_offset(&one, k) - fm_ticks_offset(&other, k);
			near += abs(gap) < FM_PERIOD_NS / 20;
		}
		/* Expected: 97.5, give or take 9.4. Five of these are allowed. */
		KUNIT_EXPECT_GE(test, near, 50);
		KUNIT_EXPECT_LE(test, near, 145);
	}
}

static struct kunit_case fm_ticks_cases[] = {
	KUNIT_CASE(each_period_has_one),
	KUNIT_CASE(without_spread_they_are_even),
	KUNIT_CASE_PARAM(no_work_is_in_step, fm_turn_gen_params),
	KUNIT_CASE(clocks_are_apart),
	{}
};

struct kunit_suite fm_ticks_suite = {
	.name = "flamemod_ticks",
	.test_cases = fm_ticks_cases,
};
