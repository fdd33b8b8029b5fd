// SPDX-License-Identifier: GPL-2.0
/*
 * A sampler's clock: every period is counted.
 */
#include <kunit/test.h>

#include "../../module/nap.h"
#include "by_hand.h"
#include "redirect.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static struct fm_cpu *fm_cpu_of(struct kunit *test)
{
	return test->priv;
}

static int fm_clock_begin(struct kunit *test)
{
	test->priv = fm_hand_cpu(test, FM_PERIOD_NS);
	return test->priv ? 0 : -ENOMEM;
}

static void fm_clock_end(struct kunit *test)
{
	fm_hand_cpu_end(test, fm_cpu_of(test));
}

/* Armed at the first instant, disarmed at the second: what is counted? */
static const struct fm_disarm_case {
	const char *name;
	s64 to_due_ns;
	bool hurried;
	bool waits;
	u64 lost;
} fm_disarm_cases[] = {
	{ "long before it is due", -FM_PERIOD_NS / 2, false, false, 0 },
	{ "just before it is due", -1, false, false, 0 },
	{ "when it is due", 0, false, true, 0 },
	{ "long after it was due", 5 * FM_PERIOD_NS, false, true, 0 },
	{ "hurried, before it is due", -1, true, false, 0 },
	{ "hurried, when it is due", 0, true, false, 1 },
	{ "hurried, a period late but for 1 ns", FM_PERIOD_NS - 1, true, false, 1 },
	{ "hurried, a period late", FM_PERIOD_NS, true, false, 2 },
	{ "hurried, 5 periods late", 5 * FM_PERIOD_NS, true, false, 6 },
};

FM_ARRAY_PARAM(disarm);

static void disarm_forgets_no_period(struct kunit *test)
{
	const struct fm_disarm_case *d = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 since_ns;

	fm_sampler_arm(c);
	since_ns = fm_hand.now_ns;
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&c->timer)) +
			 d->to_due_ns;
	c->hurried = d->hurried;
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, c->armed, d->waits);
	if (d->waits) {
		fm_hand.now_ns += 10;
		KUNIT_EXPECT_EQ(test, fm_hand_fire_now(c), HRTIMER_NORESTART);
		KUNIT_EXPECT_FALSE(test, c->armed);
		KUNIT_EXPECT_EQ(test, c->books.fires, 1);
	}
	KUNIT_EXPECT_EQ(test, c->books.lost[FLAMEMOD_LOST_STOPPED], d->lost);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
	KUNIT_EXPECT_EQ(test, c->sampled_ns, fm_hand.now_ns - since_ns);
	KUNIT_EXPECT_EQ(test, fm_ticks_passed(&c->ticks, c->sampled_ns),
			c->books.fires + c->books.missed);
	/* After a disarm the sampler stays disarmed, and its clock stops. */
	fm_hand.now_ns += 100 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, c->sampled_ns,
			fm_sampler_sampled_ns(c, fm_hand.now_ns));
	KUNIT_EXPECT_EQ(test, fm_ticks_passed(&c->ticks, c->sampled_ns),
			c->books.fires + c->books.missed);
}

/* After any starts, stops and delays, fires + missed matches the clock. */
static const struct fm_delay_case {
	u32 cpu;
	u32 period_ns;
	u32 seed;
	bool evenly;
} fm_delay_cases[] = {
	{ 0, 1003009, 1 }, { 1, 1003009, 2 }, { 3, 50000, 3 },
	{ 7, 1000000000, 4 }, { 255, 333333, 5 }, { 0, 1000000, 6, true },
};

static void fm_delay_name(const struct fm_delay_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "CPU %u, %u ns%s", c->cpu,
		 c->period_ns, c->evenly ? ", evenly" : "");
}

KUNIT_ARRAY_PARAM(fm_delay, fm_delay_cases, fm_delay_name);

static u32 fm_next_random(u64 *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static void fires_and_missed_are_what_is_expected(struct kunit *test)
{
	const struct fm_delay_case *p = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 state = p->seed, sampled_ns;
	u32 i, what;

	c->cpu = p->cpu;
	c->may_nap = true;
	c->filter.exclude_idle = p->cpu == 7;
	fm_filter_begin(&c->filter);
	fm_sampler_set_period(c, p->period_ns);
	if (p->evenly)
		c->ticks.spread_ns = 0;
	for (i = 0; i < 5000; i++) {
		c->is_idle = true;
		c->look_tick = U64_MAX;
		what = fm_next_random(&state) % 8;
		if (!c->armed) {
			fm_hand.now_ns += fm_next_random(&state) % (3 * p->period_ns);
			fm_sampler_arm(c);
		} else if (what == 0) {
			fm_hand.now_ns += fm_next_random(&state) % (2 * p->period_ns);
			c->hurried = fm_next_random(&state) % 2;
			fm_sampler_disarm(c);
			if (c->armed)
				fm_hand_fire_now(c);
		} else if (what == 1) {
			fm_hand_fire(c, fm_next_random(&state) % (9 * (u64)p->period_ns));
		} else if (what == 2) {
			fm_hand.now_ns += fm_next_random(&state) % p->period_ns;
			if (fm_hand.now_ns >= ktime_to_ns(hrtimer_get_expires(&c->timer)))
				fm_hand_fire_now(c);
		} else if (what == 3) {
			if (fm_next_random(&state) % 2)
				fm_hand_nap(c);
			else
				fm_nap_sleep(c);
			fm_hand.now_ns += fm_next_random(&state) % (4 * (u64)p->period_ns);
			c->rouse = fm_next_random(&state) % 2;
			if (c->napping && fm_next_random(&state) % 2)
				fm_sampler_swap(c);
			if (!c->napping && fm_hand.now_ns >= c->due_ns)
				fm_hand_fire_now(c);
			fm_nap_wake(c);
		} else {
			fm_hand_fire(c, fm_next_random(&state) % 1000);
		}
		sampled_ns = fm_sampler_sampled_ns(c, fm_hand.now_ns);
		KUNIT_ASSERT_TRUE_MSG(test, fm_books_balance(&c->books), "step %u", i);
		KUNIT_ASSERT_EQ_MSG(test, c->books.fires + c->books.missed,
				    fm_ticks_passed(&c->ticks, sampled_ns),
				    "step %u, of kind %u", i, what);
	}
	KUNIT_EXPECT_GT(test, c->books.asleep, 0);
	KUNIT_EXPECT_GT(test, c->books.missed, c->books.asleep);
	KUNIT_EXPECT_GT(test, c->books.lost[FLAMEMOD_LOST_STOPPED], 0);
}

/*
 * At each swap, however late the timer is, counted plus overdue periods match
 * the clock. So they do in each window between two swaps.
 */
static void what_is_overdue_makes_up_for_the_rest(struct kunit *test)
{
	const struct fm_delay_case *p = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 state = p->seed, late = 0, expected, counted;
	u32 i;

	c->cpu = p->cpu;
	c->may_nap = true;
	fm_sampler_set_period(c, p->period_ns);
	if (p->evenly)
		c->ticks.spread_ns = 0;
	for (i = 0; i < 3000; i++) {
		c->is_idle = true;
		c->look_tick = U64_MAX;
		fm_hand.now_ns += fm_next_random(&state) % (2 * p->period_ns);
		switch (fm_next_random(&state) % 8) {
		case 0:
			fm_nap_wake(c);
			c->hurried = fm_next_random(&state) % 2;
			fm_sampler_disarm(c);
			if (c->armed)
				fm_hand_fire_now(c);
			break;
		case 1:
			if (!c->armed)
				fm_sampler_arm(c);
			break;
		case 2:
			fm_hand.context = FLAMEMOD_CONTEXT_IDLE;
			if (c->armed && !c->napping)
				fm_hand_fire_now(c);
			fm_hand.context = FLAMEMOD_CONTEXT_TASK;
			break;
		case 3:
			fm_nap_wake(c);
			fallthrough;
		case 4:
			if (c->armed && !c->napping)
				fm_hand_fire_now(c);
			break;
		}
		c->rouse = fm_next_random(&state) % 4 == 0;
		fm_sampler_swap(c);
		KUNIT_ASSERT_EQ(test, c->swapped_ns, fm_hand.now_ns);
		expected = fm_ticks_passed(&c->ticks,
					   fm_sampler_sampled_ns(c, c->swapped_ns));
		counted = c->swapped.fires + c->swapped.missed;
		KUNIT_ASSERT_EQ_MSG(test, counted + c->swapped_overdue, expected,
				    "step %u", i);
		late += c->swapped_overdue > 0;
		/* When nothing is due, nothing is overdue. */
		if (!c->armed || c->napping || fm_hand.now_ns < c->due_ns)
			KUNIT_ASSERT_EQ(test, c->swapped_overdue, 0);
	}
	KUNIT_EXPECT_GT(test, late, 300);
	KUNIT_EXPECT_GT(test, c->books.asleep, 0);
}

static void set_period_starts_a_new_clock(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	c->cpu = 5;
	c->sampled_ns = 1;
	c->base_expected = 1;
	c->base_overdue = 1;
	c->base_sampled_ns = 1;
	fm_sampler_set_period(c, FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->sampled_ns + c->base_expected +
			c->base_overdue + c->base_sampled_ns, 0);
	KUNIT_EXPECT_EQ(test, c->ticks.period_ns, FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->ticks.spread_ns, FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->ticks.seed, 5);
}

/* The timer is set before each tick: no tick is skipped or met twice. */
static void a_timer_fires_at_each_tick(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 begin_ns, k;

	fm_sampler_set_period(c, FM_PERIOD_NS);
	fm_sampler_arm(c);
	begin_ns = fm_hand.now_ns;
	for (k = 0; k < 1000; k++) {
		KUNIT_ASSERT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
				begin_ns + k * FM_PERIOD_NS +
				fm_ticks_offset(&c->ticks, k));
		fm_hand_fire(c, 0);
	}
	KUNIT_EXPECT_EQ(test, c->books.fires, 1000);
	KUNIT_EXPECT_EQ(test, c->books.missed, 0);
}

static void quiet_is_without_a_fire_due(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_arm(c);
	fm_sampler_swap(c);
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c, fm_hand.now_ns));
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&c->timer)) - 1;
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c, fm_hand.now_ns));
	fm_hand.now_ns++;
	KUNIT_EXPECT_FALSE(test, fm_sampler_quiet(c, fm_hand.now_ns));
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_FALSE(test, fm_sampler_quiet(c, fm_hand.now_ns));
	fm_sampler_swap(c);
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c, fm_hand.now_ns));
}

/* A clock that advances with each read: a swap that read twice would count more. */
static u64 fm_clock_looks;

static u64 fm_passing_clock(void)
{
	fm_clock_looks++;
	return fm_hand.now_ns += 10 * FM_PERIOD_NS;
}

static void the_clock_is_read_once_a_swap(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 begin_ns;

	fm_sampler_arm(c);
	begin_ns = fm_hand.now_ns;
	fm_clock_looks = 0;
	fm_clock = fm_passing_clock;
	fm_sampler_swap(c);
	/* Once more to measure how long the swap took. */
	KUNIT_EXPECT_EQ(test, fm_clock_looks, 2);
	KUNIT_EXPECT_EQ(test, c->swapped_ns, begin_ns + 10 * FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->swapped_overdue,
			fm_ticks_passed(&c->ticks, 10 * FM_PERIOD_NS));
}

static struct kunit_case fm_clock_cases[] = {
	KUNIT_CASE_PARAM(disarm_forgets_no_period, fm_disarm_gen_params),
	KUNIT_CASE_PARAM(fires_and_missed_are_what_is_expected,
			 fm_delay_gen_params),
	KUNIT_CASE_PARAM(what_is_overdue_makes_up_for_the_rest,
			 fm_delay_gen_params),
	KUNIT_CASE(set_period_starts_a_new_clock),
	KUNIT_CASE(the_clock_is_read_once_a_swap),
	KUNIT_CASE(a_timer_fires_at_each_tick),
	KUNIT_CASE(quiet_is_without_a_fire_due),
	{}
};

struct kunit_suite fm_clock_suite = {
	.name = "flamemod_clock",
	.init = fm_clock_begin,
	.exit = fm_clock_end,
	.test_cases = fm_clock_cases,
};
