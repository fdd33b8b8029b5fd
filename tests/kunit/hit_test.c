// SPDX-License-Identifier: GPL-2.0
/*
 * Hits of a source: what is stored, what is only counted, and what it is counted as.
 */
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/hit.h"
#include "../../module/session.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "hits.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

static void fm_filter(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	fm_hit_filter(turn, source, weight);
}

static void fm_below(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	fm_hit_below(turn, source, weight);
}

static void fm_malformed(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	fm_hit_lose(turn, source, FLAMEMOD_EVENT_LOST_MALFORMED);
}

static void each_source_has_its_books(struct kunit *test)
{
	struct fm_event_books books;

	fm_hits_begin(test);
	KUNIT_EXPECT_EQ(test, fm_one->event, FLAMEMOD_SOURCE_FIRST);
	KUNIT_EXPECT_EQ(test, fm_other->event, FLAMEMOD_SOURCE_FIRST + 1);
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_one, 5, false, fm_store));
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_one, 6, false, fm_store));
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_other, 100, false, fm_store));
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.stored, 2);
	KUNIT_EXPECT_EQ(test, books.weight.stored, 11);
	books = fm_hits_books(fm_other);
	KUNIT_EXPECT_EQ(test, books.hits.stored, 1);
	KUNIT_EXPECT_EQ(test, books.weight.stored, 100);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(fm_one->event, 3), 11);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(fm_other->event, -1), 100);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_STREQ(test, fm_source_unit(fm_one), "calls");
	KUNIT_EXPECT_STREQ(test, fm_source_unit(fm_other), "bytes");
}

/* A hit without a stack is never slow; it may be the one that fills the table. */
static void what_fills_the_table_asks_for_a_drain(struct kunit *test)
{
	struct fm_event_cpu *c;

	fm_hits_begin(test);
	c = fm_events->cpus[0];
	fm_hit_with(fm_one, 1, false, fm_store_user);
	KUNIT_EXPECT_FALSE(test, c->drain_asked);
	c->table->max = 2;
	/* It is there already. */
	fm_hit_with(fm_one, 1, false, fm_store_user);
	KUNIT_EXPECT_FALSE(test, c->drain_asked);
	fm_hit_with(fm_other, 1, false, fm_store_user);
	KUNIT_EXPECT_EQ(test, c->table->nr, 2);
	KUNIT_EXPECT_TRUE(test, c->drain_asked);
}

/* What it queues might wait until it comes back. */
static void a_cpu_that_goes_offline_asks_for_no_drain(struct kunit *test)
{
	struct fm_event_cpu *c;

	fm_hits_begin(test);
	c = fm_events->cpus[0];
	c->table->max = 2;
	fm_goes_offline = true;
	fm_hit_with(fm_one, 1, false, fm_store_user);
	fm_hit_with(fm_other, 1, false, fm_store_user);
	KUNIT_EXPECT_EQ(test, c->table->nr, 2);
	KUNIT_EXPECT_FALSE(test, c->drain_asked);
	fm_goes_offline = false;
	fm_event_ask_drain(c);
	KUNIT_EXPECT_TRUE(test, c->drain_asked);
}

static void what_a_snapshot_says_of_them(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_hits_begin(test);
	fm_hit_with(fm_other, 100, false, fm_store);
	fm_other->suspended_ns = 7;
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_EVENTS, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->events->numbers, 3 << FLAMEMOD_SOURCE_FIRST);
	KUNIT_EXPECT_EQ(test, snapshot->events->books[fm_other->event].weight.stored, 100);
	KUNIT_EXPECT_STREQ(test, snapshot->events->sources[0].name, "func:one");
	KUNIT_EXPECT_STREQ(test, snapshot->events->sources[1].unit, "bytes");
	KUNIT_EXPECT_EQ(test, snapshot->events->sources[1].kind, FLAMEMOD_SOURCE_KIND_FUNC);
	KUNIT_EXPECT_EQ(test, snapshot->events->sources[1].suspended_ns, 7);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 1);
	fm_snapshot_put(snapshot);
	/* There are no tasks off the CPU to count. */
	KUNIT_EXPECT_NULL(test, fm_events->switches);
	KUNIT_EXPECT_NULL(test, fm_events->sample);
}

static void what_conditions_leave_out_is_filtered(struct kunit *test)
{
	struct fm_event_books books;

	fm_hits_begin(test);
	fm_hit_with(fm_one, 5, false, fm_filter);
	fm_hit_with(fm_one, 7, false, fm_below);
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 2);
	fm_expect_left_out(test, &books, 5, 7);
}

/* It may be a pointer, which must not leave the kernel. */
static void a_large_weight_is_none_of_a_filtered_hit(struct kunit *test)
{
	struct fm_event_books books;

	fm_hits_begin(test);
	fm_hit_with(fm_one, BIT_ULL(47), false, fm_filter);
	fm_hit_with(fm_one, U64_MAX, false, fm_filter);
	fm_hit_with(fm_one, BIT_ULL(47) - 1, false, fm_filter);
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.filtered, 3);
	KUNIT_EXPECT_EQ(test, books.weight.filtered, BIT_ULL(47) - 1);
	KUNIT_EXPECT_EQ(test, books.weight.seen, BIT_ULL(47) - 1);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
}

static void a_large_weight_is_no_weight(struct kunit *test)
{
	struct fm_event_books books;

	fm_hits_begin(test);
	fm_hit_with(fm_one, BIT_ULL(47), false, fm_store);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_TOO_LARGE, 0);
	fm_hit_with(fm_other, BIT_ULL(47) - 1, false, fm_store);
	books = fm_hits_books(fm_other);
	KUNIT_EXPECT_EQ(test, books.weight.stored, BIT_ULL(47) - 1);
}

static void a_record_that_is_too_short_is_lost(struct kunit *test)
{
	fm_hits_begin(test);
	fm_hit_with(fm_one, 0, false, fm_malformed);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_MALFORMED, 0);
}

static void in_our_own_code_a_hit_is_nested(struct kunit *test)
{
	bool begun, owns;

	fm_hits_begin(test);
	preempt_disable();
	owns = fm_guard_enter();
	begun = fm_hit_with(fm_one, 5, false, fm_store);
	if (owns)
		fm_guard_leave();
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, owns);
	KUNIT_EXPECT_FALSE(test, begun);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_NESTED, 0);
	/* Afterwards the guard is as it was. */
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_other, 5, false, fm_store));
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_other, 5, false, fm_store));
}

/* Of a counter the weight is known before: the module's own cycles are lost, and said. */
static void what_is_nested_may_have_a_weight(struct kunit *test)
{
	struct fm_event_books books;
	struct fm_turn turn;
	bool begun, owns;

	fm_hits_begin(test);
	fm_hit_with(fm_one, 7, false, fm_store);
	preempt_disable();
	owns = fm_guard_enter();
	turn = fm_hit_begin_for(fm_one, current, false, 5);
	begun = turn.c;
	if (owns)
		fm_guard_leave();
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, owns);
	KUNIT_EXPECT_FALSE(test, begun);
	/* The CPU that it was on has tables of its own. */
	books = fm_hits_books(fm_one);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	KUNIT_EXPECT_EQ(test, books.weight.lost[FLAMEMOD_EVENT_LOST_NESTED], 5);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 2);
	KUNIT_EXPECT_EQ(test, books.weight.seen, 12);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

#if FM_STACK_HAS_STEPS
static void fm_store_inside(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	const struct fm_spot spot = { .regs = &fm_regs, .leaf = FM_LEAF, .inside = true };

	fm_hit(turn, source, &spot, 0, weight, 0);
}

static void fm_store_anywhere(struct fm_turn *turn, struct fm_source *source, u64 weight)
{
	const struct fm_spot spot = {
		.regs = &fm_regs, .leaf = FM_LEAF, .inside = true, .anywhere = true,
	};

	fm_hit(turn, source, &spot, 0, weight, 0);
}

/* Only the kernel's unwinder is asked where the place may be any instruction. */
static void anywhere_no_step_is_learned(struct kunit *test)
{
	struct fm_learned *learned;

	fm_hits_begin(test);
	learned = &fm_events->cpus[0]->learned;
	fm_events->learns = true;
	/* There are no steps here, so each stack that is asked for counts as unwound. */
	learned->off = true;
	fm_hit_with(fm_one, 5, false, fm_store_inside);
	KUNIT_EXPECT_EQ(test, learned->counts.unwound, 1);
	KUNIT_EXPECT_EQ(test, fm_events->cpus[0]->sample.key.leaf, FM_LEAF);
	fm_hit_with(fm_one, 5, false, fm_store_anywhere);
	KUNIT_EXPECT_EQ(test, learned->counts.unwound, 1);
	KUNIT_EXPECT_EQ(test, fm_events->cpus[0]->sample.key.leaf, FM_LEAF);
	learned->off = false;
	fm_events->learns = false;
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).weight.stored, 10);
}
#endif

static void in_an_nmi_a_hit_is_only_counted(struct kunit *test)
{
	fm_hits_begin(test);
	KUNIT_EXPECT_FALSE(test, fm_hit_with(fm_one, 5, true, fm_store));
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_NMI, 0);
}

static void on_a_cpu_without_tables_a_hit_is_counted(struct kunit *test)
{
	struct fm_event_cpu **c, *tables;
	struct fm_turn turn;
	bool begun;

	fm_hits_begin(test);
	preempt_disable();
	c = &fm_events->cpus[smp_processor_id()];
	tables = *c;
	*c = NULL;
	turn = fm_hit_begin(fm_one, false);
	begun = turn.c;
	*c = tables;
	preempt_enable();
	KUNIT_EXPECT_FALSE(test, begun);
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_TABLE_FULL, 0);
}

static void before_all_is_attached_nothing_is_counted(struct kunit *test)
{
	fm_hits_begin(test);
	fm_events->on = false;
	KUNIT_EXPECT_FALSE(test, fm_hit_with(fm_one, 5, false, fm_store));
	fm_events->on = true;
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).hits.seen, 0);
}

static void hits_of_other_tasks_are_not_seen(struct kunit *test)
{
	struct fm_attach request = fm_two;

	request.nr_pids = 1;
	request.pids[0] = 0x7ffffff0;
	fm_switched_attach(test, &request);
	fm_one = fm_events->sources[0];
	KUNIT_EXPECT_FALSE(test, fm_hit_with(fm_one, 5, false, fm_store));
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).hits.seen, 0);
	fm_events->request.pids[0] = current->tgid;
	KUNIT_EXPECT_TRUE(test, fm_hit_with(fm_one, 5, false, fm_store));
}

static void a_hit_without_room_is_lost(struct kunit *test)
{
	struct fm_table *table;

	fm_hits_begin(test);
	table = &fm_events->cpus[0]->tables[0];
	table->nr = table->max;
	fm_hit_with(fm_one, 5, false, fm_store);
	KUNIT_EXPECT_TRUE(test, fm_events->cpus[0]->drain_asked);
	table->nr = 0;
	fm_expect_lost(test, fm_one, FLAMEMOD_EVENT_LOST_TABLE_FULL, 5);
}

static void an_interrupts_hit_is_an_interrupts(struct kunit *test)
{
	struct fm_event_cpu *c;
	struct fm_turn turn;
	const struct fm_spot spot = { .regs = &fm_regs, .leaf = FM_LEAF };

	fm_hits_begin(test);
	c = fm_events->cpus[0];
	KUNIT_ASSERT_TRUE(test, fm_hit_with(fm_one, 5, false, fm_store));
	KUNIT_EXPECT_EQ(test, c->sample.key.context, FLAMEMOD_CONTEXT_TASK);
	KUNIT_EXPECT_EQ(test, c->sample.key.tid, current->pid);
	KUNIT_EXPECT_EQ(test, c->sample.key.leaf, FM_LEAF);
	preempt_disable();
	turn = fm_turn_begin(fm_events, c);
	fm_hit(&turn, fm_one, &spot, HARDIRQ_OFFSET, 5, 0);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, c->sample.key.context, FLAMEMOD_CONTEXT_HARDIRQ);
}

/* A hit in user mode has no stack, and is none of the kernel. */
static void in_user_mode_there_is_no_stack(struct kunit *test)
{
	const struct fm_key *key;

	fm_hits_begin(test);
	key = &fm_events->cpus[0]->sample.key;
	KUNIT_ASSERT_TRUE(test, fm_hit_with(fm_one, 5, false, fm_store_user));
	KUNIT_EXPECT_EQ(test, key->context, FLAMEMOD_CONTEXT_USER);
	KUNIT_EXPECT_EQ(test, key->leaf, 0);
	KUNIT_EXPECT_EQ(test, key->path, FM_PATH_NONE);
	KUNIT_EXPECT_EQ(test, fm_hits_books(fm_one).weight.stored, 5);
}

static struct kunit_case fm_hit_tests[] = {
	KUNIT_CASE(each_source_has_its_books),
	KUNIT_CASE(what_fills_the_table_asks_for_a_drain),
	KUNIT_CASE(a_cpu_that_goes_offline_asks_for_no_drain),
	KUNIT_CASE(what_a_snapshot_says_of_them),
	KUNIT_CASE(what_conditions_leave_out_is_filtered),
	KUNIT_CASE(a_large_weight_is_none_of_a_filtered_hit),
	KUNIT_CASE(a_large_weight_is_no_weight),
	KUNIT_CASE(a_record_that_is_too_short_is_lost),
	KUNIT_CASE(in_our_own_code_a_hit_is_nested),
	KUNIT_CASE(what_is_nested_may_have_a_weight),
#if FM_STACK_HAS_STEPS
	KUNIT_CASE(anywhere_no_step_is_learned),
#endif
	KUNIT_CASE(in_an_nmi_a_hit_is_only_counted),
	KUNIT_CASE(on_a_cpu_without_tables_a_hit_is_counted),
	KUNIT_CASE(before_all_is_attached_nothing_is_counted),
	KUNIT_CASE(hits_of_other_tasks_are_not_seen),
	KUNIT_CASE(a_hit_without_room_is_lost),
	KUNIT_CASE(an_interrupts_hit_is_an_interrupts),
	KUNIT_CASE(in_user_mode_there_is_no_stack),
	{}
};

struct kunit_suite fm_hit_suite = {
	.name = "flamemod_hit",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_hit_tests,
};
