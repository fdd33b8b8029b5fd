// SPDX-License-Identifier: GPL-2.0
/*
 * Memory under a limit: see memory.h.
 */
#include <linux/gfp.h>
#include <linux/kmemleak.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "compat/compat.h"
#include "memory.h"

/**
 * fm_memory_init() - set up a limit with nothing used.
 * @memory: to set up
 * @limit_bytes: the most that may be allocated at a time
 *
 * Context: Any.
 */
void fm_memory_init(struct fm_memory *memory, size_t limit_bytes)
{
	atomic_long_set(&memory->used_bytes, 0);
	memory->limit_bytes = limit_bytes;
	memory->cached_bytes = 0;
	memory->reclaim = NULL;
}

/**
 * fm_memory_withhold() - lower the limit, to reserve memory for later.
 * @memory: the limit; more than the new limit may be in use
 * @size_bytes: by how much, at most the limit
 *
 * Context: Any, while nobody allocates.
 */
void fm_memory_withhold(struct fm_memory *memory, size_t size_bytes)
{
	memory->limit_bytes -= size_bytes;
}

/**
 * fm_memory_grant() - raise the limit by what was withheld before.
 * @memory: the limit
 * @size_bytes: by how much
 *
 * Context: Any, while nobody allocates.
 */
void fm_memory_grant(struct fm_memory *memory, size_t size_bytes)
{
	memory->limit_bytes += size_bytes;
}

/*
 * Pages in a row are worth more than one try, for there is no other way. kmalloc() would
 * take a power of two of them. kmemleak does not know pages, and they have pointers.
 */
static void *fm_memory_alloc_pages(size_t size_bytes)
{
	void *p = alloc_pages_exact(size_bytes, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
				    __GFP_RETRY_MAYFAIL);

	if (p)
		kmemleak_alloc(p, size_bytes, 1, GFP_KERNEL);
	return p;
}

static void fm_memory_free_pages(void *p, size_t size_bytes)
{
	kmemleak_free(p);
	free_pages_exact(p, size_bytes);
}

/* Return: whether so much is allocated as pages. */
static bool fm_memory_is_pages(size_t size_bytes)
{
	return size_bytes > PAGE_SIZE;
}

static void *fm_memory_try(struct fm_memory *memory, size_t size_bytes)
{
	size_t charge = fm_memory_bytes(size_bytes);
	void *p;

	if (atomic_long_add_return(charge, &memory->used_bytes) > memory->limit_bytes)
		goto uncharge;
	if (fm_memory_is_pages(size_bytes))
		p = fm_memory_alloc_pages(size_bytes);
	else
		p = kzalloc(size_bytes, GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
	if (p)
		return p;
uncharge:
	atomic_long_sub(charge, &memory->used_bytes);
	return NULL;
}

/**
 * fm_memory_alloc() - allocate zeroed memory within the limit.
 * @memory: the limit
 * @size_bytes: how much
 *
 * What is cached is given back, piece by piece, until there is enough.
 *
 * Context: Process context, may sleep. If there is a @reclaim, the caller holds the lock that
 * protects what is cached.
 * Return: the memory, or NULL if the size is more than FM_MEMORY_BLOCK, the limit is
 * reached or the kernel has no memory. Nothing is logged, since callers count or report it.
 */
void *fm_memory_alloc(struct fm_memory *memory, size_t size_bytes)
{
	void *p;

	if (size_bytes > FM_MEMORY_BLOCK)
		return NULL;
	do {
		p = fm_memory_try(memory, size_bytes);
	} while (!p && memory->reclaim && memory->reclaim(memory));
	return p;
}

/**
 * fm_memory_free() - free memory from fm_memory_alloc().
 * @memory: the limit that it was charged to
 * @p: the memory, or NULL
 * @size_bytes: the size that was allocated
 *
 * Context: Process context.
 */
void fm_memory_free(struct fm_memory *memory, void *p, size_t size_bytes)
{
	if (!p)
		return;
	if (fm_memory_is_pages(size_bytes))
		fm_memory_free_pages(p, size_bytes);
	else
		kfree(p);
	atomic_long_sub(fm_memory_bytes(size_bytes), &memory->used_bytes);
}

/**
 * fm_memory_used() - return how much is allocated now.
 * @memory: the limit
 *
 * Context: Any.
 * Return: bytes.
 */
size_t fm_memory_used(const struct fm_memory *memory)
{
	return atomic_long_read(&memory->used_bytes);
}

/**
 * fm_memory_bytes() - compute what an allocation is charged.
 * @size_bytes: the size that is allocated, at most FM_MEMORY_BLOCK; 0: no allocation
 *
 * Context: Any.
 * Return: the bytes that the kernel takes for it: whole pages, or what kmalloc() has.
 */
size_t fm_memory_bytes(size_t size_bytes)
{
	return fm_memory_is_pages(size_bytes) ? PAGE_ALIGN(size_bytes) :
						fm_compat_alloc_bytes(size_bytes);
}

/* Return: whether the limit allows so much beside what is used. */
static bool fm_memory_fits(const struct fm_memory *memory, size_t used_bytes, size_t size_bytes)
{
	return used_bytes <= memory->limit_bytes &&
	       size_bytes <= memory->limit_bytes - used_bytes;
}

/**
 * fm_memory_has_room() - check whether the limit allows this much more now.
 * @memory: the limit
 * @size_bytes: how much is charged: see fm_memory_bytes()
 *
 * What is cached counts as free.
 *
 * Context: Any.
 * Return: true if an allocation can only fail for lack of kernel memory.
 */
bool fm_memory_has_room(const struct fm_memory *memory, size_t size_bytes)
{
	return fm_memory_fits(memory, fm_memory_used(memory) - memory->cached_bytes, size_bytes);
}

/**
 * fm_memory_has_unused() - check for room without giving back what is cached.
 * @memory: the limit
 * @size_bytes: how much is charged: see fm_memory_bytes()
 *
 * Context: Any.
 * Return: true if the limit allows this much more beside what is cached.
 */
bool fm_memory_has_unused(const struct fm_memory *memory, size_t size_bytes)
{
	return fm_memory_fits(memory, fm_memory_used(memory), size_bytes);
}
