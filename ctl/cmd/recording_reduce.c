// SPDX-License-Identifier: GPL-2.0
/*
 * Reduce what the module holds to what a recording is about: see recording.h.
 */
#include "cmd/recording.h"

int recording_reduce(const struct recording *r, struct profile *profile,
		     struct error *error)
{
	bool was_reset = profile->meta.epoch != r->status->meta.epoch;
	int err = 0;

	if (!was_reset && r->slicer.deltas.seen)
		err = profile_subtract(profile, r->slicer.deltas.seen, error);
	if (!err && r->slicer.only)
		err = profile_keep_pids(profile, r->settings.pids,
					r->settings.nr_pids, error);
	if (!err && r->only)
		err = profile_keep_followed(profile, error);
	return err;
}
