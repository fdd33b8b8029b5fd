// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates what a CPU needs for user stacks: see user_room.h.
 */
#include <linux/errno.h>
#include <linux/topology.h>

#include "user_room.h"

/**
 * fm_user_room_init() - allocate a cache of mappings, paths in both tables, and copies.
 * @maps: set to the cache, to be destroyed by the caller; NULL on an error
 * @tables: set up; they free their paths
 * @objects: the session's, which free the copies
 * @cpu: the CPU
 * @taker: who will take user stacks there
 * @bytes: memory for the stacks
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOMEM with nothing allocated.
 */
int fm_user_room_init(struct fm_maps **maps, struct fm_table tables[2],
		      struct fm_objects *objects, unsigned int cpu, enum fm_taker taker,
		      size_t bytes)
{
	int node = cpu_to_node(cpu);

	*maps = fm_maps_create(objects, node);
	if (!*maps)
		return -ENOMEM;
	if (fm_user_paths_init(&tables[0].own.user, bytes / 2, node))
		goto destroy_maps;
	if (fm_user_paths_init(&tables[1].own.user, bytes / 2, node))
		goto deinit_first;
	/* Last, as they stay with the objects. */
	(*maps)->copies = fm_objects_copies(objects, cpu, taker);
	if ((*maps)->copies)
		return 0;
	fm_user_paths_deinit(&tables[1].own.user);
deinit_first:
	fm_user_paths_deinit(&tables[0].own.user);
destroy_maps:
	fm_maps_destroy(*maps);
	*maps = NULL;
	return -ENOMEM;
}
