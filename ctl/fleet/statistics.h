/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is a difference of two groups of hosts more than chance?
 */
#ifndef FLAMECTL_STATISTICS_H
#define FLAMECTL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* One number of each of @n hosts, as sums. */
struct sample {
	double n, sum, sum_of_squares;
};

/** sample_mean() - return the mean, 0 of nothing. */
double sample_mean(const struct sample *sample);

/**
 * welch_p() - return how probable it is that two groups with the same mean differ as
 * much as these do: Welch's t-test, two-sided. Variances may differ.
 *
 * 1 if a group has less than two hosts, or if no host differs from another.
 */
double welch_p(const struct sample *a, const struct sample *b);

/**
 * false_discovery() - choose which of many test results to report. Chance causes at most
 * the share @q of the reported ones (Benjamini and Hochberg 1995).
 * @p: the tests' @nr probabilities, in rising order.
 *
 * Return: how many to report, from the first on.
 */
size_t false_discovery(const double *p, size_t nr, double q);

#endif /* FLAMECTL_STATISTICS_H */
