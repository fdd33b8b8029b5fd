/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers that the frames, stacks and tasks of one profile have in another.
 * What the other does not have is added to it.
 */
#ifndef FLAMECTL_PROFILE_MAP_H
#define FLAMECTL_PROFILE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct profile_map {
	struct profile *to;
	const struct profile *from;
	bool hosts;		/* by the caller: name the host of each task */
	uint32_t *frames, *nodes, *tasks;	/* plus one; 0: not looked up yet */
	uint32_t *path;		/* nodes on the way to the root */
	/*
	 * By the caller: add more nodes of @to below @node, which is the one of @frame of
	 * @from, and set it to the last one. NULL: none. Return: 0 or -errno.
	 */
	int (*below)(struct profile_map *map, uint32_t frame, uint32_t *node);
	/*
	 * By the caller: add another frame to @to in place of @frame of @from, and set
	 * @number to its number. NULL: the same frame. Return: 0 or -errno.
	 */
	int (*frame)(struct profile_map *map, uint32_t frame, uint32_t *number);
	/*
	 * By the caller: add the frames of the stack at @node of @from to @to in another
	 * order, and set @number to the last one's node. NULL: in the same order, and ->below
	 * is called. Return: 0 or -errno.
	 */
	int (*stack)(struct profile_map *map, uint32_t node, uint32_t *number);
	/*
	 * By the caller: return the cgroup that @task of @from has in @to. NULL: the same.
	 */
	const char *(*cgroup)(struct profile_map *map, const struct profile_task *task);
	void *context;
};

/**
 * profile_map_init() - prepare to map the numbers of @from to those of @to.
 * @from: must not change meanwhile.
 *
 * Call profile_map_deinit() afterwards, also after an error.
 *
 * Return: 0 or -ENOMEM.
 */
int profile_map_init(struct profile_map *map, struct profile *to,
		     const struct profile *from);

/** profile_map_deinit() - free what @map holds; both profiles stay. */
void profile_map_deinit(struct profile_map *map);

/**
 * profile_map_all() - look up all frames, then all nodes, then all tasks, in
 * the order of their numbers.
 *
 * Return: 0 or -errno, as profile_add_frame_of() and others return it.
 */
int profile_map_all(struct profile_map *map);

/**
 * profile_map_frame() - look up a frame, whose number is in ->frames then.
 *
 * Return: 0 or -errno, as above.
 */
int profile_map_frame(struct profile_map *map, uint32_t frame);

/**
 * profile_map_record() - give a record of @from the numbers of @to.
 *
 * Only its own stack and task are looked up, if they were not yet: many records
 * may share a large tree, of which few use little.
 *
 * Return: 0 or -errno, as above; @record is unchanged then.
 */
int profile_map_record(struct profile_map *map, struct profile_record *record);

#endif /* FLAMECTL_PROFILE_MAP_H */
