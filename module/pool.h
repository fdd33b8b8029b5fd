/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An array that grows at its end and whose elements never move.
 *
 * Elements are stored in chunks of fixed size. The directory of chunks is
 * allocated once, so an element's number and address never change until the
 * pool is freed. A reader that knows how many elements there were at some
 * instant may read those while others are added.
 *
 * Locking: the caller serialises adding. Reading elements below a count that
 * was read under the adder's lock needs no lock.
 */
#ifndef _FLAMEMOD_POOL_H
#define _FLAMEMOD_POOL_H

#include <linux/bits.h>
#include <linux/types.h>

struct fm_memory;

/* 512 elements of 16 to 48 bytes: chunks of 8 to 24 KiB. */
#define FM_POOL_CHUNK_SHIFT	9
#define FM_POOL_CHUNK		BIT(FM_POOL_CHUNK_SHIFT)

struct fm_pool {
	struct fm_memory *memory;
	void **chunks;
	u32 elem_bytes;
	u32 nr;
	u32 nr_chunks_max;
};

int fm_pool_init(struct fm_pool *pool, struct fm_memory *memory,
		 size_t elem_bytes);
void fm_pool_deinit(struct fm_pool *pool);
void fm_pool_empty(struct fm_pool *pool);

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
	return pool->chunks[i >> FM_POOL_CHUNK_SHIFT] +
	       (size_t)(i & (FM_POOL_CHUNK - 1)) * pool->elem_bytes;
}

#endif /* _FLAMEMOD_POOL_H */
