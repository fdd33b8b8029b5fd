// SPDX-License-Identifier: GPL-2.0
/*
 * Owners: what ends when the socket that requested it is closed, and what does not.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

#define FM_PORT		4711u
#define FM_OTHER	4712u

/* Ask for a rate and one pid, or for neither; @port 0 owns nothing. */
static int fm_ask_for(int (*ask)(struct fm_session *, struct fm_change *,
				 struct netlink_ext_ack *),
		      u32 port, u32 hz, u32 pid)
{
	struct fm_change change = {
		.settings = fm_allocations_zeroed(sizeof(*change.settings)),
		.named = (hz ? FM_SETTING(HZ) : 0) | (pid ? FM_SETTING(PIDS) : 0),
		.owner = port,
	};
	int err;

	if (!change.settings)
		return -ENOMEM;
	change.settings->hz = hz;
	change.settings->filter.nr_pids = 1;
	change.settings->filter.pids[0] = pid;
	err = ask(fm_session, &change, NULL);
	/* A test's sample does not run in an interrupt: the worker could drain during it. */
	cancel_delayed_work_sync(&fm_session->drain_work);
	fm_allocations_free(change.settings);
	return err;
}

static void fm_close(u32 port)
{
	fm_session_close(fm_session, port);
	flush_work(&fm_session->undo_work);
}

static void fm_expect_settings(struct kunit *test, u32 hz, u32 pid)
{
	KUNIT_EXPECT_EQ(test, fm_session->settings->hz, hz);
	KUNIT_EXPECT_EQ(test, fm_session->period_ns, NSEC_PER_SEC / hz);
	KUNIT_EXPECT_EQ(test, fm_cpu->ticks.period_ns, NSEC_PER_SEC / hz);
	KUNIT_EXPECT_EQ(test, fm_session->settings->filter.nr_pids, pid ? 1 : 0);
	if (pid)
		KUNIT_EXPECT_EQ(test, fm_session->settings->filter.pids[0], pid);
}

static void all_ends_with_its_owner(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	fm_expect_settings(test, 500, 42);
	fm_close(FM_OTHER);
	fm_close(0);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	fm_expect_settings(test, 1000, 0);
	/* The owner is forgotten: the port's next user owns nothing. */
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, 0, 250, 43), 0);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_expect_settings(test, 250, 43);
}

static void a_held_profile_keeps_its_rate(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 0), 0);
	fm_held_sample(fm_session, 3, 2, 0x1000);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 3);
	fm_expect_settings(test, 500, 0);
}

static void later_changes_by_others_stay(struct kunit *test)
{
	/* Others stop sampling and change one of the two settings. */
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_set, 0, 0, 43), 0);
	fm_close(FM_PORT);
	fm_expect_settings(test, 1000, 43);
	/* Others stop and start: the settings of their start stay. */
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_held_start(test);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_expect_settings(test, 500, 42);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_close(FM_PORT);
	fm_expect_settings(test, 500, 42);
}

/* Settings that were only set, without a start, end with their owner, too. */
static void a_setting_without_a_start_ends_with_its_owner(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_set, FM_PORT, 500, 42), 0);
	fm_expect_settings(test, 500, 42);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	fm_expect_settings(test, 1000, 0);
}

/* The last owner's end restores what was set without an owner. */
static void an_owner_takes_over_from_another(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_OTHER, 0, 43), 0);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_expect_settings(test, 500, 43);
	fm_close(FM_OTHER);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	fm_expect_settings(test, 1000, 0);
}

/* What others have started since is not stopped by who started it before. */
static void an_owner_stops_its_own_alone(struct kunit *test)
{
	struct netlink_ext_ack extack = {};

	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_PORT, &extack), -EALREADY);
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_OTHER, &extack), -EBUSY);
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "owner: others"));
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_PORT, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	/* Stopped, the settings are as it set them until its socket is closed. */
	fm_expect_settings(test, 500, 42);
	/* Others stop and start it, without an owner or as its owner. */
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 0, 0), 0);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_OTHER, 0, 0), 0);
	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_PORT, NULL), -EBUSY);
	KUNIT_ASSERT_EQ(test, fm_session_stop_by(fm_session, FM_OTHER, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 0, 0), 0);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_PORT, NULL), -EBUSY);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
}

/* A stop by others first undoes what a closed socket left: nothing samples then. */
static void a_stop_after_the_owners_end_finds_nothing(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	/* Like fm_session_close(), but the worker runs late. */
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&fm_session->owner.claim, FM_PORT));
	KUNIT_EXPECT_EQ(test, fm_session_stop_by(fm_session, FM_PORT, NULL), -EALREADY);
	fm_expect_settings(test, 1000, 0);
}

/* Another socket may get the port before the worker runs. */
static void a_port_may_be_used_again_at_once(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 500, 42), 0);
	/* Like fm_session_close(), but the worker runs late. */
	KUNIT_EXPECT_TRUE(test, fm_claim_close(&fm_session->owner.claim, FM_PORT));
	KUNIT_EXPECT_FALSE(test, fm_claim_close(&fm_session->owner.claim, FM_PORT));
	KUNIT_ASSERT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 250, 0), 0);
	fm_expect_settings(test, 250, 0);
	fm_session_undo_work(&fm_session->undo_work);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_expect_settings(test, 250, 0);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	fm_expect_settings(test, 1000, 0);
}

static void a_refused_request_owns_nothing(struct kunit *test)
{
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_ask_for(fm_session_start, FM_PORT, 0, 42), -EBUSY);
	KUNIT_EXPECT_EQ(test, fm_ask_for(fm_session_set, FM_PORT, 0, 42), -EBUSY);
	fm_close(FM_PORT);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	fm_expect_settings(test, 1000, 0);
}

static struct kunit_case fm_owner_cases[] = {
	KUNIT_CASE(all_ends_with_its_owner),
	KUNIT_CASE(a_held_profile_keeps_its_rate),
	KUNIT_CASE(later_changes_by_others_stay),
	KUNIT_CASE(a_setting_without_a_start_ends_with_its_owner),
	KUNIT_CASE(an_owner_takes_over_from_another),
	KUNIT_CASE(an_owner_stops_its_own_alone),
	KUNIT_CASE(a_stop_after_the_owners_end_finds_nothing),
	KUNIT_CASE(a_port_may_be_used_again_at_once),
	KUNIT_CASE(a_refused_request_owns_nothing),
	{}
};

struct kunit_suite fm_owner_suite = {
	.name = "flamemod_owner",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_owner_cases,
};
