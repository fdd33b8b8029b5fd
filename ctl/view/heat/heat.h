/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How busy CPUs were over time, as a grid of numbers, which heat_svg.h draws. A
 * column is a slice of time.
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
};

/* Rows of HEAT_LOADS, 10 % each; a load of 100 % belongs to the last one. */
#define HEAT_BANDS	10

/* A cell. If the CPU was off, nothing is known and whole is 0. */
struct heat_cell {
	uint64_t part;		/* periods, or CPUs */
	uint64_t whole;
	uint64_t lost;		/* periods */
};

struct heat {
	enum heat_rows rows;
	uint32_t nr_columns, nr_rows;
	uint64_t *begin_ns, *end_ns;	/* since the profile's start */
	uint32_t *cpus;			/* by row of HEAT_CPUS */
	struct heat_cell *cells;	/* column * nr_rows + row */
};

/**
 * heat_create() - compute a grid from a profile's slices.
 * @selection: what counts as busy, apart from not being idle. Its time range
 *             limits the columns.
 *
 * Return: 0 with @heat set, -ENODATA with @error if there are no slices, or
 * none in that range, or as select_profile().
 */
int heat_create(struct heat **heat, const struct profile *profile,
		enum heat_rows rows, const struct selection *selection,
		struct error *error);

/** heat_destroy() - free @heat; may be NULL. */
void heat_destroy(struct heat *heat);

#endif /* FLAMECTL_HEAT_H */
