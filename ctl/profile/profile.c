// SPDX-License-Identifier: GPL-2.0
/*
 * A profile in memory: interned frames, nodes and tasks, and records by key.
 *
 * Each kind has a growing array and an index by which its elements are found: a
 * hash table, for nodes a trie.
 */
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/trie.h"
#include "base/vec.h"
#include "profile/books.h"
#include "profile/profile.h"
#include "profile/records.h"
#include "profile/slices.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for the name of a frame that has none but its place. */
#define PLACE_NAME	320

struct profile_index {
	struct intern texts;		/* of objects, frames and tasks */
	uint32_t *frame_of;		/* by text: its latest frame plus one, or 0 */
	uint32_t *frame_before;		/* by frame: the one of the same text */
	uint32_t nr_frame_of;
	struct trie trie;		/* of nodes, by their frames */
	struct map tasks, records;	/* by a hash of their keys */
	struct map objects;		/* by two texts */
	/* allocated size of each of the profile's arrays, in elements */
	size_t objects_room, frames_room, nodes_room, tasks_room, records_room, cpus_room;
	size_t frame_of_room, frame_before_room;
	uint32_t latest_node;		/* the one that was looked up last */
};

/* Make room for one more in the array of @kind. */
#define RESERVE(profile, kind) \
	((profile)->nr_##kind >= MAP_NONE - 1 ? -EOVERFLOW : \
	 vec_reserve((profile)->kind, (profile)->index->kind##_room, \
		     (size_t)(profile)->nr_##kind + 1))

static int give(uint32_t *id, uint32_t number)
{
	if (id)
		*id = number;
	return 0;
}

struct profile *profile_create(void)
{
	struct profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->index = calloc(1, sizeof(*profile->index));
	if (!profile->index || RESERVE(profile, nodes) ||
	    trie_append(&profile->index->trie, 0, 0)) {
		profile_destroy(profile);
		return NULL;
	}
	memset(&profile->nodes[0], 0, sizeof(profile->nodes[0]));
	profile->nr_nodes = 1;
	return profile;
}

void profile_destroy(struct profile *profile)
{
	if (!profile)
		return;
	free(profile->cpus);
	free(profile->objects);
	free(profile->frames);
	free(profile->nodes);
	free(profile->tasks);
	free(profile->records);
	slices_destroy(profile->slices);
	if (profile->index) {
		intern_deinit(&profile->index->texts);
		free(profile->index->frame_of);
		free(profile->index->frame_before);
		trie_deinit(&profile->index->trie);
		map_deinit(&profile->index->objects);
		map_deinit(&profile->index->tasks);
		map_deinit(&profile->index->records);
	}
	free(profile->index);
	free(profile);
}

/* Intern @text. The number does not change; @text of it never moves. */
static int intern(struct profile *profile, const char *text, uint32_t *number)
{
	return intern_add(&profile->index->texts, text, strlen(text), number);
}

/* Make room for one more frame of @text. */
static int reserve_frame(struct profile *profile, uint32_t text)
{
	struct profile_index *index = profile->index;
	size_t nr = (size_t)text + 1;
	int err = RESERVE(profile, frames) ?:
		  vec_reserve(index->frame_before, index->frame_before_room,
			      (size_t)profile->nr_frames + 1) ?:
		  vec_reserve(index->frame_of, index->frame_of_room, nr);

	while (!err && index->nr_frame_of < nr)
		index->frame_of[index->nr_frame_of++] = 0;
	return err;
}

/*
 * Find or add a frame.
 * @text: by which it is found: its name, or its name and its place.
 */
static int add_frame(struct profile *profile, uint32_t text,
		     const struct profile_frame *frame, uint32_t *id)
{
	struct profile_index *index = profile->index;
	uint32_t at;
	int err;

	/* a text has two frames of each kind at most */
	at = text < index->nr_frame_of ? index->frame_of[text] : 0;
	for (; at; at = index->frame_before[at - 1]) {
		const struct profile_frame *held = &profile->frames[at - 1];

		if (held->kind == frame->kind && held->object == frame->object &&
		    held->offset == frame->offset)
			return give(id, at - 1);
	}
	err = reserve_frame(profile, text);
	if (err)
		return err;
	at = profile->nr_frames++;
	profile->frames[at] = *frame;
	index->frame_before[at] = index->frame_of[text];
	index->frame_of[text] = at + 1;
	return give(id, at);
}

int profile_add_frame(struct profile *profile, const char *name,
		      enum flamemod_frame_kind kind, uint32_t *id)
{
	struct profile_frame frame = { .kind = kind };
	uint32_t text;
	int err;

	if ((unsigned int)kind >= __FLAMEMOD_FRAME_MAX)
		return -EINVAL;
	err = intern(profile, name, &text);
	if (err)
		return err;
	frame.name = intern_text(&profile->index->texts, text);
	return add_frame(profile, text, &frame, id);
}

int profile_add_object(struct profile *profile, const char *path,
		       const char *build_id, uint32_t *id)
{
	struct map *map = &profile->index->objects;
	uint32_t path_number, build_number, found;
	struct profile_object *object;
	uint64_t key;
	int err = intern(profile, path, &path_number) ?:
		  intern(profile, build_id, &build_number);

	if (err)
		return err;
	key = map_pair(path_number, build_number);
	found = map_find(map, key);
	if (found != MAP_NONE)
		return give(id, found);
	err = RESERVE(profile, objects) ?: map_reserve(map, 1);
	if (err)
		return err;
	object = &profile->objects[profile->nr_objects];
	object->path = intern_text(&profile->index->texts, path_number);
	object->build_id = intern_text(&profile->index->texts, build_number);
	map_put(map, key, profile->nr_objects);
	return give(id, profile->nr_objects++);
}

/* Call it "FILE+0x1234"; profile_frame_unnamed() compares with this. */
static void name_place(const struct profile_object *object, uint64_t offset,
		       char name[PLACE_NAME])
{
	snprintf(name, PLACE_NAME, "%.*s+0x%" PRIx64, PLACE_NAME - 24,
		 profile_object_file(object), offset);
}

/*
 * Give a frame at a place its name.
 * @number: set to the text by which it is found: functions of one name may be many,
 *	    and are found by their places.
 */
static int name_at(struct profile *profile, const char *name,
		   struct profile_frame *frame, uint32_t *number)
{
	char text[PROFILE_NAME_MAX + 64];
	uint32_t name_number;
	int err;

	snprintf(text, sizeof(text), "\1%" PRIx32 "+%" PRIx64 " %s",
		 frame->object - 1, frame->offset, name);
	err = intern(profile, name, &name_number) ?:
	      intern(profile, text, number);
	if (!err)
		frame->name = intern_text(&profile->index->texts, name_number);
	return err;
}

int profile_add_frame_at(struct profile *profile, const char *name,
			 uint32_t object, uint64_t offset, uint32_t *id)
{
	struct profile_frame frame = {
		.kind = FLAMEMOD_FRAME_USER, .object = object + 1,
		.offset = offset,
	};
	char place[PLACE_NAME];
	uint32_t number;
	int err;

	if (object >= profile->nr_objects || offset >= PROFILE_OFFSET_MAX)
		return -EINVAL;
	if (!name) {
		name_place(&profile->objects[object], offset, place);
		name = place;
	}
	err = name_at(profile, name, &frame, &number);
	return err ?: add_frame(profile, number, &frame, id);
}

int profile_name_frame(struct profile *profile, uint32_t frame, const char *name)
{
	struct profile_index *index = profile->index;
	char cut[PROFILE_NAME_MAX + 1];
	struct profile_frame named;
	uint32_t before, number, *at;
	int err;

	if (frame >= profile->nr_frames || !profile_frame_unnamed(profile, frame))
		return -EINVAL;
	named = profile->frames[frame];
	err = name_at(profile, named.name, &named, &before);
	if (err)
		return err;
	snprintf(cut, sizeof(cut), "%s", name);
	err = name_at(profile, cut, &named, &number) ?:
	      reserve_frame(profile, number);
	if (err)
		return err;
	/* from now on it is found by its name */
	at = &index->frame_of[before];
	while (*at != frame + 1)
		at = &index->frame_before[*at - 1];
	*at = index->frame_before[frame];
	index->frame_before[frame] = index->frame_of[number];
	index->frame_of[number] = frame + 1;
	profile->frames[frame] = named;
	return 0;
}

int profile_add_frame_of(struct profile *profile, const struct profile *from,
			 uint32_t frame, uint32_t *id)
{
	const struct profile_frame *added = &from->frames[frame];
	const struct profile_object *object;
	uint32_t number;

	if (!added->object)
		return profile_add_frame(profile, added->name, added->kind, id);
	object = &from->objects[added->object - 1];
	return profile_add_object(profile, object->path, object->build_id,
				  &number) ?:
	       profile_add_frame_at(profile, added->name, number, added->offset,
				    id);
}

bool profile_frame_unnamed(const struct profile *profile, uint32_t frame)
{
	const struct profile_frame *held = &profile->frames[frame];
	char name[PLACE_NAME];

	if (!held->object || !held->offset)
		return false;
	name_place(&profile->objects[held->object - 1], held->offset, name);
	return !strcmp(name, held->name);
}

const char *profile_object_file(const struct profile_object *object)
{
	const char *slash = strrchr(object->path, '/');

	return slash && slash[1] ? slash + 1 : object->path;
}

int profile_add_node(struct profile *profile, uint32_t parent, uint32_t frame,
		     uint32_t *id)
{
	struct profile_index *index = profile->index;
	uint32_t *latest = &index->latest_node, found = *latest + 1;
	int err;

	if (parent >= profile->nr_nodes || frame >= profile->nr_frames)
		return -EINVAL;
	/* a guess: stacks often come in the order in which they were added */
	if (found < profile->nr_nodes && profile->nodes[found].parent == parent &&
	    profile->nodes[found].frame == frame)
		return give(id, *latest = found);
	found = trie_find(&index->trie, parent, frame);
	if (found)
		return give(id, *latest = found);
	err = RESERVE(profile, nodes) ?:
	      trie_append(&index->trie, parent, frame);
	if (err)
		return err;
	found = *latest = profile->nr_nodes++;
	profile->nodes[found] = (struct profile_node){ parent, frame };
	return give(id, found);
}

int profile_add_task(struct profile *profile, uint32_t pid, uint32_t tid,
		     const char *comm, uint32_t *id)
{
	return profile_add_task_of(profile, "", pid, tid, comm, id);
}

int profile_add_task_of(struct profile *profile, const char *host, uint32_t pid,
			uint32_t tid, const char *comm, uint32_t *id)
{
	const struct profile_task task = {
		.pid = pid, .tid = tid, .comm = comm, .host = host, .cgroup = "",
	};

	return profile_intern_task(profile, &task, id);
}

/* Give the texts of a task their numbers, and set its texts to the interned ones. */
static int intern_task(struct profile *profile, struct profile_task *task, uint64_t *key)
{
	const struct intern *texts = &profile->index->texts;
	uint32_t comm, host, cgroup;
	int err = intern(profile, task->comm, &comm) ?:
		  intern(profile, task->host, &host) ?:
		  intern(profile, task->cgroup, &cgroup);

	if (err)
		return err;
	task->comm = intern_text(texts, comm);
	task->host = intern_text(texts, host);
	task->cgroup = intern_text(texts, cgroup);
	*key = hash_numbers(task->pid, task->tid, comm, host);
	if (*task->cgroup)
		*key = hash_numbers((uint32_t)*key, (uint32_t)(*key >> 32), cgroup, 0);
	return 0;
}

int profile_intern_task(struct profile *profile, const struct profile_task *added,
			uint32_t *id)
{
	struct profile_index *index = profile->index;
	struct profile_task task = *added;
	const struct map_slot *slot;
	uint64_t key;
	int err = intern_task(profile, &task, &key);

	if (err)
		return err;
	for (slot = map_first(&index->tasks, key); slot;
	     slot = map_next(&index->tasks, key, slot)) {
		const struct profile_task *held = &profile->tasks[slot->number - 1];

		/* equal texts are one text */
		if (held->pid == task.pid && held->tid == task.tid &&
		    held->comm == task.comm && held->host == task.host &&
		    held->cgroup == task.cgroup)
			return give(id, slot->number - 1);
	}
	err = RESERVE(profile, tasks) ?: map_reserve(&index->tasks, 1);
	if (err)
		return err;
	profile->tasks[profile->nr_tasks] = task;
	map_put(&index->tasks, key, profile->nr_tasks);
	return give(id, profile->nr_tasks++);
}

const char *profile_host(const struct profile *profile,
			 const struct profile_task *task)
{
	return *task->host ? task->host : profile->meta.host;
}

static bool same_record(const struct profile_record *a,
			const struct profile_record *b)
{
	return a->node == b->node && a->task == b->task && a->cpu == b->cpu &&
	       a->context == b->context && a->followed == b->followed;
}

static uint64_t record_key(const struct profile_record *record)
{
	return hash_numbers(record->node, record->task, record->cpu,
			    record->context | (uint32_t)record->followed << 8);
}

static uint32_t find_record(const struct profile *profile,
			    const struct profile_record *record, uint64_t key)
{
	const struct map *map = &profile->index->records;
	const struct map_slot *slot = map_first(map, key);

	while (slot && !same_record(&profile->records[slot->number - 1], record))
		slot = map_next(map, key, slot);
	return slot ? slot->number - 1 : MAP_NONE;
}

int profile_add_record(struct profile *profile,
		       const struct profile_record *record)
{
	uint64_t key = record_key(record);
	struct profile_record sum;
	uint32_t found;
	int err;

	if (record->node >= profile->nr_nodes ||
	    record->task >= profile->nr_tasks ||
	    (unsigned int)record->context >= __FLAMEMOD_CONTEXT_MAX)
		return -EINVAL;
	found = find_record(profile, record, key);
	if (found != MAP_NONE) {
		sum = profile->records[found];
		if (__builtin_add_overflow(sum.count, record->count,
					   &sum.count) ||
		    __builtin_add_overflow(sum.periods, record->periods,
					   &sum.periods) ||
		    __builtin_add_overflow(sum.late_us, record->late_us,
					   &sum.late_us))
			return -EOVERFLOW;
		profile->records[found] = sum;
		return 0;
	}
	err = RESERVE(profile, records) ?:
	      map_reserve(&profile->index->records, 1);
	if (err)
		return err;
	profile->records[profile->nr_records] = *record;
	map_put(&profile->index->records, key, profile->nr_records++);
	return 0;
}

void profile_index_records(struct profile *profile)
{
	struct map *map = &profile->index->records;

	map_clear(map);
	for (uint32_t i = 0; i < profile->nr_records; i++)
		map_put(map, record_key(&profile->records[i]), i);
}

int profile_compare_records(const struct profile_record *a, const struct profile_record *b)
{
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->followed != b->followed)
		return a->followed ? 1 : -1;
	return a->context < b->context ? -1 : a->context > b->context;
}

uint32_t profile_find_record(const struct profile *profile,
			     const struct profile_record *record)
{
	return find_record(profile, record, record_key(record));
}

int profile_add_cpu(struct profile *profile, const struct profile_cpu *cpu)
{
	struct profile_books total = profile->books;
	struct profile_cpu *at, sum = { .cpu = cpu->cpu };
	uint32_t low = 0, high = profile->nr_cpus;
	int err;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->cpus[middle].cpu < cpu->cpu)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < profile->nr_cpus && profile->cpus[low].cpu == cpu->cpu)
		sum = profile->cpus[low];
	if (__builtin_add_overflow(sum.sampled_ns, cpu->sampled_ns,
				   &sum.sampled_ns) ||
	    books_add(&sum.books, &cpu->books) ||
	    books_add(&total, &cpu->books))
		return -EOVERFLOW;
	sum.sampling |= cpu->sampling;

	if (low == profile->nr_cpus || profile->cpus[low].cpu != cpu->cpu) {
		if (profile->nr_cpus == PROFILE_CPUS_MAX)
			return -E2BIG;
		err = vec_reserve(profile->cpus, profile->index->cpus_room,
				  (size_t)profile->nr_cpus + 1);
		if (err)
			return err;
		at = &profile->cpus[low];
		memmove(at + 1, at, (profile->nr_cpus - low) * sizeof(*at));
		profile->nr_cpus++;
	}
	profile->cpus[low] = sum;
	profile->books = total;
	return 0;
}
