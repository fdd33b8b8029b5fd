/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Maps ranges of addresses to frames, in a sorted array of the extents of
 * functions. So the kernel's symbols are searched only once per function.
 *
 * Locking: the session's lock protects all of it.
 */
#ifndef _FLAMEMOD_EXTENTS_H
#define _FLAMEMOD_EXTENTS_H

#include <linux/types.h>

#include "pool.h"

struct module;

struct fm_extent {
	unsigned long start;
	u32 bytes;
	u32 frame;
};

struct fm_extents {
	struct fm_memory *memory;
	struct fm_pool list;		/* by rising start; none overlap */
	u32 nr;				/* of them are in use */
};

void fm_extents_init(struct fm_extents *extents, struct fm_memory *memory);
void fm_extents_deinit(struct fm_extents *extents);
const struct fm_extent *fm_extents_find(const struct fm_extents *extents,
					unsigned long address);
int fm_extents_add(struct fm_extents *extents, const struct fm_extent *extent,
		   unsigned long address);
bool fm_extents_forget(struct fm_extents *extents, const struct module *mod,
		       bool (*within)(unsigned long address,
				      const struct module *mod));

#endif /* _FLAMEMOD_EXTENTS_H */
