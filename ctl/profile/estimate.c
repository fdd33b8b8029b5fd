// SPDX-License-Identifier: GPL-2.0
/*
 * Answers that are estimates: see estimate.h.
 */
#include "profile/estimate.h"

#include "profile/inclusion.h"
#include "profile/threshold.h"

void estimate_add(struct estimate *estimate, struct estimate more)
{
	if (more.threshold > estimate->threshold) {
		estimate->threshold = more.threshold;
		estimate->in_ns = more.in_ns;
	}
	/* 1 counts each window once */
	if (more.weighted > 1 && more.weighted > estimate->weighted)
		estimate->weighted = more.weighted;
}

struct estimate estimate_of(const struct profile_meta *meta)
{
	return (struct estimate){
		.threshold = meta->threshold, .weighted = meta->weighted,
		.in_ns = meta->period_ns == 1,
	};
}

void estimate_print(struct estimate estimate, FILE *out)
{
	const struct profile_meta meta = {
		.threshold = estimate.threshold, .weighted = estimate.weighted,
		/* of any length but 1 ns they are called periods */
		.period_ns = estimate.in_ns ? 1 : 2,
	};
	char fact[THRESHOLD_FACT + INCLUSION_FACT];

	if (*threshold_fact(fact, &meta))
		fprintf(out, "# %s\n", fact);
	if (*inclusion_fact(fact, &meta))
		fprintf(out, "# %s\n", fact);
}
