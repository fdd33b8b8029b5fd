// SPDX-License-Identifier: GPL-2.0
/*
 * Ends what a socket started, changed, followed or attached when it is closed, and keeps
 * no epochs for it any more. See owner.h and kept.h.
 */
#include <linux/container_of.h>
#include <linux/workqueue.h>

#include "events.h"
#include "follow.h"
#include "session.h"

/**
 * fm_session_undo_work() - undo what closed sockets own, in the worker.
 * @work: the session's undo_work
 *
 * Context: Process context, may sleep.
 */
void fm_session_undo_work(struct work_struct *work)
{
	struct fm_session *session = container_of(work, struct fm_session,
						  undo_work);
	struct fm_follow *follow = NULL;

	fm_session_lock(session);
	/* Stop first: without the filter, sampling would see all tasks. */
	fm_session_undo(session);
	fm_kept_leave(session);
	if (fm_claim_is_closed(&session->follower))
		follow = fm_session_release(session);
	fm_session_unlock(session);
	fm_events_close(session);
	fm_session_watch(session);
	fm_follow_destroy(follow);
}

/**
 * fm_session_close() - handle a closed socket: undo what it owns, end the rest of it.
 * @session: the session
 * @port: the socket's port
 *
 * Context: Any.
 */
void fm_session_close(struct fm_session *session, u32 port)
{
	bool owned = fm_claim_close(&session->owner.claim, port);
	bool followed = fm_claim_close(&session->follower, port);
	bool attached = fm_events_close_claims(session, port);
	bool kept = fm_kept_close(&session->kept, port);

	if (owned || followed || attached || kept)
		queue_work(session->wq, &session->undo_work);
}
