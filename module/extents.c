// SPDX-License-Identifier: GPL-2.0
/*
 * Stores the extents of functions: see extents.h.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "extents.h"
#include "memory.h"

#define FM_EXTENTS_MIN	256

/**
 * fm_extents_init() - set up an empty array of extents.
 * @extents: to set up
 * @memory: the limit that they are charged to
 *
 * Context: Process context.
 */
void fm_extents_init(struct fm_extents *extents, struct fm_memory *memory)
{
	*extents = (struct fm_extents){ .memory = memory };
}

/**
 * fm_extents_deinit() - forget all extents.
 * @extents: set up or all zero
 *
 * Context: Process context.
 */
void fm_extents_deinit(struct fm_extents *extents)
{
	fm_memory_free(extents->memory, extents->list,
		       extents->max * sizeof(*extents->list));
	*extents = (struct fm_extents){ .memory = extents->memory };
}

/* Return: the number of extents that start at or before an address. */
static u32 fm_extents_before(const struct fm_extents *extents,
			     unsigned long address)
{
	u32 low = 0, high = extents->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (extents->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/**
 * fm_extents_find() - find the extent that contains an address.
 * @extents: the extents
 * @address: the address
 *
 * Context: Process context, under the session's lock.
 * Return: the extent, valid until one is added or forgotten; or NULL.
 */
const struct fm_extent *fm_extents_find(const struct fm_extents *extents,
					unsigned long address)
{
	u32 nr = fm_extents_before(extents, address);
	const struct fm_extent *extent = &extents->list[nr - 1];

	return nr && address - extent->start < extent->bytes ? extent : NULL;
}

/* Make room for one more. Return: 0 or -ENOSPC. */
static int fm_extents_grow(struct fm_extents *extents)
{
	u32 max = extents->max ? extents->max * 2 : FM_EXTENTS_MIN;
	struct fm_extent *list;

	if (extents->nr < extents->max)
		return 0;
	list = fm_memory_alloc(extents->memory, max * sizeof(*list));
	if (!list)
		return -ENOSPC;
	if (extents->nr)
		memcpy(list, extents->list, extents->nr * sizeof(*list));
	fm_memory_free(extents->memory, extents->list,
		       extents->max * sizeof(*list));
	extents->list = list;
	extents->max = max;
	return 0;
}

/**
 * fm_extents_add() - add an extent that fm_extents_find() did not find.
 * @extents: the extents
 * @extent: the extent, which is copied. If it overlaps others, only the part
 *          around @address that is in none of them is added
 * @address: an address in it, and in no other extent
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: 0 or -ENOSPC, with nothing changed.
 */
int fm_extents_add(struct fm_extents *extents, const struct fm_extent *extent,
		   unsigned long address)
{
	u32 nr = fm_extents_before(extents, address);
	unsigned long start = extent->start, end = start + extent->bytes;
	struct fm_extent *at;

	if (fm_extents_grow(extents))
		return -ENOSPC;
	at = &extents->list[nr];
	if (nr && start < at[-1].start + at[-1].bytes)
		start = at[-1].start + at[-1].bytes;
	if (nr < extents->nr && end > at->start)
		end = at->start;
	memmove(at + 1, at, (extents->nr - nr) * sizeof(*at));
	*at = (struct fm_extent){
		.start = start,
		.bytes = end - start,
		.frame = extent->frame,
	};
	extents->nr++;
	return 0;
}

/**
 * fm_extents_forget() - forget the extents of a module.
 * @extents: the extents
 * @mod: the module
 * @within: returns whether an address is in the part that goes
 *
 * Context: Process context, under the session's lock.
 * Return: true if there was something to forget.
 */
bool fm_extents_forget(struct fm_extents *extents, const struct module *mod,
		       bool (*within)(unsigned long address,
				      const struct module *mod))
{
	u32 i, kept = 0, nr = extents->nr;

	for (i = 0; i < nr; i++)
		if (!within(extents->list[i].start, mod))
			extents->list[kept++] = extents->list[i];
	extents->nr = kept;
	return kept < nr;
}
