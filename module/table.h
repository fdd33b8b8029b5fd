/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hot half-table: samples counted by their full key, in fixed memory.
 *
 * Entries lie one behind the other; an open-addressed index of them finds
 * them. A hash only finds a candidate: the whole key is compared, so no sample
 * is ever counted under another's stack. The paths of the stacks' callers
 * belong to the table, and go when it is cleared.
 *
 * Locking: none of its own. One half is the timer callback's, the other the
 * drain's; who has which changes on the table's own CPU (see drain.c).
 */
#ifndef _FLAMEMOD_TABLE_H
#define _FLAMEMOD_TABLE_H

#include "path.h"
#include "sample.h"

struct fm_entry {
	struct fm_key key;
	u64 count;		/* samples */
	u64 periods;		/* sampling periods they stand for */
	u64 late_ns;		/* by how much they were late, summed */
};

struct fm_table {
	struct fm_entry *entries;
	u32 *index;		/* number of an entry + 1, or 0 */
	u32 nr;
	u32 max;
	u32 shift;		/* from a 32-bit hash to a slot of the index */
	u32 last;		/* the entry that was counted last, by itself */
	struct fm_paths paths;
};

/* The least that holds some samples, and one of the greatest depth. */
#define FM_TABLE_BYTES_MIN	12288

int fm_table_init(struct fm_table *table, size_t bytes, int node);
void fm_table_deinit(struct fm_table *table);

struct fm_entry *fm_table_find(struct fm_table *table, const struct fm_key *key);
void fm_table_clear(struct fm_table *table);

static __always_inline bool fm_key_same(const struct fm_key *a,
					const struct fm_key *b)
{
	const u64 *x = (const u64 *)a, *y = (const u64 *)b;

	static_assert(sizeof(*a) == 5 * sizeof(u64));
	return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] &&
	       x[3] == y[3] && x[4] == y[4];
}

/**
 * fm_table_add() - count a sample.
 * @table: the table
 * @key: what it is counted under; its path is one of the table's
 * @periods: how many periods it stands for
 * @late_ns: by how much it was late
 * @last: the entry that it may well be; any number. Set to the one that it is
 *
 * Context: Any; the caller owns the table.
 * Return: false when the key is not there yet and has no room.
 */
static __always_inline bool fm_table_add(struct fm_table *table,
					 const struct fm_key *key,
					 u64 periods, u64 late_ns, u32 *last)
{
	struct fm_entry *entry = &table->entries[*last];

	if (*last >= table->nr || !fm_key_same(&entry->key, key)) {
		entry = fm_table_find(table, key);
		if (unlikely(!entry))
			return false;
		*last = entry - table->entries;
	}
	entry->count++;
	entry->periods += periods;
	entry->late_ns += late_ns;
	return true;
}

/* Is it time for a drain? What is left must do until that comes. */
static inline bool fm_table_filling(const struct fm_table *table)
{
	return table->nr > table->max / 4 * 3 ||
	       fm_paths_filling(&table->paths);
}

#endif /* _FLAMEMOD_TABLE_H */
