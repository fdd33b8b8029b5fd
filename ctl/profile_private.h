/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What profile.c and window.c share about a profile's hash of records.
 */
#ifndef FLAMECTL_PROFILE_PRIVATE_H
#define FLAMECTL_PROFILE_PRIVATE_H

#include "profile.h"

/**
 * profile_index_records() - make the hash of records anew, after records were
 * taken out or changed places.
 */
void profile_index_records(struct profile *profile);

/** profile_find_record() - the number of the record of the same key, or UINT32_MAX. */
uint32_t profile_find_record(const struct profile *profile,
			     const struct profile_record *record);

#endif /* FLAMECTL_PROFILE_PRIVATE_H */
