/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the bytes of objects: of files by the page cache, and of the vdso.
 *
 * Locking: belongs to the worker.
 */
#ifndef _FLAMEMOD_USER_READ_H
#define _FLAMEMOD_USER_READ_H

#include <linux/time64.h>
#include <linux/types.h>

struct fm_objects;
struct fm_request;

/*
 * How long an attempt may wait for a disk, where twenty pages take that long if it is a slow
 * one. A later sample asks again, and then these pages are in memory.
 */
#define FM_ATTEMPT_WAIT_NS	(200 * NSEC_PER_MSEC)

/* One attempt to answer a request. */
struct fm_attempt {
	const struct fm_objects *objects;
	const struct fm_request *request;
	bool is_local;		/* it may wait for the file */
	bool lacks;		/* a part of the file is not in memory, and must be fetched */
	u64 lacking;		/* the offset of that part */
	bool is_cut;		/* it waited for too long, or the module goes */
	bool is_denied;		/* who asks may not have so much memory */
	u64 waited_ns;		/* for pages that were not in memory */
	u64 bytes;		/* that were read of it */
};

/*
 * Return: whether all that was asked for could be read, or never can: then it counts. It does
 * not if another attempt, or another user's, may come further.
 */
static inline bool fm_attempt_counts(const struct fm_attempt *attempt)
{
	return !attempt->lacks && !attempt->is_cut && !attempt->is_denied;
}

int fm_object_read(void *attempt, u64 offset, void *to, size_t bytes);

#endif /* _FLAMEMOD_USER_READ_H */
