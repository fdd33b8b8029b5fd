// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for cgroups: see groups.h.
 */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "groups.h"

/* The share of a hot table's memory: 1024 slots of the default's. */
#define FM_GROUPS_SHARE		64

/**
 * fm_groups_bytes() - compute the memory for cgroups from that of a hot table.
 * @table_bytes: memory for the whole hot table, at least 1024
 *
 * Context: Any.
 * Return: bytes, a power of two of slots.
 */
size_t fm_groups_bytes(size_t table_bytes)
{
	size_t slots = table_bytes / FM_GROUPS_SHARE / sizeof(u64);

	return rounddown_pow_of_two(min_t(size_t, slots, FM_GROUPS_SLOTS_MAX)) *
	       sizeof(u64);
}

/**
 * fm_groups_init() - allocate an empty table of cgroups.
 * @groups: to set up
 * @bytes: its memory, as fm_groups_bytes() computes it
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_groups_init(struct fm_groups *groups, size_t bytes, int node)
{
	u32 slots = bytes / sizeof(u64);

	groups->ids = vzalloc_node(bytes, node);
	if (!groups->ids)
		return -ENOMEM;
	groups->shift = 64 - ilog2(slots);
	groups->max = slots / 2;
	groups->nr = 0;
	/* Ids are consecutive; with a known factor, a user could make cgroups that collide. */
	get_random_bytes(&groups->secret, sizeof(groups->secret));
	groups->secret |= 1;
	return 0;
}

/**
 * fm_groups_deinit() - free a table of cgroups.
 * @groups: the table, set up or all zero
 *
 * Context: Process context.
 */
void fm_groups_deinit(struct fm_groups *groups)
{
	vfree(groups->ids);
	memset(groups, 0, sizeof(*groups));
}

/**
 * fm_groups_clear() - forget all cgroups; their numbers then mean nothing.
 * @groups: the table
 *
 * Context: Any; the caller owns the table.
 */
void fm_groups_clear(struct fm_groups *groups)
{
	if (groups->nr)
		memset(groups->ids, 0, 2 * groups->max * sizeof(u64));
	groups->nr = 0;
	groups->last_id = FM_CGROUP_NONE;
	groups->last = FM_GROUP_NONE;
}

/**
 * fm_groups_find() - find the number of a cgroup that is not the last one.
 * @groups: the table
 * @id: the cgroup's, not 0
 *
 * Context: Any; the caller owns the table.
 * Return: the number, or FM_GROUP_OTHER if the table is full or the search looked at
 * FM_GROUPS_PROBES slots.
 */
u16 fm_groups_find(struct fm_groups *groups, u64 id)
{
	u32 slot = id * groups->secret >> groups->shift;
	u32 mask = 2 * groups->max - 1, probes;

	for (probes = 0; groups->ids[slot]; slot = (slot + 1) & mask) {
		if (groups->ids[slot] == id)
			return slot + 1;
		if (++probes == FM_GROUPS_PROBES)
			return FM_GROUP_OTHER;
	}
	if (groups->nr == groups->max)
		return FM_GROUP_OTHER;
	groups->nr++;
	groups->ids[slot] = id;
	return slot + 1;
}

/**
 * fm_groups_id() - return the id of a cgroup.
 * @groups: the table
 * @number: from fm_groups_number(), or FM_GROUP_NONE
 *
 * Context: Any; no number is forgotten meanwhile.
 * Return: the id, FM_CGROUP_NONE or FM_CGROUP_OTHER.
 */
u64 fm_groups_id(const struct fm_groups *groups, u16 number)
{
	if (number == FM_GROUP_NONE)
		return FM_CGROUP_NONE;
	if (number == FM_GROUP_OTHER)
		return FM_CGROUP_OTHER;
	return groups->ids[number - 1];
}
