/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The identity of a window: what tells it from all other windows of all hosts.
 *
 * A store of many hosts' profiles knows by it that it has a window already, and a chain
 * of windows shows by it that none is missing: each starts where the one before ended.
 */
#ifndef FLAMECTL_IDENTITY_H
#define FLAMECTL_IDENTITY_H

#include <stdint.h>

/* Room for a boot id as in /proc/sys/kernel/random/boot_id, and a NUL */
#define IDENTITY_BOOT_TEXT	37

struct profile_identity {
	char host[128];			/* nodename; "" if not known */
	char boot_id[IDENTITY_BOOT_TEXT];	/* "": not known */
	uint32_t epoch;			/* the module's; 0: not known */
	uint64_t begin_ns;		/* CLOCK_MONOTONIC of that boot; see time_ns */
	uint64_t end_ns;		/* the next window's begin_ns */
	int64_t time_ns;		/* CLOCK_REALTIME at begin_ns */
};

#endif /* FLAMECTL_IDENTITY_H */
