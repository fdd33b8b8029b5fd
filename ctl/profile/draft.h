/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A copy of a profile's figures. Callers change the copy, then apply it as a
 * whole, or drop it when something fails.
 */
#ifndef FLAMECTL_PROFILE_DRAFT_H
#define FLAMECTL_PROFILE_DRAFT_H

#include "profile/profile.h"

struct profile_draft {
	struct profile_record *records;	/* as many as the profile has */
	struct profile_cpu *cpus;	/* likewise */
	struct profile_books books;
};

/**
 * profile_draft_init() - copy the figures of @profile.
 *
 * Return: 0 or -ENOMEM; call profile_draft_deinit() in both cases.
 */
int profile_draft_init(struct profile_draft *draft,
		       const struct profile *profile);

/**
 * profile_draft_apply() - replace the profile's figures by the changed ones.
 * @profile: the one that was copied. Records that have become empty are
 *         removed.
 */
void profile_draft_apply(const struct profile_draft *draft,
			 struct profile *profile);

/** profile_draft_deinit() - free the copies. */
void profile_draft_deinit(struct profile_draft *draft);

#endif /* FLAMECTL_PROFILE_DRAFT_H */
