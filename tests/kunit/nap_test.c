// SPDX-License-Identifier: GPL-2.0
/*
 * Idle CPUs that are left asleep: not a period of it is forgotten.
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

static int fm_nap_begin(struct kunit *test)
{
	struct fm_cpu *c = fm_hand_cpu(test, FM_PERIOD_NS);

	test->priv = c;
	if (!c)
		return -ENOMEM;
	c->may_nap = true;
	fm_sampler_arm(c);
	/* For as long as a test takes. */
	c->is_idle = true;
	c->look_tick = U64_MAX;
	return 0;
}

static void fm_nap_end(struct kunit *test)
{
	fm_hand_cpu_end(test, fm_cpu_of(test));
}

static void fm_expect_by_the_clock(struct kunit *test, struct fm_cpu *c)
{
	u64 sampled_ns = fm_sampler_sampled_ns(c, fm_hand.now_ns);

	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
	KUNIT_EXPECT_EQ(test, c->books.fires + c->books.missed,
			fm_ticks_passed(&c->ticks, sampled_ns));
}

/* How a nap of so many periods ends, and where they go. */
static const struct fm_nap_case {
	const char *name;
	u64 periods;
	enum { FM_WAKE, FM_SWAP, FM_DISARM } end;
	bool full, no_idle;
	u32 to;
} fm_nap_cases[] = {
	{ "none", 0, FM_WAKE, .to = offsetof(struct fm_books, stored) },
	{ "one", 1, FM_WAKE, .to = offsetof(struct fm_books, stored) },
	{ "a thousand", 1000, FM_WAKE, .to = offsetof(struct fm_books, stored) },
	{ "a drain", 1000, FM_SWAP, .to = offsetof(struct fm_books, stored) },
	{ "a stop", 1000, FM_DISARM, .to = offsetof(struct fm_books, stored) },
	{ "filtered", 10, FM_WAKE, .no_idle = true,
	  .to = offsetof(struct fm_books, filtered) },
	{ "full table", 10, FM_WAKE, .full = true,
	  .to = offsetof(struct fm_books, lost[FLAMEMOD_LOST_TABLE_FULL]) },
};

FM_ARRAY_PARAM(nap);

static void a_nap_is_counted_by_the_clock(struct kunit *test)
{
	const struct fm_nap_case *nap = test->param_value;
	struct fm_books expected = {
		.missed = nap->periods, .asleep = nap->periods,
	};
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_table *table = &c->tables[0];
	struct fm_key key = { .tid = PID_MAX_LIMIT };
	const struct fm_entry *entry = table->entries;

	*(u64 *)((void *)&expected + nap->to) = nap->periods;
	c->filter.exclude_idle = nap->no_idle;
	fm_filter_begin(&c->filter);
	while (nap->full && fm_table_add(table, &key, 0, 0, &table->last))
		key.tid++;
	fm_sampler_sleep(c);
	KUNIT_ASSERT_TRUE(test, c->napping);
	fm_hand.now_ns += nap->periods * FM_PERIOD_NS + FM_PERIOD_NS / 2;
	if (nap->end == FM_WAKE)
		fm_sampler_wake(c);
	else if (nap->end == FM_SWAP)
		fm_sampler_swap(c);
	else
		fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &expected, sizeof(expected)), 0);
	fm_expect_by_the_clock(test, c);
	/* It sleeps through a drain. */
	KUNIT_EXPECT_EQ(test, c->napping, nap->end == FM_SWAP);
	KUNIT_EXPECT_EQ(test, c->armed, nap->end != FM_DISARM);
	if (nap->end == FM_WAKE)
		KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
				fm_hand.now_ns + FM_PERIOD_NS / 2);
	if (nap->full || nap->no_idle || !nap->periods)
		return;
	KUNIT_ASSERT_EQ(test, table->nr, 1);
	KUNIT_EXPECT_EQ(test, entry->halves[0].periods, nap->periods);
	KUNIT_EXPECT_EQ(test, entry->halves[0].late_ns, 0);
	KUNIT_EXPECT_EQ(test, entry->key.context, FLAMEMOD_CONTEXT_IDLE);
	KUNIT_EXPECT_EQ(test, entry->key.leaf, 0);
	KUNIT_EXPECT_EQ(test, entry->key.pid, 0);
	KUNIT_EXPECT_STREQ(test, entry->key.comm, "swapper");
}

/*
 * What an interrupt did at a nap's end is not idle time; nor is it known what it
 * was. Waking up is no such thing.
 */
static const struct fm_busy_case {
	const char *name;
	u64 tick_us;		/* how long ago the last tick was */
	u64 busy_us, asleep, woken;
} fm_busy_cases[] = {
	{ "none", 500, 0, 20, 0 },
	{ "waking up", 500, 49, 20, 0 },
	{ "a tick while waking up", 20, 49, 20, 0 },
	{ "a tick behind it", 20, 51, 19, 1 },
	{ "no tick", 500, 490, 20, 0 },
	{ "a tick", 500, 510, 19, 1 },
	{ "all of it", 500, 20500, 0, 20 },
};

FM_ARRAY_PARAM(busy);

static void what_woke_it_up_is_told_apart(struct kunit *test)
{
	const struct fm_busy_case *busy = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry = c->tables[0].entries;
	bool woken;
	u32 i;

	fm_hand_fire(c, 0);
	fm_sampler_sleep(c);
	KUNIT_ASSERT_TRUE(test, c->napping);
	fm_hand.now_ns += 20 * FM_PERIOD_NS + busy->tick_us * NSEC_PER_USEC;
	fm_hand.busy_us = busy->busy_us;
	fm_sampler_wake(c);
	KUNIT_EXPECT_EQ(test, c->books.asleep, busy->asleep);
	KUNIT_EXPECT_EQ(test, c->books.missed, busy->asleep + busy->woken);
	KUNIT_EXPECT_EQ(test, c->books.stored, 1 + c->books.missed);
	fm_expect_by_the_clock(test, c);
	for (i = 1; i < c->tables[0].nr; i++) {
		woken = entry[i].key.marks == FM_STACK_WOKEN;
		KUNIT_EXPECT_EQ(test, entry[i].key.context, woken ?
				FLAMEMOD_CONTEXT_HARDIRQ : FLAMEMOD_CONTEXT_IDLE);
		KUNIT_EXPECT_EQ(test, entry[i].halves[0].periods,
				woken ? busy->woken : busy->asleep);
	}
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, 1 + !!busy->asleep + !!busy->woken);
}

/* A CPU that was busy for more than a fiftieth of the last second stays awake. */
static const struct fm_share_case {
	const char *name;
	u32 busy;		/* of 1000 fires */
	bool naps;
} fm_share_cases[] = {
	{ "idle", 0, true },
	{ "a fiftieth", 20, true },
	{ "a tick more", 21, false },
	{ "busy", 1000, false },
};

FM_ARRAY_PARAM(share);

static void who_is_in_use_stays_awake(struct kunit *test)
{
	const struct fm_share_case *share = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u32 second, i;

	/* As at the begin of sampling. */
	fm_sampler_disarm(c);
	fm_sampler_arm(c);
	fm_sampler_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	for (second = 0; second < 4; second++) {
		for (i = 0; i < 1000; i++) {
			fm_hand.context = second % 2 && i < share->busy ?
					  FLAMEMOD_CONTEXT_SOFTIRQ :
					  FLAMEMOD_CONTEXT_IDLE;
			fm_hand_fire(c, 0);
		}
		fm_sampler_sleep(c);
		KUNIT_EXPECT_EQ(test, c->napping, second % 2 ? share->naps : true);
		fm_sampler_wake(c);
	}
}

/* A CPU that goes to sleep ever so often is sampled as any other. */
static void naps_are_few(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i, naps = 0;

	for (i = 0; i < 10000; i++) {
		fm_sampler_sleep(c);
		naps += c->napping;
		fm_sampler_wake(c);
		if (i % 2)
			fm_hand_fire(c, 0);
	}
	/* In 5000 periods one may begin every 11th, and five more at once. */
	KUNIT_EXPECT_GE(test, naps, 5000 / 11);
	KUNIT_EXPECT_LE(test, naps, 5000 / 11 + 7);
	KUNIT_EXPECT_EQ(test, c->books.fires, 5000);
	/* After a long sleep no more than so many are saved up. */
	while (!c->napping) {
		fm_hand_fire(c, 0);
		fm_sampler_sleep(c);
	}
	fm_hand.now_ns += 100000ull * FM_PERIOD_NS;
	for (i = naps = 0; i < 100; i++) {
		fm_sampler_wake(c);
		fm_sampler_sleep(c);
		naps += c->napping;
	}
	KUNIT_EXPECT_GE(test, naps, FM_NAPS_SAVED);
	KUNIT_EXPECT_LE(test, naps, FM_NAPS_SAVED + 2);
}

static void who_is_not_sampled_takes_no_naps(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_disarm(c);
	fm_sampler_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	fm_sampler_wake(c);
	c->may_nap = false;
	fm_sampler_arm(c);
	c->is_idle = true;
	c->look_tick = U64_MAX;
	fm_sampler_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	fm_sampler_wake(c);
	/* The fire that is due is waited for, and is the last. */
	c->may_nap = true;
	fm_hand.now_ns += 2 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_ASSERT_TRUE(test, c->armed);
	fm_sampler_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	KUNIT_EXPECT_EQ(test, fm_hand_fire_now(c), HRTIMER_NORESTART);
	KUNIT_EXPECT_FALSE(test, c->armed);
	fm_expect_by_the_clock(test, c);
}

/* The tracepoint is run by threads that inject idle time, too. */
static void who_injects_idle_time_takes_no_naps(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_hand.injected = true;
	fm_sampler_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	fm_hand.injected = false;
	fm_sampler_sleep(c);
	KUNIT_EXPECT_TRUE(test, c->napping);
}

static struct kunit_case fm_nap_test_cases[] = {
	KUNIT_CASE_PARAM(a_nap_is_counted_by_the_clock, fm_nap_gen_params),
	KUNIT_CASE_PARAM(what_woke_it_up_is_told_apart, fm_busy_gen_params),
	KUNIT_CASE_PARAM(who_is_in_use_stays_awake, fm_share_gen_params),
	KUNIT_CASE(naps_are_few),
	KUNIT_CASE(who_is_not_sampled_takes_no_naps),
	KUNIT_CASE(who_injects_idle_time_takes_no_naps),
	{}
};

struct kunit_suite fm_nap_suite = {
	.name = "flamemod_nap",
	.init = fm_nap_begin,
	.exit = fm_nap_end,
	.test_cases = fm_nap_test_cases,
};
