// SPDX-License-Identifier: GPL-2.0
/*
 * Drains: a drain moves what the tables hold into the aggregate, ends naps, and stops
 * sampling if it finds an inconsistency.
 */
#include <linux/netlink.h>
#include <kunit/test.h>

#include "../../module/drain.h"
#include "../../module/nap.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

static void a_drain_brings_what_was_stored(struct kunit *test)
{
	struct fm_record *record, *late;
	struct fm_books books;

	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	/* The first of them again, late by 3 periods and 7 ns, found as a path. */
	fm_hand.quick = true;
	fm_hand.leaf = 0x1000;
	fm_hand_fire(fm_cpu, 3000007);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.fires, 6);
	KUNIT_EXPECT_EQ(test, books.missed, 3);
	KUNIT_EXPECT_EQ(test, books.stored, 9);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 9);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 6);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 22);
	record = fm_set_at(&fm_session->aggregate->records, 0);
	KUNIT_EXPECT_EQ(test, record->counts.count, 2);
	KUNIT_EXPECT_EQ(test, record->counts.periods, 2);
	KUNIT_EXPECT_EQ(test, record->counts.late_ns, 3000007);
	/* What is late is apart, without a sample. */
	late = fm_set_at(&fm_session->aggregate->records, 5);
	KUNIT_EXPECT_EQ(test, late->counts.count, 0);
	KUNIT_EXPECT_EQ(test, late->counts.periods, 3);
	KUNIT_EXPECT_EQ(test, record->cpu, 0);
	KUNIT_EXPECT_EQ(test, (u8)record->context, FLAMEMOD_CONTEXT_TASK);
	/* A second drain brings nothing. */
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 9);
	/* The entries stay for what may come. */
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].nr, 6);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[1].nr, 0);
}

static u32 fm_nr_tasks_in(u64 cgroup)
{
	const struct fm_task *task;
	u32 i, nr = 0;

	for (i = 0; i < fm_set_nr(&fm_session->aggregate->tasks); i++) {
		task = fm_set_at(&fm_session->aggregate->tasks, i);
		nr += task->cgroup == cgroup;
	}
	return nr;
}

/* What finds no room in the table of cgroups is together; after the drain there is room. */
static void cgroups_are_told_apart(struct kunit *test)
{
	u32 i, nr = 0;

	fm_held_start(test);
	for (i = 0; i < 20; i++) {
		fm_hand.cgroup = 1000 + i;
		fm_held_sample(fm_session, 1, 2, 0x1000);
	}
	KUNIT_EXPECT_EQ(test, fm_hand.nr_asked, 1);
	fm_held_drain();
	for (i = 0; i < 20; i++)
		nr += fm_nr_tasks_in(1000 + i);
	KUNIT_EXPECT_EQ(test, nr, 8);
	KUNIT_EXPECT_EQ(test, fm_nr_tasks_in(1000), 1);
	KUNIT_EXPECT_EQ(test, fm_nr_tasks_in(FM_CGROUP_OTHER), 1);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 20);
	fm_hand.cgroup = 1019;
	fm_held_sample(fm_session, 1, 2, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_tasks_in(1019), 1);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 21);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

static void a_quiet_cpu_is_left_alone(struct kunit *test)
{
	u8 half;

	fm_held_start(test);
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	half = fm_cpu->tables[0].half;
	fm_hand.now_ns += 1000;
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].half, half);
	/* Its books are up to date all the same. */
	KUNIT_EXPECT_EQ(test, fm_cpu->swapped_ns, fm_hand.now_ns);
	/* A fire that is due may still come. */
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&fm_cpu->timer));
	fm_held_drain();
	KUNIT_EXPECT_NE(test, fm_cpu->tables[0].half, half);
}

/* Drains do not walk the entries of such a CPU again and again. */
static void what_is_not_sampled_has_nothing_to_drain(struct kunit *test)
{
	u32 nr_records;

	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_FALSE(test, fm_cpu->armed);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 5);
	nr_records = fm_set_nr(&fm_session->aggregate->records);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_cpu->swapped_entries, 0);
	/* Both tables are empty for the samples that follow. */
	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_cpu->swapped_entries, 5);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 10);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records),
			nr_records);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* A drain clears a table that is full, or that must be renewed. */
static void a_table_that_is_left_is_cleared(struct kunit *test)
{
	u32 i;

	fm_held_start(test);
	for (i = 1; i <= 5; i++) {
		fm_held_sample(fm_session, 45, 2, 0x1000);
		fm_held_drain();
		KUNIT_EXPECT_EQ(test, fm_cpu->table, i % 2);
		KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].nr, 0);
		KUNIT_EXPECT_EQ(test, fm_cpu->tables[1].nr, 0);
		/* The paths stay. */
		KUNIT_EXPECT_PTR_EQ(test, fm_cpu->sample.paths,
				    &fm_cpu->tables[0].own);
		KUNIT_EXPECT_EQ(test, fm_cpu->sample.paths->nr,
				FM_PATH_NOWHERE + 1 + 45);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 45 * i);
		KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 45);
	}
	fm_held_sample(fm_session, 3, 2, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[1].nr, 3);
	/* Renewed, although nothing was sampled since. */
	fm_cpu->renew = true;
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_cpu->table, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[1].nr, 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_cpu->sample.paths, &fm_cpu->tables[1].own);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].own.nr, FM_PATH_NOWHERE + 1);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[1].own.nr, FM_PATH_NOWHERE + 1);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 228);
	/* Filled up with paths: 8 a stack. */
	for (i = 1; i <= 5; i++) {
		fm_held_sample(fm_session, 16, 9, 0x1000);
		fm_held_drain();
		KUNIT_EXPECT_EQ(test, fm_cpu->table, i % 2);
		KUNIT_EXPECT_PTR_EQ(test, fm_cpu->sample.paths,
				    &fm_cpu->tables[!(i % 2)].own);
		KUNIT_EXPECT_EQ(test, fm_cpu->sample.paths->nr, FM_PATH_NOWHERE + 1);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 228 + 16 * i);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* The worker's drain leaves out a napping CPU; a reader's drain includes it. */
static void a_sleeper_is_drained_when_asked_for(struct kunit *test)
{
	const struct fm_record *record;
	const struct fm_frame *frame;
	const struct fm_node *node;
	struct fm_books books;
	u8 half;

	fm_held_start(test);
	fm_cpu->may_nap = true;
	fm_cpu->is_idle = true;
	fm_cpu->look_tick = U64_MAX;
	fm_hand.leaf = 0x1000;
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(fm_cpu));
	/* It was sampled before it went to sleep. */
	half = fm_cpu->tables[0].half;
	fm_session_lock(fm_session);
	fm_drain(fm_session, false);
	KUNIT_EXPECT_NE(test, fm_cpu->tables[0].half, half);
	fm_hand.now_ns += 100 * fm_cpu->ticks.period_ns;
	fm_drain(fm_session, false);
	KUNIT_EXPECT_NE(test, fm_cpu->tables[0].half, half);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.missed, 0);
	fm_drain(fm_session, true);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].half, half);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.fires, 1);
	KUNIT_EXPECT_EQ(test, books.asleep, 100);
	KUNIT_EXPECT_EQ(test, books.missed, 100);
	KUNIT_EXPECT_TRUE(test, fm_cpu->napping);
	/* An interrupt that took ten periods woke it up. */
	fm_hand.now_ns += 15 * fm_cpu->ticks.period_ns;
	fm_hand.busy_us = 10 * fm_cpu->ticks.period_ns / NSEC_PER_USEC;
	fm_nap_wake(fm_cpu);
	fm_drain(fm_session, true);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 116);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 3);
	record = fm_set_at(&fm_session->aggregate->records, 2);
	KUNIT_EXPECT_EQ(test, record->counts.periods, 10);
	node = fm_set_at(&fm_session->aggregate->nodes, record->node);
	KUNIT_EXPECT_EQ(test, node->parent, 0);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	KUNIT_EXPECT_STREQ(test, frame->name, "[interrupt]");
	KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_MARK);
}

/* The worker ends a nap in which interrupts take more than a fiftieth. */
static void a_nap_with_many_interrupts_is_ended(struct kunit *test)
{
	u64 second = NSEC_PER_SEC;

	fm_held_start(test);
	fm_cpu->may_nap = true;
	fm_cpu->is_idle = true;
	fm_cpu->look_tick = U64_MAX;
	fm_session_lock(fm_session);
	fm_drain(fm_session, false);
	KUNIT_ASSERT_TRUE(test, fm_hand_nap(fm_cpu));
	fm_drain(fm_session, false);
	/* Nothing happens for hours. */
	fm_hand.now_ns += 10000 * second;
	fm_drain(fm_session, false);
	fm_hand.now_ns += second;
	fm_hand.busy_us = 20000;
	fm_drain(fm_session, false);
	KUNIT_EXPECT_TRUE(test, fm_cpu->napping);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).missed, 0);
	fm_hand.now_ns += second;
	fm_hand.busy_us += 30000;
	fm_drain(fm_session, false);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
	KUNIT_EXPECT_FALSE(test, fm_cpu->is_idle);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).missed, 10002 * 1000);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).asleep, 10002 * 1000 - 50);
	fm_session_unlock(fm_session);
}

/* What session->watch_idle was called with. */
static struct {
	unsigned int nr;
	enum flamemod_state state;
	bool locked;
} fm_heard;

static void fm_hear(struct fm_session *session)
{
	fm_heard.nr++;
	fm_heard.state = session->state;
	fm_heard.locked |= mutex_is_locked(&session->lock);
}

static void fm_work(void)
{
	fm_drain_work(&fm_session->drain_work.work);
	cancel_delayed_work_sync(&fm_session->drain_work);
}

/* Each start and stop is reported, and nothing in between. */
static void starts_and_stops_are_reported(struct kunit *test)
{
	fm_session->watch_idle = fm_hear;
	fm_heard.nr = 0;
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_heard.nr, 1);
	KUNIT_EXPECT_EQ(test, fm_heard.state, FLAMEMOD_STATE_RUNNING);
	cancel_delayed_work_sync(&fm_session->drain_work);
	fm_hand.context = FLAMEMOD_CONTEXT_IDLE;
	fm_hand_fire(fm_cpu, 2 * NSEC_PER_SEC);
	fm_work();
	fm_hand.context = FLAMEMOD_CONTEXT_TASK;
	fm_hand_fire(fm_cpu, 2 * NSEC_PER_SEC);
	fm_work();
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_heard.nr, 1);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_heard.nr, 2);
	KUNIT_EXPECT_EQ(test, fm_heard.state, FLAMEMOD_STATE_STOPPED);
	/* After an error in a drain the worker reports the end. */
	fm_session->state = FLAMEMOD_STATE_BROKEN;
	fm_work();
	KUNIT_EXPECT_EQ(test, fm_heard.nr, 3);
	KUNIT_EXPECT_EQ(test, fm_heard.state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_FALSE(test, fm_heard.locked);
	fm_session->state = FLAMEMOD_STATE_STOPPED;
	fm_session->watch_idle = NULL;
}

/* The test breaks one invariant after the other. */
static const struct fm_breach_case {
	const char *name;
	u64 fires, stored, filtered;	/* more than there were */
} fm_breach_cases[] = {
	{ "a fire too many", 1, 0, 0 },
	{ "a filtered one too many", 0, 0, 1 },
	{ "one stored that is in no table", 1, 1, 0 },
	{ "one in the table that was not stored", 0, -1, 1 },
};

FM_ARRAY_PARAM(breach);

static void a_broken_invariant_stops_it_for_good(struct kunit *test)
{
	const struct fm_breach_case *c = test->param_value;
	struct fm_change change = { .settings = fm_session->settings };
	struct netlink_ext_ack extack = {};
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	fm_cpu->books.fires += c->fires;
	fm_cpu->books.stored += c->stored;
	fm_cpu->books.filtered += c->filtered;
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session_start(fm_session, NULL, &extack), -EIO);
	KUNIT_EXPECT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, fm_session_set(fm_session, &change, NULL), -EIO);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
	/* The profile can still be read, and the error is logged once. */
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 3);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	fm_snapshot_put(snapshot);
}

/* Each reading of the clock takes two periods. */
static u64 fm_drain_clock(void)
{
	return fm_hand.now_ns += 2 * fm_cpu->ticks.period_ns;
}

/* CPU 0 goes on after it was drained, until what is wrong on CPU 1 ends sampling. */
static void all_that_was_sampled_until_the_end_is_drained(struct kunit *test)
{
	struct fm_cpu *other = fm_session->cpus[1];

	fm_online = cpu_online_mask;
	fm_held_start(test);
	KUNIT_ASSERT_TRUE(test, other->armed);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	other->books.fires++;
	fm_clock = fm_drain_clock;
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_GT(test, fm_cpu->books.missed, 0);
	KUNIT_EXPECT_EQ(test, memcmp(&fm_cpu->swapped, &fm_cpu->books, sizeof(fm_cpu->books)), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), fm_cpu->swapped.stored +
			other->swapped.stored);
}

/* It is also found if the books say that nothing was stored since. */
static void a_stray_count_is_seen(struct kunit *test)
{
	struct fm_table *table = &fm_cpu->tables[0];

	fm_held_start(test);
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_held_drain();
	KUNIT_ASSERT_EQ(test, table->nr, 1);
	table->entries[0].halves[table->half].count = 1;
	table->entries[0].halves[table->half].periods = 1;
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&fm_cpu->timer));
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 1);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_BROKEN);
}

/* A steal clock that runs on any CPU is reported to readers, and used on each CPU. */
static void a_steal_clock_that_starts_is_found(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_drain();
	KUNIT_EXPECT_FALSE(test, fm_session->steal_clock);
	KUNIT_EXPECT_FALSE(test, fm_cpu->late.clock);
	fm_hand.account.cpustat[CPUTIME_STEAL] = 1;
	fm_held_sample(fm_session, 1, 3, 0x1000);
	fm_hand_fire(fm_cpu, FM_STALL_NS);
	fm_held_drain();
	KUNIT_EXPECT_TRUE(test, fm_session->steal_clock);
	KUNIT_EXPECT_TRUE(test, fm_cpu->late.clock);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_TRUE(test, snapshot->steal_clock);
	KUNIT_EXPECT_EQ(test, fm_snapshot_cpu(snapshot, 0)->nr_stalls, 1);
	KUNIT_ASSERT_EQ(test, fm_snapshot_cpu(snapshot, 0)->nr_listed, 1);
	KUNIT_EXPECT_EQ(test, fm_snapshot_cpu(snapshot, 0)->stalls[0].ns, FM_STALL_NS);
	fm_snapshot_put(snapshot);
}

static void a_steal_clock_that_runs_is_used_from_the_start(struct kunit *test)
{
	fm_hand.account.cpustat[CPUTIME_STEAL] = 1;
	fm_held_start(test);
	KUNIT_EXPECT_TRUE(test, fm_session->steal_clock);
	KUNIT_EXPECT_TRUE(test, fm_cpu->late.clock);
}

static struct kunit_case fm_drain_cases[] = {
	KUNIT_CASE(a_drain_brings_what_was_stored),
	KUNIT_CASE(cgroups_are_told_apart),
	KUNIT_CASE(a_quiet_cpu_is_left_alone),
	KUNIT_CASE(what_is_not_sampled_has_nothing_to_drain),
	KUNIT_CASE(a_table_that_is_left_is_cleared),
	KUNIT_CASE(a_sleeper_is_drained_when_asked_for),
	KUNIT_CASE(a_nap_with_many_interrupts_is_ended),
	KUNIT_CASE(starts_and_stops_are_reported),
	KUNIT_CASE_PARAM(a_broken_invariant_stops_it_for_good,
			 fm_breach_gen_params),
	KUNIT_CASE(all_that_was_sampled_until_the_end_is_drained),
	KUNIT_CASE(a_stray_count_is_seen),
	KUNIT_CASE(a_steal_clock_that_starts_is_found),
	KUNIT_CASE(a_steal_clock_that_runs_is_used_from_the_start),
	{}
};

struct kunit_suite fm_drain_suite = {
	.name = "flamemod_drain",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_drain_cases,
};
