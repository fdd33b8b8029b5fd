// SPDX-License-Identifier: GPL-2.0
/*
 * A session follows a process, whether it samples or not: its samplers mark what
 * is of the followed tasks, and leave out the rest where the settings say so.
 *
 * The tracepoint is registered and unregistered outside the session's lock, which
 * is taken inside cpus_read_lock(): so are tracepoints.
 */
#include <linux/err.h>
#include <linux/netlink.h>

#include "follow.h"
#include "session.h"

/* An object that follows nobody yet. */
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
 * Follow for a socket. Return: 0, and @follow is what was followed for one that is
 * closed, or NULL; or -EBUSY, and @follow is as it was.
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
		fm_claim_set(&session->follower, port);
		fm_session_filter_all(session);
	}
	fm_session_unlock(session);
	return err;
}

/**
 * fm_session_follow() - follow a process from now on, beside what is sampled.
 * @session: the session
 * @vpid: the process, by its id in the caller's pid namespace
 * @port: of the socket that asks, with which it ends; 0: with fm_session_unfollow()
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EBUSY where one is followed, or as fm_follow_create() and
 * fm_follow_start(); nothing has changed on an error.
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
 * fm_session_release() - follow nobody any more, and leave out nobody for that.
 * @session: locked
 *
 * What was marked stays so.
 *
 * Context: Process context, may sleep.
 * Return: what is to be destroyed once the lock is given back; or NULL.
 */
struct fm_follow *fm_session_release(struct fm_session *session)
{
	struct fm_follow *follow = NULL;

	swap(session->follow, follow);
	fm_claim_set(&session->follower, 0);
	session->settings->filter.followed_only = false;
	fm_session_filter_all(session);
	return follow;
}

/**
 * fm_session_unfollow() - follow nobody any more, whoever asked for it.
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
