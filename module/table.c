// SPDX-License-Identifier: GPL-2.0
/*
 * A hot table: see table.h.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "index.h"
#include "table.h"

/*
 * A new stack needs an entry, and a path for each caller. But many interrupted
 * instructions and tasks share a path, so paths get only half of the memory.
 */
#define FM_TABLE_PATHS_SHARE	2

/* An index has at least two slots per item, which keeps searches short. */
static u32 fm_slots(size_t bytes, size_t item_bytes)
{
	return roundup_pow_of_two(2 * bytes / (item_bytes + 2 * sizeof(u32)));
}

static u32 fm_items(size_t bytes, size_t item_bytes)
{
	return (bytes - fm_slots(bytes, item_bytes) * sizeof(u32)) / item_bytes;
}

/**
 * fm_table_init() - allocate an empty table.
 * @table: to set up
 * @bytes: memory for the whole table, at least FM_TABLE_BYTES_MIN
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_table_init(struct fm_table *table, size_t bytes, int node)
{
	size_t paths_bytes = bytes / FM_TABLE_PATHS_SHARE;
	/* If rounding just doubled the index, one of half the size has room for more. */
	u32 max_paths = max(fm_items(paths_bytes, FM_PATH_BYTES),
			    fm_slots(paths_bytes, FM_PATH_BYTES) / 4);
	size_t groups_bytes = fm_groups_bytes(bytes);
	size_t entries_bytes = bytes - paths_bytes - groups_bytes;
	u32 slots = fm_slots(entries_bytes, sizeof(struct fm_entry));

	memset(table, 0, sizeof(*table));
	table->shift = 32 - ilog2(slots);
	table->max = fm_items(entries_bytes, sizeof(struct fm_entry));
	table->entries = vzalloc_node(table->max * sizeof(struct fm_entry), node);
	table->index = vzalloc_node(slots * sizeof(u32), node);
	if (!table->entries || !table->index ||
	    fm_groups_init(&table->groups, groups_bytes, node) ||
	    fm_paths_init(&table->own, max_paths, node)) {
		fm_table_deinit(table);
		return -ENOMEM;
	}
	table->paths = &table->own;
	get_random_bytes(table->secret, sizeof(table->secret));
	return 0;
}

/**
 * fm_table_deinit() - free a table.
 * @table: the table, set up or all zero
 *
 * Context: Process context.
 */
void fm_table_deinit(struct fm_table *table)
{
	vfree(table->entries);
	vfree(table->index);
	fm_groups_deinit(&table->groups);
	fm_paths_deinit(&table->own);
	memset(table, 0, sizeof(*table));
}

/* Fold a 128-bit product into 64 bits. */
static __always_inline u64 fm_mix(u64 a, u64 b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (u64)product ^ (u64)(product >> 64);
}

/*
 * Users choose comms, and with a known hash they could choose comms that share
 * a slot. So each table has its own secret. The words are multiplied with each
 * other, not with constants, so that the secret decides which keys collide.
 */
static __always_inline u32 fm_key_hash(const struct fm_table *table,
				       const struct fm_key *key)
{
	const u64 *word = (const u64 *)key, *secret = table->secret;
	u64 stack = fm_mix(word[0] ^ secret[0], word[1] ^ secret[1]);
	u64 comm = fm_mix(word[3] ^ secret[2], word[4] ^ secret[3]);
	u64 rest = fm_mix(word[2] ^ secret[4], word[5] ^ secret[7]);

	/* Mix again: after one product, keys that differ in few bits fill adjacent slots. */
	return fm_mix(fm_mix(stack ^ rest, comm ^ secret[5]), secret[6]) >> 32;
}

/**
 * fm_table_find() - find the entry of a key, or add it.
 * @table: the table
 * @key: the key; its path is one of the table's
 *
 * Context: Any; the caller owns the table.
 * Return: the entry, or NULL if the table is full or the search looked at
 * FM_TABLE_PROBES slots.
 */
struct fm_entry *fm_table_find(struct fm_table *table, const struct fm_key *key)
{
	u32 slot = fm_key_hash(table, key) >> table->shift;
	u32 mask = ~0U >> table->shift, nr, probes;
	struct fm_entry *entry;

	for (probes = 0; (nr = table->index[slot]); slot = (slot + 1) & mask) {
		entry = &table->entries[nr - 1];
		if (fm_key_same(&entry->key, key))
			return entry;
		if (++probes == FM_TABLE_PROBES)
			return NULL;
	}
	if (table->nr == table->max)
		return NULL;
	entry = &table->entries[table->nr++];
	table->grew = true;
	table->index[slot] = table->nr;
	*entry = (struct fm_entry){ .key = *key };
	return entry;
}

/**
 * fm_table_forget_notes() - forget where entries are in the aggregate.
 * @table: the table
 * @nr: how many entries may have notes; entries added concurrently have none
 *
 * Context: Process context, under the session's lock.
 */
void fm_table_forget_notes(struct fm_table *table, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		table->entries[i].record = 0;
}

/**
 * fm_table_empty() - forget all entries, and the numbers of their cgroups.
 * @table: the table
 *
 * Context: Any; the caller owns the table.
 */
void fm_table_empty(struct fm_table *table)
{
	if (table->nr)
		fm_index_clear(table->index, table->shift);
	table->nr = 0;
	fm_groups_clear(&table->groups);
}

/**
 * fm_table_clear() - forget all entries and paths.
 * @table: the table
 *
 * Context: Any; the caller owns the table, and its paths.
 */
void fm_table_clear(struct fm_table *table)
{
	fm_table_empty(table);
	fm_paths_clear(table->paths);
}

/**
 * fm_sample_fold() - turn a sample's frames into a leaf and a path.
 * @sample: the sample; @sample->paths are those of the table it will go to
 *
 * Context: Any, the timer callback above all.
 * Return: false when there is no room for the path.
 */
bool fm_sample_fold(struct fm_sample *sample)
{
	u32 path = FM_PATH_NONE;
	u16 i;

	sample->key.leaf = sample->frames[0];
	for (i = 1; i < sample->nr_frames; i++) {
		path = fm_paths_add(sample->paths, path, sample->frames[i]);
		if (path == FM_PATH_NONE)
			return false;
	}
	sample->key.path = path;
	return true;
}
