/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draw lots for the small rows of a profile, so that a fleet stores fewer.
 *
 * A row is a record: a stack, a command and a context. A row of at least threshold periods
 * is kept as it is. A smaller one, of w periods, is kept with a probability of about
 * w / threshold, and gets about threshold periods if it is kept. The expected weight of each
 * row is its own, so no function is favoured.
 *
 * The small rows are put one after another, in the order of the call tree, and cut into
 * parts of equal length, the threshold or a little more. In each part one period is drawn,
 * and its row gets the whole part. So the sum of all rows is exactly what it was, the books
 * stay true, and whatever is next to each other in the call tree, as all that a function
 * calls is, has its sum up to one part at each of its ends. Lots for each row by itself
 * would leave both to chance.
 *
 * Source: stratified sampling with one draw for each stratum; Cochran, Sampling
 * Techniques, chapter 5. Threshold sampling: Duffield, Lund and Thorup, 2007.
 */
#ifndef FLAMECTL_THRESHOLD_H
#define FLAMECTL_THRESHOLD_H

#include <stdint.h>

#include "profile/profile.h"

/* More would leave next to nothing of any window. */
#define THRESHOLD_MAX		1000000

/**
 * threshold_draw() - make a profile of the rows that lots keep.
 * @profile: not changed. Its slices are not copied.
 * @threshold: in periods.
 * @seed: of the lots.
 *
 * Return: 0 with @drawn set, to be freed by profile_destroy(), or -ENOMEM.
 * drawn->meta.threshold says that it is an estimate.
 */
int threshold_draw(const struct profile *profile, uint64_t threshold, uint64_t seed,
		   struct profile **drawn);

/* "estimate: ..." and a NUL */
#define THRESHOLD_FACT		128

/**
 * threshold_fact() - write that a profile is an estimate, if it is, and of what.
 *
 * Return: @text, "" if each row is as it was sampled.
 */
const char *threshold_fact(char text[THRESHOLD_FACT], const struct profile_meta *meta);

#endif /* FLAMECTL_THRESHOLD_H */
