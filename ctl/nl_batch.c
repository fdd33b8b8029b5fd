// SPDX-License-Identifier: GPL-2.0
/*
 * Batches of a dump: frames, nodes, tasks and records, as columns. Every
 * number that refers to something must name what was sent before it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "nl_private.h"

/* A column of a batch: @nr elements, aligned to 4 bytes at most. */
struct column {
	const char *elements;
	uint32_t nr;
};

static int grow(uint32_t **array, size_t nr, size_t *max)
{
	size_t bigger = *max ? *max * 2 : 256;
	uint32_t *moved;

	if (nr < *max)
		return 0;
	moved = reallocarray(*array, bigger, sizeof(**array));
	if (!moved)
		return -ENOMEM;
	*array = moved;
	*max = bigger;
	return 0;
}

static int numbers_add(struct nl_numbers *numbers, uint32_t own)
{
	int err = grow(&numbers->own, numbers->nr, &numbers->max);

	if (!err)
		numbers->own[numbers->nr++] = own;
	return err;
}

/* A number that was sent must be one that came before. */
static int numbers_find(const struct nl_numbers *numbers, const char *what,
			uint32_t sent, uint32_t *own, struct error *error)
{
	if (sent >= numbers->nr)
		return error_set(error, -EBADMSG, "%s %" PRIu32
				 " is referred to before it is sent", what,
				 sent);
	*own = numbers->own[sent];
	return 0;
}

/* Frame numbers have gaps, but rise. */
static int frame_find(const struct nl_decoder *decoder, uint32_t sent,
		      uint32_t *own, struct error *error)
{
	size_t low = 0, high = decoder->frames.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (decoder->frame_ids[middle] == sent) {
			*own = decoder->frames.own[middle];
			return 0;
		}
		if (decoder->frame_ids[middle] < sent)
			low = middle + 1;
		else
			high = middle;
	}
	return error_set(error, -EBADMSG, "frame %" PRIu32
			 " is referred to before it is sent", sent);
}

/*
 * A column of elements of @size bytes. *@nr is the batch's length, 0 before
 * its first column.
 */
static int column_of(const struct nlattr *attr, const char *what, size_t size,
		     uint32_t *nr, struct column *column, struct error *error)
{
	size_t bytes;

	if (!attr)
		return error_set(error, -EBADMSG, "column %s is missing", what);
	bytes = mnl_attr_get_payload_len(attr);
	column->elements = mnl_attr_get_payload(attr);
	column->nr = bytes / size;
	if (!bytes || bytes % size)
		return error_set(error, -EBADMSG, "column %s has a size of %zu bytes",
				 what, bytes);
	if (*nr && column->nr != *nr)
		return error_set(error, -EBADMSG, "column %s has %" PRIu32
				 " elements, its neighbours %" PRIu32, what,
				 column->nr, *nr);
	*nr = column->nr;
	return 0;
}

static uint8_t column_u8(const struct column *column, uint32_t i)
{
	return (uint8_t)column->elements[i];
}

static uint16_t column_u16(const struct column *column, uint32_t i)
{
	uint16_t value;

	memcpy(&value, column->elements + i * sizeof(value), sizeof(value));
	return value;
}

static uint32_t column_u32(const struct column *column, uint32_t i)
{
	uint32_t value;

	memcpy(&value, column->elements + i * sizeof(value), sizeof(value));
	return value;
}

static uint64_t column_u64(const struct column *column, uint32_t i, bool wide)
{
	uint64_t value;

	if (!wide)
		return column_u32(column, i);
	memcpy(&value, column->elements + i * sizeof(value), sizeof(value));
	return value;
}

/* The next attribute of @type: one of a batch's strings. */
static int next_string(struct nl_attrs *attrs, unsigned int type,
		       const char *what, char *text, size_t size,
		       struct error *error)
{
	const struct nlattr *attr;
	int err;

	while (!(err = nl_attrs_next(attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) == type)
			return nl_attr_string(attr, what, text, size, error);
	return err ?: error_set(error, -EBADMSG,
				"a batch has fewer %ss than numbers", what);
}

static int no_more_strings(struct nl_attrs *attrs, unsigned int type,
			   const char *what, struct error *error)
{
	const struct nlattr *attr;
	int err;

	while (!(err = nl_attrs_next(attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) == type)
			return error_set(error, -EBADMSG,
					 "a batch has more %ss than numbers",
					 what);
	return err;
}

static int add_frame(struct nl_decoder *decoder, uint32_t sent, uint8_t kind,
		     const char *name, struct error *error)
{
	size_t nr = decoder->frames.nr;
	uint32_t own = 0;
	int err;

	if (sent >= decoder->counts.frames ||
	    (nr && sent <= decoder->frame_ids[nr - 1]))
		return error_set(error, -EBADMSG, "frame %" PRIu32
				 " is out of order, or above nr-frames", sent);
	if (kind >= __FLAMEMOD_FRAME_MAX)
		return error_set(error, -EBADMSG, "frame %" PRIu32
				 " is of unknown kind %u", sent, kind);
	err = grow(&decoder->frame_ids, nr, &decoder->max_frame_ids) ?:
	      profile_add_frame(decoder->profile, name, kind, &own) ?:
	      numbers_add(&decoder->frames, own);
	if (!err)
		decoder->frame_ids[nr] = sent;
	return err;
}

int nl_decode_frames(struct nl_decoder *decoder, const struct nlattr *nest,
			 struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_FRAMES_MAX + 1];
	struct nl_attrs names = nl_attrs_of(nest);
	struct column ids, kinds;
	uint32_t nr = 0, i;
	char name[4096];
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_FRAMES_MAX, error) ?:
	      column_of(table[FLAMEMOD_A_FRAMES_ID], "id", sizeof(uint32_t),
			&nr, &ids, error) ?:
	      column_of(table[FLAMEMOD_A_FRAMES_KIND], "kind",
			sizeof(uint8_t), &nr, &kinds, error);
	for (i = 0; i < nr && !err; i++)
		err = next_string(&names, FLAMEMOD_A_FRAMES_NAME, "name",
				  name, sizeof(name), error) ?:
		      add_frame(decoder, column_u32(&ids, i),
				column_u8(&kinds, i), name, error);
	return err ?: no_more_strings(&names, FLAMEMOD_A_FRAMES_NAME, "name",
				      error);
}

/* A batch begins where the one before ended, and fits what was announced. */
static int check_first(const struct nlattr *attr, const char *what, size_t next,
		       uint32_t nr, uint32_t announced, struct error *error)
{
	uint32_t first = 0;
	int err;

	if (!attr)
		return error_set(error, -EBADMSG, "a batch of %s has no first",
				 what);
	err = nl_attr_u32(attr, "first", &first, error);
	if (err)
		return err;
	if (first != next)
		return error_set(error, -EBADMSG, "%s %" PRIu32
				 " follow where %zu should", what, first, next);
	if (next + nr > announced)
		return error_set(error, -EBADMSG, "%zu %s are sent, %" PRIu32
				 " were announced", next + nr, what, announced);
	return 0;
}

int nl_decode_nodes(struct nl_decoder *decoder, const struct nlattr *nest,
			struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_NODES_MAX + 1];
	uint32_t nr = 0, parent = 0, frame = 0, own = 0, i;
	struct column parents, frames;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_NODES_MAX, error) ?:
	      column_of(table[FLAMEMOD_A_NODES_PARENT], "parent",
			sizeof(uint32_t), &nr, &parents, error) ?:
	      column_of(table[FLAMEMOD_A_NODES_FRAME], "frame",
			sizeof(uint32_t), &nr, &frames, error) ?:
	      check_first(table[FLAMEMOD_A_NODES_FIRST], "nodes",
			  decoder->nodes.nr, nr, decoder->counts.nodes, error);
	for (i = 0; i < nr && !err; i++)
		err = numbers_find(&decoder->nodes, "node",
				   column_u32(&parents, i), &parent, error) ?:
		      frame_find(decoder, column_u32(&frames, i), &frame,
				 error) ?:
		      profile_add_node(decoder->profile, parent, frame,
				       &own) ?:
		      numbers_add(&decoder->nodes, own);
	return err;
}

int nl_decode_tasks(struct nl_decoder *decoder, const struct nlattr *nest,
			struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_TASKS_MAX + 1];
	struct nl_attrs comms = nl_attrs_of(nest);
	struct column pids, tids;
	uint32_t nr = 0, own = 0, i;
	char comm[256];
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_TASKS_MAX, error) ?:
	      column_of(table[FLAMEMOD_A_TASKS_PID], "pid", sizeof(uint32_t),
			&nr, &pids, error) ?:
	      column_of(table[FLAMEMOD_A_TASKS_TID], "tid", sizeof(uint32_t),
			&nr, &tids, error) ?:
	      check_first(table[FLAMEMOD_A_TASKS_FIRST], "tasks",
			  decoder->tasks.nr, nr, decoder->counts.tasks, error);
	for (i = 0; i < nr && !err; i++)
		err = next_string(&comms, FLAMEMOD_A_TASKS_COMM, "comm",
				  comm, sizeof(comm), error) ?:
		      profile_add_task(decoder->profile, column_u32(&pids, i),
				       column_u32(&tids, i), comm, &own) ?:
		      numbers_add(&decoder->tasks, own);
	return err ?: no_more_strings(&comms, FLAMEMOD_A_TASKS_COMM, "comm",
				      error);
}

/* The columns of a batch of records. */
struct record_columns {
	struct column node, task, cpu, context, count, periods, late_us;
	struct column event, user_node;
	bool wide, has_event, has_user_node;
};

static int record_columns(const struct nlattr **table,
			  struct record_columns *c, uint32_t *nr,
			  struct error *error)
{
	unsigned int wider;
	size_t size;

	c->wide = table[FLAMEMOD_A_RECORDS_COUNT_WIDE];
	c->has_event = table[FLAMEMOD_A_RECORDS_EVENT];
	c->has_user_node = table[FLAMEMOD_A_RECORDS_USER_NODE];
	if (c->wide && table[FLAMEMOD_A_RECORDS_COUNT])
		return error_set(error, -EBADMSG,
				 "a batch of records has counts both narrow and wide");
	wider = c->wide ? FLAMEMOD_A_RECORDS_COUNT_WIDE -
			  FLAMEMOD_A_RECORDS_COUNT : 0;
	size = c->wide ? sizeof(uint64_t) : sizeof(uint32_t);
	return column_of(table[FLAMEMOD_A_RECORDS_NODE], "node",
			 sizeof(uint32_t), nr, &c->node, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_TASK], "task",
			 sizeof(uint32_t), nr, &c->task, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_CPU], "cpu",
			 sizeof(uint16_t), nr, &c->cpu, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_CONTEXT], "context",
			 sizeof(uint8_t), nr, &c->context, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_COUNT + wider], "count",
			 size, nr, &c->count, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_PERIODS + wider], "periods",
			 size, nr, &c->periods, error) ?:
	       column_of(table[FLAMEMOD_A_RECORDS_LATE_US + wider], "late-us",
			 size, nr, &c->late_us, error) ?:
	       (c->has_event ?
		column_of(table[FLAMEMOD_A_RECORDS_EVENT], "event",
			  sizeof(uint8_t), nr, &c->event, error) : 0) ?:
	       (c->has_user_node ?
		column_of(table[FLAMEMOD_A_RECORDS_USER_NODE], "user-node",
			  sizeof(uint32_t), nr, &c->user_node, error) : 0);
}

static int decode_record(struct nl_decoder *decoder,
			 const struct record_columns *c, uint32_t i,
			 struct error *error)
{
	uint8_t context = column_u8(&c->context, i);
	struct profile_record record = {
		.cpu = column_u16(&c->cpu, i),
		.context = context,
		.count = column_u64(&c->count, i, c->wide),
		.periods = column_u64(&c->periods, i, c->wide),
		.late_us = column_u64(&c->late_us, i, c->wide),
	};
	int err;

	if (context >= __FLAMEMOD_CONTEXT_MAX)
		return error_set(error, -EBADMSG, "a record is of unknown context %u",
				 context);
	if (c->has_event && column_u8(&c->event, i) != FLAMEMOD_EVENT_ON_CPU)
		return error_set(error, -EBADMSG, "a record is of unknown event %u",
				 column_u8(&c->event, i));
	/* its stack would be lost in silence */
	if (c->has_user_node && column_u32(&c->user_node, i))
		return error_set(error, -EBADMSG,
				 "a record has a user stack, which this flamectl cannot read: use the one that came with the module");
	err = numbers_find(&decoder->nodes, "node", column_u32(&c->node, i),
			   &record.node, error) ?:
	      numbers_find(&decoder->tasks, "task", column_u32(&c->task, i),
			   &record.task, error);
	if (err)
		return err;
	err = profile_add_record(decoder->profile, &record);
	if (err == -EOVERFLOW)
		return error_set(error, -EBADMSG, "a record's sums are past 2^64");
	return err;
}

int nl_decode_records(struct nl_decoder *decoder,
			  const struct nlattr *nest, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_RECORDS_MAX + 1];
	struct record_columns columns = { 0 };
	uint32_t nr = 0, i;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_RECORDS_MAX, error) ?:
	      record_columns(table, &columns, &nr, error) ?:
	      check_first(table[FLAMEMOD_A_RECORDS_FIRST], "records",
			  decoder->nr_records, nr, decoder->counts.records,
			  error);
	for (i = 0; i < nr && !err; i++)
		err = decode_record(decoder, &columns, i, error);
	if (!err)
		decoder->nr_records += nr;
	return err;
}
