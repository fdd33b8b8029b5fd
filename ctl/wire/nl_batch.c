// SPDX-License-Identifier: GPL-2.0
/*
 * Decode the batches of a dump: frames, nodes, tasks and records, as columns.
 * Every number that refers to something must refer to an element that was sent
 * before.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/deleted.h"
#include "profile/cgroup.h"
#include "profile/jit.h"
#include "wire/nl_column.h"
#include "wire/nl_private.h"

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

/* Look up a number that the sender refers to; it must have been sent before. */
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

/* Search for a frame number: they rise, but have gaps. */
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

/* Get the next attribute of @type: a string of a batch. */
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

/* Is that many bytes of @name a file, the vdso or code that a process made at run time? */
static bool is_place(const char *name, size_t length)
{
	char what[32];

	if (*name == '/')
		return true;
	if (length >= sizeof(what))
		return false;
	memcpy(what, name, length);
	what[length] = '\0';
	return !strcmp(what, "[vdso]") || jit_pid(what);
}

/*
 * Split "PATH+0xOFFSET BUILD-ID", whose build-id is left out where there is none, or
 * "[jit PID]+0xADDRESS".
 * @path: room for a copy of @name.
 *
 * Return: whether it is that, and not a mark in brackets.
 */
static bool split_place(const char *name, char *path, const char **build_id,
			uint64_t *offset)
{
	static const char digits[] = "0123456789abcdef";
	char *plus = NULL, *end;
	size_t nr;

	strcpy(path, name);
	/* a path may have any text in it: the last offset is the frame's */
	for (end = path; (end = strstr(end, "+0x")); end++)
		plus = end;
	if (!plus || !is_place(path, (size_t)(plus - path)))
		return false;
	nr = strspn(plus + 3, digits);
	if (!nr || nr > 16)
		return false;
	*offset = strtoull(plus + 3, &end, 16);
	*build_id = "";
	if (*end == ' ' && end[1] && !end[1 + strspn(end + 1, digits)])
		*build_id = end + 1;
	else if (*end)
		return false;
	*plus = '\0';
	return *offset && *offset < PROFILE_OFFSET_MAX;
}

/* A function of a program gets no name here, but its place. */
static int add_user_frame(struct profile *profile, const char *name, uint32_t *own)
{
	char path[PROFILE_NAME_MAX + 1];
	const char *build_id;
	uint64_t offset;
	uint32_t object;

	if (!split_place(name, path, &build_id, &offset))
		return profile_add_frame(profile, name, FLAMEMOD_FRAME_USER, own);
	/* It is the same file as before somebody deleted it, if its build-id says so. */
	if (*build_id)
		path[deleted_length(path)] = '\0';
	return profile_add_object(profile, path, build_id, &object) ?:
	       profile_add_frame_at(profile, NULL, object, offset, own);
}

static int add_frame(struct nl_decoder *decoder, uint32_t sent, uint32_t kind,
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
				 " is of unknown kind %" PRIu32, sent, kind);
	err = grow(&decoder->frame_ids, nr, &decoder->max_frame_ids) ?:
	      (kind == FLAMEMOD_FRAME_USER ?
	       add_user_frame(decoder->profile, name, &own) :
	       profile_add_frame(decoder->profile, name, kind, &own)) ?:
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
	uint32_t nr = 0, id = 0, kind = 0, i;
	struct nl_column ids, kinds;
	char name[PROFILE_NAME_MAX + 1];
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_FRAMES_MAX, error) ?:
	      nl_column_open(&ids, table[FLAMEMOD_A_FRAMES_ID], "id",
			     NL_DIFFERENCES, &nr, error) ?:
	      nl_column_open(&kinds, table[FLAMEMOD_A_FRAMES_KIND], "kind",
			     NL_NUMBERS, &nr, error);
	for (i = 0; i < nr && !err; i++)
		err = next_string(&names, FLAMEMOD_A_FRAMES_NAME, "name",
				  name, sizeof(name), error) ?:
		      nl_column_u32(&ids, &id, error) ?:
		      nl_column_u32(&kinds, &kind, error) ?:
		      add_frame(decoder, id, kind, name, error);
	return err ?: no_more_strings(&names, FLAMEMOD_A_FRAMES_NAME, "name",
				      error);
}

/*
 * Check that a batch starts where the previous one ended and fits the counts.
 */
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
	struct nl_column parents, frames;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_NODES_MAX, error) ?:
	      nl_column_open(&parents, table[FLAMEMOD_A_NODES_PARENT],
			     "parent", NL_DIFFERENCES, &nr, error) ?:
	      nl_column_open(&frames, table[FLAMEMOD_A_NODES_FRAME], "frame",
			     NL_DIFFERENCES, &nr, error) ?:
	      check_first(table[FLAMEMOD_A_NODES_FIRST], "nodes",
			  decoder->nodes.nr, nr, decoder->counts.nodes, error);
	for (i = 0; i < nr && !err; i++)
		err = nl_column_u32(&parents, &parent, error) ?:
		      numbers_find(&decoder->nodes, "node", parent, &parent,
				   error) ?:
		      nl_column_u32(&frames, &frame, error) ?:
		      frame_find(decoder, frame, &frame, error) ?:
		      profile_add_node(decoder->profile, parent, frame,
				       &own) ?:
		      numbers_add(&decoder->nodes, own);
	return err;
}

static int add_task(struct nl_decoder *decoder, struct profile_task *task,
		    const char *cgroup, uint32_t *own)
{
	task->cgroup = cgroup;
	return profile_intern_task(decoder->profile, task, own);
}

int nl_decode_tasks(struct nl_decoder *decoder, const struct nlattr *nest,
			struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_TASKS_MAX + 1];
	struct nl_attrs comms = nl_attrs_of(nest);
	bool has_cgroups;
	struct nl_column pids, tids, cgroups;
	char comm[256], cgroup[CGROUP_TEXT];
	struct profile_task task = { .comm = comm, .host = "" };
	uint32_t nr = 0, own = 0, i;
	uint64_t number = 0;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_TASKS_MAX, error) ?:
	      nl_column_open(&pids, table[FLAMEMOD_A_TASKS_PID], "pid",
			     NL_DIFFERENCES, &nr, error) ?:
	      nl_column_open(&tids, table[FLAMEMOD_A_TASKS_TID], "tid",
			     NL_DIFFERENCES, &nr, error) ?:
	      check_first(table[FLAMEMOD_A_TASKS_FIRST], "tasks",
			  decoder->tasks.nr, nr, decoder->counts.tasks, error);
	has_cgroups = !err && table[FLAMEMOD_A_TASKS_CGROUP];
	if (has_cgroups)
		err = nl_column_open(&cgroups, table[FLAMEMOD_A_TASKS_CGROUP],
				     "cgroup", NL_DIFFERENCES, &nr, error);
	for (i = 0; i < nr && !err; i++)
		err = next_string(&comms, FLAMEMOD_A_TASKS_COMM, "comm",
				  comm, sizeof(comm), error) ?:
		      nl_column_u32(&pids, &task.pid, error) ?:
		      nl_column_u32(&tids, &task.tid, error) ?:
		      (has_cgroups ? nl_column_next(&cgroups, &number, error) : 0) ?:
		      add_task(decoder, &task, cgroup_of_number(number, cgroup), &own) ?:
		      numbers_add(&decoder->tasks, own);
	return err ?: no_more_strings(&comms, FLAMEMOD_A_TASKS_COMM, "comm",
				      error);
}

/* The columns of a batch of records; those of the last line but one are optional. */
struct record_columns {
	struct nl_column node, task, cpu, context, count, periods, late_us;
	struct nl_column event, user_node, followed, state;
	bool has_event, has_user_node, has_followed, has_state;
};

static int record_columns(const struct nlattr **table,
			  struct record_columns *c, uint32_t *nr,
			  struct error *error)
{
	const struct {
		struct nl_column *column;
		unsigned int type;
		const char *what;
		enum nl_column_kind kind;
		bool optional;
	} columns[] = {
		{ &c->node, FLAMEMOD_A_RECORDS_NODE, "node",
		  NL_DIFFERENCES, false },
		{ &c->task, FLAMEMOD_A_RECORDS_TASK, "task",
		  NL_DIFFERENCES, false },
		{ &c->cpu, FLAMEMOD_A_RECORDS_CPU, "cpu", NL_NUMBERS, false },
		{ &c->context, FLAMEMOD_A_RECORDS_CONTEXT, "context",
		  NL_NUMBERS, false },
		{ &c->count, FLAMEMOD_A_RECORDS_COUNT, "count", NL_NUMBERS,
		  false },
		{ &c->periods, FLAMEMOD_A_RECORDS_PERIODS, "periods",
		  NL_NUMBERS, false },
		{ &c->late_us, FLAMEMOD_A_RECORDS_LATE_US, "late-us",
		  NL_NUMBERS, false },
		{ &c->event, FLAMEMOD_A_RECORDS_EVENT, "event", NL_NUMBERS,
		  true },
		{ &c->user_node, FLAMEMOD_A_RECORDS_USER_NODE, "user-node",
		  NL_DIFFERENCES, true },
		{ &c->followed, FLAMEMOD_A_RECORDS_FOLLOWED, "followed",
		  NL_NUMBERS, true },
		{ &c->state, FLAMEMOD_A_RECORDS_STATE, "state", NL_NUMBERS,
		  true },
	};
	size_t i;
	int err = 0;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]) && !err; i++)
		if (table[columns[i].type] || !columns[i].optional)
			err = nl_column_open(columns[i].column,
					     table[columns[i].type],
					     columns[i].what, columns[i].kind,
					     nr, error);
	c->has_event = table[FLAMEMOD_A_RECORDS_EVENT];
	c->has_user_node = table[FLAMEMOD_A_RECORDS_USER_NODE];
	c->has_followed = table[FLAMEMOD_A_RECORDS_FOLLOWED];
	c->has_state = table[FLAMEMOD_A_RECORDS_STATE];
	return err;
}

/* Decode an event and, of those of tasks, a state. */
static int decode_event(struct record_columns *c, uint32_t *event, uint32_t *state,
			struct error *error)
{
	return (c->has_event ? nl_column_u32(&c->event, event, error) : 0) ?:
	       (c->has_state ? nl_column_u32(&c->state, state, error) : 0);
}

/* Add a record, to the intervals of an event if such a dump was asked for. */
static int add_record(struct nl_decoder *decoder, uint32_t event, uint32_t state,
		      const struct profile_record *record, struct error *error)
{
	int err;

	if (decoder->of_events)
		return nl_add_interval(decoder, event, state, record, error);
	/* refuse events that a profile of samples cannot hold and would lose silently */
	if (event != FLAMEMOD_EVENT_ON_CPU)
		return error_set(error, -EBADMSG, "a record is of unknown event %"
				 PRIu32, event);
	err = profile_add_record(decoder->profile, record);
	if (err == -EOVERFLOW)
		return error_set(error, -EBADMSG, "a record's sums are above 2^64");
	return err;
}

/*
 * Put a kernel stack below the user stack that led to it: set *@node to the node of
 * both. The module sends them apart, since few kernel stacks meet many user stacks.
 */
static int add_user_stack(struct nl_decoder *decoder, uint32_t user, uint32_t *node,
			  struct error *error)
{
	struct profile *profile = decoder->profile;
	/* of wakers two stacks, with the waker's name in between */
	uint32_t frames[2 * FLAMEMOD_MAX_DEPTH_MAX + 8], nr = 0;
	uint32_t at;
	int err;

	err = numbers_find(&decoder->nodes, "node", user, &user, error);
	if (err)
		return err;
	for (at = *node; at; at = profile->nodes[at].parent) {
		if (nr == sizeof(frames) / sizeof(frames[0]))
			return error_set(error, -EBADMSG,
					 "a record's kernel stack has more than %" PRIu32
					 " frames", nr);
		frames[nr++] = profile->nodes[at].frame;
	}
	*node = user;
	while (nr && !err)
		err = profile_add_node(profile, *node, frames[--nr], node);
	return err;
}

static int decode_record(struct nl_decoder *decoder, struct record_columns *c,
			 struct error *error)
{
	struct profile_record record = { 0 };
	uint32_t node = 0, task = 0, context = 0, followed = 0, user = 0;
	uint32_t event = FLAMEMOD_EVENT_ON_CPU, state = 0;
	int err;

	err = nl_column_u32(&c->node, &node, error) ?:
	      nl_column_u32(&c->task, &task, error) ?:
	      nl_column_u32(&c->cpu, &record.cpu, error) ?:
	      nl_column_u32(&c->context, &context, error) ?:
	      nl_column_next(&c->count, &record.count, error) ?:
	      nl_column_next(&c->periods, &record.periods, error) ?:
	      nl_column_next(&c->late_us, &record.late_us, error) ?:
	      decode_event(c, &event, &state, error) ?:
	      (c->has_user_node ? nl_column_u32(&c->user_node, &user, error) : 0) ?:
	      (c->has_followed ? nl_column_u32(&c->followed, &followed, error) :
				 0) ?:
	      numbers_find(&decoder->nodes, "node", node, &record.node,
			   error) ?:
	      (user ? add_user_stack(decoder, user, &record.node, error) : 0) ?:
	      numbers_find(&decoder->tasks, "task", task, &record.task, error);
	if (err)
		return err;
	if (context >= __FLAMEMOD_CONTEXT_MAX)
		return error_set(error, -EBADMSG, "a record is of unknown context %"
				 PRIu32, context);
	if (followed > 1)
		return error_set(error, -EBADMSG, "a record is followed by %"
				 PRIu32 ", not 0 or 1", followed);
	record.context = context;
	record.followed = followed;
	return add_record(decoder, event, state, &record, error);
}

int nl_decode_records(struct nl_decoder *decoder,
			  const struct nlattr *nest, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_RECORDS_MAX + 1];
	struct record_columns columns;
	uint32_t nr = 0, i;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_RECORDS_MAX, error) ?:
	      record_columns(table, &columns, &nr, error) ?:
	      check_first(table[FLAMEMOD_A_RECORDS_FIRST], "records",
			  decoder->nr_records, nr, decoder->counts.records,
			  error);
	for (i = 0; i < nr && !err; i++)
		err = decode_record(decoder, &columns, error);
	if (!err)
		decoder->nr_records += nr;
	return err;
}
