// SPDX-License-Identifier: GPL-2.0
/*
 * A set of ids of stacks: see id_set.h.
 */
#include "fleet/id_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

uint32_t id_set_find(const struct id_set *set, const void *id)
{
	uint64_t hash = hash_bytes(id, STACK_ID_BYTES);
	const struct map_slot *slot = map_first(&set->map, hash);

	while (slot && memcmp(set->ids[slot->number - 1], id, STACK_ID_BYTES))
		slot = map_next(&set->map, hash, slot);
	return slot ? slot->number - 1 : MAP_NONE;
}

int id_set_add(struct id_set *set, const void *id)
{
	if (id_set_find(set, id) != MAP_NONE)
		return 0;
	if (map_reserve(&set->map, 1) || vec_reserve(set->ids, set->room, set->nr + 1))
		return -ENOMEM;
	memcpy(set->ids[set->nr], id, STACK_ID_BYTES);
	map_put(&set->map, hash_bytes(id, STACK_ID_BYTES), (uint32_t)set->nr++);
	return 0;
}

void id_set_deinit(struct id_set *set)
{
	map_deinit(&set->map);
	free(set->ids);
	*set = (struct id_set){ NULL };
}
