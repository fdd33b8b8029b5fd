// SPDX-License-Identifier: GPL-2.0
/*
 * Answers readers: with a snapshot of now, or of a closed epoch that was kept for them.
 * See snapshot.h and kept.h.
 */
#include <linux/ktime.h>
#include <linux/netlink.h>

#include "drain.h"
#include "events.h"
#include "reason.h"
#include "session.h"
#include "snapshot.h"

/*
 * Find the events that a reader wants: those of the epoch that it names, or its own, or,
 * if it asks for events or for a status, those of somebody else. Return: 0 or -errno.
 */
static int fm_snapshot_find_events(struct fm_session *session,
				   const struct fm_wanted *wanted, struct fm_events **events,
				   struct netlink_ext_ack *extack)
{
	bool dumps = wanted->flags & FM_SNAPSHOT_EVENTS;

	if (wanted->events_epoch) {
		*events = fm_events_of_epoch(session, wanted->events_epoch);
		if (*events)
			return 0;
		fm_reason(extack, "epoch: the events %u are not attached any more",
			  wanted->events_epoch);
		return -ENODATA;
	}
	*events = fm_events_of_socket(session, wanted->asker);
	if (*events || (wanted->flags & FM_SNAPSHOT_PROFILE && !dumps))
		return 0;
	*events = fm_events_oldest(session);
	if (dumps && !*events) {
		NL_SET_ERR_MSG(extack, "events: none is attached");
		return -ENODATA;
	}
	if (dumps && fm_events_nr_attached(session) > 1) {
		NL_SET_ERR_MSG(extack,
			       "events: several programs have events attached: name one by its epoch, see the status");
		return -EINVAL;
	}
	return 0;
}

static int fm_snapshot_check(struct fm_session *session, const struct fm_wanted *wanted,
			     struct fm_events **events, struct netlink_ext_ack *extack)
{
	int err = fm_snapshot_find_events(session, wanted, events, extack);

	if (err)
		return err;
	if (wanted->port && fm_kept_check(session, wanted->port)) {
		NL_SET_ERR_MSG(extack,
			       "keep: epochs are kept for 8 readers already: try without, or when one of them has ended");
		return -EUSERS;
	}
	return 0;
}

/* Take a snapshot of now. Return: as fm_snapshot_make(). */
static int fm_snapshot_take(struct fm_session *session, unsigned int flags,
			    struct fm_events *events, struct fm_snapshot **new,
			    struct netlink_ext_ack *extack)
{
	int err;

	/* Count what lasts first: what ends meanwhile is then in the drain. */
	if (flags & FM_SNAPSHOT_ENDED)
		events->instant_ns = ktime_get_ns();
	else if (flags & FM_SNAPSHOT_EVENTS)
		fm_events_cut(events);
	fm_drain(session, true);
	err = fm_snapshot_make(session, flags, events, new);
	if (err == -EBUSY)
		NL_SET_ERR_MSG(extack,
			       "no memory for another reader: try again when others have finished");
	else if (err)
		NL_SET_ERR_MSG(extack, "no memory for a reader");
	return err;
}

/* Take a snapshot of now, and reset if it is to. Return: 0, or -errno with nothing reset. */
static int fm_snapshot_current(struct fm_session *session, const struct fm_wanted *wanted,
			       struct fm_events *events, struct fm_snapshot **new,
			       struct netlink_ext_ack *extack)
{
	int err = fm_snapshot_take(session, wanted->flags, events, new, extack);

	if (err)
		return err;
	(*new)->first_frame = wanted->first_frame;
	if (!(wanted->flags & FM_SNAPSHOT_RESET))
		return 0;
	err = fm_kept_end_epoch(session, wanted->port);
	if (err) {
		NL_SET_ERR_MSG(extack,
			       "reset: no memory for a new epoch: readers hold the old ones");
		fm_snapshot_put(*new);
	}
	return err;
}

/**
 * fm_snapshot_answer() - get what a reader asks for.
 * @session: the session
 * @wanted: what it asks for
 * @snapshot: where to put it; to be put, not to be changed
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EBUSY if other readers hold the memory that readers may use, -ENODATA
 * if the events are not attached, -EINVAL if it is not clear whose are wanted, -EUSERS if
 * epochs are kept for too many others, or -ENOMEM; on an error nothing was reset, and
 * epochs are kept for nobody else.
 */
int fm_snapshot_answer(struct fm_session *session, const struct fm_wanted *wanted,
		       struct fm_snapshot **snapshot, struct netlink_ext_ack *extack)
{
	struct fm_snapshot *new = NULL;
	struct fm_events *events;
	int err;

	fm_session_lock(session);
	err = fm_snapshot_check(session, wanted, &events, extack);
	if (err)
		goto unlock;
	if (wanted->port)
		new = fm_kept_get(session, wanted->port, wanted->epoch);
	if (!new)
		err = fm_snapshot_current(session, wanted, events, &new, extack);
	if (!err && wanted->port)
		fm_kept_join(session, wanted->port);
unlock:
	fm_session_unlock(session);
	if (err)
		return err;
	/* A closed epoch may have several readers, so its frames are marked already. */
	if (new->aggregate && !new->closed)
		fm_snapshot_mark_frames(new);
	*snapshot = new;
	return 0;
}

/**
 * fm_snapshot_create() - take a snapshot of the session now.
 * @session: the session
 * @flags: FM_SNAPSHOT_*
 * @snapshot: where to put it; to be put
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: as fm_snapshot_answer().
 */
int fm_snapshot_create(struct fm_session *session, unsigned int flags,
		       struct fm_snapshot **snapshot,
		       struct netlink_ext_ack *extack)
{
	const struct fm_wanted wanted = { .flags = flags };

	return fm_snapshot_answer(session, &wanted, snapshot, extack);
}
