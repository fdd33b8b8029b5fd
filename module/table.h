/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hot half-table: samples counted by their full key, in fixed memory.
 *
 * Entries of just the size they need lie one behind the other in an arena; an
 * open-addressed index of their offsets finds them. A hash only finds a
 * candidate: the whole key is compared, so no sample is ever counted under
 * another's stack.
 *
 * Locking: none of its own. One half is the timer callback's, the other the
 * drain's; who has which changes on the table's own CPU (see drain.c).
 */
#ifndef _FLAMEMOD_TABLE_H
#define _FLAMEMOD_TABLE_H

#include "sample.h"

struct fm_entry {
	u64 count;		/* samples */
	u64 periods;		/* sampling periods they stand for */
	u64 late_ns;		/* by how much they were late, summed */
	struct fm_sample sample;	/* cut off behind its last frame */
};

struct fm_table {
	void *arena;
	u32 *index;		/* offset into the arena + 1, or 0 */
	u32 arena_bytes;
	u32 used_bytes;
	u32 nr_index;		/* a power of two */
	u32 nr_entries;
};

/* The least that holds one sample of the greatest depth, and an index. */
#define FM_TABLE_BYTES_MIN	4096

int fm_table_init(struct fm_table *table, size_t bytes, int node);
void fm_table_deinit(struct fm_table *table);

bool fm_table_add(struct fm_table *table, const struct fm_sample *sample,
		  u64 periods, u64 late_ns);
bool fm_table_half_full(const struct fm_table *table);
const struct fm_entry *fm_table_next(const struct fm_table *table,
				     u32 *position);
void fm_table_clear(struct fm_table *table);

#endif /* _FLAMEMOD_TABLE_H */
