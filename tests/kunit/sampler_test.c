// SPDX-License-Identifier: GPL-2.0
/*
 * One CPU's sampler: where each period goes.
 */
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "allocations.h"
#include "../../module/guard.h"
#include "../../module/irqs.h"
#include "by_hand.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static struct fm_cpu *fm_cpu_of(struct kunit *test)
{
	return test->priv;
}

static int fm_sampler_begin(struct kunit *test)
{
	test->priv = fm_hand_cpu(test, FM_PERIOD_NS);
	return test->priv ? 0 : -ENOMEM;
}

static void fm_sampler_end(struct kunit *test)
{
	fm_hand_cpu_end(test, fm_cpu_of(test));
}

static int fm_attempt_init(struct kunit *test, void *data)
{
	return fm_sampler_init(data, 1, 2 * FM_TABLE_BYTES_MIN, fm_hand_ask);
}

/* A failed init has freed what it allocated. */
static void fm_cleanup_init(struct kunit *test, void *data)
{
	struct fm_cpu *c = data;

	if (c->has_tables)
		fm_sampler_deinit(c);
}

static void fm_cleanup_init_all(struct kunit *test, void *data)
{
	fm_sampler_deinit(data);
}

static void init_fails_cleanly(struct kunit *test)
{
	struct fm_cpu *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	/* Two tables, of six each. */
	fm_allocations_fail_each(test, 12, -ENOMEM, fm_attempt_init,
				 fm_cleanup_init, c);
}

/* As for a CPU that comes online. */
static int fm_attempt_init_all(struct kunit *test, void *data)
{
	struct fm_cpu *c = data;

	return fm_learned_init(&c->learned, PAGE_SIZE, NUMA_NO_NODE) ?:
	       fm_attempt_init(test, c);
}

static void init_with_steps_fails_cleanly(struct kunit *test)
{
	struct fm_cpu *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, c);
	/* Steps from leaves and from callers; the tables. */
	fm_allocations_fail_each(test, 2 * FM_STACK_HAS_STEPS + 12, -ENOMEM, fm_attempt_init_all,
				 fm_cleanup_init_all, c);
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
	bool no_regs, spent, full, full_of_paths;
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
	{ .name = "table full of paths", .context = FLAMEMOD_CONTEXT_TASK,
	  .full_of_paths = true, .marks = FM_STACK_TRUNCATED,
	  .late_ns = FM_PERIOD_NS,
	  .to = FM_TO(lost[FLAMEMOD_LOST_TABLE_FULL]), .periods = 2 },
	{ .name = "user, table full of paths", .context = FLAMEMOD_CONTEXT_USER,
	  .full_of_paths = true, .to = FM_TO(stored), .periods = 1 },
};

FM_ARRAY_PARAM(fire);

/* Add entries, or paths, until no more fit. */
static void fm_fill_table(struct fm_table *table, const struct fm_fire_case *fire)
{
	struct fm_key key = { .tid = PID_MAX_LIMIT };
	unsigned long caller = FM_TEST_TEXT;

	while (fire->full && fm_table_add(table, &key, 0, 0, &table->last))
		key.tid++;
	while (fire->full_of_paths && fm_paths_add(table->paths, 0, caller))
		caller++;
}

static void a_fire_goes_to_one_column(struct kunit *test)
{
	const struct fm_fire_case *fire = test->param_value;
	struct fm_books expected = {
		.fires = 1, .missed = fire->periods - 1, .late = fire->periods - 1,
	};
	bool user = fire->context == FLAMEMOD_CONTEXT_USER;
	bool stored = fire->to == FM_TO(stored);
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_table *table = &c->tables[0];
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	const struct fm_entry *entry = table->entries;
	u64 due_ns;
	u32 nr;

	*(u64 *)((void *)&expected + fire->to) = fire->periods;
	expected.truncated = stored && fire->marks & FM_STACK_TRUNCATED;
	fm_hand.no_regs = fire->no_regs;
	fm_hand.context = fire->context;
	fm_hand.marks = fire->marks;
	c->filter = fire->filter;
	fm_filter_begin(&c->filter);
	/* Nothing is left of the sample before. */
	c->sample.key.leaf = 1;
	c->sample.key.path = 1;
	c->sample.key.marks = 0xff;
	c->sample.nr_frames = 5;
	fm_fill_table(table, fire);
	nr = table->nr;
	fm_sampler_arm(c);
	if (fire->spent)
		c->throttle.credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	due_ns = ktime_to_ns(hrtimer_get_expires(&c->timer));
	KUNIT_EXPECT_EQ(test, fm_hand_fire(c, fire->late_ns), HRTIMER_RESTART);
	KUNIT_EXPECT_EQ(test, memcmp(&c->books, &expected, sizeof(expected)), 0);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
	KUNIT_EXPECT_EQ(test, ktime_to_ns(hrtimer_get_expires(&c->timer)),
			due_ns + fire->periods * FM_PERIOD_NS);
	KUNIT_EXPECT_EQ(test, c->tables[1].nr, 0);
	/* No stack is taken for a filtered or throttled fire. */
	KUNIT_EXPECT_EQ(test, fm_hand.nr_stacks,
			(stored || fire->full || fire->full_of_paths) && !user);
	KUNIT_ASSERT_EQ(test, table->nr, nr + stored + (stored && fire->periods > 1));
	if (!stored)
		return;
	KUNIT_EXPECT_EQ(test, entry->halves[0].count, 1);
	KUNIT_EXPECT_EQ(test, entry->halves[0].periods, 1);
	KUNIT_EXPECT_EQ(test, entry->halves[0].late_ns, fire->late_ns);
	KUNIT_EXPECT_EQ(test, entry->key.context, fire->context);
	KUNIT_EXPECT_EQ(test, entry->key.user, 0);
	KUNIT_EXPECT_EQ(test, entry->key.side, 0);
	KUNIT_EXPECT_EQ(test, entry->key.state, 0);
	KUNIT_EXPECT_EQ(test, fm_groups_id(&table->groups, entry->key.group), 1);
	KUNIT_EXPECT_EQ(test, entry->key.pid, current->tgid);
	KUNIT_EXPECT_EQ(test, entry->key.tid, current->pid);
	KUNIT_EXPECT_EQ(test, entry->key.marks, user ? 0 : fire->marks);
	KUNIT_EXPECT_EQ(test, entry->key.leaf, user ? 0 : FM_TEST_TEXT + 0x1000);
	nr = fm_paths_callers(table->paths, entry->key.path, callers);
	KUNIT_ASSERT_EQ(test, nr, user ? 0 : 2);
	if (user)
		return;
	KUNIT_EXPECT_EQ(test, fm_hand.max_depth, 100);
	KUNIT_EXPECT_EQ(test, callers[0], FM_TEST_TEXT + 0x1001);
	KUNIT_EXPECT_EQ(test, callers[1], FM_TEST_TEXT + 0x1002);
}

/* Only periods that are late because interrupts were off get the mark. */
static const struct fm_late_case {
	const char *name;
	enum flamemod_context context;
	bool irqs_off;
	u64 late_ns;
	u8 marks;
	bool injected;
	bool stalled;			/* the periods past the first are */
} fm_late_cases[] = {
	{ "in time", FLAMEMOD_CONTEXT_TASK, true, FM_IRQS_LATE_NS - 1, 0 },
	{ "late", FLAMEMOD_CONTEXT_TASK, true, FM_IRQS_LATE_NS, FM_STACK_IRQS_OFF },
	{ "late by periods", FLAMEMOD_CONTEXT_TASK, true, 9 * FM_PERIOD_NS,
	  FM_STACK_IRQS_OFF },
	{ "late, interrupts on", FLAMEMOD_CONTEXT_TASK, false, 9 * FM_PERIOD_NS, 0,
	  .stalled = true },
	{ "softirq, interrupts on", FLAMEMOD_CONTEXT_SOFTIRQ, false,
	  9 * FM_PERIOD_NS, 0, .stalled = true },
	{ "late by a period at last", FLAMEMOD_CONTEXT_TASK, false, FM_PERIOD_NS, 0,
	  .stalled = true },
	{ "late by less, interrupts on", FLAMEMOD_CONTEXT_TASK, false,
	  FM_PERIOD_NS - 1, 0 },
	{ "softirq", FLAMEMOD_CONTEXT_SOFTIRQ, true, FM_PERIOD_NS, FM_STACK_IRQS_OFF },
	{ "hardirq", FLAMEMOD_CONTEXT_HARDIRQ, true, FM_PERIOD_NS, FM_STACK_IRQS_OFF },
	{ "idle", FLAMEMOD_CONTEXT_IDLE, true, FM_PERIOD_NS, 0 },
	{ "idle, interrupts on", FLAMEMOD_CONTEXT_IDLE, false, FM_PERIOD_NS, 0 },
	/* Leaving an idle state never takes that long. */
	{ "idle, by a second", FLAMEMOD_CONTEXT_IDLE, true, FM_STALL_NS, 0,
	  .stalled = true },
	{ "idle, by a second less", FLAMEMOD_CONTEXT_IDLE, true, FM_STALL_NS - 1, 0 },
	{ "user", FLAMEMOD_CONTEXT_USER, true, FM_PERIOD_NS, 0, .stalled = true },
	/* Idle loops sleep with interrupts off, whichever task runs them. */
	{ "injected idle", FLAMEMOD_CONTEXT_TASK, true, FM_PERIOD_NS,
	  FM_STACK_INJECTED, true },
	{ "injected idle, in time", FLAMEMOD_CONTEXT_TASK, true, 0,
	  FM_STACK_INJECTED, true },
	{ "injected idle, by a second", FLAMEMOD_CONTEXT_TASK, true, FM_STALL_NS,
	  FM_STACK_INJECTED, true, .stalled = true },
	{ "a softirq on injected idle", FLAMEMOD_CONTEXT_SOFTIRQ, true,
	  FM_PERIOD_NS, FM_STACK_IRQS_OFF, true },
};

FM_ARRAY_PARAM(late);

static void what_irqs_off_delayed_is_marked(struct kunit *test)
{
	const struct fm_late_case *late = test->param_value;
	u64 excess = late->late_ns / FM_PERIOD_NS;
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry = c->tables[0].entries;

	fm_hand.context = late->context;
	fm_hand.irqs_off = late->irqs_off;
	fm_hand.injected = late->injected;
	fm_sampler_arm(c);
	fm_hand_fire(c, late->late_ns);
	KUNIT_EXPECT_EQ(test, c->books.stored, 1 + excess);
	KUNIT_EXPECT_EQ(test, c->books.late, excess);
	KUNIT_ASSERT_EQ(test, c->tables[0].nr, 1 + !!late->stalled);
	KUNIT_EXPECT_EQ(test, entry[0].key.marks, late->marks);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].count, 1);
	KUNIT_EXPECT_EQ(test, entry[0].halves[0].periods,
			1 + (late->stalled ? 0 : excess));
	if (!late->stalled)
		return;
	KUNIT_EXPECT_EQ(test, entry[1].key.marks, late->marks | FM_STACK_STALLED);
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].count, 0);
	KUNIT_EXPECT_EQ(test, entry[1].halves[0].periods, excess);
}

/* A stack gives the same entry, found as frames or as a path. */
static void a_quick_stack_is_the_slow_one(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i;

	fm_sampler_arm(c);
	for (i = 0; i < 6; i++) {
		fm_hand.quick = i % 2;
		fm_hand.leaf = 0x1000 * (1 + i / 2);
		fm_hand_fire(c, 0);
	}
	KUNIT_ASSERT_EQ(test, c->tables[0].nr, 3);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, c->tables[0].entries[i].halves[0].count, 2);
	KUNIT_EXPECT_EQ(test, c->tables[0].paths->nr,
			FM_PATH_NOWHERE + 1 + 3 * 2);
}

/* Idle time is in none. */
static void a_sample_is_in_the_cgroup_of_its_task(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_table *table = &c->tables[0];
	static const u64 ids[] = { 1, 1ull << 32 | 77, 78 };
	u32 i;

	fm_sampler_arm(c);
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		fm_hand.cgroup = ids[i];
		fm_hand_fire(c, 0);
		KUNIT_ASSERT_EQ(test, table->nr, i + 1);
		KUNIT_EXPECT_EQ(test, fm_groups_id(&table->groups, table->entries[i].key.group),
				ids[i]);
	}
	/* The same again is no new entry. */
	fm_hand.cgroup = ids[0];
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_EQ(test, table->nr, i);
	fm_hand.idle = true;
	fm_hand.context = FLAMEMOD_CONTEXT_IDLE;
	fm_hand_fire(c, 0);
	KUNIT_ASSERT_EQ(test, table->nr, i + 1);
	KUNIT_EXPECT_EQ(test, table->entries[i].key.group, FM_GROUP_NONE);
	KUNIT_EXPECT_EQ(test, table->groups.nr, ARRAY_SIZE(ids));
}

static void comm_is_whole_and_padded(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	const struct fm_entry *entry = c->tables[0].entries;

	/* This thread's name is as long as can be. */
	memset(c->sample.key.comm, 0xff, TASK_COMM_LEN);
	fm_sampler_arm(c);
	fm_hand_fire(c, 0);
	fm_hand.idle = true;
	fm_hand_fire(c, 0);
	KUNIT_ASSERT_EQ(test, c->tables[0].nr, 2);
	KUNIT_EXPECT_STREQ(test, entry[0].key.comm, current->comm);
	/* Idle is one task, whatever its CPU. */
	KUNIT_EXPECT_EQ(test, memcmp(entry[1].key.comm,
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
	/* Restarted as it is, it would fire again at once. */
	hrtimer_set_expires(&c->timer, ns_to_ktime(due_ns - 2));
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
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, 0);
}

static void pays_for_its_time(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	u64 fires;

	/* 400 us of each ms are more than the allowed fifth. */
	fm_hand.stack_ns = 400000;
	fm_sampler_arm(c);
	for (fires = 0; fires < 1000; fires++)
		fm_hand_fire(c, 0);
	KUNIT_EXPECT_GE(test, c->books.stored, 500);
	KUNIT_EXPECT_LE(test, c->books.stored, 515);
	KUNIT_EXPECT_EQ(test, c->books.stored +
			c->books.lost[FLAMEMOD_LOST_OVERLOAD], 1000);
}

/*
 * Fires of 10 us, a letter each: s is slow, q quick, u in user mode, f filtered.
 * Then the credit that is used after each, in tens of us. When something is paid
 * for, the credit of the periods since is added first.
 */
static const struct fm_pay_case {
	const char *fires;
	const char *owed;	/* a digit each; * is 16 */
} fm_pay_cases[] = {
	{ "sssssssssssssssssss", "1111111111111111111" },
	{ "qqqqqqqqqqqqqqqqqqq", "000000000000000****" },
	{ "qqqqqqqqqqqqqqqsqsq", "0000000000000001*11" },
	{ "sqsqqqqqqqqqqqqqqqqqq", "11111111111111111****" },
	/* A fire without a stack is quick, whatever came before. */
	{ "suuuuuuuuuuuuuuuqqqq", "1111111111111111****" },
	{ "sfffffffffffffffqqqq", "1111111111111111****" },
	/* If such a fire is timed, it took no time. */
	{ "qqqqqqqqqqqqqqquqqqq", "00000000000000000000" },
	{ "qqqqqqqqqqqqqqqsuqq", "0000000000000001000" },
	{ "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq", "000000000000000******************" },
};

static void fm_pay_name(const struct fm_pay_case *c, char *name)
{
	strscpy(name, c->fires, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_pay, fm_pay_cases, fm_pay_name);

static void quick_samples_pay_16_at_a_time(struct kunit *test)
{
	const struct fm_pay_case *pay = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i, tens;

	KUNIT_ASSERT_EQ(test, strlen(pay->fires), strlen(pay->owed));
	fm_hand.stack_ns = 10000;
	c->filter.exclude_idle = true;
	fm_filter_begin(&c->filter);
	fm_sampler_arm(c);
	for (i = 0; pay->fires[i]; i++) {
		fm_hand.quick = pay->fires[i] == 'q';
		fm_hand.context = pay->fires[i] == 'u' ? FLAMEMOD_CONTEXT_USER :
				  pay->fires[i] == 'f' ? FLAMEMOD_CONTEXT_IDLE :
							 FLAMEMOD_CONTEXT_TASK;
		fm_hand_fire(c, 0);
		tens = pay->owed[i] == '*' ? 16 : pay->owed[i] - '0';
		KUNIT_EXPECT_EQ_MSG(test, c->throttle.credit_ns,
				    FM_THROTTLE_CREDIT_NS_MAX - 10000 * tens,
				    "after fire %u", i);
	}
}

/* What the callback calls is no hit of a source: see guard.h. */
static void the_callback_sets_the_guard(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_hand.guarded = false;
	fm_sampler_arm(c);
	fm_hand_fire(c, 0);
	KUNIT_EXPECT_TRUE(test, fm_hand.guarded);
	preempt_disable();
	KUNIT_EXPECT_FALSE(test, raw_cpu_read(fm_guard));
	preempt_enable();
}

static struct kunit_case fm_sampler_cases[] = {
	KUNIT_CASE(the_callback_sets_the_guard),
	KUNIT_CASE(init_fails_cleanly),
	KUNIT_CASE(init_with_steps_fails_cleanly),
	KUNIT_CASE(init_of_a_cpu_that_has_tables),
	KUNIT_CASE_PARAM(a_fire_goes_to_one_column, fm_fire_gen_params),
	KUNIT_CASE_PARAM(what_irqs_off_delayed_is_marked, fm_late_gen_params),
	KUNIT_CASE(a_quick_stack_is_the_slow_one),
	KUNIT_CASE(a_sample_is_in_the_cgroup_of_its_task),
	KUNIT_CASE(comm_is_whole_and_padded),
	KUNIT_CASE(a_fire_that_is_not_due_is_none),
	KUNIT_CASE(a_fire_while_not_armed_is_none),
	KUNIT_CASE(pays_for_its_time),
	KUNIT_CASE_PARAM(quick_samples_pay_16_at_a_time, fm_pay_gen_params),
	{}
};

struct kunit_suite fm_sampler_suite = {
	.name = "flamemod_sampler",
	.init = fm_sampler_begin,
	.exit = fm_sampler_end,
	.test_cases = fm_sampler_cases,
};
