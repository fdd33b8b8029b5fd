// SPDX-License-Identifier: GPL-2.0
/*
 * A window as rows: see folded_rows.h.
 */
#include "fleet/folded_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

/* Numbers of rows by map_pair(node, task * contexts + context). */
struct folding {
	struct folded_rows *rows;
	bool cgroups;
	struct intern texts;		/* commands and cgroups */
	struct intern tasks;		/* pairs of their numbers */
	struct map map;
};

/* Number a task by what is kept of it: its command and its cgroup. */
static int number_task(struct folding *f, const char *comm, const char *cgroup,
		       uint32_t *number)
{
	uint32_t of_comm, of_cgroup;
	char text[24];
	int err = intern_add(&f->texts, comm, strlen(comm), &of_comm) ?:
		  intern_add(&f->texts, cgroup, strlen(cgroup), &of_cgroup);

	if (err)
		return err;
	snprintf(text, sizeof(text), "%" PRIx32 " %" PRIx32, of_comm, of_cgroup);
	return intern_add(&f->tasks, text, strlen(text), number);
}

static int add(struct folding *f, const struct profile *profile,
	       const struct profile_record *record)
{
	const struct profile_task *task = &profile->tasks[record->task];
	const char *cgroup = f->cgroups ? task->cgroup : "";
	struct folded_rows *rows = f->rows;
	struct folded_row *row;
	uint32_t number, found;
	uint64_t key;
	int err = number_task(f, task->comm, cgroup, &number);

	if (err)
		return err;
	key = map_pair(record->node, number * __FLAMEMOD_CONTEXT_MAX + record->context);
	found = map_find(&f->map, key);
	if (found == MAP_NONE) {
		if (vec_reserve(rows->list, rows->room, rows->nr + 1) ||
		    map_reserve(&f->map, 1))
			return -ENOMEM;
		found = (uint32_t)rows->nr++;
		map_put(&f->map, key, found);
		rows->list[found] = (struct folded_row){
			.node = record->node, .comm = task->comm, .cgroup = cgroup,
			.context = record->context,
		};
	}
	row = &rows->list[found];
	row->periods += record->periods;
	row->count += record->count;
	row->late_us += record->late_us;
	return 0;
}

int folded_rows_make(struct folded_rows *rows, const struct profile *profile,
		     bool cgroups)
{
	struct folding f = { .rows = rows, .cgroups = cgroups };
	int err = 0;

	memset(rows, 0, sizeof(*rows));
	for (uint32_t i = 0; i < profile->nr_records && !err; i++) {
		const struct profile_record *record = &profile->records[i];

		if (record->periods || record->count || record->late_us)
			err = add(&f, profile, record);
	}
	intern_deinit(&f.texts);
	intern_deinit(&f.tasks);
	map_deinit(&f.map);
	if (err)
		folded_rows_deinit(rows);
	return err ? -ENOMEM : 0;
}

void folded_rows_deinit(struct folded_rows *rows)
{
	free(rows->list);
	memset(rows, 0, sizeof(*rows));
}

static void add_number(struct sha256 *sha, uint64_t number)
{
	uint8_t bytes[8];

	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(number >> (8 * i));
	sha256_add(sha, bytes, sizeof(bytes));
}

static void add_text(struct sha256 *sha, const char *text)
{
	size_t length = strlen(text);

	add_number(sha, length);
	sha256_add(sha, text, length);
}

int stack_ids_make(struct stack_ids *ids, const struct profile *profile)
{
	ids->hashes = calloc(profile->nr_nodes, sizeof(*ids->hashes));
	if (!ids->hashes)
		return -ENOMEM;
	/* a caller's number is less than the node's own */
	for (uint32_t i = 1; i < profile->nr_nodes; i++) {
		const struct profile_node *node = &profile->nodes[i];
		const struct profile_frame *frame = &profile->frames[node->frame];
		const struct profile_object none = { "", "" }, *object = &none;
		uint8_t kind = (uint8_t)frame->kind;
		struct sha256 sha;

		if (frame->object)
			object = &profile->objects[frame->object - 1];
		sha256_init(&sha);
		sha256_add(&sha, ids->hashes[node->parent], SHA256_BYTES);
		sha256_add(&sha, &kind, 1);
		add_text(&sha, frame->name);
		add_text(&sha, object->path);
		add_text(&sha, object->build_id);
		add_number(&sha, frame->offset);
		sha256_end(&sha, ids->hashes[i]);
	}
	return 0;
}

void stack_ids_deinit(struct stack_ids *ids)
{
	free(ids->hashes);
	ids->hashes = NULL;
}
