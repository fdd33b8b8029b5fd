/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The indexes of tables and paths: a power of two of slots, each the number of an element
 * or 0.
 *
 * Locking: that of what they belong to.
 */
#ifndef _FLAMEMOD_INDEX_H
#define _FLAMEMOD_INDEX_H

#include <linux/string.h>
#include <linux/types.h>

/**
 * fm_index_clear() - empty an index.
 * @index: the index, of 1 << (32 - @shift) slots
 * @shift: at most 31
 *
 * Eight bytes at a time: memset() takes as long for each byte in a machine that is emulated.
 *
 * Context: Any; the caller owns the index.
 */
static inline void fm_index_clear(u32 *index, u32 shift)
{
	memset64((u64 *)index, 0, 1UL << (31 - shift));
}

#endif /* _FLAMEMOD_INDEX_H */
