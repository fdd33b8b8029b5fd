// SPDX-License-Identifier: GPL-2.0
/*
 * The identity of a window: see identity.h.
 */
#include "profile/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int profile_identify(const struct profile *profile, struct profile_identity *identity,
		     struct error *error)
{
	const struct profile_meta *meta = &profile->meta;

	memset(identity, 0, sizeof(*identity));
	if (!meta->instant_ns || !(meta->period_ns || meta->intervals.known))
		return error_set(error, -EINVAL,
				 "it is a sum, or from another program, and not what one host recorded from one instant to another");
	if (!*meta->host)
		return error_set(error, -EINVAL, "it does not say of which host it is");
	if (meta->time_ns <= 0)
		return error_set(error, -EINVAL, "it does not say when it was recorded");
	identity->begin_ns = meta->begin_ns;
	if (!meta->begin_ns && meta->duration_ns <= meta->instant_ns)
		identity->begin_ns = meta->instant_ns - meta->duration_ns;
	if (identity->begin_ns > meta->instant_ns)
		return error_set(error, -EINVAL, "it starts at %" PRIu64
				 " ns, after its end at %" PRIu64 " ns",
				 meta->begin_ns, meta->instant_ns);
	snprintf(identity->host, sizeof(identity->host), "%s", meta->host);
	snprintf(identity->boot_id, sizeof(identity->boot_id), "%s",
		 meta->origin.boot_id);
	identity->epoch = meta->epoch;
	identity->end_ns = meta->instant_ns;
	identity->time_ns = meta->time_ns;
	return 0;
}
