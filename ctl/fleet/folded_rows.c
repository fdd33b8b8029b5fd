// SPDX-License-Identifier: GPL-2.0
/*
 * A window as rows: see folded_rows.h.
 */
#include "fleet/folded_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

/* Numbers of rows by map_pair(node, comm * contexts + context). */
struct folding {
	struct folded_rows *rows;
	struct intern comms;
	struct map map;
};

static int add(struct folding *f, const struct profile *profile,
	       const struct profile_record *record)
{
	const char *comm = profile->tasks[record->task].comm;
	struct folded_rows *rows = f->rows;
	struct folded_row *row;
	uint32_t number, found;
	uint64_t key;
	int err = intern_add(&f->comms, comm, strlen(comm), &number);

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
			.node = record->node, .comm = comm, .context = record->context,
		};
	}
	row = &rows->list[found];
	row->periods += record->periods;
	row->count += record->count;
	row->late_us += record->late_us;
	return 0;
}

int folded_rows_make(struct folded_rows *rows, const struct profile *profile)
{
	struct folding f = { .rows = rows };
	int err = 0;

	memset(rows, 0, sizeof(*rows));
	for (uint32_t i = 0; i < profile->nr_records && !err; i++) {
		const struct profile_record *record = &profile->records[i];

		if (record->periods || record->count || record->late_us)
			err = add(&f, profile, record);
	}
	intern_deinit(&f.comms);
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
