/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile without process ids, thread ids and CPUs: what is kept when many profiles
 * of one machine are stored. Commands, cgroups, contexts and stacks stay.
 */
#ifndef FLAMECTL_COARSE_H
#define FLAMECTL_COARSE_H

#include "profile/profile.h"

/* All records and books are those of this CPU then. */
#define COARSE_CPU	0

/**
 * profile_coarse() - copy a profile, and sum what differs only in pid, tid, CPU, host or
 * being followed.
 * @profile: not changed. Its slices are not copied.
 * @hides_jit: sum the places in code that a process made at run time, too. A saved profile
 *	       has no more of them (jit.h), so what is to be compared with one needs this.
 *
 * The books of all CPUs become those of one; its sampled_ns is the longest of theirs.
 * Only stacks and commands that samples have are copied. The copy of a difference of two
 * profiles is the difference of their copies.
 *
 * Return: 0 with @coarse set, to be freed by profile_destroy(), -ENOMEM or -EOVERFLOW.
 */
int profile_coarse(const struct profile *profile, bool hides_jit, struct profile **coarse);

#endif /* FLAMECTL_COARSE_H */
