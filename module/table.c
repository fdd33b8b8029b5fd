// SPDX-License-Identifier: GPL-2.0
/*
 * A hot half-table: see table.h.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "table.h"

/*
 * An index slot for every 64 bytes: an entry has 56 and its stack, so the
 * index is rarely half full when the arena is full.
 */
#define FM_TABLE_BYTES_PER_SLOT	64

/**
 * fm_sample_rehash() - set the hash from the key.
 * @sample: the sample
 *
 * Context: Any, the timer callback above all.
 */
void fm_sample_rehash(struct fm_sample *sample)
{
	u64 hash = ((u64)sample->tid << 32) ^ sample->context;
	const u64 *comm = (const u64 *)sample->comm;
	unsigned int i;

	static_assert(sizeof(sample->comm) == 2 * sizeof(u64));
	hash = (hash ^ comm[0] ^ rol64(comm[1], 17)) * GOLDEN_RATIO_64;
	for (i = 0; i < sample->nr_frames; i++)
		hash = (rol64(hash, 23) ^ sample->frames[i]) * GOLDEN_RATIO_64;
	sample->hash = hash >> 32;
}

/**
 * fm_table_init() - an empty table.
 * @table: to set up
 * @bytes: for arena and index together, at least FM_TABLE_BYTES_MIN
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_table_init(struct fm_table *table, size_t bytes, int node)
{
	u32 slots = roundup_pow_of_two(bytes / FM_TABLE_BYTES_PER_SLOT);

	memset(table, 0, sizeof(*table));
	table->index = vzalloc_node(slots * sizeof(u32), node);
	table->arena_bytes = bytes - slots * sizeof(u32);
	table->arena = vzalloc_node(table->arena_bytes, node);
	if (!table->index || !table->arena) {
		fm_table_deinit(table);
		return -ENOMEM;
	}
	table->nr_index = slots;
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
	vfree(table->index);
	vfree(table->arena);
	memset(table, 0, sizeof(*table));
}

static struct fm_entry *fm_table_entry(const struct fm_table *table,
				       u32 slot)
{
	return table->arena + table->index[slot] - 1;
}

static bool fm_table_match(const struct fm_entry *entry,
			   const struct fm_sample *sample, size_t key_bytes)
{
	return entry->sample.hash == sample->hash &&
	       !memcmp((const void *)&entry->sample + FM_SAMPLE_KEY,
		       (const void *)sample + FM_SAMPLE_KEY, key_bytes);
}

/**
 * fm_table_add() - count a sample.
 * @table: the table
 * @sample: the sample, hashed
 * @periods: how many periods it stands for
 * @late_ns: by how much it was late
 *
 * Context: Any; the caller owns the table.
 * Return: false when the sample is not there yet and has no room.
 */
bool fm_table_add(struct fm_table *table, const struct fm_sample *sample,
		  u64 periods, u64 late_ns)
{
	size_t key_bytes = fm_sample_key_bytes(sample);
	size_t bytes = ALIGN(offsetof(struct fm_entry, sample) +
			     FM_SAMPLE_KEY + key_bytes, sizeof(u64));
	u32 mask = table->nr_index - 1;
	u32 slot = sample->hash & mask;
	struct fm_entry *entry;

	for (; table->index[slot]; slot = (slot + 1) & mask) {
		entry = fm_table_entry(table, slot);
		if (fm_table_match(entry, sample, key_bytes))
			goto count;
	}
	/* One slot stays empty, so that every search ends. */
	if (table->arena_bytes - table->used_bytes < bytes ||
	    table->nr_entries == mask)
		return false;
	table->index[slot] = table->used_bytes + 1;
	entry = fm_table_entry(table, slot);
	table->used_bytes += bytes;
	table->nr_entries++;
	memcpy(&entry->sample, sample, FM_SAMPLE_KEY + key_bytes);
	entry->count = 0;
	entry->periods = 0;
	entry->late_ns = 0;
count:
	entry->count++;
	entry->periods += periods;
	entry->late_ns += late_ns;
	return true;
}

/**
 * fm_table_half_full() - is it time for a drain?
 * @table: the table
 *
 * Context: Any; the caller owns the table.
 * Return: true when half of the arena or of the index is used.
 */
bool fm_table_half_full(const struct fm_table *table)
{
	return table->used_bytes > table->arena_bytes / 2 ||
	       table->nr_entries > table->nr_index / 2;
}

/**
 * fm_table_next() - walk over the entries, in the order they came.
 * @table: the table
 * @position: 0 at first; advanced to the next entry
 *
 * Context: Any; the caller owns the table.
 * Return: an entry, or NULL behind the last.
 */
const struct fm_entry *fm_table_next(const struct fm_table *table,
				     u32 *position)
{
	const struct fm_entry *entry = table->arena + *position;

	if (*position >= table->used_bytes)
		return NULL;
	*position += ALIGN(offsetof(struct fm_entry, sample) + FM_SAMPLE_KEY +
			   fm_sample_key_bytes(&entry->sample), sizeof(u64));
	return entry;
}

/**
 * fm_table_clear() - forget all entries.
 * @table: the table
 *
 * Context: Any; the caller owns the table.
 */
void fm_table_clear(struct fm_table *table)
{
	if (table->nr_entries)
		memset(table->index, 0, table->nr_index * sizeof(u32));
	table->used_bytes = 0;
	table->nr_entries = 0;
}
