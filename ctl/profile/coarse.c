// SPDX-License-Identifier: GPL-2.0
/*
 * Copy a profile without ids and CPUs: see coarse.h.
 */
#include "profile/coarse.h"

#include <errno.h>

#include "profile/jit.h"
#include "profile/profile_map.h"

/* Give each command in a cgroup one task, whatever its processes are. */
static int map_tasks(struct profile_map *map)
{
	struct profile_task task = { .host = "" };
	uint32_t number;
	int err = 0;

	for (uint32_t i = 0; i < map->from->nr_tasks && !err; i++) {
		task.comm = map->from->tasks[i].comm;
		task.cgroup = map->from->tasks[i].cgroup;
		err = profile_intern_task(map->to, &task, &number);
		map->tasks[i] = number + 1;
	}
	return err;
}

static int add_records(struct profile_map *map)
{
	struct profile_record record;
	int err = 0;

	for (uint32_t i = 0; i < map->from->nr_records && !err; i++) {
		record = map->from->records[i];
		record.cpu = COARSE_CPU;
		record.followed = false;
		err = profile_map_record(map, &record) ?:
		      profile_add_record(map->to, &record);
	}
	return err;
}

static int add_books(struct profile *to, const struct profile *from)
{
	uint64_t longest_ns = profile_sampled_ns(from);
	int err = 0;

	for (uint32_t i = 0; i < from->nr_cpus && !err; i++) {
		struct profile_cpu cpu = from->cpus[i];

		cpu.cpu = COARSE_CPU;
		cpu.sampled_ns = i ? 0 : longest_ns;
		err = profile_add_cpu(to, &cpu);
	}
	return err;
}

/* As a saved profile has it: named by its object, "[jit PID]". */
static int hide_jit(struct profile_map *map, uint32_t frame, uint32_t *number)
{
	uint32_t object = map->from->frames[frame].object;

	if (!jit_frame_pid(map->from, frame))
		return profile_add_frame_of(map->to, map->from, frame, number);
	return profile_add_frame(map->to, map->from->objects[object - 1].path,
				 FLAMEMOD_FRAME_MARK, number);
}

int profile_coarse(const struct profile *profile, bool hides_jit, struct profile **coarse)
{
	struct profile *to = profile_create();
	struct profile_map map;
	int err;

	if (!to)
		return -ENOMEM;
	err = profile_map_init(&map, to, profile);
	map.frame = hides_jit ? hide_jit : NULL;
	err = err ?: map_tasks(&map) ?: add_records(&map) ?: add_books(to, profile);
	profile_map_deinit(&map);
	if (err) {
		profile_destroy(to);
		return err;
	}
	to->meta = profile->meta;
	if (!to->meta.nr_summed_cpus)
		to->meta.nr_summed_cpus = profile->nr_cpus;
	*coarse = to;
	return 0;
}
