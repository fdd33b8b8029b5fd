// SPDX-License-Identifier: GPL-2.0
/*
 * Pauses: for how long the module kept interrupts off, and how often.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "by_hand.h"
#include "redirect.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static const struct fm_bucket_case {
	u64 ns;
	unsigned int bucket;
} fm_bucket_cases[] = {
	{ 0, 0 }, { 1, 0 }, { 2, 1 }, { 3, 1 }, { 4, 2 },
	{ 1023, 9 }, { 1024, 10 }, { 2047, 10 }, { 2048, 11 },
	{ (1ull << 31) - 1, 30 }, { 1ull << 31, 31 }, { 1ull << 32, 31 },
	{ 1ull << 40, 31 }, { U64_MAX, 31 },
};

static void a_pause_has_its_bucket(struct kunit *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fm_bucket_cases); i++)
		KUNIT_EXPECT_EQ_MSG(test, fm_pauses_bucket(fm_bucket_cases[i].ns),
				    fm_bucket_cases[i].bucket, "%llu ns",
				    fm_bucket_cases[i].ns);
}

static void cpus_add_up(struct kunit *test)
{
	struct fm_pauses sum = {}, one = {
		.callback_ns_max = 5, .swap_ns_max = 60, .forget_ns_max = 7,
	}, other = {
		.callback_ns_max = 50, .swap_ns_max = 6, .forget_ns_max = 70,
	};
	u32 i;

	for (i = 0; i < FM_PAUSES_BUCKETS; i++) {
		one.callbacks[i] = i;
		other.callbacks[i] = 100 * i;
	}
	fm_pauses_add(&sum, &one);
	fm_pauses_add(&sum, &other);
	fm_pauses_add(&sum, &one);
	for (i = 0; i < FM_PAUSES_BUCKETS; i++)
		KUNIT_EXPECT_EQ(test, sum.callbacks[i], 102 * i);
	KUNIT_EXPECT_EQ(test, sum.callback_ns_max, 50);
	KUNIT_EXPECT_EQ(test, sum.swap_ns_max, 60);
	KUNIT_EXPECT_EQ(test, sum.forget_ns_max, 70);
}

/* Some of the quick callbacks are timed, and all of the slow ones. */
static void all_callbacks_are_in_a_bucket(struct kunit *test)
{
	struct fm_cpu *c = fm_hand_cpu(test, FM_PERIOD_NS);
	u64 nr = 0;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	fm_sampler_arm(c);
	fm_hand.stack_ns = 5000;
	fm_hand_fire(c, 0);
	fm_hand.quick = true;
	fm_hand.stack_ns = 300;
	for (i = 0; i < 10 * FM_THROTTLE_QUICK; i++)
		fm_hand_fire(c, 0);
	KUNIT_EXPECT_EQ(test, c->pauses.callbacks[fm_pauses_bucket(5000)], 1);
	KUNIT_EXPECT_EQ(test, c->pauses.callbacks[fm_pauses_bucket(300)],
			10 * FM_THROTTLE_QUICK);
	for (i = 0; i < FM_PAUSES_BUCKETS; i++)
		nr += c->pauses.callbacks[i];
	KUNIT_EXPECT_EQ(test, nr, c->books.fires);
	KUNIT_EXPECT_EQ(test, c->pauses.callback_ns_max, 5000);
	fm_sampler_disarm(c);
	fm_hand_cpu_end(test, c);
}

/* A clock that advances with each read. */
static u64 fm_hurrying_clock(void)
{
	fm_hand.now_ns += 700;
	return fm_hand.now_ns;
}

static void the_time_of_a_drain_is_counted(struct kunit *test)
{
	struct fm_cpu *c = fm_hand_cpu(test, FM_PERIOD_NS);
	struct fm_forgetting forgetting = { .c = c };

	KUNIT_ASSERT_NOT_NULL(test, c);
	fm_sampler_arm(c);
	fm_clock = fm_hurrying_clock;
	fm_sampler_swap(c);
	KUNIT_EXPECT_EQ(test, c->pauses.swap_ns_max, 700);
	KUNIT_EXPECT_EQ(test, c->pauses.forget_ns_max, 0);
	fm_sampler_forget_modules(&forgetting);
	KUNIT_EXPECT_EQ(test, c->pauses.forget_ns_max, 700);
	KUNIT_EXPECT_EQ(test, c->pauses.callback_ns_max, 0);
	fm_sampler_disarm(c);
	/* A CPU that is not sampled has no pauses. */
	memset(&c->pauses, 0, sizeof(c->pauses));
	fm_sampler_swap(c);
	fm_sampler_forget_modules(&forgetting);
	KUNIT_EXPECT_EQ(test, c->pauses.swap_ns_max, 0);
	KUNIT_EXPECT_EQ(test, c->pauses.forget_ns_max, 0);
	fm_hand_cpu_end(test, c);
}

static struct kunit_case fm_pauses_cases[] = {
	KUNIT_CASE(a_pause_has_its_bucket),
	KUNIT_CASE(cpus_add_up),
	KUNIT_CASE(all_callbacks_are_in_a_bucket),
	KUNIT_CASE(the_time_of_a_drain_is_counted),
	{}
};

struct kunit_suite fm_pauses_suite = {
	.name = "flamemod_pauses",
	.test_cases = fm_pauses_cases,
};
