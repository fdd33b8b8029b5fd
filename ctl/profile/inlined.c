// SPDX-License-Identifier: GPL-2.0
/*
 * Add inlined functions to a profile: see inlined.h. All stacks are built anew, because
 * a node's number must be above its parent's.
 */
#include "profile/inlined.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/profile_map.h"
#include "profile/slices.h"

struct request {
	inlined_fn names;
	void *context;
};

static int add_frame(struct profile_map *map, uint32_t frame, const char *function,
		     uint32_t *number)
{
	const struct profile_frame *at = &map->from->frames[frame];
	const struct profile_object *object = &map->from->objects[at->object - 1];
	uint32_t in = 0;
	char *name;
	int err;

	if (asprintf(&name, "%.4000s" INLINED_MARK, function) < 0)
		return -ENOMEM;
	err = profile_add_object(map->to, object->path, object->build_id, &in) ?:
	      profile_add_frame_at(map->to, name, in, at->offset, number);
	free(name);
	return err;
}

static int add_below(struct profile_map *map, uint32_t frame, uint32_t *node)
{
	const struct request *request = map->context;
	uint32_t number = 0, added;
	const char *name;
	int err = 0;

	if (!map->from->frames[frame].object)
		return 0;
	while (!err && (name = request->names(request->context, frame, number++))) {
		err = add_frame(map, frame, name, &added);
		if (!err)
			err = profile_add_node(map->to, *node, added, node);
	}
	return err;
}

static void renumber(const struct profile_map *map, struct profile_record *records,
		     uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		records[i].node = map->nodes[records[i].node] - 1;
		records[i].task = map->tasks[records[i].task] - 1;
	}
}

/* Build the stacks and records of @map->from anew. Slices stay there. */
static int build(struct profile_map *map)
{
	const struct profile *from = map->from;
	int err = profile_map_all(map);
	uint32_t i;

	for (i = 0; i < from->nr_records && !err; i++) {
		struct profile_record record = from->records[i];

		renumber(map, &record, 1);
		err = profile_add_record(map->to, &record);
	}
	for (i = 0; i < from->nr_cpus && !err; i++)
		err = profile_add_cpu(map->to, &from->cpus[i]);
	return err;
}

int inlined_add(struct profile *profile, inlined_fn names, void *context)
{
	struct request request = { names, context };
	struct profile *new = profile_create(), old;
	struct profile_map map;
	int err;

	if (!new)
		return -ENOMEM;
	err = profile_map_init(&map, new, profile);
	map.below = add_below;
	map.context = &request;
	err = err ?: build(&map);
	if (!err) {
		struct slices *slices = profile->slices;

		for (uint32_t i = 0; slices && i < slices->nr; i++)
			renumber(&map, slices->list[i].records, slices->list[i].nr_records);
		old = *profile;
		new->meta = old.meta;
		new->books = old.books;
		new->slices = slices;
		old.slices = NULL;
		*profile = *new;
		*new = old;
	}
	profile_map_deinit(&map);
	profile_destroy(new);
	return err;
}
