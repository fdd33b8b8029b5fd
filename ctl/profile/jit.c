// SPDX-License-Identifier: GPL-2.0
/*
 * Code that a process made at run time: see jit.h.
 */
#include "profile/jit.h"

#include <stdlib.h>
#include <string.h>

#include "profile/rebuild.h"

#define BEGIN	"[jit "

struct request {
	jit_name_fn name;
	void *context;
};

uint32_t jit_pid(const char *path)
{
	const char *digits = path + strlen(BEGIN);
	unsigned long pid;
	char *end;

	if (strncmp(path, BEGIN, strlen(BEGIN)) || *digits < '1' || *digits > '9')
		return 0;
	pid = strtoul(digits, &end, 10);
	return strcmp(end, "]") || pid > INT32_MAX ? 0 : (uint32_t)pid;
}

uint32_t jit_frame_pid(const struct profile *profile, uint32_t frame)
{
	uint32_t object = profile->frames[frame].object;

	return object ? jit_pid(profile->objects[object - 1].path) : 0;
}

static int replace(struct profile_map *map, uint32_t frame, uint32_t *number)
{
	const struct request *request = map->context;

	if (!jit_frame_pid(map->from, frame))
		return profile_add_frame_of(map->to, map->from, frame, number);
	return profile_add_frame(map->to, request->name(request->context, frame),
				 FLAMEMOD_FRAME_USER, number);
}

static void replace_frames(struct profile_map *map)
{
	map->frame = replace;
}

static bool has_some(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_objects; i++)
		if (jit_pid(profile->objects[i].path))
			return true;
	return false;
}

int jit_replace(struct profile *profile, jit_name_fn name, void *context)
{
	struct request request = { name, context };

	return has_some(profile) ? rebuild(profile, replace_frames, &request) : 0;
}
