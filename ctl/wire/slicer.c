// SPDX-License-Identifier: GPL-2.0
/*
 * Cut a recording into slices of time: see slicer.h.
 */
#include "wire/slicer.h"

#include <errno.h>
#include <string.h>

#include "profile/slices.h"

static int add(struct slicer *slicer, struct profile *delta, uint64_t end_ns,
	       struct error *error)
{
	int err = profile_check(delta, error);

	if (!err && slicer->only)
		err = profile_keep_pids(delta, slicer->only->pids,
					slicer->only->nr_pids, error);
	if (!err && slicer->only_followed)
		err = profile_keep_followed(delta, error);
	if (err)
		return err;
	err = slices_add(slicer->profile, delta, slicer->end_ns, end_ns);
	return err ? error_set(error, err, "cannot keep a slice: %s",
			       strerror(-err)) : 0;
}

int slicer_take(struct slicer *slicer, struct error *error)
{
	struct profile *delta;
	uint64_t end_ns;
	int err;

	if (!slicer->profile)
		slicer->profile = profile_create();
	if (!slicer->profile)
		return error_set(error, -ENOMEM, "memory is short");
	err = deltas_next(&slicer->deltas, &delta, error);
	if (err)
		return err;
	slicer->was_reset |= delta->meta.epoch != slicer->epoch;
	end_ns = delta->meta.instant_ns - slicer->since_ns;
	/*
	 * the clock stood still, or the start was estimated a little too late
	 */
	if (delta->meta.instant_ns < slicer->since_ns ||
	    end_ns <= slicer->end_ns)
		end_ns = slicer->end_ns + 1;
	err = add(slicer, delta, end_ns, error);
	slicer->end_ns = end_ns;
	slicer->profile->meta = delta->meta;
	profile_destroy(delta);
	return err;
}

uint64_t slicer_due_ns(const struct slicer *slicer)
{
	unsigned int nr_joined = slicer->profile && slicer->profile->slices ?
				 slicer->profile->slices->nr_joined : 0;
	uint64_t each_ns = slicer->slice_ns << nr_joined;

	if (!slicer->slice_ns)
		return UINT64_MAX;
	return slicer->since_ns +
	       ((slicer->end_ns + each_ns / 2) / each_ns + 1) * each_ns;
}

int slicer_finish(struct slicer *slicer, struct profile **profile,
		  struct error *error)
{
	int err = slicer_take(slicer, error) ?:
		  slices_finish(slicer->profile, error);

	if (err)
		return err;
	*profile = slicer->profile;
	slicer->profile = NULL;
	(*profile)->meta.duration_ns = profile_sampled_ns(*profile) ?:
				       slicer->end_ns;
	(*profile)->meta.begin_ns = slicer->since_ns;
	return 0;
}

void slicer_deinit(struct slicer *slicer)
{
	deltas_forget(&slicer->deltas);
	profile_destroy(slicer->profile);
	slicer->profile = NULL;
}
