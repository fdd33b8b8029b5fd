/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile's figures, copied to be changed and then taken over as a whole, or
 * thrown away when something fails.
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
 * Return: 0 or -ENOMEM; profile_draft_deinit() is due after both.
 */
int profile_draft_init(struct profile_draft *draft,
		       const struct profile *profile);

/**
 * profile_draft_apply() - put the changed figures in the place of the profile's.
 * @profile: the one that was copied. Records that hold nothing any more are
 *           left out.
 */
void profile_draft_apply(const struct profile_draft *draft,
			 struct profile *profile);

/** profile_draft_deinit() - free the copies. */
void profile_draft_deinit(struct profile_draft *draft);

#endif /* FLAMECTL_PROFILE_DRAFT_H */
