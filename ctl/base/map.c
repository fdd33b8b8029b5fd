// SPDX-License-Identifier: GPL-2.0
/*
 * Grow, fill and free a hash table: see map.h.
 */
#include "base/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define FIRST_BITS	6

static size_t nr_slots(const struct map *map)
{
	return map->slots ? map->mask + 1 : 0;
}

static void put(struct map *map, uint64_t key, uint32_t number)
{
	size_t at = map_place(map, key);

	while (map->slots[at & map->mask].number)
		at++;
	map->slots[at & map->mask] = (struct map_slot){ key, number };
}

/* Double the table. */
static int grow(struct map *map)
{
	struct map bigger = *map;
	size_t nr = nr_slots(map);

	if (!nr) {
		bigger.shift = 64 - FIRST_BITS + 1;
		for (uint32_t i = 0; i < 3; i++)
			bigger.factors[i] = hash_random() | 1;
	}
	bigger.shift--;
	bigger.mask = ((size_t)1 << (64 - bigger.shift)) - 1;
	bigger.slots = calloc(bigger.mask + 1, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	/*
	 * the upper bits choose the slot, so entries keep their order, and both
	 * tables are accessed from start to end
	 */
	for (size_t i = 0; i < nr; i++) {
		const struct map_slot *slot = &map->slots[i];

		if (slot->number)
			put(&bigger, slot->key, slot->number);
	}
	free(map->slots);
	*map = bigger;
	return 0;
}

int map_reserve(struct map *map, uint32_t nr)
{
	int err = 0;

	/* at most three quarters full: the search for a free slot is short then */
	while (!err && (size_t)map->nr + nr > nr_slots(map) / 4 * 3)
		err = grow(map);
	return err;
}

void map_put(struct map *map, uint64_t key, uint32_t number)
{
	put(map, key, number + 1);
	map->nr++;
}

void map_clear(struct map *map)
{
	if (map->slots)
		memset(map->slots, 0, nr_slots(map) * sizeof(*map->slots));
	map->nr = 0;
}

void map_deinit(struct map *map)
{
	free(map->slots);
	*map = (struct map){ 0 };
}
