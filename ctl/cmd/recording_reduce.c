// SPDX-License-Identifier: GPL-2.0
/*
 * Reduce what the module holds to what a recording is about: see recording.h.
 */
#include "cmd/recording.h"

int recording_reduce(const struct recording *r, struct profile *profile,
		     struct error *error)
{
	const struct profile *seen = r->slicer.deltas.seen;
	int err = 0;

	if (seen && profile->meta.epoch == seen->meta.epoch)
		err = profile_subtract(profile, seen, error);
	if (!err && r->slicer.only)
		err = profile_keep_pids(profile, r->settings.pids,
					r->settings.nr_pids, error);
	if (!err && r->only)
		err = profile_keep_followed(profile, error);
	return err;
}
