/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merge files of several events: each event is summed separately.
 *
 * All files must have the same events, in any order. Files of one event are
 * summed as merge.h describes, whatever the event's name.
 */
#ifndef FLAMECTL_MERGE_EVENTS_H
#define FLAMECTL_MERGE_EVENTS_H

#include <stdbool.h>

#include "base/error.h"
#include "profile/events.h"
#include "profile/merge.h"

struct merge_events {
	struct merge list[EVENTS_MAX];
	char names[EVENTS_MAX][EVENTS_NAME];
	unsigned int nr;		/* events of the first file, or 0 */
	bool in_ns, sliced;		/* as in struct merge */
};

/** merge_events_init() - start; @in_ns and @sliced as in struct merge. */
void merge_events_init(struct merge_events *merge, bool in_ns, bool sliced);

/** merge_events_deinit() - free the sums, unless the caller took them. */
void merge_events_deinit(struct merge_events *merge);

/**
 * merge_events_add() - add the events of one file.
 * @name: for messages; kept, not copied.
 *
 * Return: as merge_add(); -EINVAL also if the events are not those of the first
 * file.
 */
int merge_events_add(struct merge_events *merge, const struct events *events,
		     const char *name, struct error *error);

/** merge_events_take() - move the sums to the caller. */
void merge_events_take(struct merge_events *merge, struct events *events);

/** merge_events_slices_of() - return whose slices were left out, or NULL. */
const char *merge_events_slices_of(const struct merge_events *merge);

#endif /* FLAMECTL_MERGE_EVENTS_H */
