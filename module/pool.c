// SPDX-License-Identifier: GPL-2.0
/*
 * An array whose elements never move: see pool.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>

#include "memory.h"
#include "pool.h"

static u8 fm_pool_fixed_shift(size_t elem_bytes)
{
	return ilog2(FM_MEMORY_BLOCK / elem_bytes);
}

static size_t fm_pool_chunk_bytes(const struct fm_pool *pool, u32 chunk)
{
	u32 nr = BIT(pool->shift);

	if (pool->fixed)
		nr = min(nr, pool->nr - (chunk << pool->shift));
	return (size_t)nr * pool->elem_bytes;
}

static size_t fm_pool_dir_bytes(const struct fm_pool *pool, u32 dir)
{
	return min_t(u32, FM_POOL_DIR,
		     pool->nr_chunks_max - (dir << FM_POOL_DIR_SHIFT)) *
	       sizeof(void *);
}

/* Allocate a directory, unless it exists. Return: 0 or -ENOMEM. */
static int fm_pool_add_dir(struct fm_pool *pool, u32 dir)
{
	if (!pool->dirs[dir])
		pool->dirs[dir] = fm_memory_alloc(pool->memory,
						  fm_pool_dir_bytes(pool, dir));
	return pool->dirs[dir] ? 0 : -ENOMEM;
}

/* Allocate a chunk, and its directory if it is the first there. Return: 0 or -ENOMEM. */
static int fm_pool_add_chunk(struct fm_pool *pool, u32 chunk)
{
	u32 dir = chunk >> FM_POOL_DIR_SHIFT;
	void **at;

	if (fm_pool_add_dir(pool, dir))
		return -ENOMEM;
	at = &pool->dirs[dir][chunk & (FM_POOL_DIR - 1)];
	*at = fm_memory_alloc(pool->memory, fm_pool_chunk_bytes(pool, chunk));
	return *at ? 0 : -ENOMEM;
}

/**
 * fm_pool_init() - set up an empty pool that grows.
 * @pool: to set up
 * @memory: the limit; there are directories for all elements that it allows
 * @elem_bytes: the size of an element, at most FM_MEMORY_BLOCK / FM_POOL_CHUNK
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_pool_init(struct fm_pool *pool, struct fm_memory *memory,
		 size_t elem_bytes)
{
	*pool = (struct fm_pool){
		.memory = memory,
		.elem_bytes = elem_bytes,
		.shift = FM_POOL_CHUNK_SHIFT,
	};
	pool->nr_chunks_max = min_t(size_t, FM_POOL_DIRS * FM_POOL_DIR,
				    DIV_ROUND_UP(memory->limit_bytes,
						 fm_pool_chunk_bytes(pool, 0)));
	return fm_pool_add_dir(pool, 0);
}

/**
 * fm_pool_init_fixed() - set up a pool of so many elements, all zero.
 * @pool: to set up
 * @memory: the limit that it is charged to, at most 2 GiB
 * @elem_bytes: the size of an element, at most FM_MEMORY_BLOCK
 * @nr: how many elements
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOMEM with nothing allocated.
 */
int fm_pool_init_fixed(struct fm_pool *pool, struct fm_memory *memory,
		       size_t elem_bytes, u32 nr)
{
	u32 chunk;

	*pool = (struct fm_pool){
		.memory = memory,
		.elem_bytes = elem_bytes,
		.nr = nr,
		.shift = fm_pool_fixed_shift(elem_bytes),
		.fixed = true,
	};
	pool->nr_chunks_max = DIV_ROUND_UP(nr, BIT(pool->shift));
	for (chunk = 0; chunk < pool->nr_chunks_max; chunk++) {
		if (!fm_pool_add_chunk(pool, chunk))
			continue;
		fm_pool_deinit(pool);
		return -ENOMEM;
	}
	return 0;
}

/**
 * fm_pool_init_cache() - set up a pool for what is kept only to be found faster.
 * @pool: to set up, all zero
 * @memory: the limit that it is charged to; a small one allows fewer elements
 * @elem_bytes: the size of an element, at most FM_MEMORY_BLOCK
 * @most: the most elements, a power of two from 2 on
 *
 * Context: Process context, may sleep.
 * Return: 0, with a power of two of elements, from 2 on, all zero; or -ENOMEM with nothing
 * allocated, and nothing tried where the limit does not allow it.
 */
int fm_pool_init_cache(struct fm_pool *pool, struct fm_memory *memory, size_t elem_bytes,
		       u32 most)
{
	size_t share = memory->limit_bytes / FM_POOL_CACHE_SHARE / elem_bytes;
	u32 nr = rounddown_pow_of_two(clamp_t(size_t, share, 2, most));

	if (!fm_memory_has_room(memory, fm_pool_fixed_bytes(elem_bytes, nr)))
		return -ENOMEM;
	return fm_pool_init_fixed(pool, memory, elem_bytes, nr);
}

/* Return: what arrays take that have so many elements in all, and at most so many each. */
static size_t fm_pool_arrays_bytes(size_t elem_bytes, u32 nr, u32 most)
{
	return nr / most * fm_memory_bytes(most * elem_bytes) +
	       fm_memory_bytes(nr % most * elem_bytes);
}

/**
 * fm_pool_fixed_bytes() - compute how much a pool of a fixed size takes.
 * @elem_bytes: the size of an element
 * @nr: how many elements
 *
 * Context: Any.
 * Return: what it is charged, in bytes.
 */
size_t fm_pool_fixed_bytes(size_t elem_bytes, u32 nr)
{
	u32 chunk = BIT(fm_pool_fixed_shift(elem_bytes));

	return fm_pool_arrays_bytes(elem_bytes, nr, chunk) +
	       fm_pool_arrays_bytes(sizeof(void *), DIV_ROUND_UP(nr, chunk), FM_POOL_DIR);
}

/* Free the chunks of a directory, as far as they were allocated, and itself. */
static void fm_pool_free_dir(struct fm_pool *pool, u32 dir)
{
	u32 first = dir << FM_POOL_DIR_SHIFT, i;
	u32 nr = fm_pool_dir_bytes(pool, dir) / sizeof(void *);

	for (i = 0; i < nr; i++)
		fm_memory_free(pool->memory, pool->dirs[dir][i],
			       fm_pool_chunk_bytes(pool, first + i));
	fm_memory_free(pool->memory, pool->dirs[dir],
		       fm_pool_dir_bytes(pool, dir));
	pool->dirs[dir] = NULL;
}

/**
 * fm_pool_deinit() - free a pool and its elements.
 * @pool: the pool, set up or all zero
 *
 * Context: Process context.
 */
void fm_pool_deinit(struct fm_pool *pool)
{
	u32 dir;

	for (dir = 0; dir < FM_POOL_DIRS && pool->dirs[dir]; dir++)
		fm_pool_free_dir(pool, dir);
	pool->nr = 0;
}

/**
 * fm_pool_bytes() - compute how much a pool takes now.
 * @pool: the pool, set up or all zero
 *
 * Context: Process context. The caller serialises with adding.
 * Return: what it is charged, which fm_pool_deinit() would give back, in bytes.
 */
size_t fm_pool_bytes(const struct fm_pool *pool)
{
	size_t bytes = 0;
	u32 i;

	for (i = 0; i < FM_POOL_DIRS && pool->dirs[i]; i++)
		bytes += fm_memory_bytes(fm_pool_dir_bytes(pool, i));
	for (i = 0; i << pool->shift < pool->nr; i++)
		bytes += fm_memory_bytes(fm_pool_chunk_bytes(pool, i));
	return bytes;
}

/**
 * fm_pool_add() - add an element, all zero.
 * @pool: the pool, one that grows
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: the element, whose number is @pool->nr - 1, or NULL when there is no
 * memory left.
 */
void *fm_pool_add(struct fm_pool *pool)
{
	u32 chunk = pool->nr >> FM_POOL_CHUNK_SHIFT;

	if (!(pool->nr & (FM_POOL_CHUNK - 1)) &&
	    (chunk == pool->nr_chunks_max || fm_pool_add_chunk(pool, chunk)))
		return NULL;
	return fm_pool_at(pool, pool->nr++);
}
