// SPDX-License-Identifier: GPL-2.0
/*
 * Late fires: which of their periods are stolen, and which are stalled.
 *
 * Each test case is a script of letters. A letter is a fire:
 *   .  in time            l  late by ten periods
 *   i  late by ten, after interrupts were off
 *   u  late by ten, in user mode
 *   d  late by ten, in idle time
 *   f  late by ten, and filtered
 * or something between two fires:
 *   t  a tick of the kernel, which accounts stolen and busy time
 *   s  ten periods are stolen      h  half a period is stolen
 *   w  a swap                      n  a nap ended
 *   e  an idle time of two periods ends: as from v7.2 on, it is accounted, and so is as
 *      much of what was stolen
 */
#include <kunit/test.h>

#include "by_hand.h"
#include "suites.h"

#define FM_PERIOD_NS	1000000

static struct fm_cpu *fm_cpu_of(struct kunit *test)
{
	return test->priv;
}

static int fm_late_begin(struct kunit *test)
{
	test->priv = fm_hand_cpu(test, FM_PERIOD_NS);
	return test->priv ? 0 : -ENOMEM;
}

static void fm_late_end(struct kunit *test)
{
	fm_hand_cpu_end(test, fm_cpu_of(test));
}

static u64 fm_stolen_ns;	/* stolen by the hypervisor, not accounted yet */

static void fm_late_fire(struct fm_cpu *c, char what)
{
	fm_hand.context = what == 'u' ? FLAMEMOD_CONTEXT_USER :
			  what == 'd' ? FLAMEMOD_CONTEXT_IDLE : FLAMEMOD_CONTEXT_TASK;
	fm_hand.irqs_off = what == 'i';
	c->filter.nr_pids = what == 'f';
	c->filter.pids[0] = PID_MAX_LIMIT;
	fm_filter_begin(&c->filter);
	fm_hand_fire(c, what == '.' ? 0 : 10 * FM_PERIOD_NS);
}

static void fm_late_play(struct fm_cpu *c, const char *script)
{
	u64 *cpustat = fm_hand.account.cpustat;

	for (; *script; script++) {
		switch (*script) {
		case 't':
			cpustat[CPUTIME_STEAL] += fm_stolen_ns;
			cpustat[CPUTIME_SYSTEM] += fm_stolen_ns ? 0 : TICK_NSEC;
			fm_stolen_ns = 0;
			break;
		case 's':
			fm_stolen_ns += 10 * FM_PERIOD_NS;
			break;
		case 'h':
			fm_stolen_ns += FM_PERIOD_NS / 2;
			break;
		case 'w':
			fm_sampler_swap(c);
			break;
		case 'e':
			cpustat[CPUTIME_IDLE] += 2 * FM_PERIOD_NS;
			cpustat[CPUTIME_STEAL] += min_t(u64, fm_stolen_ns, 2 * FM_PERIOD_NS);
			fm_stolen_ns -= min_t(u64, fm_stolen_ns, 2 * FM_PERIOD_NS);
			break;
		case 'n':
			c->nap_ns = fm_hand.now_ns;
			break;
		default:
			fm_late_fire(c, *script);
		}
	}
}

/* Each entry has periods, and a stolen one has no stack. */
static void fm_late_expect_sense(struct kunit *test, const struct fm_cpu *c)
{
	const struct fm_table *table = &c->tables[0];
	u32 i;

	for (i = 0; i < table->nr; i++) {
		const struct fm_entry *entry = &table->entries[i];

		KUNIT_EXPECT_GT(test, entry->halves[0].periods + entry->halves[1].periods,
				0);
		if (!(entry->key.marks & FM_STACK_STOLEN))
			continue;
		KUNIT_EXPECT_EQ(test, entry->key.leaf, 0);
		KUNIT_EXPECT_EQ(test, entry->key.path, FM_PATH_NONE);
		KUNIT_EXPECT_EQ(test, entry->key.user, 0);
		KUNIT_EXPECT_EQ(test, entry->key.side, 0);
	}
}

/* The periods that have exactly these marks. */
static u64 fm_late_with(const struct fm_cpu *c, u8 marks)
{
	const struct fm_table *table = &c->tables[0];
	u64 periods = 0;
	u32 i;

	for (i = 0; i < table->nr; i++)
		if (table->entries[i].key.marks == marks)
			periods += table->entries[i].halves[0].periods +
				   table->entries[i].halves[1].periods;
	return periods;
}

static const struct fm_steal_case {
	const char *name;
	bool clock;
	const char *script;
	/* plain, of interrupts off, stolen, stalled, stalled with interrupts off */
	u64 plain, off, stolen, stalled, off_stalled, filtered;
} fm_steal_cases[] = {
	{ "nothing is late", true, "...t..", 5 },
	{ "no clock", false, "l.t.", 3, .stalled = 10 },
	{ "no clock, interrupts off", false, "i.t.", 2, 11 },
	{ "no clock, user", false, "u.t.", 3, .stalled = 10 },
	{ "no clock, idle", false, "d.t.", 13 },
	{ "all is stolen", true, "sl.t..", 4, .stolen = 10 },
	{ "nothing is stolen", true, "l.t.", 13 },
	{ "nothing is, interrupts off", true, "i.t.", 2, 11 },
	{ "stolen with interrupts off", true, "si.t.", 2, 1, .stolen = 10 },
	{ "stolen from user mode", true, "su.t.", 3, .stolen = 10 },
	{ "stolen from idle time", true, "sd.t.", 3, .stolen = 10 },
	{ "five and a half of ten", true, "hhhhhhhhhhhl.t.", 8, .stolen = 5 },
	{ "the tick comes first", true, "stl.", 2, .stolen = 10 },
	{ "the first period, too", true, "shhl.t...", 4, .stolen = 11 },
	{ "shorter than a period", true, ".hht..", 2, .stolen = 1 },
	{ "half a period is kept", true, ".ht.ht..", 3, .stolen = 1 },
	{ "two late fires before a tick", true, "slsl.t.", 4, .stolen = 20 },
	{ "one of two is stolen", true, "sll.t.", 14, .stolen = 10 },
	{ "two of different kinds", true, "il.t.", 13, 11 },
	{ "not before the tick", true, "sl...", 4 },
	{ "undecided at a swap", true, "slw..", 3, .stalled = 10 },
	{ "undecided, interrupts off", true, "siw.", 1, 1, .off_stalled = 10 },
	{ "undecided in idle time", true, "dw.", 12 },
	{ "accounted after a swap", true, "slwt...", 4, .stalled = 10 },
	{ "accounted later after a swap", true, "slw.t...", 5, .stalled = 10 },
	{ "two, accounted after a swap", true, "slslwt...", 5, .stalled = 20 },
	{ "owed at a swap", true, "hst.w..", .stolen = 3 },
	{ "more is, after a swap", true, "slwsl.t...", 6, .stolen = 10, .stalled = 10 },
	{ "not stolen, after a swap", true, "lw.t.sl.t.", 6, .stolen = 10,
	  .stalled = 10 },
	{ "what is owed, at a swap", true, "stlw.", 2, .stolen = 10 },
	{ "around a nap", true, "hhnt.", 1 },
	{ "filtered", true, "sf.t.", 2, .filtered = 11 },
	{ "filtered, the tick comes first", true, "stf.", 1, .filtered = 11 },
	{ "filtered, then late", true, "sfl.t.", 13, .filtered = 11 },
	/* There is room for eight. */
	{ "nine before a tick", true, "lllllllll.", 10, .stalled = 10 },
	{ "nine of which one is stolen", true, "slllllllll.t...", 93, .stalled = 10 },
};

FM_ARRAY_PARAM(steal);

static void late_periods_go_where_they_belong(struct kunit *test)
{
	const struct fm_steal_case *steal = test->param_value;
	struct fm_cpu *c = fm_cpu_of(test);
	u64 all;

	fm_stolen_ns = 0;
	/* What was stolen before does not matter. */
	fm_hand.account.cpustat[CPUTIME_STEAL] = steal->clock ? 5000ULL * FM_PERIOD_NS : 0;
	c->late.has_clock = steal->clock;
	fm_sampler_arm(c);
	fm_late_play(c, steal->script);
	all = steal->plain + steal->off + steal->stolen + steal->stalled +
	      steal->off_stalled;
	KUNIT_EXPECT_EQ(test, fm_late_with(c, 0), steal->plain);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_IRQS_OFF), steal->off);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STOLEN), steal->stolen);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), steal->stalled);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_IRQS_OFF | FM_STACK_STALLED),
			steal->off_stalled);
	KUNIT_EXPECT_EQ(test, c->books.stored, all);
	KUNIT_EXPECT_EQ(test, c->books.stolen, steal->stolen);
	KUNIT_EXPECT_EQ(test, c->books.filtered, steal->filtered);
	fm_late_expect_sense(test, c);
	/* After a stop everything is counted. */
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, c->late.nr_held, 0);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

/* Arm a CPU of a machine whose steal clock has counted before. */
static void fm_arm_with_clock(struct fm_cpu *c)
{
	fm_stolen_ns = 0;
	fm_hand.account.cpustat[CPUTIME_STEAL] = 5000ULL * FM_PERIOD_NS;
	c->late.has_clock = true;
	fm_sampler_arm(c);
}

/* The registers are not of user mode: each sample has a path that says so. */
static void what_is_stolen_has_no_user_stack(struct kunit *test)
{
	struct fm_objects *objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i, nr_user = 0;

	KUNIT_ASSERT_NOT_NULL(test, objects);
	KUNIT_ASSERT_EQ(test, fm_sampler_init_user(c, objects, FM_USER_KB_MIN * 1024), 0);
	c->user_stacks = true;
	fm_hand.has_memory = true;
	fm_arm_with_clock(c);
	/* At once, and once more after it was late. */
	fm_late_play(c, "su.t.stu.");
	for (i = 0; i < c->tables[0].nr; i++)
		nr_user += c->tables[0].entries[i].key.user != 0;
	KUNIT_EXPECT_GT(test, nr_user, 0);
	KUNIT_EXPECT_EQ(test, c->books.stolen, 20);
	fm_late_expect_sense(test, c);
	fm_sampler_disarm(c);
	fm_objects_destroy(objects);
}

/* The end of an idle time accounts a part of what was stolen; the next tick has the rest. */
static void the_end_of_idle_time_decides_nothing(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	fm_hand.idle_dyntick = true;
	fm_arm_with_clock(c);
	fm_late_play(c, "sle.");
	KUNIT_EXPECT_EQ(test, c->late.nr_held, 1);
	KUNIT_EXPECT_EQ(test, c->books.stolen, 0);
	fm_late_play(c, "tt.");
	KUNIT_EXPECT_EQ(test, c->late.nr_held, 0);
	KUNIT_EXPECT_EQ(test, c->books.stolen, 10);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, 0), 3);
	/* What was given up is dropped when the tick accounts it, not before. */
	fm_late_play(c, "slwe.");
	KUNIT_EXPECT_EQ(test, c->books.stolen, 10);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 10);
	/* Of the next 18 periods these are 8; another is this fire's. */
	fm_late_play(c, "st.");
	KUNIT_EXPECT_EQ(test, c->books.stolen, 11);
	KUNIT_EXPECT_EQ(test, c->late.owed_ns, 9 * FM_PERIOD_NS);
	fm_sampler_disarm(c);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

static void a_stop_leaves_nothing_undecided(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	c->late.has_clock = true;
	fm_sampler_arm(c);
	fm_late_play(c, "sl");
	KUNIT_EXPECT_EQ(test, c->books.stored, 1);
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 10);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

/* What was owed or given up before a start does not count after it. */
static void a_start_forgets_what_was_owed(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	c->late.has_clock = true;
	fm_sampler_arm(c);
	fm_late_play(c, "hst.");
	KUNIT_EXPECT_EQ(test, c->books.stolen, 1);
	fm_sampler_disarm(c);
	fm_sampler_arm(c);
	fm_late_play(c, "..");
	KUNIT_EXPECT_EQ(test, c->books.stolen, 1);
	fm_late_play(c, "slw");
	fm_sampler_disarm(c);
	fm_stolen_ns = 0;
	fm_sampler_arm(c);
	fm_late_play(c, "st...");
	KUNIT_EXPECT_EQ(test, c->books.stolen, 4);
}

/* A stop waits for a last fire. */
static void a_last_fire_is_decided(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	c->late.has_clock = true;
	fm_sampler_arm(c);
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&c->timer)) +
			 10 * FM_PERIOD_NS;
	fm_sampler_disarm(c);
	KUNIT_EXPECT_EQ(test, fm_hand_fire_now(c), HRTIMER_NORESTART);
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 10);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

static void a_nap_leaves_nothing_undecided(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	c->late.has_clock = true;
	fm_sampler_arm(c);
	fm_late_play(c, "sl");
	c->may_nap = true;
	c->is_idle = true;
	c->look_tick = U64_MAX;
	c->nap_tick = c->tick;
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(c));
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 10);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

static void there_may_be_no_room_for_what_is_late(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);
	struct fm_key key = { .tid = PID_MAX_LIMIT };
	struct fm_table *table = &c->tables[0];

	fm_sampler_arm(c);
	fm_late_play(c, ".");
	while (fm_table_add(table, &key, 1, 0, &table->last))
		key.tid++;
	fm_late_play(c, "l");
	KUNIT_EXPECT_EQ(test, c->books.stored, 2);
	KUNIT_EXPECT_EQ(test, c->books.lost[FLAMEMOD_LOST_TABLE_FULL], 10);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&c->books));
}

/* A steal clock is found once it runs, and used from the next swap on. */
static void a_clock_may_run_late(struct kunit *test)
{
	struct fm_cpu *c = fm_cpu_of(test);

	KUNIT_EXPECT_FALSE(test, fm_late_found_clock(0));
	fm_sampler_arm(c);
	fm_late_play(c, "sl.t.");
	KUNIT_EXPECT_TRUE(test, fm_late_found_clock(0));
	KUNIT_EXPECT_FALSE(test, fm_late_found_clock(1));
	c->late.has_clock = true;
	fm_late_play(c, "sl.t.");
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 20);
	KUNIT_EXPECT_EQ(test, c->books.stolen, 0);
	fm_late_play(c, "wsl.t.");
	KUNIT_EXPECT_EQ(test, fm_late_with(c, FM_STACK_STALLED), 20);
	KUNIT_EXPECT_EQ(test, c->books.stolen, 10);
}

/* Fires that are this late, and the stalls that are listed. */
static const struct fm_listed_case {
	const char *name;
	enum flamemod_context context;
	bool irqs_off, filtered, no_regs;
	u64 late_ns;
	u64 nr;
} fm_listed_cases[] = {
	{ "a second", .late_ns = FM_STALL_NS, .nr = 1 },
	{ "less", .late_ns = FM_STALL_NS - 1 },
	{ "interrupts off", .irqs_off = true, .late_ns = FM_STALL_NS },
	{ "idle", FLAMEMOD_CONTEXT_IDLE, .irqs_off = true, .late_ns = FM_STALL_NS,
	  .nr = 1 },
	{ "filtered", .filtered = true, .late_ns = FM_STALL_NS, .nr = 1 },
	{ "filtered, interrupts off", .irqs_off = true, .filtered = true,
	  .late_ns = FM_STALL_NS },
	{ "without registers", .no_regs = true, .late_ns = FM_STALL_NS, .nr = 1 },
};

FM_ARRAY_PARAM(listed);

static void long_stalls_are_listed(struct kunit *test)
{
	const struct fm_listed_case *listed = test->param_value;
	struct fm_stall stalls[FM_STALLS - 1];
	struct fm_cpu *c = fm_cpu_of(test);
	u64 due_ns;

	fm_hand.context = listed->context ?: FLAMEMOD_CONTEXT_TASK;
	fm_hand.irqs_off = listed->irqs_off;
	fm_hand.no_regs = listed->no_regs;
	c->filter.nr_pids = listed->filtered;
	c->filter.pids[0] = PID_MAX_LIMIT;
	fm_filter_begin(&c->filter);
	fm_sampler_arm(c);
	due_ns = ktime_to_ns(hrtimer_get_expires(&c->timer));
	fm_hand_fire(c, listed->late_ns);
	KUNIT_EXPECT_EQ(test, c->late.stalls.nr, listed->nr);
	KUNIT_ASSERT_EQ(test, fm_stalls_copy(&c->late.stalls, stalls), listed->nr);
	if (!listed->nr)
		return;
	KUNIT_EXPECT_EQ(test, stalls[0].from_ns, due_ns);
	KUNIT_EXPECT_EQ(test, stalls[0].ns, listed->late_ns);
}

static void the_latest_stalls_are_kept(struct kunit *test)
{
	struct fm_stall stalls[FM_STALLS - 1];
	struct fm_cpu *c = fm_cpu_of(test);
	u32 i, nr;

	fm_sampler_arm(c);
	for (i = 1; i <= 20; i++) {
		fm_hand_fire(c, FM_STALL_NS + i);
		nr = fm_stalls_copy(&c->late.stalls, stalls);
		KUNIT_ASSERT_EQ(test, nr, min_t(u32, i, FM_STALLS - 1));
		KUNIT_EXPECT_EQ(test, stalls[nr - 1].ns, FM_STALL_NS + i);
		KUNIT_EXPECT_EQ(test, stalls[0].ns, FM_STALL_NS + i + 1 - nr);
	}
	KUNIT_EXPECT_EQ(test, c->late.stalls.nr, 20);
}

static struct kunit_case fm_late_cases[] = {
	KUNIT_CASE_PARAM(late_periods_go_where_they_belong, fm_steal_gen_params),
	KUNIT_CASE(what_is_stolen_has_no_user_stack),
	KUNIT_CASE(the_end_of_idle_time_decides_nothing),
	KUNIT_CASE(a_stop_leaves_nothing_undecided),
	KUNIT_CASE(a_start_forgets_what_was_owed),
	KUNIT_CASE(a_last_fire_is_decided),
	KUNIT_CASE(a_nap_leaves_nothing_undecided),
	KUNIT_CASE(there_may_be_no_room_for_what_is_late),
	KUNIT_CASE(a_clock_may_run_late),
	KUNIT_CASE_PARAM(long_stalls_are_listed, fm_listed_gen_params),
	KUNIT_CASE(the_latest_stalls_are_kept),
	{}
};

struct kunit_suite fm_late_suite = {
	.name = "flamemod_late",
	.init = fm_late_begin,
	.exit = fm_late_end,
	.test_cases = fm_late_cases,
};
