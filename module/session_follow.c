// SPDX-License-Identifier: GPL-2.0
/*
 * Lets a session follow a process, whether it samples or not: samplers mark the
 * samples of followed tasks, and leave out all others if the settings say so.
 *
 * Following starts and ends outside the session's lock: see follow.c.
 */
#include <linux/err.h>
#include <linux/netlink.h>

#include "events.h"
#include "follow.h"
#include "session.h"

/* Create an object that follows nobody yet. */
static struct fm_follow *fm_session_prepare(struct fm_session *session,
					    struct netlink_ext_ack *extack)
{
	struct fm_follow *follow;

	fm_session_lock(session);
	follow = fm_follow_create(&session->memory, extack);
	fm_session_unlock(session);
	return follow;
}

/*
 * Install @follow for a socket. Return: 0, with @follow replaced by the object of
 * an earlier socket that was closed, or by NULL; or -EBUSY, with @follow unchanged.
 */
static int fm_session_install(struct fm_session *session,
			      struct fm_follow **follow, u32 port,
			      struct netlink_ext_ack *extack)
{
	int err = 0;

	fm_session_lock(session);
	fm_session_undo(session);
	if (session->follow && !fm_claim_is_closed(&session->follower)) {
		NL_SET_ERR_MSG(extack,
			       "follow: another process is followed, one at a time: wait for that recording to end, or record without --only");
		err = -EBUSY;
	} else {
		swap(session->follow, *follow);
		fm_events_unfollow(session);
		fm_claim_set(&session->follower, port);
		fm_session_filter_all(session);
	}
	fm_session_unlock(session);
	return err;
}

/**
 * fm_session_follow() - start to follow a process, in addition to what is sampled.
 * @session: the session
 * @vpid: the process, by its id in the caller's pid namespace
 * @port: port of the asking socket; following ends when it is closed; 0: not before
 *        fm_session_unfollow()
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EBUSY if a process is followed already, or an error of
 * fm_follow_create() or fm_follow_start(); nothing has changed on an error.
 */
int fm_session_follow(struct fm_session *session, u32 vpid, u32 port,
		      struct netlink_ext_ack *extack)
{
	struct fm_follow *follow = fm_session_prepare(session, extack);
	int err;

	if (IS_ERR(follow))
		return PTR_ERR(follow);
	err = fm_follow_start(follow, vpid, extack) ?:
	      fm_session_install(session, &follow, port, extack);
	fm_follow_destroy(follow);
	return err;
}

/**
 * fm_session_release() - stop following, and reset the followed-only setting.
 * @session: locked
 *
 * Samples that were marked stay marked.
 *
 * Context: Process context, may sleep.
 * Return: the object to destroy after the lock is released, or NULL.
 */
struct fm_follow *fm_session_release(struct fm_session *session)
{
	struct fm_follow *follow = NULL;

	swap(session->follow, follow);
	fm_events_unfollow(session);
	fm_claim_set(&session->follower, 0);
	session->settings->filter.followed_only = false;
	fm_session_filter_all(session);
	return follow;
}

/**
 * fm_session_unfollow() - stop following, whoever asked for it.
 * @session: the session
 *
 * Context: Process context, may sleep.
 */
void fm_session_unfollow(struct fm_session *session)
{
	struct fm_follow *follow;

	fm_session_lock(session);
	follow = fm_session_release(session);
	fm_session_unlock(session);
	fm_follow_destroy(follow);
}
