// SPDX-License-Identifier: GPL-2.0
/*
 * Add one profile to another: see join.h. Only the stacks and tasks that
 * records use are copied, so that a short window of a long session stays small.
 */
#include "profile/join.h"

#include "profile/profile_map.h"

static int join_record(struct profile_map *map, struct profile_record record,
		       struct profile_record *joined)
{
	int err = profile_map_record(map, &record);

	if (err)
		return err;
	if (joined)
		*joined = record;
	return profile_add_record(map->to, &record);
}

int profile_join(struct profile *profile, const struct profile *part,
		 struct profile_record *joined)
{
	struct profile_map map;
	int err = profile_map_init(&map, profile, part);
	uint32_t i;

	for (i = 0; i < part->nr_records && !err; i++)
		err = join_record(&map, part->records[i],
				  joined ? &joined[i] : NULL);
	for (i = 0; i < part->nr_cpus && !err; i++)
		err = profile_add_cpu(profile, &part->cpus[i]);
	profile_map_deinit(&map);
	return err;
}
