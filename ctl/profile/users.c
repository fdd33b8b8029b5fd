// SPDX-License-Identifier: GPL-2.0
/*
 * Look for the processes of objects: see users.h. A process has many records, whose
 * stacks share their outer frames: a walk to the root ends where the process's walk
 * before it was.
 */
#include "profile/users.h"

#include <stdlib.h>

struct object_users {
	uint32_t pids[USERS_MAX];
	size_t nr;
};

struct users {
	struct object_users *objects;
};

static void add(struct object_users *object, uint32_t pid)
{
	for (size_t i = 0; i < object->nr; i++)
		if (object->pids[i] == pid)
			return;
	if (object->nr < USERS_MAX)
		object->pids[object->nr++] = pid;
}

/* @walked: of each node, the pid plus one whose walk was there last. */
static void walk(const struct profile *profile, struct users *users,
		 const struct profile_record *record, uint64_t *walked)
{
	uint32_t pid = profile->tasks[record->task].pid;

	for (uint32_t node = record->node; node; node = profile->nodes[node].parent) {
		uint32_t object = profile->frames[profile->nodes[node].frame].object;

		if (walked[node] == pid + 1ULL)
			return;
		walked[node] = pid + 1ULL;
		if (object)
			add(&users->objects[object - 1], pid);
	}
}

/* Records come in the order in which they were met. */
struct users *users_create(const struct profile *profile)
{
	uint64_t *walked = calloc((size_t)profile->nr_nodes + 1, sizeof(*walked));
	struct users *users = calloc(1, sizeof(*users));

	if (users)
		users->objects = calloc((size_t)profile->nr_objects + 1,
					sizeof(*users->objects));
	if (!walked || !users || !users->objects) {
		users_destroy(users);
		users = NULL;
	}
	for (uint32_t i = profile->nr_records; users && i > 0; i--)
		walk(profile, users, &profile->records[i - 1], walked);
	free(walked);
	return users;
}

void users_destroy(struct users *users)
{
	if (!users)
		return;
	free(users->objects);
	free(users);
}

const uint32_t *users_list(const struct users *users, uint32_t object, size_t *nr)
{
	*nr = users->objects[object].nr;
	return users->objects[object].pids;
}
