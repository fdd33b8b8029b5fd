/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a dump of events, for test programs that attach them.
 */
#ifndef NLPROFILE_H
#define NLPROFILE_H

#include <stdint.h>

#include "flamemod.h"
#include "nlask.h"

/* One record of the dump. */
struct profile_record {
	uint32_t node, tid;
	const char *comm;
	uint64_t cpu, context, event, state, count, weight;
};

/* What was attached and when; instants in ns of CLOCK_MONOTONIC. */
struct profile_times {
	uint64_t since_ns, instant_ns;
};

/**
 * profile_print() - dump the events that are attached, and print them.
 *
 * Prints the records as "stack EVENT STATE COMM-TID;FRAME;... COUNT WEIGHT", and for each
 * event "event NUMBER NAME UNIT KIND SUSPENDED_NS", "books NUMBER hits|weight SEEN STORED
 * FILTERED BELOW LOST..." and "broken 0|1". @take, unless NULL, gets each record.
 */
struct profile_times profile_print(struct asker *asker,
				   void (*take)(const struct profile_record *record));

#endif /* NLPROFILE_H */
