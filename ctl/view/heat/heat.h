/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How busy CPUs were over time, as a grid: numbers only, no ink. A column is a
 * slice of time.
 */
#ifndef FLAMECTL_HEAT_H
#define FLAMECTL_HEAT_H

#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"
#include "select/select.h"

enum heat_rows {
	HEAT_CPUS,	/* a row a CPU: which share of its time was busy */
	HEAT_LOADS,	/* a row a tenth of load: which share of the CPUs had it */
};

/* Rows of HEAT_LOADS, each of 10 %; 100 % belongs to the last. */
#define HEAT_BANDS	10

/* Nothing is known of a CPU that was off: whole is 0. */
struct heat_cell {
	uint64_t part;		/* periods, or CPUs */
	uint64_t whole;
	uint64_t lost;		/* periods */
};

struct heat {
	enum heat_rows rows;
	uint32_t nr_columns, nr_rows;
	uint64_t *begin_ns, *end_ns;	/* by column, since the profile's begin */
	uint32_t *cpus;			/* by row of HEAT_CPUS */
	struct heat_cell *cells;	/* column * nr_rows + row */
};

/**
 * heat_create() - make a grid of a profile's slices.
 * @selection: what of it counts as busy, besides what is not idle. Its range of
 *	       time is that of the columns.
 *
 * Return: 0 with @heat set, -ENODATA with @error where there are no slices, or
 * none in that range, or as select_profile().
 */
int heat_create(struct heat **heat, const struct profile *profile,
		enum heat_rows rows, const struct selection *selection,
		struct error *error);

/** heat_destroy() - NULL is fine. */
void heat_destroy(struct heat *heat);

#endif /* FLAMECTL_HEAT_H */
