/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions on a profile's records that several files share, such as profile.c,
 * window.c and select.c.
 */
#ifndef FLAMECTL_PROFILE_RECORDS_H
#define FLAMECTL_PROFILE_RECORDS_H

#include "profile/profile.h"

/**
 * profile_index_records() - rebuild the hash of records after records were
 * removed or moved.
 */
void profile_index_records(struct profile *profile);

/**
 * profile_find_record() - return the number of the record of the same key, or
 * UINT32_MAX.
 */
uint32_t profile_find_record(const struct profile *profile,
			     const struct profile_record *record);

/** profile_find_cpu() - return the CPU's entry in profile->cpus, or NULL. */
struct profile_cpu *profile_find_cpu(const struct profile *profile,
				     uint32_t cpu);

/**
 * profile_record_truncated() - report whether the kernel half of the stack begins with
 * "[truncated]": at the root, or above the frames of the user half.
 */
bool profile_record_truncated(const struct profile *profile,
			      const struct profile_record *record);

#endif /* FLAMECTL_PROFILE_RECORDS_H */
