/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A hot table: counts samples by their full key, in fixed memory.
 *
 * Entries are stored in an array and found through an open-addressed index. The
 * hash only finds a candidate: the whole key is compared, so no sample is ever
 * counted under another stack. The paths of the callers (path.h) outlive a table's
 * entries, so a table may use those of the CPU's other table.
 *
 * Each entry has two sets of counts, called halves: samples go to one while a drain
 * empties the other. Entries stay after a drain, so that later samples and drains
 * find them again. Clearing the table removes them all.
 *
 * Locking: no locks. The timer callback adds entries and paths and writes the
 * counts of the half in use. The drain owns the other half, and the notes of where
 * an entry is in the aggregate. The halves change places on the table's own CPU
 * (see drain.c). Keys never change.
 */
#ifndef _FLAMEMOD_TABLE_H
#define _FLAMEMOD_TABLE_H

#include "counts.h"
#include "groups.h"
#include "path.h"
#include "sample.h"

struct fm_entry {
	struct fm_key key;
	u32 record;		/* the drain's note: see drain.c */
	struct fm_counts halves[2];
};

struct fm_table {
	struct fm_entry *entries;
	u32 *index;		/* an entry number + 1, or 0 */
	u32 nr;
	u32 max;
	u32 shift;		/* from a 32-bit hash to a slot of the index */
	u64 secret[8];		/* key of the hash */
	u32 last;		/* the entry counted last, if no leaf notes it */
	u8 half;		/* the half that samples are counted in */
	bool grew;		/* see fm_table_grew() */
	u64 noted;		/* the drain's: see fm_drain_check_notes() */
	struct fm_paths *paths;	/* in use */
	struct fm_paths own;
	struct fm_groups groups;	/* that keys' numbers of cgroups belong to */
};

/* The least memory for some samples and one stack of the greatest depth. */
#ifdef CONFIG_X86_64
#define FM_TABLE_BYTES_MIN	12288
#else
#define FM_TABLE_BYTES_MIN	16384
#endif

/*
 * The most slots that a search looks at, which bounds the time with interrupts off.
 * A sample whose search reaches it is counted as lost: table-full. An index is at
 * most half full: in 20 random fillings of 2^17 slots the longest search took 38.
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

	static_assert(sizeof(*a) == 6 * sizeof(u64));
	return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] &&
	       x[3] == y[3] && x[4] == y[4] && x[5] == y[5];
}

/* Find or add a key's entry; try the last one first. Return: false if there is no room. */
static __always_inline bool fm_table_seek(struct fm_table *table,
					  const struct fm_key *key, u32 *last,
					  struct fm_entry **entry)
{
	*entry = &table->entries[*last];
	if (*last < table->nr && fm_key_same(&(*entry)->key, key))
		return true;
	*entry = fm_table_find(table, key);
	if (unlikely(!*entry))
		return false;
	*last = *entry - table->entries;
	return true;
}

/**
 * fm_table_add() - count a sample.
 * @table: the table
 * @key: what it is counted under; its path is one of the table's
 * @periods: how many periods it stands for
 * @late_ns: how late it was
 * @last: number of the entry to try first, any value; set to the entry's number
 *
 * Context: Any; the caller owns the table.
 * Return: false if the key is new and there is no room for it.
 */
static __always_inline bool fm_table_add(struct fm_table *table,
					 const struct fm_key *key,
					 u64 periods, u64 late_ns, u32 *last)
{
	struct fm_entry *entry;
	struct fm_counts *counts;

	if (!fm_table_seek(table, key, last, &entry))
		return false;
	counts = &entry->halves[table->half];
	counts->count++;
	counts->periods += periods;
	counts->late_ns += late_ns;
	return true;
}

/**
 * fm_table_add_periods() - count periods for which there is no sample.
 * @table: the table
 * @key: what they are counted under; its path is one of the table's
 * @periods: how many, at least one
 * @last: as for fm_table_add()
 *
 * Context: Any; the caller owns the table.
 * Return: false if the key is new and there is no room for it.
 */
static inline bool fm_table_add_periods(struct fm_table *table,
					const struct fm_key *key, u64 periods,
					u32 *last)
{
	struct fm_entry *entry;

	if (!fm_table_seek(table, key, last, &entry))
		return false;
	entry->halves[table->half].periods += periods;
	return true;
}

/* Was an entry added since this was called last? */
static __always_inline bool fm_table_grew(struct fm_table *table)
{
	if (likely(!table->grew))
		return false;
	table->grew = false;
	return true;
}

/* Is it time for a drain? The rest of the table must last until it runs. */
static inline bool fm_table_filling(const struct fm_table *table)
{
	return table->nr > table->max / 4 * 3 ||
	       fm_groups_filling(&table->groups) ||
	       fm_paths_filling(table->paths);
}

/* After a drain: is it so full that it would need another soon? */
static inline bool fm_table_used_up(const struct fm_table *table)
{
	return table->nr > table->max / 8 * 5 ||
	       fm_groups_used_up(&table->groups);
}

#endif /* _FLAMEMOD_TABLE_H */
