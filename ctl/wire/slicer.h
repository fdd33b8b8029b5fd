/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording cut by time: it looks at the module again and again, and what
 * came between two looks is a slice.
 */
#ifndef FLAMECTL_SLICER_H
#define FLAMECTL_SLICER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "wire/deltas.h"

/* All times but @since_ns are from there on. */
struct slicer {
	uint64_t slice_ns;		/* as asked for; 0: nothing is cut */
	uint64_t since_ns;		/* the begin, of CLOCK_MONOTONIC */
	uint64_t end_ns;		/* of the last slice */
	uint32_t epoch;			/* of the module, at the start */
	const struct profile_settings *only;	/* pids to keep, or NULL */
	bool only_followed;		/* keep what is marked so */
	struct deltas deltas;		/* seen: as of the begin, then of the last slice */
	struct profile *profile;	/* the slices so far */
	bool was_reset;			/* by somebody else, meanwhile */
};

/** slicer_take() - what came since the last is the next. Return: 0 or -errno. */
int slicer_take(struct slicer *slicer, struct error *error);

/**
 * slicer_due_ns() - when the next is to be taken, of CLOCK_MONOTONIC: at even
 * times, further apart by each time that slices were joined.
 *
 * Return: UINT64_MAX for never.
 */
uint64_t slicer_due_ns(const struct slicer *slicer);

/**
 * slicer_finish() - take the last one.
 * @profile: set to all of them, now the caller's.
 *
 * Return: 0 or -errno.
 */
int slicer_finish(struct slicer *slicer, struct profile **profile,
		  struct error *error);

/** slicer_deinit() - free what it holds; fine after zeroing. */
void slicer_deinit(struct slicer *slicer);

#endif /* FLAMECTL_SLICER_H */
