// SPDX-License-Identifier: GPL-2.0
/*
 * Build a profile's stacks anew: see rebuild.h. All are, because a node's number must be
 * above its parent's.
 */
#include "profile/rebuild.h"

#include <errno.h>

#include "profile/slices.h"

/* All nodes and tasks of a slice's records are those of the profile's. */
static void renumber(const struct profile_map *map, struct profile_record *records,
		     uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		records[i].node = map->nodes[records[i].node] - 1;
		records[i].task = map->tasks[records[i].task] - 1;
	}
}

/*
 * Build the stacks and records of @map->from anew. Slices stay there. With ->stack only the
 * stacks that records have are built: others may be a part of one.
 */
static int build(struct profile_map *map)
{
	const struct profile *from = map->from;
	int err = map->stack ? 0 : profile_map_all(map);
	uint32_t i;

	for (i = 0; i < from->nr_records && !err; i++) {
		struct profile_record record = from->records[i];

		err = profile_map_record(map, &record) ?:
		      profile_add_record(map->to, &record);
	}
	for (i = 0; i < from->nr_cpus && !err; i++)
		err = profile_add_cpu(map->to, &from->cpus[i]);
	return err;
}

static void swap(struct profile *profile, struct profile *new)
{
	struct profile old = *profile;

	new->meta = old.meta;
	new->books = old.books;
	new->slices = old.slices;
	old.slices = NULL;
	*profile = *new;
	*new = old;
}

int rebuild(struct profile *profile, rebuild_fn hooks, void *context)
{
	struct profile *new = profile_create();
	struct profile_map map;
	int err;

	if (!new)
		return -ENOMEM;
	err = profile_map_init(&map, new, profile);
	hooks(&map);
	map.context = context;
	err = err ?: build(&map);
	if (!err) {
		struct slices *slices = profile->slices;

		for (uint32_t i = 0; slices && i < slices->nr; i++)
			renumber(&map, slices->list[i].records, slices->list[i].nr_records);
		swap(profile, new);
		slices_pack(profile);
	}
	profile_map_deinit(&map);
	profile_destroy(new);
	return err;
}
