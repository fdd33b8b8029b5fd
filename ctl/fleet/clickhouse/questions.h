/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Questions whose answers are tables, and which the store computes: what a function costs
 * on each host, and how functions differ between two choices of windows.
 *
 * A host's time is all that was sampled on it: stored and lost periods.
 */
#ifndef FLAMECTL_QUESTIONS_H
#define FLAMECTL_QUESTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "fleet/choice.h"
#include "fleet/clickhouse/clickhouse.h"
#include "fleet/statistics.h"

/* What a function, its callees included, took on a host, in one step of time. */
struct cost {
	char *host;
	int64_t from_s;			/* the step's start; 0 if there are no steps */
	uint64_t function_ns, all_ns;
};

struct costs {
	struct cost *list;		/* by host, then time */
	size_t nr, room;
};

/**
 * questions_costs() - ask what a function costs on each host that has windows.
 * @step_s: one row for each step of so many seconds; 0: one row for each host.
 *
 * Return: 0 with @costs set, to be given to costs_deinit(); -ENODATA if there is no
 * window; or -errno with @error.
 */
int questions_costs(struct sender *sender, const struct target *target,
		    const struct choice *choice, const char *function, uint64_t step_s,
		    struct costs *costs, struct error *error);

/** costs_deinit() - free the list. */
void costs_deinit(struct costs *costs);

/* What a function itself took, as shares of each host's time. */
struct shift {
	char *function;
	struct sample a, b;
	double p;			/* see welch_p() */
};

struct shifts {
	struct shift *list;		/* in rising order of p */
	size_t nr, room;
	double hosts_a, hosts_b;
};

/**
 * questions_shifts() - ask how each function's own time differs between two choices.
 *
 * Return: as questions_costs(); to be given to shifts_deinit().
 */
int questions_shifts(struct sender *sender, const struct target *target,
		     const struct choice *a, const struct choice *b,
		     struct shifts *shifts, struct error *error);

/** shifts_deinit() - free the list. */
void shifts_deinit(struct shifts *shifts);

#endif /* FLAMECTL_QUESTIONS_H */
