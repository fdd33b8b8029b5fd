/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of several events as one: each event is summed for itself.
 *
 * All files must have the same events, in any order. What has one event is summed
 * as merge.h says, whatever its name.
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
	unsigned int nr;		/* of the first file; 0: none was added */
	bool in_ns, sliced;		/* as of struct merge */
};

/** merge_events_init() - begin; @in_ns and @sliced as of struct merge. */
void merge_events_init(struct merge_events *merge, bool in_ns, bool sliced);

/** merge_events_deinit() - free the sums, unless the caller took them. */
void merge_events_deinit(struct merge_events *merge);

/**
 * merge_events_add() - one file's events more.
 * @name: for messages; kept, not copied.
 *
 * Return: as merge_add(), -EINVAL also where the events are not those of the
 * first file.
 */
int merge_events_add(struct merge_events *merge, const struct events *events,
		     const char *name, struct error *error);

/** merge_events_take() - the sums, which are the caller's then. */
void merge_events_take(struct merge_events *merge, struct events *events);

/** merge_events_slices_of() - whose slices were left out, or NULL. */
const char *merge_events_slices_of(const struct merge_events *merge);

#endif /* FLAMECTL_MERGE_EVENTS_H */
