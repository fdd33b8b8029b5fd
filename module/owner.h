/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What ends with whom: what a request with an owner has started or changed is
 * undone when the socket that sent it is closed, however its program ended.
 *
 * There is one owner at a time, the last to have asked. It takes over what an
 * owner before it has changed: what is put back in the end is what was set by
 * those who own nothing. What these set or start is theirs, and is not undone.
 *
 * A claim is one socket's, by its port: the owner's is on what it has started and
 * changed, and the session has another, on who is followed.
 *
 * Locking: a claim is atomic, as a socket may be closed at any time. All else is
 * under the session's lock.
 */
#ifndef _FLAMEMOD_OWNER_H
#define _FLAMEMOD_OWNER_H

#include <linux/atomic.h>

#include "settings.h"

struct fm_claim {
	atomic64_t port;		/* and whether it was closed; or 0 */
};

struct fm_owner {
	struct fm_claim claim;
	bool started;			/* sampling, which nobody stopped since */
	unsigned long named;		/* settings to put back, of FM_SETTING() */
	struct fm_settings *before;	/* their values */
};

void fm_claim_set(struct fm_claim *claim, u32 port);
bool fm_claim_close(struct fm_claim *claim, u32 port);
bool fm_claim_is_closed(const struct fm_claim *claim);

int fm_owner_init(struct fm_owner *owner);
void fm_owner_deinit(struct fm_owner *owner);

void fm_owner_changed(struct fm_owner *owner, const struct fm_change *change,
		      const struct fm_settings *before);
void fm_owner_started(struct fm_owner *owner, u32 port);
void fm_owner_stopped(struct fm_owner *owner);
void fm_owner_forget(struct fm_owner *owner);

#endif /* _FLAMEMOD_OWNER_H */
