// SPDX-License-Identifier: GPL-2.0
/*
 * Switches of tasks: what each of them counts, and what it does not.
 */
#include <linux/sched.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/session.h"
#include "../../module/switch.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"
#include "switched.h"

#define FM_OFF		FLAMEMOD_EVENT_OFF_CPU
#define FM_WAITING	FLAMEMOD_EVENT_WAITING
#define FM_RAN		FLAMEMOD_EVENT_RAN

static const struct fm_attach fm_all = {
	.events = FM_EVENTS_ALL, .states = FM_TASK_STATES_ALL,
};

static struct task_struct *fm_one, *fm_other, *fm_swapper;

static void fm_tasks(struct kunit *test, const struct fm_attach *request)
{
	fm_one = fm_switched_task(test, 101);
	fm_other = fm_switched_task(test, 102);
	fm_swapper = fm_switched_task(test, 0);
	fm_switched_attach(test, request);
}

static void fm_expect_balance(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < __FLAMEMOD_EVENT_MAX; i++)
		KUNIT_EXPECT_TRUE(test, fm_event_books_balance(fm_switched_books(i)));
}

static void fm_expect(struct kunit *test, enum flamemod_event event, u64 hits, u64 weight)
{
	struct fm_event_books *books = fm_switched_books(event);

	KUNIT_EXPECT_EQ(test, books->hits.stored, hits);
	KUNIT_EXPECT_EQ(test, books->weight.stored, weight);
	fm_expect_balance(test);
}

static void fm_pass(u64 ns)
{
	fm_hand.now_ns += ns;
}

/* Both began before, and the first switch tells which of them was on the CPU. */
static void what_was_not_seen_began_with_the_events(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(1000);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_expect(test, FM_RAN, 1, 1000);
	fm_expect(test, FM_OFF, 1, 1000);
	fm_pass(50);
	fm_switched(fm_other, false, TASK_UNINTERRUPTIBLE, fm_one);
	fm_expect(test, FM_RAN, 2, 1050);
	fm_expect(test, FM_OFF, 2, 1050);
	fm_expect(test, FM_WAITING, 0, 0);
}

static void a_new_task_is_as_old_as_it_is(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(1000);
	fm_one->start_time = fm_hand.now_ns - 300;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 300);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_RAN)->hits.seen, 0);
}

#ifdef CONFIG_SCHED_INFO
static void a_wait_is_apart_from_what_came_before(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(1000);
	fm_one->sched_info.run_delay = 77;
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(500);
	/* It waited for 30 on one run queue, and for 20 on this one. */
	fm_one->sched_info.run_delay += 30;
	fm_one->sched_info.last_queued = fm_hand.now_ns - 20;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 450);
	fm_expect(test, FM_WAITING, 1, 50);
}

/* A wait is a part of the interval, whatever the clocks say. */
static void a_wait_is_not_longer_than_the_interval(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(10);
	fm_one->sched_info.run_delay = 11;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 0, 0);
	fm_expect(test, FM_WAITING, 1, 10);
	/* A clock that is behind takes nothing away. */
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(10);
	fm_one->sched_info.last_queued = fm_hand.now_ns + 5;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 10);
}

/* A dump counts all of an interval up to now: see fm_events_cut_task(). */
static void fm_cut(struct kunit *test, const struct task_struct *task)
{
	struct fm_slot *slot = fm_slots_find(&fm_events->slots, task);

	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->since = fm_since(fm_hand.now_ns, FM_SINCE_COUNTED);
}

/*
 * A task was blocked for @blocked_ns, waits for a CPU, is cut meanwhile, and gets a CPU
 * 10 ns later.
 */
static void fm_cut_while_it_waits(struct kunit *test, bool preempted, u64 blocked_ns)
{
	u64 woken_ns;

	fm_switched(fm_one, preempted, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(blocked_ns);
	woken_ns = fm_hand.now_ns;
	fm_pass(50);
	fm_cut(test, fm_one);
	fm_pass(10);
	fm_one->sched_info.last_queued = woken_ns;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_one->sched_info.last_queued = 0;
}

/* The dump has its weight, and its number is counted when it ends. */
static void what_ends_after_a_cut_is_one_more(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_cut_while_it_waits(test, false, 100);
	fm_expect(test, FM_OFF, 1, 0);
	fm_expect(test, FM_WAITING, 1, 10);
	/* This one was woken at once. */
	fm_cut_while_it_waits(test, false, 0);
	fm_expect(test, FM_OFF, 1, 0);
	fm_expect(test, FM_WAITING, 2, 20);
	/* Of this one there is a rest, which counts as ever. */
	fm_cut_while_it_waits(test, true, 100);
	fm_expect(test, FM_OFF, 2, 10);
	fm_expect(test, FM_WAITING, 2, 20);
	/* Without a stack it is a number all the same. */
	fm_events->cpus[0]->throttle->credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	fm_cut_while_it_waits(test, false, 100);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_OFF)->hits.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 1);
	fm_expect(test, FM_OFF, 2, 10);
}

/* It was not switched yet, and has waited since it is known. */
static void a_task_that_only_waited_was_not_off(struct kunit *test)
{
	struct fm_slot *slot;
	bool unseen;

	fm_tasks(test, &fm_all);
	slot = fm_slots_claim(&fm_events->slots, fm_one, &unseen);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->state = FLAMEMOD_TASK_STATE_OTHER;
	fm_one->sched_info.last_queued = fm_hand.now_ns;
	fm_pass(50);
	fm_cut(test, fm_one);
	fm_pass(10);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_OFF)->hits.seen, 0);
	fm_expect(test, FM_WAITING, 1, 10);
}

static void what_is_not_attached_is_no_number(struct kunit *test)
{
	const struct fm_attach request = {
		.events = FM_EVENT(WAITING), .states = FM_TASK_STATES_ALL,
	};

	fm_tasks(test, &request);
	fm_cut_while_it_waits(test, false, 100);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_OFF)->hits.seen, 0);
	fm_expect(test, FM_WAITING, 1, 10);
}

/* It waits as long as it is off, and only the clock did not move since the cut. */
static void a_preempted_task_is_not_counted_for_nothing(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, true, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(50);
	fm_cut(test, fm_one);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_OFF)->hits.seen, 0);
}

static void a_preempted_task_is_that_all_the_time(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, true, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(10);
	fm_one->sched_info.run_delay = 10;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 10);
	fm_expect(test, FM_WAITING, 0, 0);
}

static void without_waiting_it_is_a_part_of_off_cpu(struct kunit *test)
{
	const struct fm_attach request = {
		.events = FM_EVENT(OFF_CPU), .states = FM_TASK_STATES_ALL,
	};

	fm_tasks(test, &request);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(10);
	fm_one->sched_info.run_delay = 4;
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 10);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_RAN)->hits.seen, 0);
}
#endif

static void what_is_shorter_is_below(struct kunit *test)
{
	struct fm_attach request = fm_all;
	struct fm_event_books *books;

	request.min_ns = 100;
	fm_tasks(test, &request);
	books = fm_switched_books(FM_OFF);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_pass(99);
	fm_switched(fm_other, false, TASK_INTERRUPTIBLE, fm_one);
	KUNIT_EXPECT_EQ(test, books->hits.below, 1 + 1);	/* the other one was off for 0 */
	KUNIT_EXPECT_EQ(test, books->weight.below, 99);
	fm_pass(100);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_expect(test, FM_OFF, 1, 100);
}

static void other_states_are_filtered(struct kunit *test)
{
	struct fm_attach request = fm_all;
	struct fm_event_books *books;

	request.states = BIT(FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE);
	fm_tasks(test, &request);
	books = fm_switched_books(FM_OFF);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(10);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test, books->hits.filtered, 1);
	KUNIT_EXPECT_EQ(test, books->weight.filtered, 10);
	fm_switched(fm_one, false, TASK_UNINTERRUPTIBLE, fm_swapper);
	fm_pass(20);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 20);
}

static void only_those_asked_for_are_counted(struct kunit *test)
{
	struct fm_attach request = fm_all;

	request.nr_pids = 2;
	request.pids[0] = 7;
	request.pids[1] = 102;
	fm_tasks(test, &request);
	fm_pass(5);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_expect(test, FM_RAN, 0, 0);
	fm_expect(test, FM_OFF, 1, 5);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_events->slots, fm_one));
	/* Nobody is followed. */
	fm_events->request.followed = true;
	KUNIT_EXPECT_FALSE(test, fm_switch_wants(fm_events, fm_other));
}

/* exec by a thread exchanges the ids of two tasks. */
static void a_task_may_change_its_id(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_one->pid = 102;
	fm_pass(5);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 5);
}

static void a_task_that_ends_leaves_its_slot(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(5);
	fm_switched(fm_one, false, TASK_DEAD, fm_swapper);
	fm_expect(test, FM_RAN, 1, 5);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_events->slots, fm_one));
	/* A task that is preempted on its way there will run again. */
	fm_switched(fm_other, true, TASK_DEAD, fm_swapper);
	KUNIT_EXPECT_NOT_NULL(test, fm_slots_find(&fm_events->slots, fm_other));
}

/* A switch in the handler is not counted, and the next ones know it. */
static void a_nested_switch_is_counted_as_such(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_pass(5);
	fm_switched_nested(fm_other, false, TASK_INTERRUPTIBLE, fm_one);
	fm_expect(test, FM_OFF, 0, 0);
	fm_expect(test, FM_RAN, 1, 0);
	fm_pass(5);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_RAN)->hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_OFF)->hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	fm_expect_balance(test);
	/* After that all is known again. */
	fm_pass(5);
	fm_switched(fm_other, false, TASK_INTERRUPTIBLE, fm_one);
	fm_expect(test, FM_OFF, 1, 5);
	fm_expect(test, FM_RAN, 2, 5);
}

/* A task leaves its CPU though it did not get one: a switch was not seen. */
static void what_contradicts_itself_has_no_time(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(5);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(7);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_expect(test, FM_RAN, 1, 5);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_RAN)->hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
}

static void idle_tasks_are_not_counted(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_pass(5);
	fm_switched(fm_swapper, false, TASK_RUNNING, fm_one);
	fm_expect(test, FM_RAN, 0, 0);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FM_RAN)->hits.seen, 0);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_events->slots, fm_swapper));
	KUNIT_EXPECT_FALSE(test, fm_switch_wants(fm_events, fm_swapper));
}

/* A CPU that comes online has no tables yet. */
static void a_switch_without_tables_is_a_gap(struct kunit *test)
{
	fm_tasks(test, &fm_all);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(5);
	fm_switched_elsewhere(fm_swapper, false, 0, fm_one);
	fm_pass(5);
	fm_switched_elsewhere(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_pass(5);
	fm_switched(fm_other, false, TASK_INTERRUPTIBLE, fm_one);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_OFF)->hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_RAN)->hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	fm_expect(test, FM_OFF, 0, 0);
	fm_switched_elsewhere(fm_one, false, TASK_DEAD, fm_swapper);
	KUNIT_EXPECT_NULL(test, fm_slots_find(&fm_events->slots, fm_one));
}

static void without_a_slot_no_time_is_guessed(struct kunit *test)
{
	struct task_struct *tasks[5];
	struct fm_slot_set *set;
	unsigned int i;

	fm_tasks(test, &fm_all);
	/* The set of this task is full. */
	set = fm_slots_set(&fm_events->slots, fm_one);
	for (i = 0; i < FM_SLOT_WAYS; i++)
		set->ways[i].task = (void *)&tasks[i];
	fm_pass(5);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_RAN)->hits.lost[FLAMEMOD_EVENT_LOST_NO_SLOT], 1);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_OFF)->hits.lost[FLAMEMOD_EVENT_LOST_NO_SLOT], 1);
	/* There is room again, but since when it is on its CPU is not known. */
	fm_slot_free(&set->ways[2]);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	KUNIT_EXPECT_EQ(test,
			fm_switched_books(FM_RAN)->hits.lost[FLAMEMOD_EVENT_LOST_NO_SLOT], 2);
	fm_pass(7);
	fm_switched(fm_swapper, false, 0, fm_one);
	fm_expect(test, FM_OFF, 1, 7);
}

static void overload_takes_no_stacks(struct kunit *test)
{
	struct fm_event_books *books;

	fm_tasks(test, &fm_all);
	books = fm_switched_books(FM_OFF);
	fm_events->cpus[0]->throttle->credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(8);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test, books->hits.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 1);
	KUNIT_EXPECT_EQ(test, books->weight.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 8);
	fm_expect(test, FM_OFF, 0, 0);
}

static void a_full_table_is_counted(struct kunit *test)
{
	struct fm_event_books *books;
	struct fm_table *table;

	fm_tasks(test, &fm_all);
	books = fm_switched_books(FM_OFF);
	table = &fm_events->cpus[0]->tables[0];
	table->nr = table->max;
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_swapper);
	fm_pass(8);
	fm_switched(fm_swapper, false, 0, fm_one);
	KUNIT_EXPECT_EQ(test, books->hits.lost[FLAMEMOD_EVENT_LOST_TABLE_FULL], 1);
	KUNIT_EXPECT_EQ(test, books->weight.lost[FLAMEMOD_EVENT_LOST_TABLE_FULL], 8);
	fm_expect(test, FM_OFF, 0, 0);
	KUNIT_EXPECT_TRUE(test, fm_events->cpus[0]->drain_asked);
	table->nr = 0;
}

static const struct fm_state_case {
	const char *name;
	bool preempted;
	unsigned int bits;
	u8 state;
} fm_state_cases[] = {
	{ "R", false, TASK_RUNNING, FLAMEMOD_TASK_STATE_PREEMPTED },
	{ "R+", true, TASK_UNINTERRUPTIBLE, FLAMEMOD_TASK_STATE_PREEMPTED },
	{ "S", false, TASK_INTERRUPTIBLE, FLAMEMOD_TASK_STATE_SLEEPING },
	{ "D", false, TASK_UNINTERRUPTIBLE, FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE },
	{ "killable", false, TASK_KILLABLE, FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE },
	{ "I", false, TASK_IDLE, FLAMEMOD_TASK_STATE_IDLE },
	{ "T", false, __TASK_STOPPED, FLAMEMOD_TASK_STATE_STOPPED },
	{ "t", false, __TASK_TRACED, FLAMEMOD_TASK_STATE_TRACED },
	{ "P", false, TASK_PARKED, FLAMEMOD_TASK_STATE_PARKED },
	{ "new", false, TASK_NEW, FLAMEMOD_TASK_STATE_OTHER },
#ifdef TASK_RTLOCK_WAIT
	{ "lock of PREEMPT_RT", false, TASK_RTLOCK_WAIT, FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE },
#endif
};

FM_ARRAY_PARAM(state);

static void states_are_told_apart(struct kunit *test)
{
	const struct fm_state_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, fm_switch_state(c->preempted, c->bits), c->state);
}

static struct kunit_case fm_switch_tests[] = {
	KUNIT_CASE(what_was_not_seen_began_with_the_events),
	KUNIT_CASE(a_new_task_is_as_old_as_it_is),
#ifdef CONFIG_SCHED_INFO
	KUNIT_CASE(a_wait_is_apart_from_what_came_before),
	KUNIT_CASE(a_wait_is_not_longer_than_the_interval),
	KUNIT_CASE(what_ends_after_a_cut_is_one_more),
	KUNIT_CASE(a_task_that_only_waited_was_not_off),
	KUNIT_CASE(what_is_not_attached_is_no_number),
	KUNIT_CASE(a_preempted_task_is_not_counted_for_nothing),
	KUNIT_CASE(a_preempted_task_is_that_all_the_time),
	KUNIT_CASE(without_waiting_it_is_a_part_of_off_cpu),
#endif
	KUNIT_CASE(what_is_shorter_is_below),
	KUNIT_CASE(other_states_are_filtered),
	KUNIT_CASE(only_those_asked_for_are_counted),
	KUNIT_CASE(a_task_may_change_its_id),
	KUNIT_CASE(a_task_that_ends_leaves_its_slot),
	KUNIT_CASE(a_nested_switch_is_counted_as_such),
	KUNIT_CASE(what_contradicts_itself_has_no_time),
	KUNIT_CASE(idle_tasks_are_not_counted),
	KUNIT_CASE(a_switch_without_tables_is_a_gap),
	KUNIT_CASE(without_a_slot_no_time_is_guessed),
	KUNIT_CASE(overload_takes_no_stacks),
	KUNIT_CASE(a_full_table_is_counted),
	KUNIT_CASE_PARAM(states_are_told_apart, fm_state_gen_params),
	{}
};

struct kunit_suite fm_switch_suite = {
	.name = "flamemod_switch",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_switch_tests,
};
