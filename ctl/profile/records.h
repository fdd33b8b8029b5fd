/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What profile.c, window.c and select.c share about a profile's records.
 */
#ifndef FLAMECTL_PROFILE_RECORDS_H
#define FLAMECTL_PROFILE_RECORDS_H

#include "profile/profile.h"

/**
 * profile_index_records() - make the hash of records anew, after records were
 * taken out or changed places.
 */
void profile_index_records(struct profile *profile);

/** profile_find_record() - the number of the record of the same key, or UINT32_MAX. */
uint32_t profile_find_record(const struct profile *profile,
			     const struct profile_record *record);

/** profile_find_cpu() - the CPU's place in profile->cpus, or NULL. */
struct profile_cpu *profile_find_cpu(const struct profile *profile,
				     uint32_t cpu);

/** profile_record_truncated() - is the stack's root the mark "[truncated]"? */
bool profile_record_truncated(const struct profile *profile,
			      const struct profile_record *record);

#endif /* FLAMECTL_PROFILE_RECORDS_H */
