// SPDX-License-Identifier: GPL-2.0
/*
 * Stores the extents of functions: see extents.h.
 */
#include <linux/errno.h>
#include <linux/minmax.h>

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
	fm_pool_deinit(&extents->list);
	extents->nr = 0;
}

static struct fm_extent *fm_extent_at(const struct fm_extents *extents, u32 i)
{
	return fm_pool_at(&extents->list, i);
}

/* Return: the number of extents that start at or before an address. */
static u32 fm_extents_before(const struct fm_extents *extents,
			     unsigned long address)
{
	u32 low = 0, high = extents->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (fm_extent_at(extents, middle)->start <= address)
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
	const struct fm_extent *extent;

	if (!nr)
		return NULL;
	extent = fm_extent_at(extents, nr - 1);
	return address - extent->start < extent->bytes ? extent : NULL;
}

/* Make room for one more. Return: 0 or -ENOSPC. */
static int fm_extents_grow(struct fm_extents *extents)
{
	u32 max = extents->nr ? extents->nr * 2 : FM_EXTENTS_MIN, i;
	struct fm_pool list;

	if (extents->nr < extents->list.nr)
		return 0;
	/* Without room nothing is tried, so nothing that is cached is given back in vain. */
	if (!fm_memory_has_room(extents->memory,
				fm_pool_fixed_bytes(sizeof(struct fm_extent), max)) ||
	    fm_pool_init_fixed(&list, extents->memory, sizeof(struct fm_extent), max))
		return -ENOSPC;
	for (i = 0; i < extents->nr; i++)
		*(struct fm_extent *)fm_pool_at(&list, i) =
			*fm_extent_at(extents, i);
	fm_pool_deinit(&extents->list);
	extents->list = list;
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
	const struct fm_extent *near;
	u32 i;

	if (fm_extents_grow(extents))
		return -ENOSPC;
	if (nr) {
		near = fm_extent_at(extents, nr - 1);
		start = max(start, near->start + near->bytes);
	}
	if (nr < extents->nr)
		end = min(end, fm_extent_at(extents, nr)->start);
	for (i = extents->nr; i > nr; i--)
		*fm_extent_at(extents, i) = *fm_extent_at(extents, i - 1);
	*fm_extent_at(extents, nr) = (struct fm_extent){
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

	for (i = 0; i < nr; i++) {
		const struct fm_extent *extent = fm_extent_at(extents, i);

		if (!within(extent->start, mod))
			*fm_extent_at(extents, kept++) = *extent;
	}
	extents->nr = kept;
	return kept < nr;
}
