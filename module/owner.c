// SPDX-License-Identifier: GPL-2.0
/*
 * Records what must be undone when a socket is closed: see owner.h.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "owner.h"

/* A flag above the port, which has 32 bits. */
#define FM_CLAIM_CLOSED		BIT_ULL(32)

/**
 * fm_claim_set() - record which socket a claim belongs to.
 * @claim: the claim
 * @port: the socket's port, or 0 for no socket
 *
 * Context: Under the session's lock; for a client's events, under their own lock.
 */
void fm_claim_set(struct fm_claim *claim, u32 port)
{
	atomic64_set(&claim->port, port);
}

/**
 * fm_claim_close() - mark the claim of a closed socket.
 * @claim: the claim
 * @port: the socket's port
 *
 * Another socket may have the same port by now, since the kernel frees the port before it
 * reports that the socket is closed. Requests therefore first undo what a closed claim
 * left: fm_claim_is_closed(). If the other socket has made a claim already, this closes
 * that claim: what it asked for then ends too early. That takes a program that opens a
 * socket and makes a request while it is closing another socket.
 *
 * Context: Any.
 * Return: true if the claim was the socket's, so that there is something to undo.
 */
bool fm_claim_close(struct fm_claim *claim, u32 port)
{
	return port && atomic64_cmpxchg(&claim->port, port,
					port | FM_CLAIM_CLOSED) == port;
}

/**
 * fm_claim_is() - check whether a claim belongs to a socket.
 * @claim: the claim
 * @port: the socket's port, not 0
 *
 * Context: Any.
 * Return: true if it does, and the socket was not closed.
 */
bool fm_claim_is(const struct fm_claim *claim, u32 port)
{
	return atomic64_read(&claim->port) == port;
}

/**
 * fm_claim_is_closed() - check whether a claim's socket was closed.
 * @claim: the claim
 *
 * Context: Any.
 * Return: true if it was closed and there is something to undo.
 */
bool fm_claim_is_closed(const struct fm_claim *claim)
{
	return atomic64_read(&claim->port) & FM_CLAIM_CLOSED;
}

/**
 * fm_owner_init() - set up an owner who owns nothing.
 * @owner: to set up
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_owner_init(struct fm_owner *owner)
{
	fm_claim_set(&owner->claim, 0);
	owner->started = false;
	owner->named = 0;
	owner->before = kzalloc(sizeof(*owner->before), GFP_KERNEL);
	return owner->before ? 0 : -ENOMEM;
}

/**
 * fm_owner_deinit() - undo fm_owner_init().
 * @owner: set up, or all zero
 *
 * Context: Process context.
 */
void fm_owner_deinit(struct fm_owner *owner)
{
	kfree(owner->before);
	owner->before = NULL;
}

/**
 * fm_owner_changed() - record that settings were changed.
 * @owner: the session's owner
 * @change: the settings that were changed, and who changed them
 * @before: all settings before the change
 *
 * Context: Under the session's lock.
 */
void fm_owner_changed(struct fm_owner *owner, const struct fm_change *change,
		      const struct fm_settings *before)
{
	if (!change->owner) {
		owner->named &= ~change->named;
		return;
	}
	fm_settings_copy(owner->before, before, change->named & ~owner->named);
	owner->named |= change->named;
	fm_claim_set(&owner->claim, change->owner);
}

/**
 * fm_owner_started() - record that sampling was started.
 * @owner: the session's owner
 * @port: the socket that sampling ends with; 0: sampling and the settings stay
 *
 * Context: Under the session's lock.
 */
void fm_owner_started(struct fm_owner *owner, u32 port)
{
	if (!port) {
		fm_owner_forget(owner);
		return;
	}
	owner->started = true;
	fm_claim_set(&owner->claim, port);
}

/**
 * fm_owner_stopped() - record that sampling was stopped, by anybody.
 * @owner: the session's owner
 *
 * Context: Under the session's lock.
 */
void fm_owner_stopped(struct fm_owner *owner)
{
	owner->started = false;
}

/**
 * fm_owner_forget() - record that nothing is to be undone any more.
 * @owner: the session's owner
 *
 * Context: Under the session's lock.
 */
void fm_owner_forget(struct fm_owner *owner)
{
	fm_claim_set(&owner->claim, 0);
	owner->started = false;
	owner->named = 0;
}
