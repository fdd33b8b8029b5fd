/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array whose elements never move: it grows at its end, or has a fixed size.
 *
 * Elements are stored in chunks of at most FM_MEMORY_BLOCK bytes, found through
 * directories of the same size. So a pool of any size is made of small blocks of memory:
 * see memory.h. A directory is allocated once, so an element's number and address never
 * change until the pool is freed. A reader that knows how many elements there were at
 * some instant may read those while others are added.
 *
 * Locking: the caller serialises adding. Reading elements below a count that
 * was read under the adder's lock needs no lock.
 */
#ifndef _FLAMEMOD_POOL_H
#define _FLAMEMOD_POOL_H

#include <linux/bits.h>
#include <linux/types.h>

struct fm_memory;

/* In a pool that grows: 512 elements of 16 to 48 bytes, chunks of 8 to 24 KiB. */
#define FM_POOL_CHUNK_SHIFT	9
#define FM_POOL_CHUNK		BIT(FM_POOL_CHUNK_SHIFT)

/* Chunks that a directory has room for, and directories: 1 GiB in chunks of 8 KiB. */
#define FM_POOL_DIR_SHIFT	12
#define FM_POOL_DIR		BIT(FM_POOL_DIR_SHIFT)
#define FM_POOL_DIRS		32

/* What is kept only to be found faster takes at most this part of the memory. */
#define FM_POOL_CACHE_SHARE	16

struct fm_pool {
	struct fm_memory *memory;
	void **dirs[FM_POOL_DIRS];
	u32 elem_bytes;
	u32 nr;
	u32 nr_chunks_max;
	u8 shift;		/* a chunk has 1 << shift elements */
	bool fixed;		/* the last chunk has no room for more elements */
};

int fm_pool_init(struct fm_pool *pool, struct fm_memory *memory,
		 size_t elem_bytes);
int fm_pool_init_fixed(struct fm_pool *pool, struct fm_memory *memory,
		       size_t elem_bytes, u32 nr);
int fm_pool_init_cache(struct fm_pool *pool, struct fm_memory *memory, size_t elem_bytes,
		       u32 most);
size_t fm_pool_fixed_bytes(size_t elem_bytes, u32 nr);
void fm_pool_deinit(struct fm_pool *pool);
size_t fm_pool_bytes(const struct fm_pool *pool);

void *fm_pool_add(struct fm_pool *pool);

/**
 * fm_pool_at() - return an element by its number.
 * @pool: the pool
 * @i: the number, below the count of elements added
 *
 * Context: Any.
 * Return: the element.
 */
static inline void *fm_pool_at(const struct fm_pool *pool, u32 i)
{
	u32 chunk = i >> pool->shift;

	return pool->dirs[chunk >> FM_POOL_DIR_SHIFT][chunk & (FM_POOL_DIR - 1)] +
	       (size_t)(i & (BIT(pool->shift) - 1)) * pool->elem_bytes;
}

#endif /* _FLAMEMOD_POOL_H */
