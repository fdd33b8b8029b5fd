/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles of one session put together: the opposite of profile_subtract().
 */
#ifndef FLAMECTL_JOIN_H
#define FLAMECTL_JOIN_H

#include "profile/profile.h"

/**
 * profile_join() - add the records and books of a profile to another.
 * @profile: what belongs to the session (settings, instants) stays as it is.
 * @part: untouched; of the same period.
 * @joined: NULL, or room for @part's records, which are put there with the
 *	    numbers of @profile.
 *
 * Return: 0, -ENOMEM, -EOVERFLOW for a sum past 2^64, or -E2BIG for more than
 * PROFILE_CPUS_MAX CPUs. On an error @profile holds a part of @part, and is
 * good for nothing but profile_destroy().
 */
int profile_join(struct profile *profile, const struct profile *part,
		 struct profile_record *joined);

#endif /* FLAMECTL_JOIN_H */
