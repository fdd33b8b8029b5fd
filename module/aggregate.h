/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's profile: a call tree of names, and counts at its nodes.
 *
 * It consists of three sets that only grow: nodes (a parent and a frame), tasks (in a
 * cgroup: a task that was moved is another one), and
 * records (a leaf node, a task, a CPU, a context, whether the task was followed, an
 * event and the state of a task that is off, with counts). Numbers of elements never
 * change, so a reader that copied the counts at some instant can read the rest while
 * more is added. A reset starts a new aggregate; the old one lives as long as a
 * reader holds it.
 *
 * This is a pure data structure that does not depend on CPUs, timers or netlink.
 *
 * Locking: the caller serialises adding (the session's lock).
 */
#ifndef _FLAMEMOD_AGGREGATE_H
#define _FLAMEMOD_AGGREGATE_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/kref.h>
#include <linux/sched.h>
#include <linux/siphash.h>

#include "../common/uapi/flamemod.h"
#include "counts.h"
#include "groups.h"
#include "set.h"

struct fm_node {
	struct fm_link link;
	u32 parent;
	u32 frame;
};

struct fm_task {
	struct fm_link link;
	u32 pid;
	u32 tid;
	u64 cgroup;		/* its id, FM_CGROUP_NONE or FM_CGROUP_OTHER */
	char comm[TASK_COMM_LEN];
};

struct fm_record {
	struct fm_link link;
	u32 node;
	u32 task;
	u16 cpu;
	u8 context : 3;		/* enum flamemod_context */
	u8 event : 5;		/* enum flamemod_event, or a source's number */
	u8 followed : 1;	/* 1 if the task was followed */
	u8 state : 7;		/* enum flamemod_task_state, of some events */
	u32 user;		/* the node of the user stack; 0: none */
	struct fm_counts counts;
};

static_assert(sizeof(struct fm_record) == 48);
static_assert(__FLAMEMOD_CONTEXT_MAX <= 8);
static_assert(FLAMEMOD_SOURCE_FIRST + FLAMEMOD_SOURCES_MAX <= 32);

struct fm_aggregate {
	struct kref ref;
	hsiphash_key_t task_key;	/* users choose comms: use a key */
	struct fm_set nodes;		/* [0] is the root */
	struct fm_set tasks;
	struct fm_set records;
};

/* A stack of frames, with its task, CPU and context. */
struct fm_folded {
	u32 callers;			/* the node of the callers of these frames */
	u32 user;			/* the node of the user stack; 0: none */
	const u32 *frames;		/* leaf first */
	u32 nr_frames;
	u32 pid;
	u32 tid;
	const char *comm;		/* TASK_COMM_LEN bytes */
	u64 cgroup;			/* as struct fm_task has it */
	u16 cpu;
	u8 context;
	u8 event;
	u8 followed;
	u8 state;
};

struct fm_aggregate *fm_aggregate_create(struct fm_memory *memory);
void fm_aggregate_get(struct fm_aggregate *aggregate);
void fm_aggregate_put(struct fm_aggregate *aggregate);
size_t fm_aggregate_bytes(const struct fm_aggregate *aggregate);

int fm_aggregate_node(struct fm_aggregate *aggregate, u32 parent,
		      const u32 *frames, u32 nr_frames, u32 *id);
int fm_aggregate_find(struct fm_aggregate *aggregate,
		      const struct fm_folded *folded, u32 *id);

/* Add to the counts of an existing record. The caller serialises. */
static inline void fm_aggregate_count(struct fm_aggregate *aggregate, u32 id,
				      const struct fm_counts *counts)
{
	struct fm_record *record = fm_set_at(&aggregate->records, id);

	fm_counts_add(&record->counts, counts);
}

#endif /* _FLAMEMOD_AGGREGATE_H */
