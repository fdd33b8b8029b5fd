// SPDX-License-Identifier: GPL-2.0
/*
 * An array that only grows and never moves: see pool.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math.h>

#include "memory.h"
#include "pool.h"

static size_t fm_pool_chunk_bytes(const struct fm_pool *pool)
{
	return (size_t)pool->elem_bytes << FM_POOL_CHUNK_SHIFT;
}

/**
 * fm_pool_init() - set up an empty pool, and allocate its directory.
 * @pool: to set up
 * @memory: the limit; the directory has room for all elements that it allows
 * @elem_bytes: the size of an element
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_pool_init(struct fm_pool *pool, struct fm_memory *memory,
		 size_t elem_bytes)
{
	pool->memory = memory;
	pool->elem_bytes = elem_bytes;
	pool->nr = 0;
	pool->nr_chunks_max = DIV_ROUND_UP(memory->limit_bytes,
					   fm_pool_chunk_bytes(pool));
	pool->chunks = fm_memory_alloc(memory,
				       pool->nr_chunks_max * sizeof(void *));
	return pool->chunks ? 0 : -ENOMEM;
}

/**
 * fm_pool_empty() - free all elements.
 * @pool: the pool; nobody may be reading it
 *
 * Context: Process context. The caller serialises.
 */
void fm_pool_empty(struct fm_pool *pool)
{
	u32 i;

	for (i = 0; i < DIV_ROUND_UP(pool->nr, FM_POOL_CHUNK); i++)
		fm_memory_free(pool->memory, pool->chunks[i],
			       fm_pool_chunk_bytes(pool));
	pool->nr = 0;
}

/**
 * fm_pool_deinit() - free a pool and its elements.
 * @pool: the pool, set up or all zero
 *
 * Context: Process context.
 */
void fm_pool_deinit(struct fm_pool *pool)
{
	if (!pool->chunks)
		return;
	fm_pool_empty(pool);
	fm_memory_free(pool->memory, pool->chunks,
		       pool->nr_chunks_max * sizeof(void *));
	pool->chunks = NULL;
}

/**
 * fm_pool_add() - add an element, all zero.
 * @pool: the pool
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: the element, whose number is @pool->nr - 1, or NULL when there is no
 * memory left.
 */
void *fm_pool_add(struct fm_pool *pool)
{
	u32 chunk = pool->nr >> FM_POOL_CHUNK_SHIFT;

	if (!(pool->nr & (FM_POOL_CHUNK - 1))) {
		if (chunk == pool->nr_chunks_max)
			return NULL;
		pool->chunks[chunk] = fm_memory_alloc(pool->memory,
						      fm_pool_chunk_bytes(pool));
		if (!pool->chunks[chunk])
			return NULL;
	}
	return fm_pool_at(pool, pool->nr++);
}
