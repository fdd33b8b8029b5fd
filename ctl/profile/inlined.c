// SPDX-License-Identifier: GPL-2.0
/*
 * Add inlined functions to a profile: see inlined.h.
 */
#include "profile/inlined.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile/rebuild.h"

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

static void add_inlined(struct profile_map *map)
{
	map->below = add_below;
}

int inlined_add(struct profile *profile, inlined_fn names, void *context)
{
	struct request request = { names, context };

	return rebuild(profile, add_inlined, &request);
}
