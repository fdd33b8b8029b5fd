/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read a profile from the store: the sum of all windows that a choice has.
 */
#ifndef FLAMECTL_CLICKHOUSE_READ_H
#define FLAMECTL_CLICKHOUSE_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "fleet/choice.h"
#include "fleet/clickhouse/clickhouse.h"
#include "profile/profile.h"

/* By what tasks of hosts are told apart, beside their commands. */
struct fleet_keys {
	bool hosts, cgroups;
};

/**
 * clickhouse_read() - sum windows, as flamectl merge does, without processes and CPUs:
 * all is on CPU 0, and the others, as many as the host with most of them has, are empty.
 * Windows of different periods are summed in nanoseconds.
 * @keys: what tasks keep, if it was sent.
 *
 * What a choice of cgroups leaves out is filtered in the books, as by --cgroup.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(); -ENODATA if there is no
 * window; or -errno with @error.
 */
int clickhouse_read(struct sender *sender, const struct target *target,
		    const struct choice *choice, struct fleet_keys keys,
		    struct profile **profile, struct error *error);

#endif /* FLAMECTL_CLICKHOUSE_READ_H */
