// SPDX-License-Identifier: GPL-2.0
/*
 * Find the frames that samples have: see used.h. Stacks share their outer frames: a walk
 * to the root ends where another one was before.
 */
#include "profile/used.h"

#include <stdlib.h>

static void walk(const struct profile *profile, uint32_t node, bool *walked, bool *used)
{
	for (; node && !walked[node]; node = profile->nodes[node].parent) {
		walked[node] = true;
		used[profile->nodes[node].frame] = true;
	}
}

bool *used_frames(const struct profile *profile)
{
	bool *walked = calloc((size_t)profile->nr_nodes + 1, sizeof(*walked));
	bool *used = calloc((size_t)profile->nr_frames + 1, sizeof(*used));
	const struct profile_record *record;

	if (!walked || !used) {
		free(used);
		free(walked);
		return NULL;
	}
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		record = &profile->records[i];
		if (record->count || record->periods || record->late_us)
			walk(profile, record->node, walked, used);
	}
	free(walked);
	return used;
}
