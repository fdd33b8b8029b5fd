// SPDX-License-Identifier: GPL-2.0
/*
 * Map the numbers of one profile to those of another: see profile_map.h.
 */
#include "profile/profile_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int profile_map_init(struct profile_map *map, struct profile *to,
		     const struct profile *from)
{
	memset(map, 0, sizeof(*map));
	map->to = to;
	map->from = from;
	map->frames = calloc((size_t)from->nr_frames + 1, sizeof(uint32_t));
	map->nodes = calloc((size_t)from->nr_nodes + 1, sizeof(uint32_t));
	map->tasks = calloc((size_t)from->nr_tasks + 1, sizeof(uint32_t));
	map->path = calloc((size_t)from->nr_nodes + 1, sizeof(uint32_t));
	if (!map->frames || !map->nodes || !map->tasks || !map->path)
		return -ENOMEM;
	map->nodes[0] = 1;	/* the root is node 0 of every profile */
	return 0;
}

void profile_map_deinit(struct profile_map *map)
{
	free(map->frames);
	free(map->nodes);
	free(map->tasks);
	free(map->path);
}

int profile_map_frame(struct profile_map *map, uint32_t frame)
{
	uint32_t number;
	int err;

	if (map->frames[frame])
		return 0;
	err = map->frame ? map->frame(map, frame, &number) :
	      profile_add_frame_of(map->to, map->from, frame, &number);
	if (!err)
		map->frames[frame] = number + 1;
	return err;
}

/* Map a node whose parent is known. */
static int map_child(struct profile_map *map, uint32_t node)
{
	const struct profile_node *of = &map->from->nodes[node];
	uint32_t number;
	int err = profile_map_frame(map, of->frame) ?:
		  profile_add_node(map->to, map->nodes[of->parent] - 1,
				   map->frames[of->frame] - 1, &number);

	if (!err && map->below)
		err = map->below(map, of->frame, &number);
	if (!err)
		map->nodes[node] = number + 1;
	return err;
}

/* Map a node by ->stack. */
static int map_stack(struct profile_map *map, uint32_t node)
{
	uint32_t number = 0;
	int err = map->nodes[node] ? 0 : map->stack(map, node, &number);

	if (!err && !map->nodes[node])
		map->nodes[node] = number + 1;
	return err;
}

static int map_node(struct profile_map *map, uint32_t node)
{
	uint32_t depth = 0;
	int err = 0;

	if (map->stack)
		return map_stack(map, node);
	for (; !map->nodes[node]; node = map->from->nodes[node].parent)
		map->path[depth++] = node;
	while (depth && !err)
		err = map_child(map, map->path[--depth]);
	return err;
}

static int map_task(struct profile_map *map, uint32_t task)
{
	struct profile_task added = map->from->tasks[task];
	uint32_t number;
	int err;

	if (map->tasks[task])
		return 0;
	if (map->hosts)
		added.host = profile_host(map->from, &added);
	if (map->cgroup)
		added.cgroup = map->cgroup(map, &added);
	err = profile_intern_task(map->to, &added, &number);
	if (!err)
		map->tasks[task] = number + 1;
	return err;
}

int profile_map_all(struct profile_map *map)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < map->from->nr_frames && !err; i++)
		err = profile_map_frame(map, i);
	/* parents have lower numbers than their children */
	for (i = 1; i < map->from->nr_nodes && !err; i++)
		err = map_child(map, i);
	for (i = 0; i < map->from->nr_tasks && !err; i++)
		err = map_task(map, i);
	return err;
}

int profile_map_record(struct profile_map *map, struct profile_record *record)
{
	int err = map_node(map, record->node) ?: map_task(map, record->task);

	if (err)
		return err;
	record->node = map->nodes[record->node] - 1;
	record->task = map->tasks[record->task] - 1;
	return 0;
}
