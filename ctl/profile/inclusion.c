// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts that are sampled in 1 of K hours: see inclusion.h.
 */
#include "profile/inclusion.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

int inclusion_parse(const char *text, uint64_t *inclusion, struct error *error)
{
	uint64_t number;

	if (strncmp(text, "1/", 2) || number_parse(text + 2, 1, INCLUSION_MAX, &number, NULL))
		return error_set(error, -EINVAL, "%.40s: give 1/K with K from 1 to %d, such as 1/8 to sample in one hour of 8",
				 text, INCLUSION_MAX);
	*inclusion = number;
	return 0;
}

uint64_t inclusion_weight(const struct profile_meta *meta)
{
	return meta->inclusion ?: 1;
}

const char *inclusion_fact(char text[INCLUSION_FACT], const struct profile_meta *meta)
{
	*text = '\0';
	if (meta->inclusion > 1)
		snprintf(text, INCLUSION_FACT, "inclusion 1/%" PRIu64
			 ": its host is sampled in one hour of %" PRIu64,
			 meta->inclusion, meta->inclusion);
	else if (meta->weighted > 1)
		snprintf(text, INCLUSION_FACT, "estimate: what was sampled in one hour of %" PRIu64
			 " or fewer counts for all of them", meta->weighted);
	return text;
}
