/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cut a recording into slices of time: look at the module repeatedly; what was
 * sampled between two looks is a slice.
 */
#ifndef FLAMECTL_SLICER_H
#define FLAMECTL_SLICER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "wire/deltas.h"

/* All times except @since_ns are relative to it. */
struct slicer {
	uint64_t slice_ns;		/* length asked for; 0: do not cut */
	uint64_t since_ns;		/* the start, in CLOCK_MONOTONIC */
	uint64_t end_ns;		/* end of the last slice */
	uint32_t epoch;			/* the module's, at the start */
	const struct profile_settings *only;	/* pids to keep, or NULL */
	bool only_followed;		/* keep only what is followed */
	struct deltas deltas;		/* seen: at start, then at last slice */
	struct profile *profile;	/* the slices so far */
	bool was_reset;			/* somebody else reset it meanwhile */
};

/**
 * slicer_take() - make a slice of what came since the last.
 *
 * Return: 0 or -errno.
 */
int slicer_take(struct slicer *slicer, struct error *error);

/**
 * slicer_due_ns() - compute when to take the next slice: at regular times,
 * twice as far apart after each time that slices were joined.
 *
 * Return: the time in CLOCK_MONOTONIC, or UINT64_MAX for never.
 */
uint64_t slicer_due_ns(const struct slicer *slicer);

/**
 * slicer_finish() - take the last slice.
 * @profile: set to the profile of all slices, which the caller owns.
 *
 * Return: 0 or -errno.
 */
int slicer_finish(struct slicer *slicer, struct profile **profile,
		  struct error *error);

/** slicer_deinit() - free the memory of @slicer; fine if all zero. */
void slicer_deinit(struct slicer *slicer);

#endif /* FLAMECTL_SLICER_H */
