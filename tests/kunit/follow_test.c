// SPDX-License-Identifier: GPL-2.0
/*
 * Following a process: new tasks, existing tasks, and refusals.
 *
 * This file includes the unit, because some tests make up new tasks.
 */
#include <linux/err.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <linux/tracepoint.h>
#include <kunit/test.h>

#include "redirect.h"

/* How often the probe was registered and unregistered, and calls of it were waited for. */
static struct fm_probe {
	int err;			/* of the registration */
	u32 nr_registered, nr_unregistered, nr_synchronized;
	u32 nr_waits;			/* for those that may use an object */
	bool killed;			/* after the first of these waits */
} fm_probe;

#define tracepoint_probe_register(tracepoint, probe, data)		\
	(fm_probe.err ?: (fm_probe.nr_registered++,			\
			  (tracepoint_probe_register)(tracepoint, probe, data)))
#define tracepoint_probe_unregister(tracepoint, probe, data)		\
	(fm_probe.nr_unregistered++,					\
	 (tracepoint_probe_unregister)(tracepoint, probe, data))
#define synchronize_rcu()		(fm_probe.nr_waits++, (synchronize_rcu)())
#define tracepoint_synchronize_unregister()				\
	(fm_probe.nr_synchronized++, (tracepoint_synchronize_unregister)())
#define fatal_signal_pending(task) \
	((task) == current && fm_probe.killed && fm_probe.nr_waits)
#include "../../module/follow.c"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"

/* kthreadd created every kernel thread, including those that run tests. */
#define FM_KTHREADD	2
#define FM_PORT		4711u

static struct fm_follow *fm_follow_of(struct kunit *test, u32 vpid)
{
	struct fm_follow *follow = fm_follow_create(&fm_session->memory, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(follow));
	KUNIT_ASSERT_EQ(test, fm_follow_start(follow, vpid, NULL), 0);
	return follow;
}

static u32 fm_nr_followed(const struct fm_follow *follow)
{
	u32 tid, nr = 0;

	for (tid = 0; tid < PID_MAX_LIMIT; tid++)
		nr += fm_follow_has(follow, tid);
	return nr;
}

/* What it takes to follow somebody. */
static size_t fm_follow_bytes(void)
{
	return fm_memory_bytes(sizeof(struct fm_follow)) +
	       fm_pool_fixed_bytes(sizeof(long), BITS_TO_LONGS(PID_MAX_LIMIT));
}

static const struct fm_newtask_case {
	const char *name;
	bool creator, before;		/* is the creator followed; was the id's previous user? */
	u32 tid;
	bool after;
} fm_newtask_cases[] = {
	{ "a follower's", true, false, 4711, true },
	{ "a stranger's", false, false, 4711, false },
	{ "a follower's, used before", true, true, 4711, true },
	{ "a stranger's, used before", false, true, 4711, false },
	{ "the first id", true, false, 1, true },
	{ "the last id", true, false, PID_MAX_LIMIT - 1, true },
	{ "an idle task to come", true, false, 0, false },
};

FM_ARRAY_PARAM(newtask);

static void a_new_task_is_followed_with_its_creator(struct kunit *test)
{
	const struct fm_newtask_case *c = test->param_value;
	struct fm_follow *follow = fm_follow_create(&fm_session->memory, NULL);
	struct task_struct *task = fm_allocations_zeroed(sizeof(*task));

	KUNIT_ASSERT_FALSE(test, IS_ERR(follow));
	KUNIT_ASSERT_NOT_NULL(test, task);
	/* Beside it, no real tasks are reported: the probe is not registered. */
	list_add_rcu(&follow->list, &fm_follow_all);
	task->pid = c->tid;
	fm_follow_write(follow, current->pid, c->creator);
	fm_follow_write(follow, c->tid, c->before);
	fm_follow_newtask(NULL, task, 0);
	list_del_rcu(&follow->list);
	KUNIT_EXPECT_EQ(test, fm_follow_has(follow, c->tid), c->after);
	/* Nobody else is followed. */
	KUNIT_EXPECT_EQ(test, fm_nr_followed(follow), c->creator + c->after);
	fm_allocations_free(task);
	fm_follow_destroy(follow);
}

/* Existing tasks: following kthreadd includes all kernel threads and no program. */
static void existing_descendants_are_followed(struct kunit *test)
{
	struct fm_follow *follow = fm_follow_of(test, FM_KTHREADD);

	KUNIT_EXPECT_EQ(test, follow->pid, FM_KTHREADD);
	KUNIT_EXPECT_TRUE(test, fm_follow_has(follow, FM_KTHREADD));
	KUNIT_EXPECT_TRUE(test, fm_follow_has(follow, current->pid));
	KUNIT_EXPECT_FALSE(test, fm_follow_has(follow, 1));
	KUNIT_EXPECT_FALSE(test, fm_follow_has(follow, 0));
	fm_follow_destroy(follow);
}

static void one_alone_is_followed(struct kunit *test)
{
	struct fm_follow *follow = fm_follow_of(test, task_tgid_vnr(current));

	KUNIT_EXPECT_TRUE(test, fm_follow_has(follow, current->pid));
	KUNIT_EXPECT_FALSE(test, fm_follow_has(follow, FM_KTHREADD));
	KUNIT_EXPECT_EQ(test, fm_nr_followed(follow), 1);
	fm_follow_destroy(follow);
}

static void expects_refusal(struct kunit *test, u32 vpid, int err,
			    const char *message)
{
	size_t used = fm_memory_used(&fm_session->memory);
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_session_follow(fm_session, vpid, FM_PORT, &extack), err);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, strncmp(extack._msg, message, strlen(message)), 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->memory), used);
}

static void what_cannot_be_followed_is_refused(struct kunit *test)
{
	expects_refusal(test, PID_MAX_LIMIT, -ESRCH, "follow: there is no such");
	expects_refusal(test, U32_MAX, -ESRCH, "follow: there is no such");
	fm_allocations_fail(1);
	expects_refusal(test, FM_KTHREADD, -ENOMEM, "follow: no memory");
	fm_allocations_fail(0);
	/* One byte too few; how many it takes depends on the kernel. */
	fm_session->memory.limit_bytes = fm_memory_used(&fm_session->memory) +
					 fm_follow_bytes() - 1;
	expects_refusal(test, FM_KTHREADD, -ENOMEM, "follow: no memory");
	KUNIT_EXPECT_NULL(test, fm_session->follow);
	fm_session->memory.limit_bytes++;
	KUNIT_EXPECT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
}

/* Who is killed gets no answer, and does not go on as long as others create tasks. */
static void who_is_killed_follows_nobody(struct kunit *test)
{
	fm_probe.nr_waits = 0;
	fm_probe.nr_registered = 0;
	fm_probe.nr_unregistered = 0;
	fm_probe.killed = true;
	expects_refusal(test, FM_KTHREADD, -EINTR, "follow: the program that asked");
	fm_probe.killed = false;
	KUNIT_EXPECT_NULL(test, fm_session->follow);
	KUNIT_EXPECT_TRUE(test, list_empty(&fm_follow_all));
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 1);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 1);
	/* One round, and the wait for those that may use the object. */
	KUNIT_EXPECT_EQ(test, fm_probe.nr_waits, 2);
	KUNIT_EXPECT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
}

static void one_is_followed_at_a_time(struct kunit *test)
{
	size_t used = fm_memory_used(&fm_session->memory);

	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->memory),
			used + fm_follow_bytes());
	expects_refusal(test, FM_KTHREADD, -EBUSY, "follow: another process");
	fm_session_unfollow(fm_session);
	KUNIT_EXPECT_NULL(test, fm_session->follow);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->memory), used);
	/* A second unfollow does nothing. */
	fm_session_unfollow(fm_session);
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
}

static void it_ends_with_its_socket(struct kunit *test)
{
	size_t used = fm_memory_used(&fm_session->memory);

	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	fm_session->settings->filter.followed_only = true;
	fm_session_close(fm_session, FM_PORT + 1);
	fm_session_close(fm_session, 0);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_NOT_NULL(test, fm_session->follow);
	fm_session_close(fm_session, FM_PORT);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_NULL(test, fm_session->follow);
	KUNIT_EXPECT_FALSE(test, fm_session->settings->filter.followed_only);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->memory), used);
	/* After an unfollow, closing the socket ends nothing. */
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	fm_session_unfollow(fm_session);
	KUNIT_EXPECT_FALSE(test, fm_claim_close(&fm_session->follower, FM_PORT));
	KUNIT_EXPECT_FALSE(test, fm_claim_close(&fm_session->follower, 0));
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, 1, FM_PORT + 1, NULL), 0);
	fm_session_close(fm_session, FM_PORT);
	flush_work(&fm_session->undo_work);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->follow);
	KUNIT_EXPECT_EQ(test, fm_session->follow->pid, 1);
}

/* The worker runs only after another socket has taken the port. */
static void the_next_takes_over_at_once(struct kunit *test)
{
	size_t used = fm_memory_used(&fm_session->memory);

	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&fm_session->follower, FM_PORT));
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, 1, FM_PORT, NULL), 0);
	fm_session_undo_work(&fm_session->undo_work);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->follow);
	KUNIT_EXPECT_EQ(test, fm_session->follow->pid, 1);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_session->memory),
			used + fm_follow_bytes());
	fm_session_close(fm_session, FM_PORT);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_NULL(test, fm_session->follow);
}

static int fm_start_followed_only(struct netlink_ext_ack *extack)
{
	struct fm_change change = {
		.settings = fm_allocations_zeroed(sizeof(*change.settings)),
		.named = BIT(FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY),
	};
	int err;

	if (!change.settings)
		return -ENOMEM;
	change.settings->filter.followed_only = true;
	err = fm_session_start(fm_session, &change, extack);
	fm_allocations_free(change.settings);
	return err;
}

static void only_the_followed_needs_one(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_start_followed_only(&extack), -EINVAL);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_EQ(test, strncmp(extack._msg, "followed-only: ", 15), 0);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
}

/* The number of the profile's periods that are marked as followed, or not. */
static u64 fm_sum_of(bool followed)
{
	struct fm_set *records = &fm_session->aggregate->records;
	u64 sum = 0;
	u32 i;

	for (i = 0; i < fm_set_nr(records); i++) {
		struct fm_record *record = fm_set_at(records, i);

		if (record->followed == followed)
			sum += record->counts.periods;
	}
	return sum;
}

/* The same stack before, while it is followed, and after. */
static void what_is_followed_is_marked(struct kunit *test)
{
	fm_held_start(test);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_session_unfollow(fm_session);
	fm_held_sample(fm_session, 9, 4, 0x1000);
	/* Another is followed now. */
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, 1, FM_PORT, NULL), 0);
	fm_held_sample(fm_session, 20, 4, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_sum_of(true), 5);
	KUNIT_EXPECT_EQ(test, fm_sum_of(false), 32);
	KUNIT_EXPECT_EQ(test, fm_session_books(fm_cpu).filtered, 0);
}

/* Others are left out as long as somebody is followed. */
static void others_are_left_out(struct kunit *test)
{
	struct fm_books books;

	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, 1, FM_PORT, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_start_followed_only(NULL), 0);
	fm_held_sample(fm_session, 7, 4, 0x1000);
	fm_session_unfollow(fm_session);
	KUNIT_EXPECT_FALSE(test, fm_session->settings->filter.followed_only);
	fm_held_sample(fm_session, 4, 4, 0x1000);
	fm_held_drain();
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.filtered, 7);
	KUNIT_EXPECT_EQ(test, books.stored, 4);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
}

static void a_snapshot_names_it(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->followed, FM_KTHREADD);
	fm_snapshot_put(snapshot);
	fm_session_unfollow(fm_session);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->followed, 0);
	fm_snapshot_put(snapshot);
}

/* The kernel's text is patched by a start and a stop, and never in between. */
static void the_probe_stays_while_sampling_runs(struct kunit *test)
{
	u32 round, waits;

	fm_follow_init(fm_session);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->watch_follow);
	fm_session_watch(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 0);
	for (round = 1; round <= 2; round++) {
		fm_held_start(test);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, round);
		KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
		waits = fm_probe.nr_waits;
		fm_session_unfollow(fm_session);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_waits, waits + 1);
		KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, 1, FM_PORT, NULL), 0);
		fm_session_watch(fm_session);
		fm_session_close(fm_session, FM_PORT);
		flush_work(&fm_session->undo_work);
		KUNIT_EXPECT_NULL(test, fm_session->follow);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, round);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, round - 1);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, 0);
		KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, round);
	}
	fm_follow_deinit(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 2);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, 1);
}

/* As by record --only: it follows first, then starts; and may stop first, or last. */
static void the_probe_is_there_while_somebody_is_followed(struct kunit *test)
{
	u32 waited;

	fm_follow_init(fm_session);
	KUNIT_ASSERT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 1);
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 1);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 0);
	waited = fm_probe.nr_synchronized;
	fm_session_unfollow(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 1);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, waited + 1);
	/* The module's text may go. */
	fm_held_start(test);
	fm_session->state = FLAMEMOD_STATE_STOPPED;
	fm_follow_deinit(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 2);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, waited + 2);
	fm_session->state = FLAMEMOD_STATE_RUNNING;
	fm_session->watch_follow = NULL;
}

/* If a start found no memory for it, it is tried again when it is needed. */
static void the_probe_may_be_refused(struct kunit *test)
{
	fm_follow_init(fm_session);
	fm_probe.err = -ENOMEM;
	fm_held_start(test);
	expects_refusal(test, FM_KTHREADD, -ENOMEM, "follow: the kernel refused");
	fm_probe.err = 0;
	KUNIT_EXPECT_EQ(test, fm_session_follow(fm_session, FM_KTHREADD, FM_PORT, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 1);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 0);
}

static int fm_follow_suite_begin(struct kunit *test)
{
	memset(&fm_probe, 0, sizeof(fm_probe));
	return fm_held_begin(test);
}

/* Unload does this, too: the probe is in this module's text. */
static void fm_follow_suite_end(struct kunit *test)
{
	if (fm_session && fm_session->watch_follow) {
		if (fm_session->state == FLAMEMOD_STATE_RUNNING)
			fm_session_stop(fm_session, NULL);
		fm_follow_deinit(fm_session);
	}
	fm_held_end(test);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, fm_probe.nr_unregistered);
}

static struct kunit_case fm_follow_suite_cases[] = {
	KUNIT_CASE_PARAM(a_new_task_is_followed_with_its_creator, fm_newtask_gen_params),
	KUNIT_CASE(existing_descendants_are_followed),
	KUNIT_CASE(one_alone_is_followed),
	KUNIT_CASE(what_cannot_be_followed_is_refused),
	KUNIT_CASE(who_is_killed_follows_nobody),
	KUNIT_CASE(one_is_followed_at_a_time),
	KUNIT_CASE(it_ends_with_its_socket),
	KUNIT_CASE(the_next_takes_over_at_once),
	KUNIT_CASE(only_the_followed_needs_one),
	KUNIT_CASE(what_is_followed_is_marked),
	KUNIT_CASE(others_are_left_out),
	KUNIT_CASE(a_snapshot_names_it),
	KUNIT_CASE(the_probe_stays_while_sampling_runs),
	KUNIT_CASE(the_probe_is_there_while_somebody_is_followed),
	KUNIT_CASE(the_probe_may_be_refused),
	{}
};

struct kunit_suite fm_follow_suite = {
	.name = "flamemod_follow",
	.init = fm_follow_suite_begin,
	.exit = fm_follow_suite_end,
	.test_cases = fm_follow_suite_cases,
};
