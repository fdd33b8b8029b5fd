/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collect what the module samples during a recording: look at it repeatedly. What was
 * sampled between two looks is a slice of time, if slices are asked for. Otherwise there
 * are looks only so that nothing is missed when others reset the module.
 */
#ifndef FLAMECTL_SLICER_H
#define FLAMECTL_SLICER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "wire/deltas.h"
#include "wire/event_slices.h"

/* All times except @since_ns are relative to it. */
struct slicer {
	uint64_t slice_ns;		/* length asked for; 0: do not cut */
	uint64_t since_ns;		/* the start, in CLOCK_MONOTONIC */
	uint64_t end_ns;		/* end of the last slice */
	uint64_t checked_ns;		/* the last check for a reset; 0: none */
	const struct profile_settings *only;	/* pids to keep, or NULL */
	bool only_followed;		/* keep only what is followed */
	bool has_child;			/* leave out CHILD_COMM, */
	uint32_t child;			/* of this thread; 0: of any */
	uint64_t before_command;	/* periods that were left out so, in the books filtered */
	struct deltas deltas;		/* says what is missing, too */
	bool counts;			/* events are attached: cut them as well */
	struct events *last;		/* what they were at the end, to be taken over; or NULL */
	struct event_slices events;
	struct profile *profile;	/* what was taken so far, or NULL */
};

/**
 * slicer_start() - look for the first time: what the module holds now is not recorded.
 *
 * Return: 0 or -errno.
 */
int slicer_start(struct slicer *slicer, struct error *error);

/**
 * slicer_run() - do what is due: make a slice of what came since the last, or check
 * whether the module was reset and, if it was, take what it keeps.
 *
 * Return: 0 or -errno.
 */
int slicer_run(struct slicer *slicer, struct error *error);

/**
 * slicer_due_ns() - compute when to call slicer_run() next: slices are at regular times,
 * twice as far apart after each time that slices were joined.
 *
 * Return: the time in CLOCK_MONOTONIC, or UINT64_MAX for never.
 */
uint64_t slicer_due_ns(const struct slicer *slicer);

/**
 * slicer_finish() - take what came since the last slice.
 * @profile: set to all that was taken, which the caller owns. What was taken of events is
 *	     in @slicer->events.cut.
 *
 * Return: 0 or -errno.
 */
int slicer_finish(struct slicer *slicer, struct profile **profile,
		  struct error *error);

/** slicer_deinit() - free the memory of @slicer; fine if all zero. */
void slicer_deinit(struct slicer *slicer);

#endif /* FLAMECTL_SLICER_H */
