// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions, and what drains and snapshots make of them.
 */
#include <linux/netlink.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/drain.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

#define FM_LIMIT	(4 << 20)

static struct fm_session *fm_session;
static struct fm_cpu *fm_cpu;

static int fm_session_test_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_resolution = 0;
	fm_session = fm_held_create(FM_LIMIT);
	if (!fm_session)
		return -ENOMEM;
	fm_cpu = fm_session->cpus[0];
	return 0;
}

static void fm_session_test_end(struct kunit *test)
{
	fm_held_destroy(fm_session);
	fm_session = NULL;
	fm_resolution = 0;
	fm_allocations_exit(test);
}

static void fm_drain_now(void)
{
	fm_session_lock(fm_session);
	fm_drain(fm_session);
	fm_session_unlock(fm_session);
}

static void fm_start_now(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_session_start(fm_session, NULL, NULL), 0);
	KUNIT_ASSERT_TRUE(test, fm_cpu->armed);
}

static int fm_attempt_create(struct kunit *test, void *data)
{
	const struct fm_limits limits = {
		.cpu_bytes = 2 * FM_TABLE_BYTES_MIN,
		.aggregate_bytes = FM_LIMIT,
		.take_stack = fm_hand_stack,
	};
	struct fm_session **session = data;

	*session = fm_session_create(&limits, 997, 127);
	return *session ? 0 : -ENOMEM;
}

static void fm_cleanup_create(struct kunit *test, void *data)
{
	struct fm_session **session = data;

	if (*session)
		fm_session_destroy(*session);
}

static void create_fails_cleanly(struct kunit *test)
{
	struct fm_session *session;

	/* Itself, CPUs, settings, two aggregates, workqueue, symbols, each CPU. */
	fm_allocations_fail_each(test, 3 + 2 * 8 + 1 + 5 + num_possible_cpus(),
				 -ENOMEM, fm_attempt_create, fm_cleanup_create,
				 &session);
}

static void a_new_session_holds_nothing(struct kunit *test)
{
	struct fm_books none = {}, books = fm_session_books(fm_cpu);

	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 1);
	KUNIT_EXPECT_EQ(test, fm_session->period_ns, 1000000);
	KUNIT_EXPECT_TRUE(test, fm_session->settings->all_cpus);
	KUNIT_EXPECT_EQ(test, memcmp(&books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_session_next_cpu(fm_session, NULL), fm_cpu);
	KUNIT_EXPECT_NULL(test, fm_session_next_cpu(fm_session, fm_cpu));
}

static void a_drain_brings_what_was_stored(struct kunit *test)
{
	struct fm_books books;
	struct fm_record *record;

	fm_start_now(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	/* The first of them again, late by 3 periods and 7 ns, found as a path. */
	fm_hand.quick = true;
	fm_hand.leaf = 0x1000;
	fm_hand_fire(fm_cpu, 3000007);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_nr_warnings, 0);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.fires, 6);
	KUNIT_EXPECT_EQ(test, books.missed, 3);
	KUNIT_EXPECT_EQ(test, books.stored, 9);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 9);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 5);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), 21);
	record = fm_set_at(&fm_session->aggregate->records, 0);
	KUNIT_EXPECT_EQ(test, record->counts.count, 2);
	KUNIT_EXPECT_EQ(test, record->counts.periods, 5);
	KUNIT_EXPECT_EQ(test, record->counts.late_ns, 3000007);
	KUNIT_EXPECT_EQ(test, record->cpu, 0);
	KUNIT_EXPECT_EQ(test, record->context, FLAMEMOD_CONTEXT_TASK);
	/* And a second time nothing. */
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 9);
	KUNIT_EXPECT_EQ(test, fm_cpu->halves[0].nr +
			fm_cpu->halves[1].nr, 0);
	/* That of a leaf without callers is always there. */
	KUNIT_EXPECT_EQ(test, fm_cpu->halves[0].paths.nr +
			fm_cpu->halves[1].paths.nr, 2 * (FM_PATH_NOWHERE + 1));
}

static void a_quiet_cpu_is_left_alone(struct kunit *test)
{
	u8 active;

	fm_start_now(test);
	fm_held_sample(fm_session, 1, 4, 0x1000);
	fm_drain_now();
	active = fm_cpu->active;
	fm_hand.now_ns += 1000;
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_cpu->active, active);
	/* Its books are of now all the same. */
	KUNIT_EXPECT_EQ(test, fm_cpu->swapped_ns, fm_hand.now_ns);
	/* A fire that is due may be under way. */
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&fm_cpu->timer));
	fm_drain_now();
	KUNIT_EXPECT_NE(test, fm_cpu->active, active);
}

/* The marks of a stack are its outermost frames. */
static const struct fm_mark_case {
	const char *name;
	u8 marks;
	u32 nr;
	const char *names[2];		/* from the root */
} fm_mark_cases[] = {
	{ "none", 0, 0, {} },
	{ "truncated", FM_STACK_TRUNCATED, 1, { "[truncated]" } },
	{ "incomplete", FM_STACK_INCOMPLETE, 1, { "[incomplete]" } },
	{ "both", FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE, 2,
	  { "[truncated]", "[incomplete]" } },
};

static void fm_mark_name(const struct fm_mark_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_mark, fm_mark_cases, fm_mark_name);

static void marks_stand_at_the_root(struct kunit *test)
{
	const struct fm_mark_case *c = test->param_value;
	const u32 depth = FLAMEMOD_MAX_DEPTH_MAX;
	const struct fm_frame *frame;
	const struct fm_node *node;
	u32 i;

	fm_start_now(test);
	fm_hand.marks = c->marks;
	/* As deep as can be, so that marks come on top of that. */
	fm_held_sample(fm_session, 1, depth, 0x1000);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 1);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes),
			1 + depth + c->nr);
	for (i = 0; i < c->nr; i++) {
		node = fm_set_at(&fm_session->aggregate->nodes, 1 + i);
		KUNIT_EXPECT_EQ(test, node->parent, i);
		frame = fm_set_at(&fm_session->symbols.frames, node->frame);
		KUNIT_EXPECT_STREQ(test, frame->name, c->names[i]);
		KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_MARK);
	}
	node = fm_set_at(&fm_session->aggregate->nodes, 1 + c->nr);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	KUNIT_EXPECT_STREQ(test, frame->name, "function_107e");
}

/*
 * Each allocation of a drain fails once: what has no room is moved from stored
 * to lost, to the period.
 */
static void a_drain_without_memory_loses_by_the_books(struct kunit *test)
{
	u32 nth, lost_at_all = 0;
	struct fm_books books;
	bool failed = true;

	for (nth = 1; failed && nth < 1000; nth++) {
		fm_held_destroy(fm_session);
		fm_session = fm_held_create(FM_LIMIT);
		KUNIT_ASSERT_NOT_NULL(test, fm_session);
		fm_cpu = fm_session->cpus[0];
		fm_start_now(test);
		fm_hand.marks = FM_STACK_TRUNCATED;
		fm_held_sample(fm_session, 7, 3, 0x1000);
		fm_allocations_fail(nth);
		fm_drain_now();
		failed = fm_allocations_failed();
		fm_allocations_fail(0);
		books = fm_session_books(fm_cpu);
		KUNIT_EXPECT_EQ(test, fm_nr_warnings, 0);
		KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
		KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
		KUNIT_EXPECT_EQ(test, books.fires, 7);
		KUNIT_EXPECT_EQ_MSG(test, books.lost[FLAMEMOD_LOST_AGGREGATE_FULL],
				    failed, "allocation %u", nth);
		KUNIT_EXPECT_EQ(test, books.stored, 7 - failed);
		KUNIT_EXPECT_EQ(test, books.truncated, 7 - failed);
		KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), books.stored);
		lost_at_all += failed;
	}
	/* 21 names and a mark; a chunk of frames, addresses, tasks, records. */
	KUNIT_EXPECT_EQ(test, lost_at_all, 26);
}

static void a_full_aggregate_loses_by_the_books(struct kunit *test)
{
	struct fm_books books;
	u32 i;

	fm_held_destroy(fm_session);
	fm_session = fm_held_create(256 << 10);
	KUNIT_ASSERT_NOT_NULL(test, fm_session);
	fm_cpu = fm_session->cpus[0];
	fm_start_now(test);
	for (i = 0; i < 200; i++) {
		fm_held_sample(fm_session, 20, 9, 0x10000 * i);
		fm_drain_now();
		books = fm_session_books(fm_cpu);
		KUNIT_ASSERT_TRUE(test, fm_books_balance(&books));
		KUNIT_ASSERT_EQ(test, fm_held_sum(fm_session), books.stored);
	}
	KUNIT_EXPECT_EQ(test, fm_nr_warnings, 0);
	KUNIT_EXPECT_EQ(test, books.fires, 4000);
	KUNIT_EXPECT_GT(test, books.lost[FLAMEMOD_LOST_AGGREGATE_FULL], 1000);
	KUNIT_EXPECT_GT(test, books.stored, 100);
	KUNIT_EXPECT_LE(test, fm_memory_used(&fm_session->memory),
			fm_session->memory.limit_bytes);
	/* What is known still has room. */
	fm_held_sample(fm_session, 1, 9, 0);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), books.stored + 1);
	/* A reset needs none. */
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	fm_held_sample(fm_session, 20, 9, 0);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 20);
}

/* The next reset's aggregate is there again with the next drain, if it can be. */
static void a_drain_refills_the_reserve(struct kunit *test)
{
	u32 nth;

	fm_held_drop_spare(fm_session);
	for (nth = 1; nth <= 8; nth++) {
		fm_allocations_fail(nth);
		fm_drain_now();
		KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
		fm_allocations_fail(0);
		KUNIT_EXPECT_NULL(test, fm_session->spare);
	}
	fm_drain_now();
	KUNIT_EXPECT_NOT_NULL(test, fm_session->spare);
	fm_allocations_fail(1);
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_allocations_failed());
	KUNIT_EXPECT_NULL(test, fm_session->spare);
}

/* One invariant after the other is broken by hand. */
static const struct fm_breach_case {
	const char *name;
	u64 fires, stored, filtered;	/* more than there were */
} fm_breach_cases[] = {
	{ "a fire too many", 1, 0, 0 },
	{ "a filtered one too many", 0, 0, 1 },
	{ "one stored that is in no table", 1, 1, 0 },
	{ "one in the table that was not stored", 0, -1, 1 },
};

static void fm_breach_name(const struct fm_breach_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_breach, fm_breach_cases, fm_breach_name);

static void a_broken_invariant_stops_it_for_good(struct kunit *test)
{
	const struct fm_breach_case *c = test->param_value;
	struct fm_change change = { .settings = fm_session->settings };
	struct netlink_ext_ack extack = {};
	struct fm_snapshot *snapshot;

	fm_start_now(test);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	fm_cpu->books.fires += c->fires;
	fm_cpu->books.stored += c->stored;
	fm_cpu->books.filtered += c->filtered;
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, fm_nr_warnings, 1);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session_start(fm_session, NULL, &extack), -EIO);
	KUNIT_EXPECT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, fm_session_set(fm_session, &change, NULL), -EIO);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
	/* What it had can be read, and it is said once. */
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->state, FLAMEMOD_STATE_BROKEN);
	KUNIT_EXPECT_EQ(test, snapshot->nr_records, 3);
	KUNIT_EXPECT_EQ(test, fm_nr_warnings, 1);
	fm_snapshot_destroy(snapshot);
}

/* What may be changed, and when. */
enum fm_when { FM_STOPPED, FM_RUNNING, FM_HOLDING, FM_AFTER_RESET };

static const struct fm_change_case {
	const char *name;
	enum fm_when when;
	u32 hz;
	bool no_cpu;			/* that is online */
	u32 resolution;
	int err;
	const char *message;		/* the beginning of it */
} fm_change_cases[] = {
	{ "nothing, stopped", FM_STOPPED, 1000 },
	{ "nothing, running", FM_RUNNING, 1000, .err = -EBUSY,
	  .message = "already sampling" },
	{ "nothing, holding", FM_HOLDING, 1000 },
	{ "hz, stopped", FM_STOPPED, 100 },
	{ "hz, running", FM_RUNNING, 100, .err = -EBUSY,
	  .message = "already sampling" },
	{ "hz, holding", FM_HOLDING, 100, .err = -EBUSY, .message = "hz: samples" },
	{ "hz, after a reset", FM_AFTER_RESET, 100 },
	{ "cpus, none online", FM_STOPPED, 1000, .no_cpu = true, .err = -EINVAL,
	  .message = "cpus: none" },
	{ "hz at the resolution", FM_STOPPED, 250, .resolution = 4000000 },
	{ "hz above the resolution", FM_STOPPED, 251, .resolution = 4000000,
	  .err = -ERANGE, .message = "hz: the timers' clock" },
};

static void fm_change_name(const struct fm_change_case *c, char *name)
{
	strscpy(name, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(fm_change, fm_change_cases, fm_change_name);

static void fm_bring_to(struct kunit *test, enum fm_when when)
{
	if (when == FM_STOPPED)
		return;
	fm_start_now(test);
	fm_held_sample(fm_session, 1, 2, 0x1000);
	if (when == FM_RUNNING)
		return;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	if (when == FM_AFTER_RESET)
		KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
}

static void settings_change_when_they_may(struct kunit *test)
{
	const struct fm_change_case *c = test->param_value;
	struct fm_settings *old = fm_session->settings, *new;
	struct netlink_ext_ack extack = {};
	struct fm_change change = {
		.named = BIT(FLAMEMOD_A_SETTINGS_HZ) |
			 BIT(FLAMEMOD_A_SETTINGS_CPUS) |
			 BIT(FLAMEMOD_A_SETTINGS_MAX_DEPTH),
	};

	fm_bring_to(test, c->when);
	fm_resolution = c->resolution;
	new = fm_allocations_zeroed(sizeof(*old));
	KUNIT_ASSERT_NOT_NULL(test, new);
	change.settings = new;
	old->filter.nr_pids = 3;
	old->filter.pids[2] = 4711;
	new->hz = c->hz;
	new->all_cpus = !c->no_cpu;
	new->max_depth = 17;
	KUNIT_EXPECT_EQ(test, fm_session_set(fm_session, &change, &extack), c->err);
	if (c->err) {
		KUNIT_ASSERT_NOT_NULL(test, extack._msg);
		KUNIT_EXPECT_EQ(test, strncmp(extack._msg, c->message,
					      strlen(c->message)), 0);
		KUNIT_EXPECT_PTR_EQ(test, fm_session->settings, old);
		KUNIT_EXPECT_EQ(test, fm_session->period_ns, 1000000);
		KUNIT_EXPECT_EQ(test, fm_cpu->period_ns, 1000000);
	} else {
		KUNIT_EXPECT_PTR_EQ(test, change.settings, old);
		KUNIT_EXPECT_EQ(test, fm_session->settings->max_depth, 17);
		/* What is not named is as it was. */
		KUNIT_EXPECT_EQ(test, fm_session->settings->filter.nr_pids, 3);
		KUNIT_EXPECT_EQ(test, fm_session->settings->filter.pids[2], 4711);
		KUNIT_EXPECT_EQ(test, fm_session->period_ns, NSEC_PER_SEC / c->hz);
		KUNIT_EXPECT_EQ(test, fm_cpu->period_ns, NSEC_PER_SEC / c->hz);
	}
	fm_allocations_free(change.settings);
}

static void start_and_stop_follow_each_other(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
	fm_start_now(test);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	KUNIT_EXPECT_EQ(test, fm_session_start(fm_session, NULL, NULL), -EBUSY);
	KUNIT_EXPECT_TRUE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
}

/* A due fire never comes here: its periods are counted when the wait is over. */
static void stop_counts_a_fire_that_never_comes(struct kunit *test)
{
	struct fm_books books;

	fm_start_now(test);
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&fm_cpu->timer)) +
			 2 * NSEC_PER_MSEC;
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.lost[FLAMEMOD_LOST_STOPPED], 3);
	KUNIT_EXPECT_EQ(test, books.missed, 3);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
}

static void reset_begins_anew(struct kunit *test)
{
	struct fm_books none = {}, books;
	struct fm_snapshot *snapshot;

	fm_start_now(test);
	fm_held_sample(fm_session, 9, 4, 0x1000);
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 2);
	KUNIT_EXPECT_EQ(test, fm_session->since_ns, fm_hand.now_ns);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, memcmp(&books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	KUNIT_EXPECT_TRUE(test, fm_cpu->armed);
	fm_held_sample(fm_session, 2, 4, 0x1000);
	fm_hand_fire(fm_cpu, NSEC_PER_MSEC);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->books.stored, 4);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 4);
	KUNIT_EXPECT_EQ(test, snapshot->cpus[0].sampled_ns,
			fm_hand.now_ns - fm_session->since_ns);
	fm_snapshot_destroy(snapshot);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 4);
}

/* A fire that is overdue when all begins anew is counted, and expected, there. */
static void reset_leaves_what_is_overdue(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_start_now(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_hand.now_ns += 7 * NSEC_PER_MSEC / 2;
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	fm_hand_fire_now(fm_cpu);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->books.fires + snapshot->books.missed, 3);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 3);
	fm_snapshot_destroy(snapshot);
}

static u64 fm_snapshot_sum(const struct fm_snapshot *snapshot)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < snapshot->nr_records; i++)
		sum += snapshot->counts[i].periods;
	return sum;
}

static void a_snapshot_is_an_instant(struct kunit *test)
{
	struct fm_snapshot *first, *second;

	fm_start_now(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
						 &first, NULL), 0);
	fm_held_sample(fm_session, 8, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
						 FM_SNAPSHOT_RESET,
						 &second, NULL), 0);
	fm_held_sample(fm_session, 40, 2, 0x9000);
	fm_drain_now();
	KUNIT_EXPECT_EQ(test, first->books.stored, 5);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(first), 5);
	KUNIT_EXPECT_EQ(test, first->expected, 5);
	KUNIT_EXPECT_EQ(test, first->nr_records, 5);
	KUNIT_EXPECT_EQ(test, first->nr_nodes, 21);
	KUNIT_EXPECT_EQ(test, first->nr_tasks, 1);
	KUNIT_EXPECT_EQ(test, first->nr_frames, 20);
	KUNIT_EXPECT_EQ(test, first->nr_cpus, 1);
	KUNIT_EXPECT_EQ(test, bitmap_weight(first->frames_used, 20), 20);
	KUNIT_EXPECT_EQ(test, second->books.stored, 13);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(second), 13);
	KUNIT_EXPECT_EQ(test, second->epoch, 1);
	KUNIT_EXPECT_EQ(test, second->nr_records, 8);
	KUNIT_EXPECT_PTR_EQ(test, second->aggregate, first->aggregate);
	KUNIT_EXPECT_PTR_NE(test, fm_session->aggregate, first->aggregate);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 40);
	fm_snapshot_destroy(second);
	KUNIT_EXPECT_EQ(test, fm_snapshot_sum(first), 5);
	fm_snapshot_destroy(first);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), 0);
}

static int fm_attempt_snapshot(struct kunit *test, void *data)
{
	struct fm_snapshot **snapshot = data;
	struct netlink_ext_ack extack = {};
	int err;

	*snapshot = NULL;
	err = fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE |
				 FM_SNAPSHOT_RESET, snapshot, &extack);
	KUNIT_EXPECT_EQ(test, !!extack._msg, !!err);
	/* On an error nothing was reset. */
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), err ? 6 : 0);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, err ? 1 : 2);
	return err;
}

static void fm_cleanup_snapshot(struct kunit *test, void *data)
{
	struct fm_snapshot **snapshot = data;

	if (*snapshot) {
		fm_snapshot_destroy(*snapshot);
		/* As it was, since the old aggregate had a little more in it. */
		fm_held_sample(fm_session, 6, 4, 0x1000);
		fm_drain_now();
	}
	fm_held_drop_spare(fm_session);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), 0);
}

static void snapshot_fails_cleanly(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_start_now(test);
	fm_held_sample(fm_session, 6, 4, 0x1000);
	fm_drain_now();
	fm_held_drop_spare(fm_session);
	/* A new aggregate; itself. */
	fm_allocations_fail_each(test, 1 + 8, -ENOMEM, fm_attempt_snapshot,
				 fm_cleanup_snapshot, &snapshot);
}

static void readers_have_their_share_and_no_more(struct kunit *test)
{
	struct fm_snapshot *snapshots[64], *more;
	struct netlink_ext_ack extack = {};
	size_t bytes;
	u32 nr = 0;
	int err = 0;

	fm_held_destroy(fm_session);
	fm_session = fm_held_create(64 << 10);
	KUNIT_ASSERT_NOT_NULL(test, fm_session);
	while (nr < ARRAY_SIZE(snapshots)) {
		err = fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE,
					 &snapshots[nr], &extack);
		if (err)
			break;
		nr++;
	}
	KUNIT_ASSERT_GT(test, nr, 1);
	KUNIT_EXPECT_EQ(test, err, -EBUSY);
	KUNIT_EXPECT_NOT_NULL(test, extack._msg);
	bytes = snapshots[0]->size_bytes;
	KUNIT_EXPECT_EQ(test, nr, (64 << 10) / 3 / bytes);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->readers), nr * bytes);
	fm_snapshot_destroy(snapshots[--nr]);
	KUNIT_EXPECT_EQ(test, fm_snapshot_create(fm_session, 0, &more, NULL), 0);
	fm_snapshot_destroy(more);
	while (nr--)
		fm_snapshot_destroy(snapshots[nr]);
}

static void a_cpu_not_sampled_has_no_books(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_cpus, 0);
	KUNIT_EXPECT_NULL(test, snapshot->counts);
	fm_snapshot_destroy(snapshot);
	fm_start_now(test);
	fm_hand.now_ns++;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_cpus, 1);
	KUNIT_EXPECT_EQ(test, snapshot->cpus[0].sampled_ns, 1);
	KUNIT_EXPECT_FALSE(test, snapshot->cpus[0].sampling);
	fm_snapshot_destroy(snapshot);
}

static struct kunit_case fm_session_cases[] = {
	KUNIT_CASE(create_fails_cleanly),
	KUNIT_CASE(a_new_session_holds_nothing),
	KUNIT_CASE(a_drain_brings_what_was_stored),
	KUNIT_CASE(a_quiet_cpu_is_left_alone),
	KUNIT_CASE_PARAM(marks_stand_at_the_root, fm_mark_gen_params),
	KUNIT_CASE(a_drain_without_memory_loses_by_the_books),
	KUNIT_CASE(a_full_aggregate_loses_by_the_books),
	KUNIT_CASE(a_drain_refills_the_reserve),
	KUNIT_CASE_PARAM(a_broken_invariant_stops_it_for_good,
			 fm_breach_gen_params),
	KUNIT_CASE_PARAM(settings_change_when_they_may, fm_change_gen_params),
	KUNIT_CASE(start_and_stop_follow_each_other),
	KUNIT_CASE(stop_counts_a_fire_that_never_comes),
	KUNIT_CASE(reset_begins_anew),
	KUNIT_CASE(reset_leaves_what_is_overdue),
	KUNIT_CASE(a_snapshot_is_an_instant),
	KUNIT_CASE(snapshot_fails_cleanly),
	KUNIT_CASE(readers_have_their_share_and_no_more),
	KUNIT_CASE(a_cpu_not_sampled_has_no_books),
	{}
};

struct kunit_suite fm_session_suite = {
	.name = "flamemod_session",
	.init = fm_session_test_begin,
	.exit = fm_session_test_end,
	.test_cases = fm_session_cases,
};
