// SPDX-License-Identifier: GPL-2.0
/*
 * What ends with whom: see owner.h.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "owner.h"

/* Beside a port, which has 32 bits. */
#define FM_CLAIM_CLOSED		BIT_ULL(32)

/**
 * fm_claim_set() - whose something is.
 * @claim: the claim
 * @port: the socket's; 0 for nobody's
 *
 * Context: Under the session's lock.
 */
void fm_claim_set(struct fm_claim *claim, u32 port)
{
	atomic64_set(&claim->port, port);
}

/**
 * fm_claim_close() - a socket was closed.
 * @claim: the claim
 * @port: the socket's
 *
 * Another socket may have the port as soon as this returns, and claim something;
 * what this one had is therefore undone before that: fm_claim_is_closed().
 *
 * Context: Any.
 * Return: true when the claim was its, and there is something to undo.
 */
bool fm_claim_close(struct fm_claim *claim, u32 port)
{
	return port && atomic64_cmpxchg(&claim->port, port,
					port | FM_CLAIM_CLOSED) == port;
}

/**
 * fm_claim_is_closed() - is there something to undo?
 * @claim: the claim
 *
 * Context: Under the session's lock.
 * Return: true when the socket was closed whose it is.
 */
bool fm_claim_is_closed(const struct fm_claim *claim)
{
	return atomic64_read(&claim->port) & FM_CLAIM_CLOSED;
}

/**
 * fm_owner_init() - nothing is owned.
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
 * fm_owner_deinit() - the opposite of fm_owner_init().
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
 * fm_owner_changed() - settings were changed.
 * @owner: of the session
 * @change: which, and by whom
 * @before: all settings as they were
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
 * fm_owner_started() - sampling was started.
 * @owner: of the session
 * @port: that it ends with; 0 where it goes on, with the settings as they are
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
 * fm_owner_stopped() - sampling was stopped, by whomever.
 * @owner: of the session
 *
 * Context: Under the session's lock.
 */
void fm_owner_stopped(struct fm_owner *owner)
{
	owner->started = false;
}

/**
 * fm_owner_forget() - nothing is to be undone any more.
 * @owner: of the session
 *
 * Context: Under the session's lock.
 */
void fm_owner_forget(struct fm_owner *owner)
{
	fm_claim_set(&owner->claim, 0);
	owner->started = false;
	owner->named = 0;
}
