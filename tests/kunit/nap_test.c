// SPDX-License-Identifier: GPL-2.0
/*
 * Naps: idle CPUs sleep without timer interrupts, and every period is counted.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/nap.h"
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

/* How a nap of @periods ends, and where these are counted. */
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
		.fires = 1, .missed = nap->periods, .asleep = nap->periods,
	};
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_table *table = &c->tables[0];
	struct fm_key key = { .tid = PID_MAX_LIMIT };
	const struct fm_entry *entry = table->entries;

	/* One more: the period of the fire in which the nap starts. */
	*(u64 *)((void *)&expected + nap->to) = 1 + nap->periods;
	c->filter.exclude_idle = nap->no_idle;
	fm_filter_begin(&c->filter);
	while (nap->full && fm_table_add(table, &key, 0, 0, &table->last))
		key.tid++;
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.now_ns += nap->periods * FM_PERIOD_NS + FM_PERIOD_NS / 2;
	if (nap->end == FM_WAKE)
		fm_nap_wake(c);
	else if (nap->end == FM_SWAP)
		fm_sampler_swap(c);
	else
		fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &expected, sizeof(expected)), 0);
	fm_expect_by_the_clock(test, c);
	/* It sleeps through a drain. */
	KUNIT_EXPECT_EQ(test, c->napping, nap->end == FM_SWAP);
	KUNIT_EXPECT_EQ(test, c->armed, nap->end != FM_DISARM);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_starts, 1 + (nap->end == FM_WAKE));
	if (nap->end == FM_WAKE)
		KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
				fm_hand.now_ns + FM_PERIOD_NS / 2);
	if (nap->full || nap->no_idle || !nap->periods)
		return;
	KUNIT_ASSERT_EQ(test, table->nr, 2);
	entry++;
	KUNIT_EXPECT_EQ(test, entry->halves[0].periods, nap->periods);
	KUNIT_EXPECT_EQ(test, entry->halves[0].late_ns, 0);
	KUNIT_EXPECT_EQ(test, entry->key.context, FLAMEMOD_CONTEXT_IDLE);
	KUNIT_EXPECT_EQ(test, entry->key.leaf, 0);
	KUNIT_EXPECT_EQ(test, entry->key.pid, 0);
	KUNIT_EXPECT_STREQ(test, entry->key.comm, "swapper");
}

/*
 * Time of an interrupt at a nap's end is not idle time, but it is not known what ran.
 * The short time of waking up is not counted so.
 */
static const struct fm_busy_case {
	const char *name;
	u64 tick_us;		/* how long ago the last tick was */
	u64 busy_us, asleep, woken;
} fm_busy_cases[] = {
	{ "none", 500, 0, 20, 0 },
	{ "waking up", 500, 49, 20, 0 },
	{ "a tick while waking up", 20, 49, 20, 0 },
	{ "a tick after waking up", 20, 51, 19, 1 },
	{ "no tick", 500, 490, 20, 0 },
	{ "a tick", 500, 510, 19, 1 },
	{ "all of it", 500, 20500, 0, 20 },
};

FM_ARRAY_PARAM(busy);

static void what_woke_it_up_is_separate(struct kunit *test)
{
	const struct fm_busy_case *busy = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry = c->tables[0].entries;
	bool woken;
	u32 i;

	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.now_ns += 20 * FM_PERIOD_NS + busy->tick_us * NSEC_PER_USEC;
	fm_hand.busy_us = busy->busy_us;
	fm_nap_wake(c);
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

/*
 * The kernel keeps idle time in two accounts, and while a CPU sleeps, time moves from
 * one to the other. If one account shrinks, no interrupt has run.
 */
static const struct fm_moved_case {
	const char *name;
	s64 moved_us;
	u64 busy_us, woken;
} fm_moved_cases[] = {
	{ "none", 0 },
	{ "to waiting for a device", 15000 },
	{ "from waiting for a device", -15000 },
	{ "much, to", 400000000 },
	{ "much, from", -400000000 },
	{ "to, and an interrupt", 15000, 5000, 5 },
	{ "from, and an interrupt", -15000, 5000, 5 },
};

FM_ARRAY_PARAM(moved);

static void idle_time_is_one_account(struct kunit *test)
{
	const struct fm_moved_case *moved = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);

	fm_nap_stirs(c, fm_hand.now_ns);
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.now_ns += NSEC_PER_SEC;
	/* A look at the accounts during the nap. */
	fm_nap_stirs(c, fm_hand.now_ns);
	fm_sampler_swap(c);
	KUNIT_ASSERT_EQ(test, c->books.asleep, 1000);
	fm_hand.now_ns += 20 * FM_PERIOD_NS;
	fm_hand.moved_us = moved->moved_us;
	fm_hand.busy_us = moved->busy_us;
	KUNIT_EXPECT_EQ(test, fm_nap_stirs(c, fm_hand.now_ns), moved->busy_us > 0);
	fm_nap_wake(c);
	KUNIT_EXPECT_EQ(test, c->books.missed, 1020);
	KUNIT_EXPECT_EQ(test, c->books.asleep, 1020 - moved->woken);
	fm_expect_by_the_clock(test, c);
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

static void a_busy_cpu_takes_no_naps(struct kunit *test)
{
	const struct fm_share_case *share = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u32 second, i;

	/* As at the start of sampling. */
	fm_sampler_disarm(c);
	fm_sampler_arm(c);
	KUNIT_EXPECT_FALSE(test, fm_hand_nap(c));
	for (second = 0; second < 4; second++) {
		c->may_nap = false;
		for (i = 0; i < 999; i++) {
			fm_hand.context = second % 2 && i < share->busy ?
					  FLAMEMOD_CONTEXT_SOFTIRQ :
					  FLAMEMOD_CONTEXT_IDLE;
			fm_hand_fire(c, 0);
		}
		c->may_nap = true;
		KUNIT_EXPECT_EQ(test, fm_hand_nap(c), second % 2 ? share->naps : true);
		fm_nap_wake(c);
	}
}

/* Long idle time before does not excuse a CPU that was busy between two drains. */
static void a_drain_starts_a_new_look(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 second = div64_u64(FM_NAP_LOOK_NS, FM_PERIOD_NS), i;

	/* A hundred idle seconds without a drain. */
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.now_ns += 100 * (u64)FM_NAP_LOOK_NS;
	fm_nap_wake(c);
	c->look_tick = c->tick;
	fm_sampler_swap(c);
	fm_hand.idle = false;
	/* No nap is earned, so fires do not look. */
	c->nap_tick = U64_MAX;
	for (i = 0; i <= second; i++)
		fm_hand_fire(c, 0);
	fm_sampler_swap(c);
	KUNIT_EXPECT_FALSE(test, c->is_idle);
	KUNIT_EXPECT_EQ(test, c->look_tick, c->tick + second);
	c->nap_tick = c->tick;
	fm_nap_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
}

/* A CPU that goes idle very often takes few naps; its timer keeps firing. */
static void naps_are_few(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i, naps = 0;

	for (i = 0; i < 5000; i++) {
		naps += fm_hand_nap(c);
		fm_nap_wake(c);
	}
	/* A nap may start every 11th period, and a few saved ones at once. */
	KUNIT_EXPECT_GE(test, naps, 5000 / 11);
	KUNIT_EXPECT_LE(test, naps, 5000 / 11 + 7);
	KUNIT_EXPECT_EQ(test, c->books.fires, 5000);
	/* A long nap saves up no more than FM_NAPS_SAVED. */
	while (!fm_hand_nap(c))
		;
	fm_hand.now_ns += 100000ull * FM_PERIOD_NS;
	for (i = naps = 0; i < 10; i++) {
		fm_nap_wake(c);
		naps += fm_hand_nap(c);
	}
	KUNIT_EXPECT_GE(test, naps, FM_NAPS_SAVED);
	KUNIT_EXPECT_LE(test, naps, FM_NAPS_SAVED + 2);
}

static void a_cpu_not_sampled_takes_no_naps(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	unsigned int nr_starts;

	fm_sampler_disarm(c);
	KUNIT_EXPECT_FALSE(test, fm_hand_nap(c));
	KUNIT_EXPECT_FALSE(test, c->napping);
	c->may_nap = false;
	fm_sampler_arm(c);
	c->is_idle = true;
	c->look_tick = U64_MAX;
	KUNIT_EXPECT_FALSE(test, fm_hand_nap(c));
	nr_starts = fm_hand.nr_starts;
	fm_nap_wake(c);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_starts, nr_starts);
	/* A disarm waits for the fire that is due; it is the last one. */
	c->may_nap = true;
	fm_hand.now_ns += 2 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_ASSERT_TRUE(test, c->armed);
	fm_hand.context = FLAMEMOD_CONTEXT_IDLE;
	KUNIT_EXPECT_EQ(test, fm_hand_fire_now(c), HRTIMER_NORESTART);
	KUNIT_EXPECT_FALSE(test, c->napping);
	KUNIT_EXPECT_FALSE(test, c->armed);
	fm_expect_by_the_clock(test, c);
}

/* What a fire interrupts, and whether a nap then starts. */
static const struct fm_meet_case {
	const char *name;
	enum flamemod_context context;
	bool no_regs, injected, resched, naps;
} fm_meet_cases[] = {
	{ "idle", FLAMEMOD_CONTEXT_IDLE, .naps = true },
	{ "a task", FLAMEMOD_CONTEXT_TASK },
	{ "user mode", FLAMEMOD_CONTEXT_USER },
	{ "a softirq", FLAMEMOD_CONTEXT_SOFTIRQ },
	{ "an interrupt", FLAMEMOD_CONTEXT_HARDIRQ },
	{ "no registers", FLAMEMOD_CONTEXT_IDLE, .no_regs = true },
	/* Injected idle time belongs to the thread that injects it. */
	{ "injected idle", FLAMEMOD_CONTEXT_TASK, .injected = true },
	/* A nap would end at once. */
	{ "a task to come", FLAMEMOD_CONTEXT_IDLE, .resched = true },
};

FM_ARRAY_PARAM(meet);

static void a_nap_starts_when_the_idle_task_is_hit(struct kunit *test)
{
	const struct fm_meet_case *meet = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 nap_tick = c->nap_tick;

	fm_hand.no_regs = meet->no_regs;
	fm_hand.injected = meet->injected;
	fm_hand.resched = meet->resched;
	fm_hand.context = meet->context;
	KUNIT_EXPECT_EQ(test, fm_hand_fire(c, 0), meet->naps ?
			HRTIMER_NORESTART : HRTIMER_RESTART);
	KUNIT_EXPECT_EQ(test, c->napping, meet->naps);
	/* Only a nap that starts is paid for. */
	KUNIT_EXPECT_EQ(test, c->nap_tick != nap_tick, meet->naps);
	KUNIT_EXPECT_EQ(test, c->books.fires, 1);
	fm_expect_by_the_clock(test, c);
	/* What the last fire interrupted does not count for this one. */
	fm_nap_wake(c);
	fm_hand.no_regs = true;
	fm_hand.resched = false;
	c->nap_tick = c->tick;
	KUNIT_EXPECT_EQ(test, fm_hand_fire(c, 0), HRTIMER_RESTART);
}

/* A nap also starts when the CPU goes idle, unless a fire is due. */
static const struct fm_leave_case {
	const char *name;
	u64 since_us;		/* the last tick */
	bool spent, naps;
} fm_leave_cases[] = {
	{ "just after a tick", 0, .naps = true },
	{ "just before a tick", 999, .naps = true },
	{ "at a tick", 1000 },
	{ "late", 2500 },
	{ "not earned", 10, .spent = true },
};

FM_ARRAY_PARAM(leave);

static void a_nap_starts_with_the_idle_task(struct kunit *test)
{
	const struct fm_leave_case *leave = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);

	fm_hand_fire(c, 0);
	KUNIT_ASSERT_FALSE(test, c->napping);
	if (leave->spent)
		c->nap_tick = c->tick + 1;
	fm_hand.now_ns += leave->since_us * NSEC_PER_USEC;
	fm_nap_sleep(c);
	KUNIT_EXPECT_EQ(test, c->napping, leave->naps);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_cancels, leave->naps);
	/* A second call changes nothing. */
	fm_nap_sleep(c);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_cancels, leave->naps);
	if (!leave->naps)
		return;
	fm_hand.now_ns += 5 * FM_PERIOD_NS;
	fm_nap_wake(c);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_starts, 2);
	KUNIT_EXPECT_EQ(test, c->books.asleep, 5);
	KUNIT_EXPECT_EQ(test, c->books.fires, 1);
	fm_expect_by_the_clock(test, c);
}

static void a_stopping_or_stopped_cpu_takes_no_naps(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_hand.now_ns += 2 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_ASSERT_TRUE(test, c->armed);
	fm_hand.now_ns = c->due_ns - 1;
	fm_nap_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	fm_hand_fire(c, 0);
	KUNIT_ASSERT_FALSE(test, c->armed);
	fm_hand.now_ns = c->due_ns - 1;
	fm_nap_sleep(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_cancels, 0);
}

static bool fm_attends(void)
{
	return per_cpu(fm_nap_attends, 0);
}

/* The scheduler's probe looks at a switch only when a nap may start or end there. */
static void switches_matter_when_a_nap_may_start_or_end(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	/* A nap may start at once; after that none is earned for a while. */
	KUNIT_EXPECT_TRUE(test, fm_attends());
	c->nap_tick = c->tick + 3;
	fm_nap_sleep(c);
	KUNIT_EXPECT_FALSE(test, fm_attends());
	fm_hand_fire(c, 0);
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_FALSE(test, fm_attends());
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_TRUE(test, fm_attends());
	/* The end of a nap matters, whether another is earned or not. */
	c->nap_tick = c->tick;
	fm_nap_sleep(c);
	KUNIT_ASSERT_TRUE(test, c->napping);
	KUNIT_ASSERT_GT(test, c->nap_tick, c->tick);
	KUNIT_EXPECT_TRUE(test, fm_attends());
	fm_nap_sleep(c);
	KUNIT_EXPECT_TRUE(test, fm_attends());
	fm_nap_wake(c);
	KUNIT_EXPECT_FALSE(test, fm_attends());
	/* A nap that starts in a fire matters as much. */
	while (!fm_hand_nap(c))
		KUNIT_EXPECT_FALSE(test, fm_attends());
	KUNIT_EXPECT_TRUE(test, fm_attends());
	fm_hand.now_ns += 100 * FM_PERIOD_NS;
	fm_sampler_swap(c);
	KUNIT_ASSERT_GE(test, c->tick, c->nap_tick);
	fm_nap_wake(c);
	KUNIT_EXPECT_TRUE(test, fm_attends());
}

/* A CPU that is busy or not sampled starts no naps, so its switches do not matter. */
static void switches_of_busy_cpus_do_not_matter(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 look_tick = c->tick + 1000;

	c->is_idle = false;
	c->look_tick = look_tick;
	KUNIT_ASSERT_TRUE(test, fm_attends());
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_FALSE(test, fm_attends());
	KUNIT_EXPECT_EQ(test, c->nap_tick, look_tick);
	/* It is armed, and idle from the next check on. */
	c->busy = 0;
	while (c->tick < look_tick - 1)
		KUNIT_ASSERT_FALSE(test, fm_hand_nap(c) || fm_attends());
	fm_hand.resched = true;
	fm_hand_nap(c);
	KUNIT_EXPECT_TRUE(test, c->is_idle);
	KUNIT_EXPECT_TRUE(test, fm_attends());
	fm_sampler_disarm(c);
	fm_nap_sleep(c);
	KUNIT_EXPECT_FALSE(test, fm_attends());
	/* It is sampled again, and may be idle. */
	fm_sampler_arm(c);
	KUNIT_EXPECT_TRUE(test, fm_attends());
}

/* After the worker ends a nap, the CPU takes none for a second. */
static void a_roused_cpu_stays_awake(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i;

	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.now_ns += 100 * FM_PERIOD_NS + FM_PERIOD_NS / 2;
	fm_hand.busy_us = 50 * FM_PERIOD_NS / NSEC_PER_USEC;
	c->rouse = true;
	fm_sampler_swap(c);
	KUNIT_EXPECT_FALSE(test, c->napping);
	KUNIT_EXPECT_FALSE(test, c->rouse);
	KUNIT_EXPECT_FALSE(test, c->is_idle);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_starts, 2);
	KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
			fm_hand.now_ns + FM_PERIOD_NS / 2);
	KUNIT_EXPECT_EQ(test, c->swapped.asleep, 50);
	KUNIT_EXPECT_EQ(test, c->swapped.missed, 100);
	fm_expect_by_the_clock(test, c);
	for (i = 0; i < 999; i++)
		KUNIT_ASSERT_FALSE(test, fm_hand_nap(c));
	KUNIT_EXPECT_TRUE(test, fm_hand_nap(c));
	/* A CPU without a nap is not roused. */
	fm_nap_wake(c);
	c->rouse = true;
	fm_sampler_swap(c);
	KUNIT_EXPECT_TRUE(test, c->is_idle);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_starts, 3);
}

/* The time in interrupts, per second, from which on a nap is ended. */
static const struct fm_stir_case {
	const char *name;
	u64 busy_us;
	bool stirs;
} fm_stir_cases[] = {
	{ "none", 0, false },
	{ "a fiftieth", 20000, false },
	{ "and what waking up takes", 20050, false },
	{ "more", 20051, true },
	{ "all", 1000000, true },
};

FM_ARRAY_PARAM(stir);

static void interrupts_in_naps_are_noticed(struct kunit *test)
{
	const struct fm_stir_case *stir = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);

	fm_nap_stirs(c, fm_hand.now_ns);
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	fm_hand.busy_us = 500000;
	fm_hand.now_ns += NSEC_PER_SEC;
	/* The nap started after the last check. */
	KUNIT_EXPECT_FALSE(test, fm_nap_stirs(c, fm_hand.now_ns));
	fm_hand.now_ns += NSEC_PER_SEC;
	fm_hand.busy_us += stir->busy_us;
	KUNIT_EXPECT_EQ(test, fm_nap_stirs(c, fm_hand.now_ns), stir->stirs);
	fm_hand.now_ns += NSEC_PER_SEC;
	KUNIT_EXPECT_FALSE(test, fm_nap_stirs(c, fm_hand.now_ns));
	/* A CPU without a nap is sampled anyway. */
	fm_nap_wake(c);
	fm_hand.now_ns += NSEC_PER_SEC;
	fm_hand.busy_us += stir->busy_us;
	KUNIT_EXPECT_FALSE(test, fm_nap_stirs(c, fm_hand.now_ns));
}

static struct kunit_case fm_nap_test_cases[] = {
	KUNIT_CASE_PARAM(a_nap_is_counted_by_the_clock, fm_nap_gen_params),
	KUNIT_CASE_PARAM(what_woke_it_up_is_separate, fm_busy_gen_params),
	KUNIT_CASE_PARAM(idle_time_is_one_account, fm_moved_gen_params),
	KUNIT_CASE_PARAM(a_busy_cpu_takes_no_naps, fm_share_gen_params),
	KUNIT_CASE(a_drain_starts_a_new_look),
	KUNIT_CASE(naps_are_few),
	KUNIT_CASE(a_cpu_not_sampled_takes_no_naps),
	KUNIT_CASE_PARAM(a_nap_starts_when_the_idle_task_is_hit, fm_meet_gen_params),
	KUNIT_CASE_PARAM(a_nap_starts_with_the_idle_task, fm_leave_gen_params),
	KUNIT_CASE(a_stopping_or_stopped_cpu_takes_no_naps),
	KUNIT_CASE(switches_matter_when_a_nap_may_start_or_end),
	KUNIT_CASE(switches_of_busy_cpus_do_not_matter),
	KUNIT_CASE(a_roused_cpu_stays_awake),
	KUNIT_CASE_PARAM(interrupts_in_naps_are_noticed, fm_stir_gen_params),
	{}
};

struct kunit_suite fm_nap_suite = {
	.name = "flamemod_nap",
	.init = fm_nap_begin,
	.exit = fm_nap_end,
	.test_cases = fm_nap_test_cases,
};
