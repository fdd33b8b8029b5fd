// SPDX-License-Identifier: GPL-2.0
/*
 * What ends with whom: see owner.h.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "owner.h"

/* Beside a port, which has 32 bits. */
#define FM_OWNER_CLOSED		BIT_ULL(32)

/**
 * fm_owner_init() - nothing is owned.
 * @owner: to set up
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_owner_init(struct fm_owner *owner)
{
	atomic64_set(&owner->claim, 0);
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
	atomic64_set(&owner->claim, change->owner);
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
	atomic64_set(&owner->claim, port);
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
	atomic64_set(&owner->claim, 0);
	owner->started = false;
	owner->named = 0;
}

/**
 * fm_owner_close() - a socket was closed.
 * @owner: of the session
 * @port: the socket's
 *
 * Another socket may have the port as soon as this returns, and own something;
 * what this one owned is therefore undone before that: fm_owner_is_closed().
 *
 * Context: Any.
 * Return: true when it owned something, which is now to be undone.
 */
bool fm_owner_close(struct fm_owner *owner, u32 port)
{
	return port && atomic64_cmpxchg(&owner->claim, port,
					port | FM_OWNER_CLOSED) == port;
}

/**
 * fm_owner_is_closed() - is there something to undo?
 * @owner: of the session
 *
 * Context: Under the session's lock.
 * Return: true when the owner's socket was closed.
 */
bool fm_owner_is_closed(struct fm_owner *owner)
{
	return atomic64_read(&owner->claim) & FM_OWNER_CLOSED;
}
