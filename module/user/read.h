/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the bytes of objects: of files by the page cache, and of the vdso.
 *
 * Locking: belongs to the worker.
 */
#ifndef _FLAMEMOD_USER_READ_H
#define _FLAMEMOD_USER_READ_H

#include <linux/types.h>

struct fm_request;

/* One attempt to answer a request. */
struct fm_attempt {
	const struct fm_request *request;
	bool is_local;		/* it may wait for the file */
	bool lacks;		/* a part of the file is not in memory, and must be fetched */
	u64 lacking;		/* the offset of that part */
	u64 bytes;		/* that were read of it */
};

int fm_object_read(void *attempt, u64 offset, void *to, size_t bytes);

#endif /* _FLAMEMOD_USER_READ_H */
