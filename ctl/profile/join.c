// SPDX-License-Identifier: GPL-2.0
/*
 * Add one profile to another: see join.h. Only the stacks and tasks that
 * records use are copied, so that a short window of a long session stays small.
 */
#include "profile/join.h"

#include <errno.h>
#include <stdlib.h>

/* Maps numbers of @part to those of @to plus one; 0 if not known yet. */
struct joining {
	struct profile *to;
	const struct profile *part;
	uint32_t *nodes, *tasks;
	uint32_t *path;		/* nodes on the way to the root */
};

static int join_node(struct joining *joining, uint32_t node)
{
	const struct profile *part = joining->part;
	uint32_t depth = 0, at = 0, frame;
	int err = 0;

	for (; node && !joining->nodes[node]; node = part->nodes[node].parent)
		joining->path[depth++] = node;
	if (node)
		at = joining->nodes[node] - 1;
	while (depth && !err) {
		node = joining->path[--depth];
		err = profile_add_frame_of(joining->to, part,
					   part->nodes[node].frame, &frame) ?:
		      profile_add_node(joining->to, at, frame, &at);
		if (!err)
			joining->nodes[node] = at + 1;
	}
	return err;
}

static int join_task(struct joining *joining, uint32_t task)
{
	const struct profile_task *name = &joining->part->tasks[task];
	uint32_t number;
	int err;

	if (joining->tasks[task])
		return 0;
	err = profile_add_task_of(joining->to, name->host, name->pid, name->tid,
				  name->comm, &number);
	if (!err)
		joining->tasks[task] = number + 1;
	return err;
}

static int join_record(struct joining *joining,
		       const struct profile_record *record,
		       struct profile_record *to)
{
	struct profile_record joined = *record;
	int err = join_node(joining, record->node) ?:
		  join_task(joining, record->task);

	if (err)
		return err;
	if (record->node)
		joined.node = joining->nodes[record->node] - 1;
	joined.task = joining->tasks[record->task] - 1;
	if (to)
		*to = joined;
	return profile_add_record(joining->to, &joined);
}

int profile_join(struct profile *profile, const struct profile *part,
		 struct profile_record *joined)
{
	struct joining joining = { .to = profile, .part = part };
	int err = 0;
	uint32_t i;

	joining.nodes = calloc(part->nr_nodes, sizeof(uint32_t));
	joining.tasks = calloc((size_t)part->nr_tasks + 1, sizeof(uint32_t));
	joining.path = calloc(part->nr_nodes, sizeof(uint32_t));
	if (!joining.nodes || !joining.tasks || !joining.path)
		err = -ENOMEM;
	for (i = 0; i < part->nr_records && !err; i++)
		err = join_record(&joining, &part->records[i],
				  joined ? &joined[i] : NULL);
	for (i = 0; i < part->nr_cpus && !err; i++)
		err = profile_add_cpu(profile, &part->cpus[i]);
	free(joining.nodes);
	free(joining.tasks);
	free(joining.path);
	return err;
}
