/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cut the events of a recording, such as latency:vfs_read, into the slices of its samples.
 *
 * The module counts events since they were attached, so what a slice has is the difference
 * of two dumps. These are a moment after those of the samples: what is counted in that
 * moment is in the earlier slice.
 */
#ifndef FLAMECTL_EVENT_SLICES_H
#define FLAMECTL_EVENT_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/events.h"

/* Before the first slice all is zero except what the caller sets. */
struct event_slices {
	bool has_child;			/* by the caller: leave out CHILD_COMM, */
	uint32_t child;			/* of this thread; 0: of any */
	uint32_t states;		/* by the caller: of off-cpu, only these; 0: all */
	struct events seen;		/* all that was counted until the last look */
	struct events cut;		/* the same in slices, without what is left out */
};

/**
 * event_slices_add() - append a slice to each event.
 * @now: all that was counted until now; taken over, also on an error.
 * @begin_ns: as slices_append() has them.
 *
 * Return: 0; -EBADMSG if these are not the events of the last look; or as
 * profile_difference() and slices_append().
 */
int event_slices_add(struct event_slices *slices, struct events *now, uint64_t begin_ns,
		     uint64_t end_ns, struct error *error);

/** event_slices_restart() - forget the slices, but not what they ended with. */
void event_slices_restart(struct event_slices *slices);

/** event_slices_deinit() - free the memory of @slices; fine if all zero. */
void event_slices_deinit(struct event_slices *slices);

#endif /* FLAMECTL_EVENT_SLICES_H */
