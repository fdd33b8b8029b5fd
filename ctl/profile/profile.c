// SPDX-License-Identifier: GPL-2.0
/*
 * A profile in memory: interned frames, nodes and tasks, and records by key.
 *
 * Each kind has a growing array and a hash table of indexes into it. The hash
 * finds a candidate; a full comparison confirms it.
 */
#include "base/hash.h"
#include "profile/books.h"
#include "profile/profile.h"
#include "profile/records.h"
#include "profile/slices.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOT_FOUND	UINT32_MAX

struct slot {
	uint32_t hash;
	uint32_t number;		/* plus one, 0: free */
};

/* Linear probing, at most half full; nr_slots is a power of two or 0. */
struct hash {
	struct slot *slots;
	size_t nr_slots;
};

struct profile_index {
	struct hash frames, nodes, tasks, records;
	/* allocated size of each of the profile's arrays, in elements */
	size_t max_frames, max_nodes, max_tasks, max_records, max_cpus;
	uint32_t latest_node;		/* the one that was looked up last */
};

typedef bool (*match_fn)(const struct profile *profile, uint32_t number,
			 const void *key);

static uint32_t hash_find(const struct hash *hash, uint32_t value,
			  match_fn match, const struct profile *profile,
			  const void *key)
{
	size_t i;

	if (!hash->nr_slots)
		return NOT_FOUND;
	for (i = value & (hash->nr_slots - 1); hash->slots[i].number;
	     i = (i + 1) & (hash->nr_slots - 1))
		if (hash->slots[i].hash == value &&
		    match(profile, hash->slots[i].number - 1, key))
			return hash->slots[i].number - 1;
	return NOT_FOUND;
}

static void hash_insert(struct hash *hash, uint32_t value, uint32_t number)
{
	size_t i = value & (hash->nr_slots - 1);

	while (hash->slots[i].number)
		i = (i + 1) & (hash->nr_slots - 1);
	hash->slots[i].hash = value;
	hash->slots[i].number = number + 1;
}

/* Make room for @nr + 1 entries. */
static int hash_reserve(struct hash *hash, uint32_t nr)
{
	struct hash bigger;
	size_t i;

	if ((size_t)nr * 2 < hash->nr_slots)
		return 0;
	bigger.nr_slots = hash->nr_slots ? hash->nr_slots * 2 : 64;
	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (i = 0; i < hash->nr_slots; i++)
		if (hash->slots[i].number)
			hash_insert(&bigger, hash->slots[i].hash,
				    hash->slots[i].number - 1);
	free(hash->slots);
	*hash = bigger;
	return 0;
}

static int array_reserve(void *array, size_t size, uint32_t nr, size_t *max)
{
	void **elements = array;
	size_t bigger;
	void *moved;

	if (nr >= NOT_FOUND - 1)
		return -EOVERFLOW;
	if (nr < *max)
		return 0;
	bigger = *max ? *max * 2 : 32;
	moved = reallocarray(*elements, bigger, size);
	if (!moved)
		return -ENOMEM;
	*elements = moved;
	*max = bigger;
	return 0;
}

/* Make room for one more in the array and the hash of @kind. */
#define RESERVE(profile, kind) \
	(array_reserve(&(profile)->kind, sizeof(*(profile)->kind), \
		       (profile)->nr_##kind, &(profile)->index->max_##kind) ?: \
	 hash_reserve(&(profile)->index->kind, (profile)->nr_##kind))

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
	if (!profile->index || RESERVE(profile, nodes)) {
		profile_destroy(profile);
		return NULL;
	}
	memset(&profile->nodes[0], 0, sizeof(profile->nodes[0]));
	profile->nr_nodes = 1;
	return profile;
}

void profile_destroy(struct profile *profile)
{
	uint32_t i;

	if (!profile)
		return;
	for (i = 0; i < profile->nr_frames; i++)
		free(profile->frames[i].name);
	for (i = 0; i < profile->nr_tasks; i++) {
		free(profile->tasks[i].comm);
		free(profile->tasks[i].host);
	}
	free(profile->cpus);
	free(profile->frames);
	free(profile->nodes);
	free(profile->tasks);
	free(profile->records);
	slices_destroy(profile->slices);
	if (profile->index) {
		free(profile->index->frames.slots);
		free(profile->index->nodes.slots);
		free(profile->index->tasks.slots);
		free(profile->index->records.slots);
	}
	free(profile->index);
	free(profile);
}

struct frame_key {
	const char *name;
	enum flamemod_frame_kind kind;
};

static bool frame_matches(const struct profile *profile, uint32_t number,
			  const void *key)
{
	const struct profile_frame *frame = &profile->frames[number];
	const struct frame_key *wanted = key;

	return frame->kind == wanted->kind && !strcmp(frame->name, wanted->name);
}

int profile_add_frame(struct profile *profile, const char *name,
		      enum flamemod_frame_kind kind, uint32_t *id)
{
	const struct frame_key key = { .name = name, .kind = kind };
	uint32_t hash = (uint32_t)hash_text(name) + kind;
	uint32_t found;
	char *copy;
	int err;

	if ((unsigned int)kind >= __FLAMEMOD_FRAME_MAX)
		return -EINVAL;
	found = hash_find(&profile->index->frames, hash, frame_matches,
			  profile, &key);
	if (found != NOT_FOUND)
		return give(id, found);
	err = RESERVE(profile, frames);
	if (err)
		return err;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	found = profile->nr_frames++;
	profile->frames[found].name = copy;
	profile->frames[found].kind = kind;
	hash_insert(&profile->index->frames, hash, found);
	return give(id, found);
}

static bool node_matches(const struct profile *profile, uint32_t number,
			 const void *key)
{
	const struct profile_node *node = &profile->nodes[number];
	const struct profile_node *wanted = key;

	return node->parent == wanted->parent && node->frame == wanted->frame;
}

int profile_add_node(struct profile *profile, uint32_t parent, uint32_t frame,
		     uint32_t *id)
{
	const struct profile_node key = { .parent = parent, .frame = frame };
	uint32_t *latest = &profile->index->latest_node;
	uint32_t found = *latest + 1, hash;
	int err;

	if (parent >= profile->nr_nodes || frame >= profile->nr_frames)
		return -EINVAL;
	/* a guess: stacks often come in the order in which they were added */
	if (found < profile->nr_nodes && node_matches(profile, found, &key))
		return give(id, *latest = found);
	hash = (uint32_t)hash_numbers(parent, frame, 0, 0);
	found = hash_find(&profile->index->nodes, hash, node_matches,
			  profile, &key);
	if (found != NOT_FOUND)
		return give(id, *latest = found);
	err = RESERVE(profile, nodes);
	if (err)
		return err;
	found = *latest = profile->nr_nodes++;
	profile->nodes[found] = key;
	hash_insert(&profile->index->nodes, hash, found);
	return give(id, found);
}

struct task_key {
	uint32_t pid;
	uint32_t tid;
	const char *comm, *host;
};

static bool task_matches(const struct profile *profile, uint32_t number,
			 const void *key)
{
	const struct profile_task *task = &profile->tasks[number];
	const struct task_key *wanted = key;

	return task->pid == wanted->pid && task->tid == wanted->tid &&
	       !strcmp(task->comm, wanted->comm) &&
	       !strcmp(task->host, wanted->host);
}

int profile_add_task(struct profile *profile, uint32_t pid, uint32_t tid,
		     const char *comm, uint32_t *id)
{
	return profile_add_task_of(profile, "", pid, tid, comm, id);
}

int profile_add_task_of(struct profile *profile, const char *host, uint32_t pid,
			uint32_t tid, const char *comm, uint32_t *id)
{
	const struct task_key key = {
		.pid = pid, .tid = tid, .comm = comm, .host = host,
	};
	uint32_t hash = (uint32_t)hash_numbers(pid, tid,
					       (uint32_t)hash_text(comm),
					       (uint32_t)hash_text(host));
	char *comm_copy, *host_copy;
	struct profile_task *task;
	uint32_t found;
	int err;

	found = hash_find(&profile->index->tasks, hash, task_matches,
			  profile, &key);
	if (found != NOT_FOUND)
		return give(id, found);
	err = RESERVE(profile, tasks);
	if (err)
		return err;
	comm_copy = strdup(comm);
	host_copy = strdup(host);
	if (!comm_copy || !host_copy) {
		free(comm_copy);
		free(host_copy);
		return -ENOMEM;
	}
	found = profile->nr_tasks++;
	task = &profile->tasks[found];
	task->pid = pid;
	task->tid = tid;
	task->comm = comm_copy;
	task->host = host_copy;
	hash_insert(&profile->index->tasks, hash, found);
	return give(id, found);
}

const char *profile_host(const struct profile *profile,
			 const struct profile_task *task)
{
	return *task->host ? task->host : profile->meta.host;
}

static bool record_matches(const struct profile *profile, uint32_t number,
			   const void *key)
{
	const struct profile_record *record = &profile->records[number];
	const struct profile_record *wanted = key;

	return record->node == wanted->node && record->task == wanted->task &&
	       record->cpu == wanted->cpu &&
	       record->context == wanted->context &&
	       record->followed == wanted->followed;
}

static uint32_t record_hash(const struct profile_record *record)
{
	return (uint32_t)hash_numbers(record->node, record->task, record->cpu,
				      record->context |
				      (uint32_t)record->followed << 8);
}

int profile_add_record(struct profile *profile,
		       const struct profile_record *record)
{
	uint32_t hash = record_hash(record);
	struct profile_record sum;
	uint32_t found;
	int err;

	if (record->node >= profile->nr_nodes ||
	    record->task >= profile->nr_tasks ||
	    (unsigned int)record->context >= __FLAMEMOD_CONTEXT_MAX)
		return -EINVAL;
	found = hash_find(&profile->index->records, hash, record_matches,
			  profile, record);
	if (found != NOT_FOUND) {
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
	err = RESERVE(profile, records);
	if (err)
		return err;
	profile->records[profile->nr_records] = *record;
	hash_insert(&profile->index->records, hash, profile->nr_records++);
	return 0;
}

void profile_index_records(struct profile *profile)
{
	struct hash *hash = &profile->index->records;
	uint32_t i;

	if (hash->nr_slots)
		memset(hash->slots, 0, hash->nr_slots * sizeof(*hash->slots));
	for (i = 0; i < profile->nr_records; i++)
		hash_insert(hash, record_hash(&profile->records[i]), i);
}

uint32_t profile_find_record(const struct profile *profile,
			     const struct profile_record *record)
{
	return hash_find(&profile->index->records, record_hash(record),
			 record_matches, profile, record);
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
		err = array_reserve(&profile->cpus, sizeof(*profile->cpus),
				    profile->nr_cpus, &profile->index->max_cpus);
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
