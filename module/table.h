/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hot table: samples counted by their full key, in fixed memory.
 *
 * Entries lie one behind the other; an open-addressed index of them finds
 * them. A hash only finds a candidate: the whole key is compared, so no sample
 * is ever counted under another's stack. The paths of the stacks' callers may
 * be those of another table of the same CPU's: they outlive a table's entries.
 *
 * Each entry has its counts twice: samples go to one half while a drain empties
 * the other. The entries stay, so that what was sampled before is found again by
 * samples as by drains; all of them go when the table is cleared.
 *
 * Locking: none of its own. To add entries and paths, and the counts of the half
 * in use, are the timer callback's; the other half and the notes of where an
 * entry is in the aggregate are the drain's. The halves change on the table's
 * own CPU (see drain.c). Keys stay as they are.
 */
#ifndef _FLAMEMOD_TABLE_H
#define _FLAMEMOD_TABLE_H

#include "counts.h"
#include "path.h"
#include "sample.h"

struct fm_entry {
	struct fm_key key;
	u32 record;		/* the drain's: see drain.c */
	struct fm_counts halves[2];
};

struct fm_table {
	struct fm_entry *entries;
	u32 *index;		/* number of an entry + 1, or 0 */
	u32 nr;
	u32 max;
	u32 shift;		/* from a 32-bit hash to a slot of the index */
	u64 secret[7];		/* of the hash */
	u32 last;		/* the entry that was counted last, by itself */
	u8 half;		/* that samples are counted in */
	u32 epoch;		/* the drain's: the aggregate that its notes are of */
	struct fm_paths *paths;	/* in use */
	struct fm_paths own;
};

/* The least that holds some samples, and one of the greatest depth. */
#ifdef CONFIG_X86_64
#define FM_TABLE_BYTES_MIN	12288
#else
#define FM_TABLE_BYTES_MIN	16384
#endif

/*
 * The most slots that a search looks at. An index is at most half full: in 20
 * random fillings of 2^17 slots the longest search took 38. A search that
 * reaches the limit would keep interrupts off for too long; its sample is
 * counted as lost: table-full.
 */
#define FM_TABLE_PROBES	256

int fm_table_init(struct fm_table *table, size_t bytes, int node);
void fm_table_deinit(struct fm_table *table);

struct fm_entry *fm_table_find(struct fm_table *table, const struct fm_key *key);
void fm_table_empty(struct fm_table *table);
void fm_table_clear(struct fm_table *table);
void fm_table_forget_notes(struct fm_table *table, u32 nr);

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
	struct fm_counts *counts;

	if (*last >= table->nr || !fm_key_same(&entry->key, key)) {
		entry = fm_table_find(table, key);
		if (unlikely(!entry))
			return false;
		*last = entry - table->entries;
	}
	counts = &entry->halves[table->half];
	counts->count++;
	counts->periods += periods;
	counts->late_ns += late_ns;
	return true;
}

/* Is it time for a drain? What is left must do until that comes. */
static inline bool fm_table_filling(const struct fm_table *table)
{
	return table->nr > table->max / 4 * 3 ||
	       fm_paths_filling(table->paths);
}

/* Once it is drained: is so little left that it would have to be again soon? */
static inline bool fm_table_used_up(const struct fm_table *table)
{
	return table->nr > table->max / 8 * 5;
}

#endif /* _FLAMEMOD_TABLE_H */
