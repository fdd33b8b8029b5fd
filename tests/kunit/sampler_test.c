// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU's sampler: where each period goes, and that none is forgotten.
 */
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "allocations.h"
#include "by_hand.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static struct fm_cpu *fm_cpu_of(struct kunit *test)
{
	return test->priv;
}

static int fm_sampler_begin(struct kunit *test)
{
	struct fm_cpu *c;

	test->priv = NULL;
	fm_allocations_init(test);
	fm_hand_begin();
	c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	if (!c || fm_sampler_init(c, 0, 2 * FM_TABLE_BYTES_MIN, fm_hand_ask))
		return -ENOMEM;
	c->max_depth = 100;
	c->take_stack = fm_hand_stack;
	fm_sampler_set_period(c, FM_PERIOD_NS);
	test->priv = c;
	return 0;
}

static void fm_sampler_end(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	if (c) {
		fm_sampler_quiesce(c);
		fm_sampler_deinit(c);
	}
	fm_hand_end();
	fm_allocations_exit(test);
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_sampler_init(data, 1, 2 * FM_TABLE_BYTES_MIN, fm_hand_ask);
}

static void fm_cleanup_init(struct kunit *test, void *data)
{
	fm_sampler_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_cpu *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	/* Index and arena, twice. */
	fm_allocations_fail_each(test, 4, -ENOMEM, fm_attempt_init,
				 fm_cleanup_init, c);
}

static void init_of_a_cpu_that_has_tables(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_allocations_fail(1);
	c->books.fires = 5;
	KUNIT_EXPECT_EQ(test, fm_sampler_init(c, 0, 65536, fm_hand_ask), 0);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_EXPECT_EQ(test, c->books.fires, 5);
}

/* Where a fire's periods go. */
#define FM_TO(column)	offsetof(struct fm_books, column)

static const struct fm_fire_case {
	const char *name;
	enum flamemod_context context;
	bool no_regs, spent, full;
	u8 marks;
	struct fm_filter filter;
	u64 late_ns;
	u32 to;
	u64 periods;
} fm_fire_cases[] = {
	{ .name = "task", .context = FLAMEMOD_CONTEXT_TASK,
	  .to = FM_TO(stored), .periods = 1 },
	{ .name = "user", .context = FLAMEMOD_CONTEXT_USER,
	  .to = FM_TO(stored), .periods = 1 },
	{ .name = "softirq", .context = FLAMEMOD_CONTEXT_SOFTIRQ,
	  .to = FM_TO(stored), .periods = 1 },
	{ .name = "late by less than a period", .context = FLAMEMOD_CONTEXT_TASK,
	  .late_ns = FM_PERIOD_NS - 1, .to = FM_TO(stored), .periods = 1 },
	{ .name = "late by a period", .context = FLAMEMOD_CONTEXT_TASK,
	  .late_ns = FM_PERIOD_NS, .to = FM_TO(stored), .periods = 2 },
	{ .name = "late by ten and a half", .context = FLAMEMOD_CONTEXT_HARDIRQ,
	  .late_ns = 10 * FM_PERIOD_NS + FM_PERIOD_NS / 2,
	  .to = FM_TO(stored), .periods = 11 },
	{ .name = "truncated", .context = FLAMEMOD_CONTEXT_TASK,
	  .marks = FM_STACK_TRUNCATED, .late_ns = FM_PERIOD_NS,
	  .to = FM_TO(stored), .periods = 2 },
	{ .name = "incomplete", .context = FLAMEMOD_CONTEXT_TASK,
	  .marks = FM_STACK_INCOMPLETE, .to = FM_TO(stored), .periods = 1 },
	{ .name = "idle, filtered", .context = FLAMEMOD_CONTEXT_IDLE,
	  .filter = { .exclude_idle = true }, .late_ns = 2 * FM_PERIOD_NS,
	  .to = FM_TO(filtered), .periods = 3 },
	{ .name = "another's, filtered", .context = FLAMEMOD_CONTEXT_TASK,
	  .filter = { .nr_pids = 1, .pids = { PID_MAX_LIMIT } },
	  .to = FM_TO(filtered), .periods = 1 },
	{ .name = "filtered while overloaded", .context = FLAMEMOD_CONTEXT_USER,
	  .filter = { .kernel_only = true }, .spent = true,
	  .to = FM_TO(filtered), .periods = 1 },
	{ .name = "no registers", .context = FLAMEMOD_CONTEXT_TASK,
	  .no_regs = true, .late_ns = FM_PERIOD_NS,
	  .to = FM_TO(lost[FLAMEMOD_LOST_NO_REGS]), .periods = 2 },
	{ .name = "overload", .context = FLAMEMOD_CONTEXT_TASK, .spent = true,
	  .late_ns = 3 * FM_PERIOD_NS,
	  .to = FM_TO(lost[FLAMEMOD_LOST_OVERLOAD]), .periods = 4 },
	{ .name = "full table", .context = FLAMEMOD_CONTEXT_TASK, .full = true,
	  .marks = FM_STACK_TRUNCATED, .late_ns = FM_PERIOD_NS,
	  .to = FM_TO(lost[FLAMEMOD_LOST_TABLE_FULL]), .periods = 2 },
};

static void fm_fire_name(const struct fm_fire_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_fire, fm_fire_cases, fm_fire_name);

/* Stacks of the greatest depth, until not one more fits. */
static void fm_fill_table(struct fm_table *table, struct fm_sample *sample)
{
	sample->nr_frames = FLAMEMOD_MAX_DEPTH_MAX;
	do {
		sample->tid++;
		fm_sample_rehash(sample);
	} while (fm_table_add(table, sample, 0, 0));
	for (sample->nr_frames = 0; fm_table_add(table, sample, 0, 0);
	     sample->tid++)
		;
}

static void a_fire_goes_to_one_column(struct kunit *test)
{
	const struct fm_fire_case *fire = test->param_value;
	struct fm_books expected = { .fires = 1, .missed = fire->periods - 1 };
	bool stored = fire->to == FM_TO(stored);
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry;
	u32 position = 0;
	u64 due_ns;

	*(u64 *)((void *)&expected + fire->to) = fire->periods;
	expected.truncated = stored && fire->marks & FM_STACK_TRUNCATED;
	fm_hand.no_regs = fire->no_regs;
	fm_hand.context = fire->context;
	fm_hand.marks = fire->marks;
	c->filter = fire->filter;
	if (fire->full)
		fm_fill_table(&c->halves[0], &c->sample);
	fm_sampler_arm(c);
	if (fire->spent)
		c->throttle.credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	due_ns = ktime_to_ns(hrtimer_get_expires(&c->timer));
	KUNIT_EXPECT_EQ(test, fm_hand_fire(c, fire->late_ns), HRTIMER_RESTART);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &expected, sizeof(expected)), 0);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
	KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
			due_ns + fire->periods * FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->halves[1].nr_entries, 0);
	/* No stack is taken that nobody wants, or there is no time for. */
	KUNIT_EXPECT_EQ(test, fm_hand.nr_stacks,
			(stored || fire->full) &&
			fire->context != FLAMEMOD_CONTEXT_USER);
	if (!stored) {
		KUNIT_EXPECT_TRUE(test, fire->full || !c->halves[0].nr_entries);
		return;
	}
	entry = fm_table_next(&c->halves[0], &position);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_NULL(test, fm_table_next(&c->halves[0], &position));
	KUNIT_EXPECT_EQ(test, entry->count, 1);
	KUNIT_EXPECT_EQ(test, entry->periods, fire->periods);
	KUNIT_EXPECT_EQ(test, entry->late_ns, fire->late_ns);
	KUNIT_EXPECT_EQ(test, entry->sample.context, fire->context);
	KUNIT_EXPECT_EQ(test, entry->sample.pid, current->tgid);
	KUNIT_EXPECT_EQ(test, entry->sample.tid, current->pid);
	if (fire->context == FLAMEMOD_CONTEXT_USER) {
		KUNIT_EXPECT_EQ(test, entry->sample.nr_frames, 0);
		KUNIT_EXPECT_EQ(test, entry->sample.marks, 0);
		return;
	}
	KUNIT_EXPECT_EQ(test, fm_hand.max_depth, 100);
	KUNIT_EXPECT_EQ(test, entry->sample.marks, fire->marks);
	KUNIT_EXPECT_EQ(test, entry->sample.nr_frames, 3);
	KUNIT_EXPECT_EQ(test, entry->sample.frames[2], 0x1002);
}

static void comm_is_whole_and_padded(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry;
	u32 position = 0;

	/* This thread's name is as long as can be. */
	memset(&c->sample, 0xff, sizeof(c->sample));
	fm_sampler_arm(c);
	fm_hand_fire(c, 0);
	fm_hand.idle = true;
	fm_hand_fire(c, 0);
	entry = fm_table_next(&c->halves[0], &position);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_STREQ(test, entry->sample.comm, current->comm);
	/* Idle is one task, whatever its CPU. */
	entry = fm_table_next(&c->halves[0], &position);
	KUNIT_ASSERT_NOT_NULL(test, entry);
	KUNIT_EXPECT_EQ(test, memcmp(entry->sample.comm,
				     "swapper\0\0\0\0\0\0\0\0\0", TASK_COMM_LEN), 0);
}

static void a_fire_that_is_not_due_is_none(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_books none = {};
	u64 due_ns;

	fm_sampler_arm(c);
	due_ns = ktime_to_ns(hrtimer_get_expires(&c->timer));
	fm_hand.now_ns = due_ns - 1;
	KUNIT_EXPECT_EQ(test, fm_hand_fire_now(c), HRTIMER_RESTART);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)), due_ns);
}

static void a_fire_while_not_armed_is_none(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_books none = {};

	fm_sampler_arm(c);
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, fm_hand_fire(c, 0), HRTIMER_NORESTART);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, c->halves[0].nr_entries, 0);
}

static void asks_once_for_a_drain(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i;

	fm_sampler_arm(c);
	/* 3 frames are 80 bytes; half of the arena is 1920. */
	for (i = 0; i < 40; i++) {
		fm_hand.leaf = 0x1000 + 16 * i;
		fm_hand_fire(c, 0);
		KUNIT_EXPECT_EQ_MSG(test, fm_hand.nr_asked, i >= 24,
				    "after fire %u", i);
	}
	/* Having been answered, again. */
	fm_sampler_swap(c);
	fm_table_clear(&c->halves[0]);
	for (i = 0; i < 24; i++) {
		fm_hand.leaf = 0x1000 + 16 * i;
		fm_hand_fire(c, 0);
	}
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 1);
	fm_hand.leaf = 0x1000 + 16 * i;
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 2);
	KUNIT_EXPECT_EQ(test, c->books.stored, 65);
}

static void pays_for_its_time(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 fires;

	/* 400 us of each ms are more than the fifth that is given. */
	fm_hand.stack_ns = 400000;
	fm_sampler_arm(c);
	for (fires = 0; fires < 1000; fires++)
		fm_hand_fire(c, 0);
	KUNIT_EXPECT_GE(test, c->books.stored, 500);
	KUNIT_EXPECT_LE(test, c->books.stored, 515);
	KUNIT_EXPECT_EQ(test, c->books.stored +
			c->books.lost[FLAMEMOD_LOST_OVERLOAD], 1000);
}

static void swap_changes_halves(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_arm(c);
	fm_hand_fire(c, 0);
	fm_sampler_swap(c);
	KUNIT_EXPECT_EQ(test, c->swapped_ns, fm_hand.now_ns);
	KUNIT_EXPECT_EQ(test, c->swapped.stored, 1);
	fm_hand_fire(c, FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->swapped.stored, 1);
	KUNIT_EXPECT_EQ(test, c->books.stored, 3);
	KUNIT_EXPECT_EQ(test, c->halves[0].nr_entries, 1);
	KUNIT_EXPECT_EQ(test, c->halves[1].nr_entries, 1);
}

/* Armed at its first, disarmed at its second instant; what becomes of it? */
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

static void fm_disarm_name(const struct fm_disarm_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_disarm, fm_disarm_cases, fm_disarm_name);

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
	KUNIT_EXPECT_EQ(test, fm_sampler_expected(c, c->sampled_ns),
			c->books.fires + c->books.missed);
	/* What is disarmed stays so, and its clock stands still. */
	fm_hand.now_ns += 100 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, c->sampled_ns,
			fm_sampler_sampled_ns(c, fm_hand.now_ns));
	KUNIT_EXPECT_EQ(test, fm_sampler_expected(c, c->sampled_ns),
			c->books.fires + c->books.missed);
}

/* Over any starts, stops and delays fires + missed is what the clock tells. */
static const struct fm_clock_case {
	u32 cpu;
	u32 period_ns;
	u32 seed;
} fm_clock_cases[] = {
	{ 0, 1003009, 1 }, { 1, 1003009, 2 }, { 3, 50000, 3 },
	{ 7, 1000000000, 4 }, { 255, 333333, 5 },
};

static void fm_clock_name(const struct fm_clock_case *c, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "CPU %u, %u ns", c->cpu, c->period_ns);
}

KUNIT_ARRAY_PARAM(fm_clock, fm_clock_cases, fm_clock_name);

static u32 fm_next_random(u64 *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

static void fires_and_missed_are_what_is_expected(struct kunit *test)
{
	const struct fm_clock_case *p = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 state = p->seed, sampled_ns;
	u32 i, what;

	c->cpu = p->cpu;
	fm_sampler_set_period(c, p->period_ns);
	KUNIT_EXPECT_LT(test, c->phase_ns, p->period_ns);
	for (i = 0; i < 5000; i++) {
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
		} else {
			fm_hand_fire(c, fm_next_random(&state) % 1000);
		}
		sampled_ns = fm_sampler_sampled_ns(c, fm_hand.now_ns);
		KUNIT_ASSERT_TRUE_MSG(test, fm_books_balance(&c->books), "step %u", i);
		KUNIT_ASSERT_EQ_MSG(test, c->books.fires + c->books.missed,
				    fm_sampler_expected(c, sampled_ns),
				    "step %u, of kind %u", i, what);
	}
	KUNIT_EXPECT_GT(test, c->books.missed, 0);
	KUNIT_EXPECT_GT(test, c->books.lost[FLAMEMOD_LOST_STOPPED], 0);
}

static void phases_are_spread(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 phases[64], gap, least = FM_PERIOD_NS;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(phases); i++) {
		c->cpu = i;
		c->sampled_ns = 1;
		c->base_expected = 1;
		c->base_sampled_ns = 1;
		fm_sampler_set_period(c, FM_PERIOD_NS);
		KUNIT_EXPECT_EQ(test, c->period_ns, FM_PERIOD_NS);
		KUNIT_EXPECT_EQ(test, c->sampled_ns + c->base_expected +
				c->base_sampled_ns, 0);
		phases[i] = c->phase_ns;
		KUNIT_EXPECT_LT(test, phases[i], FM_PERIOD_NS);
		for (j = 0; j < i; j++) {
			gap = phases[i] > phases[j] ? phases[i] - phases[j] :
						      phases[j] - phases[i];
			least = min(least, min(gap, FM_PERIOD_NS - gap));
		}
	}
	/* Even spacing would be a 64th; multiples of the golden ratio come near. */
	KUNIT_EXPECT_GT(test, least, FM_PERIOD_NS / 64 / 3);
}

static void quiet_is_without_a_fire_due(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_sampler_arm(c);
	fm_sampler_swap(c);
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c));
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&c->timer)) - 1;
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c));
	fm_hand.now_ns++;
	KUNIT_EXPECT_FALSE(test, fm_sampler_quiet(c));
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_FALSE(test, fm_sampler_quiet(c));
	fm_sampler_swap(c);
	KUNIT_EXPECT_TRUE(test, fm_sampler_quiet(c));
}

static struct kunit_case fm_sampler_cases[] = {
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(init_of_a_cpu_that_has_tables),
	KUNIT_CASE_PARAM(a_fire_goes_to_one_column, fm_fire_gen_params),
	KUNIT_CASE(comm_is_whole_and_padded),
	KUNIT_CASE(a_fire_that_is_not_due_is_none),
	KUNIT_CASE(a_fire_while_not_armed_is_none),
	KUNIT_CASE(asks_once_for_a_drain),
	KUNIT_CASE(pays_for_its_time),
	KUNIT_CASE(swap_changes_halves),
	KUNIT_CASE_PARAM(disarm_forgets_no_period, fm_disarm_gen_params),
	KUNIT_CASE_PARAM(fires_and_missed_are_what_is_expected,
			 fm_clock_gen_params),
	KUNIT_CASE(phases_are_spread),
	KUNIT_CASE(quiet_is_without_a_fire_due),
	{}
};

struct kunit_suite fm_sampler_suite = {
	.name = "flamemod_sampler",
	.init = fm_sampler_begin,
	.exit = fm_sampler_end,
	.test_cases = fm_sampler_cases,
};
