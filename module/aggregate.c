// SPDX-License-Identifier: GPL-2.0
/*
 * The session's profile: see aggregate.h.
 */
#include <linux/errno.h>
#include <linux/jhash.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "aggregate.h"
#include "memory.h"

static void fm_aggregate_free(struct kref *ref)
{
	struct fm_aggregate *aggregate =
		container_of(ref, struct fm_aggregate, ref);

	fm_set_deinit(&aggregate->records);
	fm_set_deinit(&aggregate->tasks);
	fm_set_deinit(&aggregate->nodes);
	kfree(aggregate);
}

/**
 * fm_aggregate_create() - create an empty aggregate with one reference.
 * @memory: the limit that it is charged to
 *
 * Context: Process context, may sleep.
 * Return: the aggregate, or NULL when there is no memory left.
 */
struct fm_aggregate *fm_aggregate_create(struct fm_memory *memory)
{
	struct fm_aggregate *aggregate;

	aggregate = kzalloc(sizeof(*aggregate), GFP_KERNEL);
	if (!aggregate)
		return NULL;
	kref_init(&aggregate->ref);
	get_random_bytes(&aggregate->task_key, sizeof(aggregate->task_key));
	if (fm_set_init(&aggregate->nodes, memory, sizeof(struct fm_node)) ||
	    fm_set_init(&aggregate->tasks, memory, sizeof(struct fm_task)) ||
	    fm_set_init(&aggregate->records, memory,
			sizeof(struct fm_record)) ||
	    !fm_set_add(&aggregate->nodes, 0, NULL)) {
		fm_aggregate_put(aggregate);
		return NULL;
	}
	return aggregate;
}

/**
 * fm_aggregate_get() - take a reference to an aggregate.
 * @aggregate: the aggregate, which must have a reference already
 *
 * Context: Any.
 */
void fm_aggregate_get(struct fm_aggregate *aggregate)
{
	kref_get(&aggregate->ref);
}

/**
 * fm_aggregate_put() - drop a reference to an aggregate.
 * @aggregate: the aggregate; freed with its last reference
 *
 * Context: Process context.
 */
void fm_aggregate_put(struct fm_aggregate *aggregate)
{
	kref_put(&aggregate->ref, fm_aggregate_free);
}

/**
 * fm_aggregate_bytes() - compute how much of the limit an aggregate takes now.
 * @aggregate: the aggregate
 *
 * Context: Process context. The caller serialises with adding.
 * Return: what is given back with the last reference, in bytes.
 */
size_t fm_aggregate_bytes(const struct fm_aggregate *aggregate)
{
	return fm_set_bytes(&aggregate->nodes) + fm_set_bytes(&aggregate->tasks) +
	       fm_set_bytes(&aggregate->records);
}

static bool fm_node_match(const void *elem, const void *key)
{
	const struct fm_node *a = elem, *b = key;

	return a->parent == b->parent && a->frame == b->frame;
}

static bool fm_task_match(const void *elem, const void *key)
{
	const struct fm_task *a = elem, *b = key;

	return a->pid == b->pid && a->tid == b->tid && a->cgroup == b->cgroup &&
	       !memcmp(a->comm, b->comm, sizeof(a->comm));
}

static bool fm_record_match(const void *elem, const void *key)
{
	const struct fm_record *a = elem, *b = key;

	return a->node == b->node && a->task == b->task &&
	       a->cpu == b->cpu && a->context == b->context &&
	       a->event == b->event && a->followed == b->followed &&
	       a->state == b->state && a->user == b->user;
}

/**
 * fm_aggregate_node() - find the node of a stack, or add it.
 * @aggregate: the aggregate
 * @parent: the node to start from, 0 for the root
 * @frames: the frames, leaf first
 * @nr_frames: how many
 * @id: where to put the node's number; it is @parent if there are no frames
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: 0, or -ENOSPC when there is no memory left.
 */
int fm_aggregate_node(struct fm_aggregate *aggregate, u32 parent,
		      const u32 *frames, u32 nr_frames, u32 *id)
{
	struct fm_node key, *node;
	u32 hash;

	*id = parent;
	while (nr_frames--) {
		key.parent = *id;
		key.frame = frames[nr_frames];
		hash = jhash_2words(key.parent, key.frame, 0);
		if (fm_set_find(&aggregate->nodes, hash, fm_node_match, &key,
				id))
			continue;
		node = fm_set_add(&aggregate->nodes, hash, id);
		if (!node)
			return -ENOSPC;
		node->parent = key.parent;
		node->frame = key.frame;
	}
	return 0;
}

static int fm_aggregate_task(struct fm_aggregate *aggregate,
			     const struct fm_folded *folded, u32 *id)
{
	struct fm_task *task, key = {
		.pid = folded->pid, .tid = folded->tid, .cgroup = folded->cgroup,
	};
	u32 hash;

	/* Bytes after the end of a comm are arbitrary: clear them. */
	strscpy_pad(key.comm, folded->comm, sizeof(key.comm));
	/* Users choose comms; a keyed hash keeps them out of one bucket. */
	hash = hsiphash(&key.pid, sizeof(key) - offsetof(struct fm_task, pid),
			&aggregate->task_key);
	if (fm_set_find(&aggregate->tasks, hash, fm_task_match, &key, id))
		return 0;
	task = fm_set_add(&aggregate->tasks, hash, id);
	if (!task)
		return -ENOSPC;
	task->pid = key.pid;
	task->tid = key.tid;
	task->cgroup = key.cgroup;
	memcpy(task->comm, key.comm, sizeof(task->comm));
	return 0;
}

static int fm_aggregate_record(struct fm_aggregate *aggregate,
			       const struct fm_record *key, u32 *id)
{
	u32 rest = (u32)key->cpu << 16 | key->event << 11 | key->state << 4 |
		   key->followed << 3 | key->context;
	u32 hash = jhash_3words(key->node, key->task, rest, key->user);
	struct fm_record *record;

	if (fm_set_find(&aggregate->records, hash, fm_record_match, key, id))
		return 0;
	record = fm_set_add(&aggregate->records, hash, id);
	if (!record)
		return -ENOSPC;
	record->node = key->node;
	record->task = key->task;
	record->cpu = key->cpu;
	record->context = key->context;
	record->event = key->event;
	record->followed = key->followed;
	record->state = key->state;
	record->user = key->user;
	return 0;
}

/**
 * fm_aggregate_find() - find the record of a stack, or add it.
 * @aggregate: the aggregate
 * @folded: the stack and its task, CPU and context
 * @id: where to put the record's number
 *
 * Context: Process context, may sleep. The caller serialises.
 * Return: 0, or -ENOSPC when there is no memory left.
 */
int fm_aggregate_find(struct fm_aggregate *aggregate,
		      const struct fm_folded *folded, u32 *id)
{
	struct fm_record key = {
		.cpu = folded->cpu,
		.context = folded->context,
		.event = folded->event,
		.followed = folded->followed,
		.state = folded->state,
		.user = folded->user,
	};

	return fm_aggregate_node(aggregate, folded->callers, folded->frames,
				 folded->nr_frames, &key.node) ?:
	       fm_aggregate_task(aggregate, folded, &key.task) ?:
	       fm_aggregate_record(aggregate, &key, id);
}
