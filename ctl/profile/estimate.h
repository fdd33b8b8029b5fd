/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What makes the figures of an answer estimates, for answers that are no profiles, or that
 * come from several.
 */
#ifndef FLAMECTL_ESTIMATE_H
#define FLAMECTL_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"

/* All zero: the figures are exact. */
struct estimate {
	uint64_t threshold;		/* the highest, see threshold.h */
	bool in_ns;			/* it is in nanoseconds, not in periods */
	uint64_t weighted;		/* the largest, see inclusion.h */
};

/** estimate_add() - let an answer be made of @more, too. */
void estimate_add(struct estimate *estimate, struct estimate more);

/** estimate_of() - return what a profile is, as an answer. */
struct estimate estimate_of(const struct profile_meta *meta);

/** estimate_print() - print why figures are estimates, a line each that starts with "# ". */
void estimate_print(struct estimate estimate, FILE *out);

#endif /* FLAMECTL_ESTIMATE_H */
