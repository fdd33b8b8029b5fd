// SPDX-License-Identifier: GPL-2.0
/*
 * Events: drains, cuts at the instant of a dump, and who may attach them.
 */
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/cgroup.h"
#include "../../module/drain.h"
#include "../../module/session.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

#define FM_PORT		4711
#define FM_OTHER	4712

static const struct fm_attach fm_all = {
	.events = FM_EVENTS_ALL, .states = FM_TASK_STATES_ALL,
};

/* No task of the machine has this id. */
static const struct fm_attach fm_nobody = {
	.events = FM_EVENT(OFF_CPU), .states = FM_TASK_STATES_ALL,
	.nr_pids = 1, .pids = { 0x7ffffff0 },
};

static void fm_drain_now(void)
{
	fm_session_lock(fm_session);
	fm_events_drain(fm_session);
	fm_session_unlock(fm_session);
}

static struct fm_event_books fm_books(enum flamemod_event event)
{
	struct fm_event_books books;

	fm_session_lock(fm_session);
	books = fm_events_books(fm_events, event);
	fm_session_unlock(fm_session);
	return books;
}

static void a_drain_brings_what_was_stored(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);
	unsigned int i;

	fm_switched_attach(test, &fm_all);
	for (i = 0; i < 4; i++) {
		fm_hand.now_ns += 10;
		fm_switched(one, false, TASK_INTERRUPTIBLE, other);
		fm_hand.now_ns += 3;
		fm_switched(other, true, TASK_RUNNING, one);
		/* The third drain finds the half that the first one emptied. */
		fm_drain_now();
	}
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 4 * 13);
	/* The other one was off since the events were attached, then preempted. */
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU,
					      FLAMEMOD_TASK_STATE_OTHER), 10);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU,
					      FLAMEMOD_TASK_STATE_PREEMPTED), 30);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU,
					      FLAMEMOD_TASK_STATE_SLEEPING), 12);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_RAN).weight.stored, 4 * 13);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	/* The timer's profile has none of it. */
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
}

#ifdef CONFIG_CGROUPS
/* Time off the CPU is of the cgroup that the task is in when it comes back. */
static void events_are_of_a_cgroup(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);

	fm_switched_move(test, one, 5001);
	fm_switched_move(test, other, 5002);
	fm_switched_attach(test, &fm_all);
	fm_hand.now_ns += 10;
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	fm_switched_move(test, one, 5003);
	fm_hand.now_ns += 4;
	fm_switched(other, false, TASK_INTERRUPTIBLE, one);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_RAN, 5001), 10);
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_RAN, 5002), 4);
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_OFF_CPU, 5002), 10);
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_OFF_CPU, 5003), 4);
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_OFF_CPU, 5001), 0);
}
#endif

static void a_difference_ends_the_events_alone(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);

	fm_held_start(test);
	fm_switched_attach(test, &fm_all);
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	fm_hand.now_ns += 3;
	fm_switched(other, true, TASK_RUNNING, one);
	fm_switched_books(FLAMEMOD_EVENT_RAN)->weight.stored++;
	fm_switched_books(FLAMEMOD_EVENT_RAN)->weight.seen++;
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	KUNIT_EXPECT_TRUE(test, fm_events->broken);
	KUNIT_EXPECT_FALSE(test, fm_events->on);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
}

static void books_that_do_not_balance_end_the_events(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);

	fm_switched_attach(test, &fm_all);
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	fm_switched_books(FLAMEMOD_EVENT_OFF_CPU)->hits.seen++;
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	KUNIT_EXPECT_TRUE(test, fm_events->broken);
}

static void what_the_profile_has_no_room_for_is_lost(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);
	struct fm_event_books books;

	fm_switched_attach(test, &fm_all);
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	fm_hand.now_ns += 5;
	fm_switched(other, false, TASK_INTERRUPTIBLE, one);
	fm_memory_withhold(&fm_events->memory, 1 << 20);
	fm_drain_now();
	fm_memory_grant(&fm_events->memory, 1 << 20);
	books = fm_books(FLAMEMOD_EVENT_RAN);
	KUNIT_EXPECT_EQ(test, books.weight.lost[FLAMEMOD_EVENT_LOST_AGGREGATE_FULL] +
			books.weight.stored, 5);
	KUNIT_EXPECT_TRUE(test, fm_event_books_balance(&books));
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), books.weight.stored);
}

static void renewed_tables_are_empty(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);
	struct fm_event_cpu *c;

	fm_switched_attach(test, &fm_all);
	c = fm_events->cpus[0];
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	fm_session_lock(fm_session);
	fm_events_renew(fm_events);
	fm_session_unlock(fm_session);
	fm_drain_now();
	KUNIT_EXPECT_PTR_EQ(test, c->table, &c->tables[1]);
	KUNIT_EXPECT_EQ(test, c->tables[0].nr, 0);
	KUNIT_EXPECT_PTR_EQ(test, c->sample.paths, &c->tables[1].own);
	KUNIT_EXPECT_FALSE(test, c->renew);
}

/* What an interval would have been is not known, so all of it is of the only event. */
static void what_waiting_alone_leaves_out_is_in_its_books(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *idle = fm_switched_task(test, 0);
	struct fm_attach request = fm_all;
	struct fm_event_books books;
	u32 half;

	request.events = FM_EVENT(WAITING);
	request.states = BIT(FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE);
	request.min_ns = 100;
	fm_switched_attach(test, &request);
	fm_switched(one, false, TASK_INTERRUPTIBLE, idle);
	fm_hand.now_ns += 500;
	fm_switched(idle, false, 0, one);
	fm_switched(one, false, TASK_UNINTERRUPTIBLE, idle);
	fm_hand.now_ns += 20;
	fm_switched(idle, false, 0, one);
	fm_switched_nested(one, false, TASK_UNINTERRUPTIBLE, idle);
	fm_switched(idle, false, 0, one);
	fm_drain_now();
	books = fm_books(FLAMEMOD_EVENT_WAITING);
	KUNIT_EXPECT_EQ(test, books.hits.seen, 3);
	KUNIT_EXPECT_EQ(test, books.hits.lost[FLAMEMOD_EVENT_LOST_NESTED], 1);
	fm_expect_left_out(test, &books, 500, 20);
	/* Nothing was seen since: the next drain leaves the CPU alone. */
	half = fm_events->cpus[0]->table->half;
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_events->cpus[0]->table->half, half);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* Let this thread be on its CPU for 100 ns, and nothing be seen of it. Return: its slot. */
static struct fm_slot *fm_run_unseen(struct kunit *test)
{
	struct fm_attach request = fm_all;
	struct fm_slot *slot;
	bool unseen;

	request.nr_pids = 1;
	request.pids[0] = current->pid;
	fm_switched_attach(test, &request);
	slot = fm_slots_claim(&fm_events->slots, current, &unseen);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->since = FM_SINCE_UNSEEN;
	fm_hand.now_ns += 100;
	return slot;
}

static void a_cut_counts_what_lasts_once(struct kunit *test)
{
	struct fm_slot *slot = fm_run_unseen(test);

	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 100);
	KUNIT_EXPECT_EQ(test, fm_switched_sum_in(FLAMEMOD_EVENT_RAN, fm_cgroup_id(current)),
			100);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_RAN).weight.stored, 100);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_RAN).hits.seen, 0);
	fm_hand.now_ns += 7;
	fm_switched(current, true, TASK_RUNNING, fm_switched_task(test, 0));
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 107);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_RAN).hits.stored, 1);
	/* Preempted since then; what a second cut adds is not there twice either. */
	fm_hand.now_ns += 5;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	fm_hand.now_ns += 5;
	fm_events_cut(fm_events);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU,
					      FLAMEMOD_TASK_STATE_PREEMPTED), 10);
	KUNIT_EXPECT_EQ(test, fm_since_ns(slot->since), fm_hand.now_ns);
}

/* Sources are being attached: there is no time yet, and no events for a reader. */
static void before_they_begin_there_is_nothing_to_cut(struct kunit *test)
{
	struct fm_attach request = fm_all;
	struct fm_slot *slot;
	bool unseen;

	/* Others were attached before, and have ended. */
	fm_switched_attach(test, &fm_all);
	fm_events_end(fm_session);
	request.nr_pids = 1;
	request.pids[0] = current->pid;
	KUNIT_ASSERT_EQ(test, fm_events_prepare(fm_events, &request, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_events->begin_ns, 0);
	slot = fm_slots_claim(&fm_events->slots, current, &unseen);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->since = FM_SINCE_UNSEEN;
	fm_hand.now_ns += 100;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	KUNIT_EXPECT_NULL(test, fm_events_oldest(fm_session));
	KUNIT_EXPECT_NULL(test, fm_events_of_epoch(fm_session, fm_events->epoch));
	KUNIT_EXPECT_EQ(test, fm_events_nr_attached(fm_session), 0);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, slot->since, FM_SINCE_UNSEEN);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 0);
}

/* Sources are being detached: switches are not seen any more. */
static void after_they_end_there_is_nothing_to_cut(struct kunit *test)
{
	struct fm_slot *slot = fm_run_unseen(test);

	fm_events->on = false;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	/* What was counted can be read. */
	KUNIT_EXPECT_PTR_EQ(test, fm_events_oldest(fm_session), fm_events);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, slot->since, FM_SINCE_UNSEEN);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 0);
}

static struct fm_slot *fm_changed_slot;

/* The task is switched while a function on its stack is looked up. */
static int fm_name_later(char *buffer, unsigned long address)
{
	fm_changed_slot->state = FLAMEMOD_TASK_STATE_PREEMPTED;
	fm_hand.now_ns++;
	return sprintf(buffer, "function_%lx", address);
}

/* kthreadd sleeps all the time, and created the thread that runs this. */
static void a_cut_has_the_state_that_it_looked_at(struct kunit *test)
{
	struct task_struct *sleeper = current->real_parent;
	struct fm_attach request = fm_all;
	u64 before_ns;

	request.events = FM_EVENT(OFF_CPU);
	request.nr_pids = 1;
	request.pids[0] = sleeper->pid;
	fm_switched_attach(test, &request);
	fm_switched(sleeper, false, TASK_INTERRUPTIBLE, fm_switched_task(test, 0));
	fm_changed_slot = fm_slots_find(&fm_events->slots, sleeper);
	KUNIT_ASSERT_NOT_NULL(test, fm_changed_slot);
	before_ns = fm_hand.now_ns += 50;
	fm_symbol_printer = fm_name_later;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	fm_session_unlock(fm_session);
	/* It has a stack. */
	KUNIT_EXPECT_GT(test, fm_hand.now_ns, before_ns);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU,
					      FLAMEMOD_TASK_STATE_SLEEPING), 50);
}

/* Who only wants names does not divide intervals. */
static void a_dump_of_what_has_ended_cuts_nothing(struct kunit *test)
{
	struct fm_slot *slot = fm_run_unseen(test);
	struct fm_snapshot *snapshot;

	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_EVENTS | FM_SNAPSHOT_ENDED,
						 &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 0);
	KUNIT_EXPECT_NE(test, snapshot->instant_ns, 0);
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_EQ(test, slot->since, FM_SINCE_UNSEEN);
	fm_switched(current, true, TASK_RUNNING, fm_switched_task(test, 0));
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 100);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_RAN).hits.stored, 1);
}

#if FM_STACK_HAS_REGS
/* A task that is off its CPU may run again at any time, and that unwinder would warn. */
static void a_cut_does_not_start_the_unwinder(struct kunit *test)
{
	struct task_struct *idle = fm_switched_task(test, 0);
	struct fm_attach request = fm_all;

	request.nr_pids = 1;
	request.pids[0] = current->pid;
	fm_switched_attach(test, &request);
	fm_switched(current, false, TASK_INTERRUPTIBLE, idle);
	fm_hand.now_ns += 50;
	fm_unwind_nr_starts = 0;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_unwind_nr_starts, 0);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU, -1), 50);
}
#endif

/* What is shorter than the minimum so far is left to its end. */
static void a_cut_leaves_what_is_too_short(struct kunit *test)
{
	struct task_struct *idle = fm_switched_task(test, 0);
	struct fm_attach request = fm_all;

	request.events = FM_EVENT(OFF_CPU);
	request.nr_pids = 1;
	request.pids[0] = current->pid;
	request.min_ns = 50;
	fm_switched_attach(test, &request);
	fm_switched(current, false, TASK_INTERRUPTIBLE, idle);
	fm_hand.now_ns += 49;
	fm_session_lock(fm_session);
	fm_events_cut(fm_events);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU, -1), 0);
	fm_hand.now_ns += 1;
	fm_events_cut(fm_events);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU, -1), 50);
	/* The rest is short, and counts all the same. */
	fm_hand.now_ns += 1;
	fm_switched(idle, false, 0, current);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_OFF_CPU, -1), 51);
	KUNIT_EXPECT_EQ(test, fm_books(FLAMEMOD_EVENT_OFF_CPU).hits.below, 0);
}

static void a_dump_of_events_has_only_them(struct kunit *test)
{
	struct task_struct *one = fm_switched_task(test, 101);
	struct task_struct *other = fm_switched_task(test, 102);
	struct netlink_ext_ack extack = {};
	struct fm_snapshot *snapshot;

	KUNIT_EXPECT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_EVENTS, &snapshot, &extack),
			-ENODATA);
	KUNIT_EXPECT_STREQ(test, extack._msg, "events: none is attached");
	fm_held_start(test);
	fm_held_sample(fm_session, 3, 2, 0x1000);
	fm_switched_attach(test, &fm_all);
	fm_hand.now_ns += 9;
	fm_switched(one, false, TASK_INTERRUPTIBLE, other);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_EVENTS, &snapshot, NULL), 0);
	KUNIT_EXPECT_PTR_EQ(test, snapshot->aggregate, fm_events->aggregate);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 2);
	KUNIT_EXPECT_EQ(test, snapshot->epoch, fm_events->epoch);
	KUNIT_EXPECT_EQ(test, snapshot->since_ns, FM_SWITCHED_BEGIN);
	KUNIT_EXPECT_EQ(test, snapshot->instant_ns, fm_hand.now_ns);
	KUNIT_EXPECT_EQ(test, snapshot->events->books[FLAMEMOD_EVENT_RAN].weight.stored, 9);
	fm_snapshot_put(snapshot);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	KUNIT_EXPECT_PTR_EQ(test, snapshot->aggregate, fm_session->aggregate);
	KUNIT_EXPECT_NULL(test, snapshot->events);
	fm_snapshot_put(snapshot);
	/* A reset is not theirs. */
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 9);
}

/* With the real probe. */
static void events_end_with_their_socket(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
	KUNIT_EXPECT_TRUE(test, fm_events->on);
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_OTHER, &extack), -ENOENT);
	fm_session_close(fm_session, FM_OTHER);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_TRUE(test, fm_events->attached);
	fm_session_close(fm_session, FM_PORT);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_FALSE(test, fm_events->attached);
	KUNIT_EXPECT_FALSE(test, fm_events->on);
	KUNIT_EXPECT_NULL(test, fm_events->switches);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_events->memory), 0);
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), -ENOENT);
	/* The socket was closed, and its port is used again before the worker runs. */
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&fm_events->claim, FM_PORT));
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), -ENOENT);
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
	KUNIT_EXPECT_EQ(test, fm_events->epoch, 3);
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), 0);
}

static const struct fm_refusal_case {
	const char *name;
	struct fm_attach request;
	int err;
	const char *says;	/* what the reason starts with */
} fm_refusal_cases[] = {
	{ "no event", { .states = 1 }, -EINVAL, "events: " },
	{ "on-cpu", { .events = BIT(FLAMEMOD_EVENT_ON_CPU), .states = 1 }, -EINVAL, "events: " },
	{ "an unknown one", { .events = FM_EVENTS_ALL | BIT(9), .states = 1 }, -EINVAL,
	  "events: " },
	{ "followed, and nobody is", { .events = 2, .states = 1, .followed = true }, -EINVAL,
	  "followed: " },
	{ "followed and pids", { .events = 2, .states = 1, .followed = true, .nr_pids = 1,
				 .pids = { 1 } }, -EINVAL, "attach: " },
};

FM_ARRAY_PARAM(refusal);

static void what_means_nothing_is_refused(struct kunit *test)
{
	const struct fm_refusal_case *c = test->param_value;
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &c->request, FM_PORT, &extack),
			c->err);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, c->says));
	KUNIT_EXPECT_FALSE(test, fm_events->attached);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_events->memory), 0);
}

static void without_memory_nothing_is_attached(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	const size_t enough = fm_events->slots_bytes;

	/* For slots, and for the profile. */
	fm_events->slots_bytes = sizeof(struct fm_slot_set);
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack),
			-ENOMEM);
	fm_events->slots_bytes = enough;
	fm_memory_init(&fm_events->memory, 1024);
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack),
			-ENOMEM);
	KUNIT_EXPECT_FALSE(test, fm_events->attached);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_events->memory), 0);
	fm_memory_init(&fm_events->memory, BIT(20));
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
}

static struct kunit_case fm_events_tests[] = {
	KUNIT_CASE(a_drain_brings_what_was_stored),
#ifdef CONFIG_CGROUPS
	KUNIT_CASE(events_are_of_a_cgroup),
#endif
	KUNIT_CASE(a_difference_ends_the_events_alone),
	KUNIT_CASE(books_that_do_not_balance_end_the_events),
	KUNIT_CASE(what_the_profile_has_no_room_for_is_lost),
	KUNIT_CASE(renewed_tables_are_empty),
	KUNIT_CASE(what_waiting_alone_leaves_out_is_in_its_books),
	KUNIT_CASE(a_cut_counts_what_lasts_once),
	KUNIT_CASE(before_they_begin_there_is_nothing_to_cut),
	KUNIT_CASE(after_they_end_there_is_nothing_to_cut),
	KUNIT_CASE(a_cut_has_the_state_that_it_looked_at),
	KUNIT_CASE(a_dump_of_what_has_ended_cuts_nothing),
#if FM_STACK_HAS_REGS
	KUNIT_CASE(a_cut_does_not_start_the_unwinder),
#endif
	KUNIT_CASE(a_cut_leaves_what_is_too_short),
	KUNIT_CASE(a_dump_of_events_has_only_them),
	KUNIT_CASE(events_end_with_their_socket),
	KUNIT_CASE_PARAM(what_means_nothing_is_refused, fm_refusal_gen_params),
	KUNIT_CASE(without_memory_nothing_is_attached),
	{}
};

struct kunit_suite fm_events_suite = {
	.name = "flamemod_events",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_events_tests,
};
