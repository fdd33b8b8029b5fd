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

#include "profile/profile.h"

struct profile_identity {
	char host[128];			/* nodename; "" if not known */
	char boot_id[PROFILE_BOOT_ID];	/* "": not known */
	uint32_t epoch;			/* the module's; 0: not known */
	uint64_t begin_ns;		/* CLOCK_MONOTONIC of that boot; see time_ns */
	uint64_t end_ns;		/* the next window's begin_ns */
	int64_t time_ns;		/* CLOCK_REALTIME at begin_ns */
};

/**
 * profile_identify() - get the identity of the window that a profile is.
 *
 * Files of earlier versions do not say where their window starts. Its start is then
 * taken to be its end less what was sampled, which is the same whenever that file is
 * read.
 *
 * Return: 0, or -EINVAL with @error saying why it is no window of one host: a sum, the
 * output of another program, or one that does not say when it was recorded.
 */
int profile_identify(const struct profile *profile, struct profile_identity *identity,
		     struct error *error);

#endif /* FLAMECTL_IDENTITY_H */
