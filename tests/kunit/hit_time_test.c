// SPDX-License-Identifier: GPL-2.0
/*
 * What hits of a source take: when they read the clock, what they pay, and when the source
 * is suspended.
 */
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/session.h"
#include "by_hand.h"
#include "held.h"
#include "hits.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

static void each_source_has_its_heat(struct kunit *test)
{
	struct fm_heat *heat;
	u32 i;

	fm_hits_begin(test);
	heat = fm_events->cpus[0]->heat;
	for (i = 0; i < FM_HEAT_HITS - 1; i++)
		fm_hit_with(fm_one, 1, false, fm_store);
	fm_hit_with(fm_other, 1, false, fm_store);
	KUNIT_EXPECT_EQ(test, heat[fm_one->number].hits, FM_HEAT_HITS - 1);
	KUNIT_EXPECT_EQ(test, heat[fm_other->number].hits, 1);
	/* The one that is looked at begins anew. */
	fm_hit_with(fm_one, 1, false, fm_store);
	KUNIT_EXPECT_EQ(test, heat[fm_one->number].hits, 0);
	KUNIT_EXPECT_EQ(test, heat[fm_other->number].hits, 1);
}

static void overload_takes_no_stack_of_a_hit(struct kunit *test)
{
	fm_hits_begin(test);
	fm_events->cpus[0]->throttle->credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	fm_hit_with(fm_one, 5, false, fm_store);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_OVERLOAD, 5);
}

/* Of a counter the weight is known: it is not given to whoever runs next. */
static void what_is_suspended_may_have_a_weight(struct kunit *test)
{
	struct fm_event_cpu **c, *tables;
	struct fm_turn turn;
	bool begun;

	fm_hits_begin(test);
	fm_one->hot = true;
	preempt_disable();
	c = &fm_events->cpus[smp_processor_id()];
	tables = *c;
	*c = fm_events->cpus[0];
	turn = fm_hit_begin_for(fm_one, current, false, 9);
	begun = turn.c;
	*c = tables;
	preempt_enable();
	fm_one->hot = false;
	KUNIT_EXPECT_FALSE(test, begun);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_SUSPENDED, 9);
	/* The guard is as it was. */
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_one, 5, false, fm_store));
}

/* A source whose hits take all of a CPU is only counted, and the worker detaches it. */
static void a_hot_source_is_suspended(struct kunit *test)
{
	struct fm_event_books books;
	unsigned int i;

	fm_hits_begin(test);
	for (i = 0; i < 100000 && !fm_one->hot; i++) {
		fm_hit_with(fm_one, 1, false, fm_store);
		fm_hand.now_ns += FM_HEAT_ENTRY_NS;
	}
	KUNIT_EXPECT_TRUE(test, fm_one->hot);
	KUNIT_EXPECT_FALSE(test, fm_other->hot);
	KUNIT_EXPECT_LT(test, fm_hand.now_ns - FM_SWITCHED_BEGIN, 100ULL * NSEC_PER_MSEC);
	KUNIT_EXPECT_FALSE(test, fm_hit_with(fm_one, 1, false, fm_store));
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_SUSPENDED], 1);
	KUNIT_EXPECT_EQ(test, books.hits.seen, i + 1);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
	irq_work_sync(&fm_one->suspend_work);
	flush_work(&fm_events->suspend_work);
	/* The other goes on. */
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_other, 1, false, fm_store));
}

/* Attach to a task that does not exist, so that no hit here is asked for. */
static struct fm_heat *fm_begin_for_another(struct kunit *test)
{
	struct fm_attach request = fm_two;

	request.nr_pids = 1;
	request.pids[0] = 0x7ffffff0;
	fm_switched_attach(test, &request);
	fm_one = fm_events->sources[0];
	fm_other = fm_events->sources[1];
	return &fm_events->cpus[0]->heat[fm_one->number];
}

/* The kernel's trap takes as long for them. */
static void hits_of_other_tasks_suspend_a_source(struct kunit *test)
{
	struct fm_event_books books;
	unsigned int i;

	fm_begin_for_another(test);
	for (i = 0; i < 100000 && !fm_one->hot; i++) {
		KUNIT_ASSERT_FALSE(test, fm_hit_with(fm_one, 1, false, fm_store));
		fm_hand.now_ns += FM_HEAT_ENTRY_NS;
	}
	KUNIT_EXPECT_TRUE(test, fm_one->hot);
	KUNIT_EXPECT_FALSE(test, fm_other->hot);
	KUNIT_EXPECT_LT(test, fm_hand.now_ns - FM_SWITCHED_BEGIN, 100ULL * NSEC_PER_MSEC);
	/* They are in no books. */
	fm_hit_with(fm_one, 1, false, fm_store);
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 0);
	irq_work_sync(&fm_one->suspend_work);
	flush_work(&fm_events->suspend_work);
	/* The guard is as it was. */
	fm_events->request.pids[0] = current->tgid;
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_other, 1, false, fm_store));
}

/* The last stack on this CPU was slow. */
static void a_hit_of_another_task_takes_no_time_of_its_own(struct kunit *test)
{
	struct fm_heat *heat = fm_begin_for_another(test);
	unsigned int i;

	fm_events->cpus[0]->sample.slow = true;
	fm_events->cpus[0]->sample.slow_ns = fm_hand.now_ns - 5000;
	for (i = 0; i < FM_HEAT_HITS - 1; i++)
		fm_hit_with(fm_one, 1, false, fm_store);
	KUNIT_EXPECT_EQ(test, heat->hits, FM_HEAT_HITS - 1);
	fm_hit_with(fm_one, 1, false, fm_store);
	KUNIT_EXPECT_EQ(test, heat->hits, 0);
	KUNIT_EXPECT_EQ(test, heat->spent_ns, FM_HEAT_HITS * FM_HEAT_ENTRY_NS);
}

/* Somebody may be counting in the same heat, or the source will be detached anyway. */
static void some_hits_of_other_tasks_heat_nothing(struct kunit *test)
{
	struct fm_heat *heat = fm_begin_for_another(test);
	struct fm_event_cpu **c, *tables;
	bool owns;

	fm_hit_with(fm_one, 1, true, fm_store);
	KUNIT_EXPECT_EQ(test, heat->hits, 0);
	preempt_disable();
	owns = fm_guard_enter();
	fm_hit_with(fm_one, 1, false, fm_store);
	if (owns)
		fm_guard_leave();
	c = &fm_events->cpus[smp_processor_id()];
	tables = *c;
	*c = NULL;
	fm_hit_begin(fm_one, false);
	*c = tables;
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, owns);
	KUNIT_EXPECT_EQ(test, heat->hits, 0);
	fm_one->hot = true;
	fm_hit_with(fm_one, 1, false, fm_store);
	fm_one->hot = false;
	KUNIT_EXPECT_EQ(test, heat->hits, 0);
	fm_hit_with(fm_one, 1, false, fm_store);
	KUNIT_EXPECT_EQ(test, heat->hits, 1);
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).hits.seen, 0);
}

/* What it queues might wait until it comes back. */
static void a_cpu_that_goes_offline_suspends_nothing(struct kunit *test)
{
	unsigned int i;

	fm_hits_begin(test);
	fm_goes_offline = true;
	for (i = 0; i < 1000000 / FM_HEAT_ENTRY_NS * 100; i++) {
		fm_hit_with(fm_one, 1, false, fm_store);
		fm_hand.now_ns += FM_HEAT_ENTRY_NS;
	}
	KUNIT_EXPECT_FALSE(test, fm_one->hot);
	fm_goes_offline = false;
	for (i = 0; i < FM_HEAT_HITS; i++)
		fm_hit_with(fm_one, 1, false, fm_store);
	KUNIT_EXPECT_TRUE(test, fm_one->hot);
	irq_work_sync(&fm_one->suspend_work);
	flush_work(&fm_events->suspend_work);
}

/* Which of the hits have read the clock when they began, as bits. */
static u32 fm_timed, fm_nr_hits;

static void fm_store_user_untimed(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	if (turn->now_ns)
		fm_timed |= BIT(fm_nr_hits);
	fm_nr_hits++;
	fm_store_user(turn, source, weight);
}

/* One in 16 pays for all, and is looked at. */
static void a_hit_that_needs_no_time_reads_no_clock(struct kunit *test)
{
	u32 i;

	fm_hits_begin(test);
	fm_timed = 0;
	fm_nr_hits = 0;
	for (i = 0; i < FM_THROTTLE_QUICK; i++)
		fm_hit_untimed(fm_one, 5, fm_store_user_untimed);
	/* Another source has not had as many hits, but now the CPU's next is not due. */
	fm_hit_untimed(fm_other, 5, fm_store_user_untimed);
	KUNIT_EXPECT_EQ(test, fm_timed, BIT(FM_THROTTLE_QUICK - 1));
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).weight.stored, 5 * FM_THROTTLE_QUICK);
}

/* A source's hits and those of the CPU are counted apart. */
static void either_count_makes_a_hit_read_the_clock(struct kunit *test)
{
	struct fm_event_cpu *c;

	fm_hits_begin(test);
	c = fm_events->cpus[0];
	fm_timed = 0;
	fm_nr_hits = 0;
	c->heat[fm_one->number].hits = FM_HEAT_HITS - 1;
	c->throttle->quick = 0;
	fm_hit_untimed(fm_one, 5, fm_store_user_untimed);
	c->heat[fm_one->number].hits = 0;
	c->throttle->quick = FM_THROTTLE_QUICK - 1;
	fm_hit_untimed(fm_one, 5, fm_store_user_untimed);
	fm_hit_untimed(fm_one, 5, fm_store_user_untimed);
	KUNIT_EXPECT_EQ(test, fm_timed, BIT(0) | BIT(1));
}

#if FM_STACK_HAS_REGS
#define FM_SLOW_NS	5000

static void fm_unwind_slowly(struct unwind_state *state, struct task_struct *task,
			     struct pt_regs *regs, unsigned long *first_frame)
{
	memset(state, 0, sizeof(*state));
	fm_hand.now_ns += FM_SLOW_NS;
}

/* A hit did not know before that its stack would be slow. */
static void what_becomes_slow_is_paid_for(struct kunit *test)
{
	struct fm_throttle *throttle;

	fm_hits_begin(test);
	throttle = fm_events->cpus[0]->throttle;
	fm_throttle_init(throttle, fm_hand.now_ns);
	fm_unwind_start = fm_unwind_slowly;
	fm_hit_untimed(fm_one, 5, fm_store);
	fm_unwinder_reset();
	KUNIT_EXPECT_EQ(test, throttle->credit_ns, FM_THROTTLE_CREDIT_NS_MAX - FM_SLOW_NS);
	KUNIT_EXPECT_EQ(test, throttle->quick, 0);
}
#endif

static void a_suspended_source_needs_no_time(struct kunit *test)
{
	fm_hits_begin(test);
	fm_one->hot = true;
	KUNIT_EXPECT_FALSE(test, fm_hit_untimed(fm_one, 5, fm_store));
	fm_one->hot = false;
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_SUSPENDED, 0);
	KUNIT_EXPECT_TRUE(test, fm_hit_untimed(fm_one, 5, fm_store_user));
}

static struct kunit_case fm_hit_time_tests[] = {
	KUNIT_CASE(each_source_has_its_heat),
	KUNIT_CASE(overload_takes_no_stack_of_a_hit),
	KUNIT_CASE(what_is_suspended_may_have_a_weight),
	KUNIT_CASE(a_hot_source_is_suspended),
	KUNIT_CASE(hits_of_other_tasks_suspend_a_source),
	KUNIT_CASE(a_hit_of_another_task_takes_no_time_of_its_own),
	KUNIT_CASE(some_hits_of_other_tasks_heat_nothing),
	KUNIT_CASE(a_cpu_that_goes_offline_suspends_nothing),
	KUNIT_CASE(a_hit_that_needs_no_time_reads_no_clock),
	KUNIT_CASE(either_count_makes_a_hit_read_the_clock),
#if FM_STACK_HAS_REGS
	KUNIT_CASE(what_becomes_slow_is_paid_for),
#endif
	KUNIT_CASE(a_suspended_source_needs_no_time),
	{}
};

struct kunit_suite fm_hit_time_suite = {
	.name = "flamemod_hit_time",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_hit_time_tests,
};
