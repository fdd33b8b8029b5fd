/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How each function's own time differs between two choices of windows. The store computes
 * the shares of time, and what is left is statistics.
 *
 * A host's time is all that was sampled on it: stored and lost periods.
 */
#ifndef FLAMECTL_CLICKHOUSE_SHIFTS_H
#define FLAMECTL_CLICKHOUSE_SHIFTS_H

#include <stddef.h>

#include "fleet/choice.h"
#include "fleet/clickhouse/clickhouse.h"
#include "fleet/statistics.h"
#include "profile/estimate.h"

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
	struct estimate estimate;	/* whether they are one */
};

/**
 * shifts_ask() - ask how each function's own time differs between two choices.
 *
 * Return: 0 with @shifts set; -ENODATA if a choice has no window; or -errno with @error.
 * Call shifts_deinit() in all cases.
 */
int shifts_ask(struct sender *sender, const struct target *target,
	       const struct choice *a, const struct choice *b,
	       struct shifts *shifts, struct error *error);

/** shifts_deinit() - free the list. */
void shifts_deinit(struct shifts *shifts);

#endif /* FLAMECTL_CLICKHOUSE_SHIFTS_H */
