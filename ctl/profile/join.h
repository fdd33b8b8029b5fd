/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Add profiles of one session: the opposite of profile_subtract().
 */
#ifndef FLAMECTL_JOIN_H
#define FLAMECTL_JOIN_H

#include "profile/profile.h"

/**
 * profile_join() - add the records and books of a profile to another. The books
 * are the counts of what became of each timer period.
 * @profile: what belongs to the session (settings, instants) stays as it is.
 * @part: not changed; has the same sampling period.
 * @joined: NULL, or room for @part's records, which are put there with the
 *	    numbers of @profile.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW for a sum above 2^64, or -E2BIG for more than
 * PROFILE_CPUS_MAX CPUs. On an error @profile holds a part of @part, and can
 * only be passed to profile_destroy().
 */
int profile_join(struct profile *profile, const struct profile *part,
		 struct profile_record *joined);

#endif /* FLAMECTL_JOIN_H */
