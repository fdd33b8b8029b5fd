/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files whose server may not answer: those of FUSE and of network file systems.
 *
 * The worker must not wait for a server, so it reads only what is in memory of such a
 * file. What it lacks is fetched into memory by a work of its own, and then the worker
 * tries again. Only one file of a file system is fetched at a time, so a server that does
 * not answer holds up the files that it serves, and no others. A fetch holds a reference
 * to its file until the server answers or ends.
 *
 * Locking: the worker owns a fetch that is free or done; its work owns it while it reads.
 */
#ifndef _FLAMEMOD_USER_FETCH_H
#define _FLAMEMOD_USER_FETCH_H

#include "object.h"

/* A program of many pages is read in a few fetches. */
#define FM_FETCH_BYTES		(512u << 10)
/* How often a request is tried again: memory may lose what was fetched. */
#define FM_FETCHES_OF_REQUEST	32

void fm_fetches_init(struct fm_objects *objects);
void fm_fetches_wait(struct fm_objects *objects);
bool fm_fetch_is_busy(const struct fm_objects *objects, const struct file *file);
void fm_fetch_begin(struct fm_objects *objects, const struct fm_request *request,
		    u64 offset);
bool fm_fetch_take(struct fm_objects *objects, struct fm_request *request);

#endif /* _FLAMEMOD_USER_FETCH_H */
