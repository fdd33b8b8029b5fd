/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a function costs on each host. The store computes it.
 *
 * A host's time is all that was sampled on it: stored and lost periods.
 */
#ifndef FLAMECTL_CLICKHOUSE_COSTS_H
#define FLAMECTL_CLICKHOUSE_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "fleet/choice.h"
#include "fleet/clickhouse/clickhouse.h"
#include "profile/estimate.h"

/* What a function, its callees included, took on a host, in one step of time. */
struct cost {
	char *host;
	int64_t from_s;			/* the step's start; 0 if there are no steps */
	uint64_t function_ns, all_ns;
};

struct costs {
	struct cost *list;		/* by host, then time */
	size_t nr, room;
	struct estimate estimate;	/* whether they are one */
};

/**
 * costs_ask() - ask what a function costs on each host that has windows.
 * @step_s: one row for each step of so many seconds; 0: one row for each host.
 *
 * Return: 0 with @costs set; -ENODATA if there is no window; or -errno with @error. Call
 * costs_deinit() in all cases.
 */
int costs_ask(struct sender *sender, const struct target *target,
	      const struct choice *choice, const char *function, uint64_t step_s,
	      struct costs *costs, struct error *error);

/** costs_deinit() - free the list. */
void costs_deinit(struct costs *costs);

#endif /* FLAMECTL_CLICKHOUSE_COSTS_H */
