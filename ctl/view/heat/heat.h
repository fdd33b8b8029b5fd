/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What there was over time, as a grid of numbers, which heat_svg.h draws: how busy CPUs
 * were, how long calls took, or who caused an event. A column is a slice of time.
 */
#ifndef FLAMECTL_HEAT_H
#define FLAMECTL_HEAT_H

#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "select/select.h"

enum heat_rows {
	HEAT_CPUS,	/* a row per CPU: the share of its time it was busy */
	HEAT_LOADS,	/* a row per tenth of load: the share of CPUs there */
	HEAT_LATENCIES,	/* a row per power of two of ns: the calls that took so long */
	HEAT_COMMS,	/* a row per command: the weight of what it caused */
};

/* Rows of HEAT_LOADS, 10 % each; a load of 100 % belongs to the last one. */
#define HEAT_BANDS	10

/* Rows of HEAT_COMMS; with more commands the last row is all others. */
#define HEAT_COMMS_MAX	24

/*
 * A cell. If the CPU was off, nothing is known and whole is 0. Of HEAT_LATENCIES and
 * HEAT_COMMS, whole is the sum of the column.
 */
struct heat_cell {
	uint64_t part;		/* periods, CPUs, calls, or the event's weight */
	uint64_t whole;
	uint64_t lost;		/* periods */
};

struct heat {
	enum heat_rows rows;
	uint32_t nr_columns, nr_rows;
	uint64_t *begin_ns, *end_ns;	/* since the profile's start */
	uint32_t *cpus;			/* by row of HEAT_CPUS */
	unsigned int power;		/* of row 0 of HEAT_LATENCIES; each below has one less */
	char **comms;			/* by row of HEAT_COMMS; NULL: all others */
	uint64_t most;			/* of HEAT_LATENCIES and HEAT_COMMS: the largest part */
	struct profile_intervals drawn;	/* what became of the intervals or hits meanwhile */
	struct heat_cell *cells;	/* column * nr_rows + row */
};

/**
 * heat_rows_of() - choose the rows that suit a profile: latencies if it has their
 * histogram, commands if it is another event, else CPUs.
 */
enum heat_rows heat_rows_of(const struct profile *profile);

/**
 * heat_create() - compute a grid from a profile's slices.
 * @selection: what counts as busy, apart from not being idle. Its time range
 *             limits the columns.
 *
 * Return: 0 with @heat set, -ENODATA with @error if there are no slices, or
 * none in that range, -EINVAL with @error if the profile or the selection does not
 * go with these rows, or as select_profile().
 */
int heat_create(struct heat **heat, const struct profile *profile,
		enum heat_rows rows, const struct selection *selection,
		struct error *error);

/** heat_destroy() - free @heat; may be NULL. */
void heat_destroy(struct heat *heat);

#endif /* FLAMECTL_HEAT_H */
