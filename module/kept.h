/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps closed epochs for readers that take differences.
 *
 * A reader that subtracts one dump from the next would lose what was counted between its
 * last dump and a reset by somebody else. So a reader may ask that epochs be kept for
 * its socket. When an epoch is closed, a snapshot of it is kept until each of these
 * readers has had it: until it asks for a later one, is gone, or FM_KEPT_NS have passed.
 *
 * The counts of a closed epoch do not change any more. So what is kept is the epoch's
 * aggregate itself, and no copy of its counts. The memory is the profile's, and is only
 * cached there (memory.h): the oldest epoch is given up when it is needed. Readers that
 * miss an epoch for this, or for the time, are counted.
 *
 * Locking: the session's lock protects everything here. Ports are atomic as well
 * (owner.h), because a socket may be closed at any time, in any context. That only
 * marks the port; the worker does the rest. Everything else may sleep.
 */
#ifndef _FLAMEMOD_KEPT_H
#define _FLAMEMOD_KEPT_H

#include <linux/list.h>
#include <linux/time64.h>
#include <linux/workqueue.h>

#include "../common/uapi/flamemod.h"
#include "owner.h"

/* For how long an epoch is kept. */
#define FM_KEPT_NS		(300 * NSEC_PER_SEC)

struct fm_session;
struct fm_snapshot;

/* What status reports. */
struct fm_kept_counts {
	u32 nr_readers;
	u32 nr_epochs;
	u64 expired;		/* times that a reader missed an epoch, for the time */
	u64 reclaimed;		/* the same, for the memory */
};

struct fm_kept {
	struct fm_claim readers[FLAMEMOD_KEPT_READERS_MAX];	/* their sockets */
	struct list_head epochs;	/* struct fm_kept_epoch, the oldest first */
	struct delayed_work work;	/* ends those that are too old */
	struct fm_kept_counts counts;
};

void fm_kept_init(struct fm_session *session);
void fm_kept_deinit(struct fm_session *session);

/* Without the lock. */
bool fm_kept_close(struct fm_kept *kept, u32 port);

/* With the lock held. */
int fm_kept_check(struct fm_session *session, u32 port);
void fm_kept_join(struct fm_session *session, u32 port);
void fm_kept_leave(struct fm_session *session);
struct fm_snapshot *fm_kept_get(struct fm_session *session, u32 port, u32 epoch);
int fm_kept_end_epoch(struct fm_session *session, u32 port);

#endif /* _FLAMEMOD_KEPT_H */
