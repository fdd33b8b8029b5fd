/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocates memory up to a limit, in small blocks.
 *
 * A block is at most FM_MEMORY_BLOCK bytes, for which the kernel finds pages in a row.
 * Larger blocks would be mapped page by page, and when enough of that memory was freed
 * the kernel interrupts all CPUs to flush their TLBs, also those that are not sampled.
 * What is larger is stored in several blocks: see pool.h.
 *
 * Everything that a session keeps is charged here, so that its bound holds for
 * any number of distinct stacks, readers and modules. What is charged is what the kernel
 * takes for it, which may be more than was asked for: see fm_memory_bytes().
 *
 * Memory that is only kept in case somebody still asks for it is cached: it counts as
 * free, and is given back when an allocation needs it.
 *
 * Locking: the sum is atomic and needs no lock. Callers that change the limit
 * make sure that nobody allocates at the same time. Where there is a @reclaim, all who
 * allocate and all who change @cached_bytes hold one lock.
 */
#ifndef _FLAMEMOD_MEMORY_H
#define _FLAMEMOD_MEMORY_H

#include <linux/atomic.h>
#include <linux/types.h>

#define FM_MEMORY_BLOCK		32768

struct fm_memory {
	atomic_long_t used_bytes;
	long limit_bytes;
	long cached_bytes;	/* part of @used_bytes: @reclaim can give it back */
	/* Give back some of it. Return: whether anything was. NULL: nothing ever is. */
	bool (*reclaim)(struct fm_memory *memory);
};

void fm_memory_init(struct fm_memory *memory, size_t limit_bytes);
void fm_memory_withhold(struct fm_memory *memory, size_t size_bytes);
void fm_memory_grant(struct fm_memory *memory, size_t size_bytes);

void *fm_memory_alloc(struct fm_memory *memory, size_t size_bytes);
void fm_memory_free(struct fm_memory *memory, void *p, size_t size_bytes);

size_t fm_memory_used(const struct fm_memory *memory);
size_t fm_memory_bytes(size_t size_bytes);
bool fm_memory_has_room(const struct fm_memory *memory, size_t size_bytes);
bool fm_memory_has_unused(const struct fm_memory *memory, size_t size_bytes);

#endif /* _FLAMEMOD_MEMORY_H */
