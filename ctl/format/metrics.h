/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a session and its books as Prometheus metrics. The books are the counts of what
 * became of each timer period: fires + missed = stored + filtered + lost.
 */
#ifndef FLAMECTL_METRICS_H
#define FLAMECTL_METRICS_H

#include <stdio.h>

#include "base/error.h"
#include "profile/profile.h"

/**
 * metrics_write() - write all metrics of a profile of the module.
 * @profile: live or saved. Of a live one, also what only the module knows: memory,
 *	     stacks, pauses.
 *
 * Books are one series for each CPU, and none for their sum, which Prometheus computes.
 * They are counters that start again at 0 when the module's profile is reset.
 *
 * Return: 0, -EINVAL with @error for another tool's profile, which has no books of timer
 * periods, or -ENOMEM. The caller checks the stream.
 */
int metrics_write(const struct profile *profile, FILE *out, struct error *error);

#endif /* FLAMECTL_METRICS_H */
