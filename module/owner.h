/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records what must be undone when a socket is closed.
 *
 * A request may ask to own what it starts or changes. That is undone when the
 * socket that sent the request is closed, however its program ended.
 *
 * There is one owner at a time: the last one that asked. It takes over what earlier
 * owners changed, so in the end the settings are those from before the first of
 * them. Requests without an owner are permanent: what they set or start stays.
 *
 * A claim ties something to one socket, by its port. The owner has a claim on what
 * it started and changed, and the session has another on the followed process.
 *
 * Locking: claims are atomic, because a socket may be closed at any time. The
 * session's lock protects everything else.
 */
#ifndef _FLAMEMOD_OWNER_H
#define _FLAMEMOD_OWNER_H

#include <linux/atomic.h>

#include "settings.h"

struct fm_claim {
	atomic64_t port;		/* with a flag once closed; or 0 */
};

struct fm_owner {
	struct fm_claim claim;
	bool started;			/* it started sampling, which still runs */
	unsigned long named;		/* settings to restore: bits of FM_SETTING() */
	struct fm_settings *before;	/* the values to restore */
};

void fm_claim_set(struct fm_claim *claim, u32 port);
bool fm_claim_close(struct fm_claim *claim, u32 port);
bool fm_claim_is(const struct fm_claim *claim, u32 port);
bool fm_claim_is_closed(const struct fm_claim *claim);

int fm_owner_init(struct fm_owner *owner);
void fm_owner_deinit(struct fm_owner *owner);

void fm_owner_changed(struct fm_owner *owner, const struct fm_change *change,
		      const struct fm_settings *before);
void fm_owner_started(struct fm_owner *owner, u32 port);
void fm_owner_stopped(struct fm_owner *owner);
void fm_owner_forget(struct fm_owner *owner);

#endif /* _FLAMEMOD_OWNER_H */
