// SPDX-License-Identifier: GPL-2.0
/*
 * Clients with events attached: each has its own, and a reader gets those that it wants.
 */
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <kunit/test.h>

#include "../../module/session.h"
#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"
#include "switched.h"

/* The first client's socket; those of the others follow it. */
#define FM_PORT		4711
#define FM_STRANGER	4799

#define FM_DUMP		(FM_SNAPSHOT_PROFILE | FM_SNAPSHOT_EVENTS)

static const struct fm_attach fm_all = {
	.events = FM_EVENTS_ALL, .states = FM_TASK_STATES_ALL,
};

/* No task of the machine has this id. */
static const struct fm_attach fm_nobody = {
	.events = FM_EVENT(OFF_CPU), .states = FM_TASK_STATES_ALL,
	.nr_pids = 1, .pids = { 0x7ffffff0 },
};

/* Let as many sockets attach events, with the real probe. */
static void fm_attach_some(struct kunit *test, unsigned int nr)
{
	struct netlink_ext_ack extack = {};
	unsigned int i;

	for (i = 0; i < nr; i++)
		KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT + i,
						       &extack), 0);
}

/* Ask for a snapshot. Return: the epoch of its events; 0 for none; or -errno. */
static int fm_ask(unsigned int flags, u32 asker, u32 epoch, struct netlink_ext_ack *extack)
{
	const struct fm_wanted wanted = {
		.flags = flags, .asker = asker, .events_epoch = epoch,
	};
	struct fm_snapshot *snapshot;
	int err = fm_snapshot_answer(fm_session, &wanted, &snapshot, extack);

	if (err)
		return err;
	if (snapshot->events)
		err = snapshot->events->epoch;
	fm_snapshot_put(snapshot);
	return err;
}

static void each_client_has_its_own(struct kunit *test)
{
	struct fm_events *one = fm_session->events[0], *other = fm_session->events[1];
	struct netlink_ext_ack extack = {};

	fm_attach_some(test, 2);
	KUNIT_EXPECT_TRUE(test, one->on && other->on);
	KUNIT_EXPECT_PTR_NE(test, one->aggregate, other->aggregate);
	KUNIT_EXPECT_PTR_NE(test, one->cpus[0], other->cpus[0]);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_PORT), one);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_PORT + 1), other);
	KUNIT_EXPECT_NULL(test, fm_events_of_socket(fm_session, FM_STRANGER));
	KUNIT_EXPECT_NULL(test, fm_events_of_socket(fm_session, 0));
	KUNIT_EXPECT_EQ(test, one->epoch, 1);
	KUNIT_EXPECT_EQ(test, other->epoch, 2);
	/* The end of one is not that of the other. */
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_STRANGER, &extack), -ENOENT);
	KUNIT_EXPECT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), 0);
	KUNIT_EXPECT_FALSE(test, one->attached);
	KUNIT_EXPECT_TRUE(test, other->on);
	KUNIT_EXPECT_NULL(test, fm_events_of_epoch(fm_session, 1));
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_epoch(fm_session, 2), other);
	fm_session_close(fm_session, FM_PORT + 1);
	flush_work(&fm_session->undo_work);
	KUNIT_EXPECT_FALSE(test, other->attached);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&other->memory), 0);
	KUNIT_EXPECT_EQ(test, fm_events_nr_attached(fm_session), 0);
}

static void a_socket_attaches_once(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	fm_attach_some(test, 2);
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT + 1, &extack),
			-EBUSY);
	KUNIT_EXPECT_STREQ(test, extack._msg,
			   "attach: this socket has events attached: detach them first");
	KUNIT_EXPECT_EQ(test, fm_events_nr_attached(fm_session), 2);
}

/* An attach by another thread. */
struct fm_attacher {
	struct work_struct work;
	u32 port;
	int err;
	bool done;
};

static struct fm_attacher fm_attachers[2];

static void fm_attacher_work(struct work_struct *work)
{
	struct fm_attacher *attacher = container_of(work, struct fm_attacher, work);
	struct netlink_ext_ack extack = {};

	attacher->err = fm_events_attach(fm_session, &fm_nobody, attacher->port, &extack);
	WRITE_ONCE(attacher->done, true);
}

static struct fm_attacher *fm_attacher_start(unsigned int number, u32 port)
{
	struct fm_attacher *attacher = &fm_attachers[number];

	*attacher = (struct fm_attacher){ .port = port };
	INIT_WORK(&attacher->work, fm_attacher_work);
	schedule_work(&attacher->work);
	return attacher;
}

/* Wait until an attach has ended, or works in a place; at most 10 s. */
static void fm_attacher_wait(const struct fm_attacher *attacher, struct fm_events *place)
{
	unsigned int i;

	for (i = 0; i < 10000; i++) {
		if (READ_ONCE(attacher->done) || (place && mutex_is_locked(&place->lock)))
			return;
		(usleep_range)(900, 1100);
	}
}

/* Two threads of one program ask at the same time. */
static void a_socket_attaches_once_at_a_time(struct kunit *test)
{
	struct fm_attacher *one, *other;

	/* Both need it, after they found their places. */
	fm_session_lock(fm_session);
	one = fm_attacher_start(0, FM_PORT);
	fm_attacher_wait(one, fm_session->events[0]);
	other = fm_attacher_start(1, FM_PORT);
	fm_attacher_wait(other, fm_session->events[1]);
	fm_session_unlock(fm_session);
	flush_work(&one->work);
	flush_work(&other->work);
	KUNIT_EXPECT_EQ(test, one->err, 0);
	KUNIT_EXPECT_EQ(test, other->err, -EBUSY);
	KUNIT_EXPECT_EQ(test, fm_events_nr_attached(fm_session), 1);
}

/* Who attaches or detaches may take long: others take another place. */
static void a_free_place_is_taken_at_once(struct kunit *test)
{
	struct fm_events *busy = fm_session->events[0];
	struct fm_attacher *attacher;

	mutex_lock(&busy->lock);
	attacher = fm_attacher_start(0, FM_PORT);
	fm_attacher_wait(attacher, NULL);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(attacher->done));
	mutex_unlock(&busy->lock);
	flush_work(&attacher->work);
	KUNIT_EXPECT_EQ(test, attacher->err, 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_PORT),
			    fm_session->events[1]);
}

/* A reader still holds the profile of the last client of a place. */
static void an_empty_place_is_preferred(struct kunit *test)
{
	const struct fm_wanted wanted = { .flags = FM_DUMP, .asker = FM_PORT + 1 };
	struct fm_events *busy = fm_session->events[0], *held = fm_session->events[1];
	struct netlink_ext_ack extack = {};
	struct fm_snapshot *snapshot;
	struct fm_attacher *attacher;
	u32 port;

	fm_attach_some(test, 2);
	KUNIT_ASSERT_EQ(test, fm_snapshot_answer(fm_session, &wanted, &snapshot, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_events_detach(fm_session, FM_PORT + 1, &extack), 0);
	KUNIT_ASSERT_GT(test, fm_memory_used(&held->memory), 0);
	for (port = FM_PORT + 2; port < FM_PORT + FLAMEMOD_EVENT_CLIENTS_MAX; port++) {
		KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, port, &extack),
				0);
		KUNIT_EXPECT_FALSE(test, held->attached);
	}
	/* But it is better than to wait. */
	mutex_lock(&busy->lock);
	attacher = fm_attacher_start(0, FM_STRANGER);
	fm_attacher_wait(attacher, NULL);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(attacher->done));
	mutex_unlock(&busy->lock);
	flush_work(&attacher->work);
	KUNIT_EXPECT_EQ(test, attacher->err, 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_STRANGER), held);
	fm_snapshot_put(snapshot);
}

/* All others are taken, and this one is about to be free. */
static void a_busy_place_is_waited_for(struct kunit *test)
{
	struct fm_events *busy = fm_session->events[2];
	struct fm_attacher *attacher;
	unsigned int i;

	fm_attach_some(test, FLAMEMOD_EVENT_CLIENTS_MAX);
	mutex_lock(&busy->lock);
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&busy->claim, FM_PORT + 2));
	attacher = fm_attacher_start(0, FM_STRANGER);
	for (i = 0; i < 50 && !READ_ONCE(attacher->done); i++)
		(usleep_range)(900, 1100);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(attacher->done));
	mutex_unlock(&busy->lock);
	flush_work(&attacher->work);
	KUNIT_EXPECT_EQ(test, attacher->err, 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_STRANGER), busy);
}

/* What is refused leaves the socket free to try again. */
static void a_refused_attach_holds_nothing(struct kunit *test)
{
	struct fm_attach request = fm_nobody;
	struct netlink_ext_ack extack = {};

	request.nr_pids = 0;
	request.followed = true;
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &request, FM_PORT, &extack), -EINVAL);
	KUNIT_EXPECT_FALSE(test, fm_claim_is(&fm_session->events[0]->claim, FM_PORT));
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
}

static void who_has_all_is_named(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	char says[128];

	fm_attach_some(test, FLAMEMOD_EVENT_CLIENTS_MAX);
	fm_session->events[2]->pid = 4194304;
	snprintf(says, sizeof(says),
		 "attach: processes %u, %u, 4194304, %u have events attached, 4 at a time: ",
		 current->tgid, current->tgid, current->tgid);
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_STRANGER, &extack),
			-EBUSY);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, says));
	/* A socket was closed, but the worker did not run yet. */
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&fm_session->events[2]->claim, FM_PORT + 2));
	KUNIT_EXPECT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_STRANGER, &extack), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_STRANGER),
			    fm_session->events[2]);
	KUNIT_EXPECT_EQ(test, fm_session->events[2]->pid, current->tgid);
}

static void a_reader_gets_those_that_it_wants(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_ask(0, FM_PORT, 0, &extack), 0);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_PORT, 0, &extack), -ENODATA);
	KUNIT_EXPECT_STREQ(test, extack._msg, "events: none is attached");
	fm_attach_some(test, 1);
	/* The only ones are shown to others that ask for events, and listed in a status. */
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_STRANGER, 0, &extack), 1);
	KUNIT_EXPECT_EQ(test, fm_ask(0, FM_STRANGER, 0, &extack), 1);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_SNAPSHOT_PROFILE, FM_STRANGER, 0, &extack), 0);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_SNAPSHOT_PROFILE, FM_PORT, 0, &extack), 1);
	/* The second client's are in the first place now, but not the oldest. */
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT + 1, &extack), 0);
	KUNIT_ASSERT_EQ(test, fm_events_detach(fm_session, FM_PORT, &extack), 0);
	KUNIT_ASSERT_EQ(test, fm_events_attach(fm_session, &fm_nobody, FM_PORT, &extack), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_events_of_socket(fm_session, FM_PORT),
			    fm_session->events[0]);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_PORT, 0, &extack), 3);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_PORT + 1, 0, &extack), 2);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_PORT, 2, &extack), 2);
	KUNIT_EXPECT_EQ(test, fm_ask(0, FM_PORT, 2, &extack), 2);
	KUNIT_EXPECT_EQ(test, fm_ask(0, FM_STRANGER, 0, &extack), 2);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_STRANGER, 3, &extack), 3);
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_STRANGER, 0, &extack), -EINVAL);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, "events: several programs have "));
	KUNIT_EXPECT_EQ(test, fm_ask(FM_DUMP, FM_STRANGER, 1, &extack), -ENODATA);
	KUNIT_EXPECT_STREQ(test, extack._msg, "epoch: the events 1 are not attached any more");
	KUNIT_EXPECT_EQ(test, fm_ask(0, FM_STRANGER, 1, &extack), -ENODATA);
}

static void a_status_lists_the_clients(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_attach_some(test, 3);
	fm_session->events[1]->pid = 77;
	KUNIT_ASSERT_EQ(test, fm_events_detach(fm_session, FM_PORT, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_clients, 2);
	KUNIT_EXPECT_EQ(test, snapshot->clients[0].epoch, 2);
	KUNIT_EXPECT_EQ(test, snapshot->clients[0].pid, 77);
	KUNIT_EXPECT_EQ(test, snapshot->clients[1].epoch, 3);
	fm_snapshot_put(snapshot);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_PROFILE, &snapshot,
						 NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->nr_clients, 0);
	fm_snapshot_put(snapshot);
}

/* Two clients, and two tasks that are switched. */
static struct task_struct *fm_one, *fm_other;

static void fm_attach_two(struct kunit *test)
{
	unsigned int i;

	fm_one = fm_switched_task(test, 101);
	fm_other = fm_switched_task(test, 102);
	for (i = 0; i < 2; i++) {
		fm_switched_client(i);
		fm_switched_attach(test, &fm_all);
	}
}

/* What a client counts is in its own profile, and a drain brings it to each. */
static void a_drain_is_of_all_clients(struct kunit *test)
{
	unsigned int i;

	fm_attach_two(test);
	for (i = 0; i < 2; i++) {
		fm_switched_client(i);
		fm_hand.now_ns += 10;
		fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	}
	fm_session_lock(fm_session);
	/* Of each, what one task ran, and what the other was off its CPU. */
	KUNIT_EXPECT_EQ(test, fm_events_drain(fm_session), 4);
	fm_session_unlock(fm_session);
	for (i = 0; i < 2; i++) {
		fm_switched_client(i);
		KUNIT_EXPECT_EQ(test, fm_switched_sum(FLAMEMOD_EVENT_RAN, -1), 10 + 10 * i);
	}
}

/* Several clients pay for stacks from one credit. */
static void credit_is_of_the_cpu(struct kunit *test)
{
	fm_attach_two(test);
	fm_switched_client(0);
	fm_events->cpus[0]->throttle->credit_ns = -FM_THROTTLE_CREDIT_NS_MAX;
	fm_switched_client(1);
	fm_switched(fm_one, false, TASK_INTERRUPTIBLE, fm_other);
	fm_hand.now_ns += 10;
	fm_switched(fm_other, false, TASK_INTERRUPTIBLE, fm_one);
	KUNIT_EXPECT_EQ(test, fm_switched_books(FLAMEMOD_EVENT_OFF_CPU)
			->hits.lost[FLAMEMOD_EVENT_LOST_OVERLOAD], 1);
}

/* Each client's user stacks are copied to a place of its own, which its drains empty. */
static void copies_are_of_each_client(struct kunit *test)
{
	static const struct fm_attach request = {
		.events = FM_EVENT(OFF_CPU), .states = FM_TASK_STATES_ALL, .user_stacks = true,
	};
	const struct fm_copies *copies[2];
	unsigned int i;

	fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	for (i = 0; i < 2; i++) {
		fm_switched_client(i);
		fm_switched_attach(test, &request);
		KUNIT_ASSERT_NOT_NULL(test, fm_events->cpus[0]->maps);
		copies[i] = fm_events->cpus[0]->maps->copies;
		KUNIT_ASSERT_NOT_NULL(test, copies[i]);
	}
	KUNIT_EXPECT_PTR_NE(test, copies[0], copies[1]);
}

/* Nobody is followed any more: no client looks at who was. */
static void all_clients_let_go_of_who_is_followed(struct kunit *test)
{
	const struct fm_follow *follow = (void *)-1ul;
	unsigned int i;

	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++)
		fm_session->events[i]->follow = follow;
	fm_session_lock(fm_session);
	fm_events_unfollow(fm_session);
	fm_session_unlock(fm_session);
	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++)
		KUNIT_EXPECT_NULL(test, fm_session->events[i]->follow);
}

static struct kunit_case fm_clients_tests[] = {
	KUNIT_CASE(each_client_has_its_own),
	KUNIT_CASE(a_socket_attaches_once),
	KUNIT_CASE(a_socket_attaches_once_at_a_time),
	KUNIT_CASE(a_free_place_is_taken_at_once),
	KUNIT_CASE(an_empty_place_is_preferred),
	KUNIT_CASE(a_busy_place_is_waited_for),
	KUNIT_CASE(a_refused_attach_holds_nothing),
	KUNIT_CASE(who_has_all_is_named),
	KUNIT_CASE(a_reader_gets_those_that_it_wants),
	KUNIT_CASE(a_status_lists_the_clients),
	KUNIT_CASE(a_drain_is_of_all_clients),
	KUNIT_CASE(credit_is_of_the_cpu),
	KUNIT_CASE(copies_are_of_each_client),
	KUNIT_CASE(all_clients_let_go_of_who_is_followed),
	{}
};

struct kunit_suite fm_clients_suite = {
	.name = "flamemod_clients",
	.init = fm_switched_begin,
	.exit = fm_switched_end,
	.test_cases = fm_clients_tests,
};
