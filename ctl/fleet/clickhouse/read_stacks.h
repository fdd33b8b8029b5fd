/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read stacks from the store, by their ids.
 */
#ifndef FLAMECTL_CLICKHOUSE_READ_STACKS_H
#define FLAMECTL_CLICKHOUSE_READ_STACKS_H

#include <stdint.h>

#include "base/error.h"
#include "fleet/id_set.h"
#include "fleet/send.h"
#include "fleet/target.h"
#include "profile/profile.h"

/**
 * stacks_ask() - run a query that has the table ids, with the column id, beside it.
 * @query: with FORMAT.
 *
 * Return: as clickhouse_run(); @answer is to be given to send_answer_deinit().
 */
int stacks_ask(struct sender *sender, const struct target *target, const char *query,
	       const struct id_set *ids, struct send_answer *answer, struct error *error);

/**
 * stacks_read() - add stacks to a profile. Those that are not in the store become one
 * that says so.
 * @nodes: set to the nodes of @ids, by their places; the caller frees it.
 *
 * Return: 0, or -errno with @error: -EFBIG if there are more than PROFILE_NODES_MAX nodes.
 */
int stacks_read(struct sender *sender, const struct target *target,
		const struct id_set *ids, struct profile *profile, uint32_t **nodes,
		struct error *error);

#endif /* FLAMECTL_CLICKHOUSE_READ_STACKS_H */
