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

/** profile_compare_records() - order records by their keys. Return: below, at or above 0. */
int profile_compare_records(const struct profile_record *a, const struct profile_record *b);

/**
 * profile_subtract_cpus() - subtract the books of CPUs.
 * @left: one entry for each CPU of @whole, in that order.
 * @cpus: @nr of them, each of which @whole has.
 *
 * Return: 0, or -ERANGE if one is not there or has more than is left.
 */
int profile_subtract_cpus(struct profile_cpu *left, const struct profile *whole,
			  const struct profile_cpu *cpus, uint32_t nr);

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
