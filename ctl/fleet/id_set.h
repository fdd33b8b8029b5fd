/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of ids of stacks, in the order in which they came.
 */
#ifndef FLAMECTL_ID_SET_H
#define FLAMECTL_ID_SET_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "fleet/folded_rows.h"

/* Empty if all is 0. */
struct id_set {
	uint8_t (*ids)[STACK_ID_BYTES];
	size_t nr, room;
	struct map map;			/* of hash_bytes() of ids, to their places in ids */
};

/**
 * id_set_find() - look for an id of STACK_ID_BYTES.
 *
 * Return: its place in ids, or MAP_NONE.
 */
uint32_t id_set_find(const struct id_set *set, const void *id);

/** id_set_add() - add an id, unless it is there. Return: 0 or -ENOMEM. */
int id_set_add(struct id_set *set, const void *id);

/** id_set_deinit() - free what it holds; it is then empty. */
void id_set_deinit(struct id_set *set);

#endif /* FLAMECTL_ID_SET_H */
