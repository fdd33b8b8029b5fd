/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for the cgroups of one hot table's samples.
 *
 * A key (sample.h) has 16 bits for its cgroup, whose id has 64. So each hot table has a
 * small table of ids: the number is the slot that the id is in, plus one. It is searched
 * in the timer callback, so a search looks at few slots. A cgroup that finds none is
 * counted as FM_GROUP_OTHER until the next drain, which then goes on with an empty table.
 *
 * Locking: as in table.h, whose part this is. An id never changes until all are forgotten.
 */
#ifndef _FLAMEMOD_GROUPS_H
#define _FLAMEMOD_GROUPS_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

/* The number of a sample whose cgroup is not known, and its id. */
#define FM_GROUP_NONE		0
#define FM_CGROUP_NONE		0
/* The number of a sample whose cgroup found no slot, and what is sent for an id. */
#define FM_GROUP_OTHER		U16_MAX
#define FM_CGROUP_OTHER		U64_MAX

/* All numbers are below FM_GROUP_OTHER. */
#define FM_GROUPS_SLOTS_MAX	32768

/*
 * The most slots that a search looks at. At most half of them are in use: in 1000
 * random fillings of 1024 slots the longest search took 29.
 */
#define FM_GROUPS_PROBES	32

struct fm_groups {
	u64 last_id;		/* the cgroup looked for last; 0: none */
	u64 *ids;		/* by slot; 0: none */
	u64 secret;		/* an odd factor: key of the hash */
	u32 shift;		/* from a 64-bit hash to a slot */
	u32 nr;
	u32 max;
	u16 last;		/* the number of @last_id */
};

/* The memory of a table of cgroups, beside a hot table of so many bytes. */
size_t fm_groups_bytes(size_t table_bytes);

int fm_groups_init(struct fm_groups *groups, size_t bytes, int node);
void fm_groups_deinit(struct fm_groups *groups);
void fm_groups_clear(struct fm_groups *groups);

u16 fm_groups_find(struct fm_groups *groups, u64 id);
u64 fm_groups_id(const struct fm_groups *groups, u16 number);

/**
 * fm_groups_number() - return the number of a cgroup, which gets one if it is new.
 * @groups: the table
 * @id: the cgroup's, or FM_CGROUP_NONE in a kernel without cgroups
 *
 * The tasks of a CPU are mostly in one cgroup for some time, so the last one is tried
 * before its slot is computed.
 *
 * Context: Any; the caller owns the table.
 * Return: the number, FM_GROUP_OTHER, or for FM_CGROUP_NONE FM_GROUP_NONE.
 */
static __always_inline u16 fm_groups_number(struct fm_groups *groups, u64 id)
{
	if (likely(groups->last_id == id))
		return groups->last;
	groups->last = fm_groups_find(groups, id);
	groups->last_id = id;
	return groups->last;
}

/* Is it time for a drain? The rest of the table must last until it runs. */
static inline bool fm_groups_filling(const struct fm_groups *groups)
{
	return groups->nr > groups->max / 4 * 3;
}

/* After a drain: is it so full that it would need another soon? */
static inline bool fm_groups_used_up(const struct fm_groups *groups)
{
	return groups->nr > groups->max / 8 * 5;
}

#endif /* _FLAMEMOD_GROUPS_H */
