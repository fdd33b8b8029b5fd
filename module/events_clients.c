// SPDX-License-Identifier: GPL-2.0
/*
 * The clients of a session that have events attached: see events.h. Whose events a reader
 * gets is in snapshot_create.c.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/netlink.h>

#include "events.h"
#include "reason.h"
#include "session.h"

/**
 * fm_events_next() - iterate over all places for clients, in use or not.
 * @session: the session
 * @previous: the last one returned, or NULL to start
 *
 * Context: Any.
 * Return: the next one, or NULL at the end.
 */
struct fm_events *fm_events_next(const struct fm_session *session,
				 const struct fm_events *previous)
{
	unsigned int i = previous ? previous->number + 1 : 0;

	return i < FLAMEMOD_EVENT_CLIENTS_MAX ? session->events[i] : NULL;
}

/* Say who has events attached, as there is no room for more. */
static void fm_events_refuse(const struct fm_session *session,
			     struct netlink_ext_ack *extack)
{
	char pids[FLAMEMOD_EVENT_CLIENTS_MAX * sizeof("4194304, ")] = "";
	struct fm_events *events = NULL;
	size_t at = 0;

	while ((events = fm_events_next(session, events)))
		at += scnprintf(pids + at, sizeof(pids) - at, "%s%u", at ? ", " : "",
				READ_ONCE(events->pid));
	fm_reason(extack,
		  "attach: processes %s have events attached, %u at a time: wait for one to end",
		  pids, FLAMEMOD_EVENT_CLIENTS_MAX);
}

/* Return: whether a socket has a place, or attaches events in one now. */
static bool fm_events_claims(const struct fm_session *session, u32 port)
{
	struct fm_events *events = NULL;

	while (port && (events = fm_events_next(session, events)))
		if (fm_claim_is(&events->claim, port))
			return true;
	return false;
}

/*
 * Find a free place, and lock it. That of a socket that was closed is freed first. If not
 * @waits, leave out places in which somebody attaches or detaches now. If it is to be
 * @empty, leave out places with memory that a reader of the last client still holds. Return:
 * the place, or NULL.
 */
static struct fm_events *fm_events_find_place(struct fm_session *session, bool waits,
					      bool empty)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events))) {
		if (waits)
			mutex_lock(&events->lock);
		else if (!mutex_trylock(&events->lock))
			continue;
		if (events->attached && fm_claim_is_closed(&events->claim))
			fm_events_stop(events);
		if (!events->attached && !(empty && fm_memory_used(&events->memory)))
			return events;
		mutex_unlock(&events->lock);
	}
	return NULL;
}

/*
 * Find a free place, lock it, and claim it for a socket. Two threads may ask for the same
 * socket, so nobody else does this meanwhile. Return: the place, or ERR_PTR(-EBUSY).
 */
static struct fm_events *fm_events_take(struct fm_session *session, u32 port,
					struct netlink_ext_ack *extack)
{
	struct fm_events *events = ERR_PTR(-EBUSY);

	mutex_lock(&session->places_lock);
	if (fm_events_claims(session, port)) {
		NL_SET_ERR_MSG(extack,
			       "attach: this socket has events attached: detach them first");
		goto unlock;
	}
	events = fm_events_find_place(session, false, true) ?:
		 fm_events_find_place(session, false, false) ?:
		 fm_events_find_place(session, true, false);
	if (events) {
		fm_claim_set(&events->claim, port);
	} else {
		fm_events_refuse(session, extack);
		events = ERR_PTR(-EBUSY);
	}
unlock:
	mutex_unlock(&session->places_lock);
	return events;
}

/**
 * fm_events_attach() - count events from now on.
 * @session: the session, sampling or not
 * @request: which events and sources, and of which tasks
 * @port: the socket that they end with; 0: not before fm_events_end()
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0; -EBUSY if this socket has events attached, or if no place is free;
 * -EOPNOTSUPP where the kernel lacks what they need; what the kernel says of a
 * function; -EINVAL, -ENOMEM. Nothing has changed on an error.
 */
int fm_events_attach(struct fm_session *session, const struct fm_attach *request,
		     u32 port, struct netlink_ext_ack *extack)
{
	int err = fm_events_check_request(request, extack);
	struct fm_events *events;

	if (err)
		return err;
	events = fm_events_take(session, port, extack);
	if (IS_ERR(events))
		return PTR_ERR(events);
	err = fm_events_start(events, request, extack);
	if (err)
		fm_claim_set(&events->claim, 0);
	mutex_unlock(&events->lock);
	return err;
}

/**
 * fm_events_detach() - end what a socket has attached.
 * @session: the session
 * @port: the socket
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOENT if it has nothing attached.
 */
int fm_events_detach(struct fm_session *session, u32 port,
		     struct netlink_ext_ack *extack)
{
	struct fm_events *events = NULL;
	bool found = false;

	while ((events = fm_events_next(session, events))) {
		/* Do not wait for others that attach or detach. */
		if (!fm_claim_is(&events->claim, port))
			continue;
		mutex_lock(&events->lock);
		if (events->attached && fm_claim_is(&events->claim, port)) {
			fm_events_stop(events);
			found = true;
		}
		mutex_unlock(&events->lock);
	}
	if (found)
		return 0;
	NL_SET_ERR_MSG(extack, "detach: this socket has no events attached");
	return -ENOENT;
}

/**
 * fm_events_close_claims() - mark the port of a socket that was closed.
 * @session: the session
 * @port: the socket's port
 *
 * Context: Any.
 * Return: true if it had events attached, and fm_events_close() has to be called.
 */
bool fm_events_close_claims(struct fm_session *session, u32 port)
{
	struct fm_events *events = NULL;
	bool closed = false;

	while ((events = fm_events_next(session, events)))
		closed |= fm_claim_close(&events->claim, port);
	return closed;
}

/**
 * fm_events_close() - end what sockets had attached that were closed.
 * @session: the session
 *
 * Context: Process context, may sleep.
 */
void fm_events_close(struct fm_session *session)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events))) {
		if (!fm_claim_is_closed(&events->claim))
			continue;
		mutex_lock(&events->lock);
		if (events->attached && fm_claim_is_closed(&events->claim))
			fm_events_stop(events);
		mutex_unlock(&events->lock);
	}
}

/**
 * fm_events_end() - end all events, whoever attached them.
 * @session: the session, out of reach of requests
 *
 * Context: Process context, may sleep.
 */
void fm_events_end(struct fm_session *session)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events))) {
		mutex_lock(&events->lock);
		if (events->attached)
			fm_events_stop(events);
		mutex_unlock(&events->lock);
	}
}

/**
 * fm_events_unfollow() - count no task any more that was followed.
 * @session: the session
 *
 * The followed tasks may be freed after a grace period of RCU.
 *
 * Context: Process context, under the session's lock.
 */
void fm_events_unfollow(struct fm_session *session)
{
	struct fm_events *events = NULL;

	/* Pairs with fm_hit_wants() and fm_switch_wants(). */
	while ((events = fm_events_next(session, events)))
		WRITE_ONCE(events->follow, NULL);
}

/**
 * fm_events_of_epoch() - find the events of an attach by its number.
 * @session: the session
 * @epoch: the number of the attach
 *
 * Context: Process context, under the session's lock.
 * Return: the events, or NULL if they are not attached any more.
 */
struct fm_events *fm_events_of_epoch(const struct fm_session *session, u32 epoch)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events)))
		if (fm_events_begun(events) && events->epoch == epoch)
			return events;
	return NULL;
}

/**
 * fm_events_of_socket() - find what a socket has attached.
 * @session: the session
 * @port: the socket's port; 0: of none
 *
 * Context: Process context, under the session's lock.
 * Return: the events, or NULL if it has none attached.
 */
struct fm_events *fm_events_of_socket(const struct fm_session *session, u32 port)
{
	struct fm_events *events = NULL;

	while ((events = fm_events_next(session, events)))
		if (port && fm_events_begun(events) && fm_claim_is(&events->claim, port))
			return events;
	return NULL;
}

/**
 * fm_events_oldest() - find the events that have been attached for longest.
 * @session: the session
 *
 * Context: Process context, under the session's lock.
 * Return: the events, or NULL if none is attached.
 */
struct fm_events *fm_events_oldest(const struct fm_session *session)
{
	struct fm_events *events = NULL, *oldest = NULL;

	while ((events = fm_events_next(session, events)))
		if (fm_events_begun(events) && (!oldest || events->epoch < oldest->epoch))
			oldest = events;
	return oldest;
}

/**
 * fm_events_nr_attached() - count the clients that have events attached.
 * @session: the session
 *
 * Context: Process context, under the session's lock.
 * Return: their number.
 */
unsigned int fm_events_nr_attached(const struct fm_session *session)
{
	struct fm_events *events = NULL;
	unsigned int nr = 0;

	while ((events = fm_events_next(session, events)))
		nr += fm_events_begun(events);
	return nr;
}
