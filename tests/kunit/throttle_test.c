// SPDX-License-Identifier: GPL-2.0
/*
 * The throttle: limits sampling to a quarter of the CPU, in any 100 ms.
 */
#include <linux/time64.h>
#include <kunit/test.h>

#include "../../module/throttle.h"
#include "allocations.h"
#include "suites.h"

#define FM_US		1000ll
#define FM_MS		1000000ll
#define FM_FULL		2500000ll	/* credit */
#define FM_START_NS	(123 * NSEC_PER_SEC)

/* A step: the time until the question, the answer, and the time then spent. */
struct fm_step {
	s64 after_ns;
	bool allows;
	u64 spends_ns;
};

static const struct fm_steps_case {
	const char *name;
	struct fm_step steps[8];	/* ends with one that is all zero */
} fm_steps_cases[] = {
	{ "has full credit at first", {
		{ 0, true, FM_FULL - 1 }, { 1, true, 0 } } },
	{ "is used up to the last", {
		{ 1, true, FM_FULL }, { 4, false, 0 }, { 5, true, 0 } } },
	{ "grows by a fifth of the time", {
		{ 1, true, FM_FULL },
		/* 50 us give 10 us of credit; spent twice. */
		{ 50 * FM_US, true, 10 * FM_US }, { 4, false, 0 },
		{ 50 * FM_US, true, 10 * FM_US - 1 }, { 1, true, 0 } } },
	{ "may be overdrawn by one sample", {
		{ 1, true, 2 * FM_MS }, { 1, true, 2 * FM_MS },
		{ 1, false, 0 }, { 7500 * FM_US - 50, false, 0 },
		{ 100, true, 0 } } },
	{ "grows no higher than full", {
		{ 1000 * FM_MS, true, 2 * FM_MS }, { 1, true, 500 * FM_US },
		{ 1, false, 0 } } },
	{ "is full again after 12.5 ms", {
		{ 1, true, FM_FULL }, { 12500 * FM_US, true, FM_FULL - 5 },
		{ 1, true, 5 }, { 1, false, 0 } } },
	{ "is full after 25 ms from the deepest", {
		{ 1, true, FM_FULL - 5 }, { 5, true, FM_FULL },
		{ 25 * FM_MS, true, FM_FULL - 20 }, { 1, true, 0 } } },
	{ "charges no more than full credit for one", {
		{ 1, true, 3600000 * FM_MS }, { 4, false, 0 }, { 5, true, 0 } } },
	{ "charges so from the deepest too", {
		{ 1, true, FM_FULL - 1 }, { 1, true, U64_MAX },
		{ 12 * FM_MS, false, 0 }, { 500 * FM_US + 100, true, 0 } } },
	{ "is as full after a year", {
		{ 1, true, FM_FULL }, { 366ll * 86400 * NSEC_PER_SEC, true, FM_FULL },
		{ 1, false, 0 } } },
	/* 2^32 ns and one: 32 bits would overflow to 1. */
	{ "is full after 2^32 ns", {
		{ 1, true, FM_FULL }, { 4294967297ll, true, FM_FULL - 10 },
		{ 1, true, 0 } } },
};

FM_ARRAY_PARAM(steps);

static void credit_is_kept(struct kunit *test)
{
	const struct fm_steps_case *c = test->param_value;
	struct fm_throttle throttle;
	const struct fm_step *step;
	u64 now_ns = FM_START_NS;

	fm_throttle_init(&throttle, now_ns);
	for (step = c->steps; step->after_ns || step->allows; step++) {
		now_ns += step->after_ns;
		KUNIT_EXPECT_EQ_MSG(test, fm_throttle_allows(&throttle, now_ns),
				    step->allows, "step %td", step - c->steps);
		if (step->spends_ns)
			fm_throttle_spend(&throttle, now_ns, step->spends_ns);
	}
	KUNIT_EXPECT_GE(test, step - c->steps, 2);
}

/* One quick sample in 16 is timed. All slow ones are, and do not count for the 16. */
static void one_quick_sample_in_16_is_timed(struct kunit *test)
{
	struct fm_throttle throttle;
	u32 i, timed = 0;

	fm_throttle_init(&throttle, FM_START_NS);
	for (i = 1; i <= 160; i++) {
		if (i % 3 == 0) {
			KUNIT_EXPECT_TRUE(test, fm_throttle_times(&throttle, true));
			fm_throttle_spend(&throttle, FM_START_NS, 0);
		}
		if (!fm_throttle_times(&throttle, false))
			continue;
		KUNIT_EXPECT_EQ(test, i % 16, 0);
		fm_throttle_spend(&throttle, FM_START_NS, 0);
		timed++;
	}
	KUNIT_EXPECT_EQ(test, timed, 10);
	/* An init also forgets the quick samples that are not paid for yet. */
	fm_throttle_times(&throttle, false);
	fm_throttle_init(&throttle, FM_START_NS);
	for (i = 1; !fm_throttle_times(&throttle, false) && i < 100; i++)
		;
	KUNIT_EXPECT_EQ(test, i, 16);
}

/* The time of the timed sample, and what is then charged. */
static const struct fm_quick_case {
	u64 spent_ns, paid_ns;
} fm_quick_cases[] = {
	{ 0, 0 }, { 1, 16 }, { 1000, 16000 },
	{ FM_FULL / 16 - 1, FM_FULL - 16 }, { FM_FULL / 16, FM_FULL },
	{ FM_FULL / 16 + 1, FM_FULL }, { FM_FULL, FM_FULL },
	{ 3600 * NSEC_PER_SEC, FM_FULL },
};

static void fm_quick_name(const struct fm_quick_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%llu ns", c->spent_ns);
}

KUNIT_ARRAY_PARAM(fm_quick, fm_quick_cases, fm_quick_name);

static void it_pays_for_all_16(struct kunit *test)
{
	const struct fm_quick_case *c = test->param_value;
	struct fm_throttle throttle;
	u32 i;

	fm_throttle_init(&throttle, FM_START_NS);
	for (i = 1; i <= 16; i++) {
		KUNIT_EXPECT_EQ(test, fm_throttle_times(&throttle, false), i == 16);
		KUNIT_EXPECT_EQ(test, throttle.credit_ns, FM_FULL);
	}
	fm_throttle_spend(&throttle, FM_START_NS, c->spent_ns);
	KUNIT_EXPECT_EQ(test, throttle.credit_ns, (s64)(FM_FULL - c->paid_ns));
	/* A slow sample pays for itself only. */
	fm_throttle_init(&throttle, FM_START_NS);
	fm_throttle_spend(&throttle, FM_START_NS, c->spent_ns);
	KUNIT_EXPECT_EQ(test, throttle.credit_ns,
			(s64)(FM_FULL - min_t(u64, c->spent_ns, FM_FULL)));
}

/* Samples with a period and a cost each. */
static const struct fm_load_case {
	u32 period_ns, cost_ns;
	bool all;		/* all samples are allowed */
	bool quick;
} fm_load_cases[] = {
	{ 1003009, 10000, true },	/* 997 Hz, 1 % */
	{ 1003009, 190000, true },	/* 19 % */
	{ 1003009, 250000, false },
	{ 1003009, 990000, false },
	{ 50000, 9000, true },		/* 20 kHz, 18 % */
	{ 50000, 11000, false },
	{ 50000, 49000, false },
	{ 1000000, 2400000, false },	/* nearly all the credit at once */
	{ 50000, 700, true, true },
	{ 50000, 9000, true, true },
	{ 50000, 11000, false, true },
	{ 50000, 49000, false, true },
	{ 1003009, 150000, true, true },
};

static void fm_load_name(const struct fm_load_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u ns every %u ns%s", c->cost_ns,
		 c->period_ns, c->quick ? ", quick" : "");
}

KUNIT_ARRAY_PARAM(fm_load, fm_load_cases, fm_load_name);

#define FM_LOAD_NR	16384

/* The most time spent in any 100 ms that end with a sample. */
static u64 fm_most_in_window(const u64 *ends_ns, u32 nr, u64 cost_ns)
{
	u64 most = 0, begin_ns;
	u32 i, from = 0;

	for (i = 0; i < nr; i++) {
		begin_ns = ends_ns[i] - 100 * FM_MS;
		while (ends_ns[from] <= begin_ns)
			from++;
		/* Only the part of the first sample that is in the window. */
		most = max(most, (i - from) * cost_ns +
			   min(cost_ns, ends_ns[from] - begin_ns));
	}
	return most;
}

static void no_100_ms_hold_more_than_a_quarter(struct kunit *test)
{
	const struct fm_load_case *c = test->param_value;
	u64 *ends_ns = kunit_kcalloc(test, FM_LOAD_NR, sizeof(u64), GFP_KERNEL);
	u64 now_ns = FM_START_NS, due_ns = FM_START_NS, spent_ns, passed_ns;
	struct fm_throttle throttle;
	u32 nr = 0, asked = 0;
	bool allowed;
	u64 unpaid_ns;

	KUNIT_ASSERT_NOT_NULL(test, ends_ns);
	fm_throttle_init(&throttle, now_ns);
	while (asked < FM_LOAD_NR) {
		due_ns += c->period_ns;
		if (due_ns < now_ns)
			continue;
		now_ns = due_ns;
		asked++;
		allowed = fm_throttle_allows(&throttle, now_ns);
		if (allowed) {
			now_ns += c->cost_ns;
			ends_ns[nr++] = now_ns;
		}
		/* A fire without a stack counts as quick. */
		if (fm_throttle_times(&throttle, allowed && !c->quick))
			fm_throttle_spend(&throttle, due_ns,
					  allowed ? c->cost_ns : 0);
	}
	spent_ns = nr * (u64)c->cost_ns;
	passed_ns = now_ns - FM_START_NS;
	/* Quick samples that are not paid for yet come on top. */
	unpaid_ns = c->quick ? (FM_THROTTLE_QUICK - 1) * (u64)c->cost_ns : 0;
	KUNIT_EXPECT_LE(test, fm_most_in_window(ends_ns, nr, c->cost_ns),
			25 * FM_MS + unpaid_ns);
	KUNIT_EXPECT_EQ(test, nr == asked, c->all);
	/* If samples are refused, nearly the whole share was used. */
	if (!c->all) {
		KUNIT_EXPECT_LE(test, spent_ns,
				passed_ns / FM_THROTTLE_SHARE + 10 * FM_MS);
		/* The timed sample also pays for fires that were refused. */
		KUNIT_EXPECT_GE(test, spent_ns, passed_ns / FM_THROTTLE_SHARE /
				(c->quick ? 2 : 1) - 10 * FM_MS);
	}
}

static struct kunit_case fm_throttle_cases[] = {
	KUNIT_CASE_PARAM(credit_is_kept, fm_steps_gen_params),
	KUNIT_CASE(one_quick_sample_in_16_is_timed),
	KUNIT_CASE_PARAM(it_pays_for_all_16, fm_quick_gen_params),
	KUNIT_CASE_PARAM(no_100_ms_hold_more_than_a_quarter,
			 fm_load_gen_params),
	{}
};

struct kunit_suite fm_throttle_suite = {
	.name = "flamemod_throttle",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_throttle_cases,
};
