// SPDX-License-Identifier: GPL-2.0
/*
 * Convert to columns a profile, or folded text whose stacks start with the name
 * of a command: see view/html/data.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/number.h"
#include "base/utf8.h"
#include "profile/books.h"
#include "profile/origin.h"
#include "tree/kind.h"
#include "view/html/data.h"
#include "view/paint.h"

/* JSON's integers are signed here, so larger values become INT64_MAX. */
static json_t *number(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* Strip control and bidi characters, which would affect how the page reads. */
static json_t *text(const char *value)
{
	char *clean = utf8_clean(*value ? value : "[unknown]", true);
	json_t *json = clean ? json_string(clean) : NULL;

	free(clean);
	return json;
}

static json_t *letter(enum tree_kind kind)
{
	char letters[] = { paint_kind_letter(kind), '\0' };

	return json_string(letters);
}

static json_t *figure(uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

/*
 * Scripts have exact integers only below 2^53: larger ones become text, which
 * model.js handles.
 */
static json_t *weight_json(uint64_t value)
{
	return value >> 53 ? figure(value) : number(value);
}

static json_t *signed_figure(int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	return json_string(digits);
}

/*
 * The columns being filled. Any failure sets @failed, which is checked at the
 * end.
 */
struct columns {
	json_t *data;
	json_t *names, *frame_name, *frame_kind, *parent, *frame;
	json_t *node, *comm, *host, *cpu, *context, *pid, *tid, *weight, *lost;
	bool has_pids, has_tids;	/* else omitted, as they are large */
	uint64_t total;
	bool failed;
};

static void put(struct columns *columns, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		columns->failed = true;
}

/* Add a member. Return: the member, owned by @object. */
static json_t *member(struct columns *columns, json_t *object, const char *name,
		      json_t *value)
{
	if (json_object_set_new(object, name, value)) {
		columns->failed = true;
		return NULL;
	}
	return value;
}

static void columns_init(struct columns *columns)
{
	json_t *data = columns->data = json_object();
	json_t *frames = member(columns, data, "frames", json_object());
	json_t *nodes = member(columns, data, "nodes", json_object());
	json_t *records = member(columns, data, "records", json_object());

	columns->names = member(columns, data, "names", json_array());
	columns->frame_name = member(columns, frames, "name", json_array());
	columns->frame_kind = member(columns, frames, "kind", json_array());
	columns->parent = member(columns, nodes, "parent", json_array());
	columns->frame = member(columns, nodes, "frame", json_array());
	columns->node = member(columns, records, "node", json_array());
	columns->comm = member(columns, records, "comm", json_array());
	columns->host = member(columns, records, "host", json_array());
	columns->cpu = member(columns, records, "cpu", json_array());
	columns->context = member(columns, records, "context", json_array());
	columns->pid = member(columns, records, "pid", json_array());
	columns->tid = member(columns, records, "tid", json_array());
	columns->weight = member(columns, records, "weight", json_array());
	columns->lost = member(columns, data, "lost", json_array());
}

static void put_frame(struct columns *columns, uint32_t name, enum tree_kind kind)
{
	put(columns, columns->frame_name, number(name));
	put(columns, columns->frame_kind, letter(kind));
}

static void put_node(struct columns *columns, uint32_t parent, uint32_t frame)
{
	put(columns, columns->parent, number(parent));
	put(columns, columns->frame, number(frame));
}

/* One row of the records' columns. */
struct row {
	uint32_t node, comm, host, cpu, context, pid, tid;
	uint64_t weight;
};

static void put_row(struct columns *columns, const struct row *row)
{
	put(columns, columns->node, number(row->node));
	put(columns, columns->comm, number(row->comm));
	put(columns, columns->host, number(row->host));
	put(columns, columns->cpu, number(row->cpu));
	put(columns, columns->context, number(row->context));
	if (columns->has_pids)
		put(columns, columns->pid, number(row->pid));
	if (columns->has_tids)
		put(columns, columns->tid, number(row->tid));
	put(columns, columns->weight, weight_json(row->weight));
	columns->total = tree_weight_add(columns->total, row->weight);
}

static void put_lost(struct columns *columns, int64_t cpu, const char *reason,
		     uint64_t weight)
{
	json_t *lost = json_object();

	member(columns, lost, "cpu", json_integer(cpu));
	member(columns, lost, "reason", text(reason));
	member(columns, lost, "weight", weight_json(weight));
	put(columns, columns->lost, lost);
	columns->total = tree_weight_add(columns->total, weight);
}

/* ---- texts, each once ---- */

/* Hash table with open addressing; a slot holds an index plus one, or 0. */
struct texts {
	json_t *array;
	const char **held;
	uint32_t *slots;
	size_t nr_slots;		/* power of two, >= 2 * capacity */
	uint32_t nr;
	bool are_names;			/* of frames */
};

static int texts_init(struct texts *texts, json_t *array, size_t most)
{
	texts->array = array;
	texts->nr = 0;
	for (texts->nr_slots = 16; texts->nr_slots < most * 2;)
		texts->nr_slots *= 2;
	texts->slots = calloc(texts->nr_slots, sizeof(*texts->slots));
	texts->held = calloc(most + 1, sizeof(*texts->held));
	return texts->slots && texts->held ? 0 : -ENOMEM;
}

static void texts_deinit(struct texts *texts)
{
	free(texts->slots);
	free(texts->held);
}

/* Return a frame's name as it is shown. */
static json_t *label(const char *name)
{
	char *copy = strndup(name, kind_label(name));
	json_t *json = copy ? text(copy) : NULL;

	free(copy);
	return json;
}

static uint32_t texts_find(struct columns *columns, struct texts *texts,
			   const char *value)
{
	size_t at = hash_text(value) & (texts->nr_slots - 1);

	for (; texts->slots[at]; at = (at + 1) & (texts->nr_slots - 1))
		if (!strcmp(texts->held[texts->slots[at] - 1], value))
			return texts->slots[at] - 1;
	put(columns, texts->array,
	    texts->are_names ? label(value) : text(value));
	texts->held[texts->nr] = value;
	texts->slots[at] = ++texts->nr;
	return texts->nr - 1;
}

/* ---- a profile ---- */

static enum tree_kind kind_of(enum flamemod_frame_kind kind)
{
	switch (kind) {
	case FLAMEMOD_FRAME_MARK:
		return TREE_MARK;
	case FLAMEMOD_FRAME_USER:
		return TREE_USER;
	case FLAMEMOD_FRAME_MODULE:
		return TREE_MODULE;
	default:
		return TREE_KERNEL;
	}
}

/*
 * Write frames and nodes. The nodes of records without frames, one per context,
 * follow the others.
 */
static void put_stacks(struct columns *columns, const struct profile *profile,
		       struct texts *names)
{
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		put_frame(columns,
			  texts_find(columns, names, profile->frames[i].name),
			  kind_of(profile->frames[i].kind));
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		put_frame(columns, texts_find(columns, names, fold_bare(i)),
			  fold_bare_kind(i));
	for (uint32_t i = 0; i < profile->nr_nodes; i++)
		put_node(columns, profile->nodes[i].parent,
			 profile->nodes[i].frame);
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		put_node(columns, 0, profile->nr_frames + i);
}

static void put_records(struct columns *columns, const struct profile *profile,
			struct texts *comms, struct texts *hosts)
{
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		const struct profile_task *task = &profile->tasks[record->task];
		struct row row = {
			.node = record->node ?: profile->nr_nodes + record->context,
			.cpu = record->cpu, .context = record->context,
			.pid = task->pid, .tid = task->tid,
			.weight = record->periods,
		};

		if (!record->periods)
			continue;
		row.comm = texts_find(columns, comms, task->comm);
		row.host = texts_find(columns, hosts,
				      profile_host(profile, task));
		put_row(columns, &row);
	}
}

/* Write lost periods. Those in no CPU's books are given an unknown CPU. */
static void put_losses(struct columns *columns, const struct profile *profile)
{
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++) {
		uint64_t rest = profile->books.lost[i];

		for (uint32_t j = 0; j < profile->nr_cpus; j++) {
			uint64_t lost = profile->cpus[j].books.lost[i];

			if (lost)
				put_lost(columns, profile->cpus[j].cpu,
					 profile_lost_name(i), lost);
			rest -= rest < lost ? rest : lost;
		}
		if (rest)
			put_lost(columns, -1, profile_lost_name(i), rest);
	}
}

static json_t *books_json(struct columns *columns,
			  const struct profile_books *books)
{
	json_t *json = json_object(), *lost;

	member(columns, json, "expected", figure(books->expected));
	member(columns, json, "fires", figure(books->fires));
	member(columns, json, "missed", figure(books->missed));
	if (books->overdue)
		member(columns, json, "overdue", signed_figure(books->overdue));
	member(columns, json, "stored", figure(books->stored));
	member(columns, json, "filtered", figure(books->filtered));
	member(columns, json, "truncated", figure(books->truncated));
	lost = member(columns, json, "lost", json_object());
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		member(columns, lost, profile_lost_name(i),
		       figure(books->lost[i]));
	return json;
}

static void put_books(struct columns *columns, const struct profile *profile)
{
	json_t *cpus = member(columns, columns->data, "cpus", json_array());
	char advice[BOOKS_ADVICE_MAX];

	if (books_advice_all(profile, advice))
		member(columns, columns->data, "advice", text(advice));
	member(columns, columns->data, "books",
	       books_json(columns, &profile->books));
	for (uint32_t i = 0; i < profile->nr_cpus; i++) {
		json_t *one = books_json(columns, &profile->cpus[i].books);

		member(columns, one, "cpu", number(profile->cpus[i].cpu));
		put(columns, cpus, one);
	}
}

static void put_facts(struct columns *columns, json_t *session,
		      const struct profile *profile)
{
	const struct profile_meta *meta = &profile->meta;
	char fact[PROFILE_EVENT_MAX + 8], lasted[DURATION_TEXT], range[RANGE_FACT];
	char date[ORIGIN_DATE], machine[ORIGIN_TEXT];

	if (meta->host[0])
		put(columns, session, text(meta->host));
	if (meta->release[0]) {
		snprintf(fact, sizeof(fact), "Linux %s", meta->release);
		put(columns, session, text(fact));
	}
	if (profile->nr_cpus) {
		snprintf(fact, sizeof(fact), "%" PRIu32 " CPU%s", profile->nr_cpus,
			 profile->nr_cpus > 1 ? "s" : "");
		put(columns, session, text(fact));
	}
	if (meta->settings.hz) {
		snprintf(fact, sizeof(fact), "%" PRIu32 " Hz", meta->settings.hz);
		put(columns, session, text(fact));
	}
	if (meta->duration_ns)
		put(columns, session,
		    text(duration_text(lasted, meta->duration_ns)));
	if (*profile_event(meta)) {
		snprintf(fact, sizeof(fact), "event %s", profile_event(meta));
		put(columns, session, text(fact));
	}
	if (*origin_date(date, meta))
		put(columns, session, text(date));
	if (*origin_machine(machine, &meta->origin))
		put(columns, session, text(machine));
	if (*meta->origin.cmdline)
		put(columns, session, text(meta->origin.cmdline));
	if (meta->range_end_ns)
		put(columns, session,
		    text(range_fact(range, meta->range_begin_ns,
				    meta->range_end_ns)));
}

static int put_profile(struct columns *columns, const struct profile *profile)
{
	json_t *comm = member(columns, columns->data, "comms", json_array());
	json_t *host = member(columns, columns->data, "hosts", json_array());
	struct texts names = { .are_names = true };
	struct texts comms = { 0 }, hosts = { 0 };
	int err = texts_init(&names, columns->names, (size_t)profile->nr_frames + 2);

	err = err ?: texts_init(&comms, comm, profile->nr_tasks);
	err = err ?: texts_init(&hosts, host, profile->nr_tasks);
	if (!err) {
		put_stacks(columns, profile, &names);
		put_records(columns, profile, &comms, &hosts);
		put_losses(columns, profile);
		put_books(columns, profile);
		member(columns, columns->data, "unit",
		       text(profile_unit(&profile->meta)));
		member(columns, columns->data, "hasContexts", json_true());
	}
	texts_deinit(&names);
	texts_deinit(&comms);
	texts_deinit(&hosts);
	return err;
}

/* ---- folded text ---- */

/* Write a frame per node, except commands, which the page groups by. */
static void put_tree_nodes(struct columns *columns, const struct tree *tree,
			   struct texts *names, struct texts *comms,
			   uint32_t *comm_of)
{
	const struct tree_node *nodes = tree->nodes;

	put_node(columns, 0, 0);
	put_frame(columns, texts_find(columns, names, nodes[0].name), TREE_ROOT);
	comm_of[0] = texts_find(columns, comms, "[unknown]");
	for (uint32_t i = 1; i < tree->nr_nodes; i++) {
		bool is_comm = !nodes[i].parent && nodes[i].kind == TREE_TASK;
		uint32_t parent = nodes[i].parent;

		comm_of[i] = is_comm ? texts_find(columns, comms, nodes[i].name) :
			     comm_of[parent];
		if (parent && !nodes[parent].parent &&
		    nodes[parent].kind == TREE_TASK)
			parent = 0;
		put_node(columns, parent, i);
		put_frame(columns, texts_find(columns, names, nodes[i].name),
			  nodes[i].kind);
	}
}

/* Write a lost node; its reason is "overload" in "[lost: overload]". */
static void put_lost_node(struct columns *columns, const struct tree_node *node)
{
	const char *reason = strchr(node->name, ':');
	char *copy = strdup(reason ? reason + 2 : node->name);

	if (!copy) {
		columns->failed = true;
		return;
	}
	copy[strcspn(copy, "]")] = '\0';
	put_lost(columns, -1, copy, node->self);
	free(copy);
}

static void put_tree_records(struct columns *columns, const struct tree *tree,
			     const uint32_t *comm_of)
{
	const struct tree_node *nodes = tree->nodes;

	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		bool is_comm = i && !nodes[i].parent && nodes[i].kind == TREE_TASK;

		if (!nodes[i].self)
			continue;
		if (nodes[i].kind == TREE_LOST && !nodes[i].parent)
			put_lost_node(columns, &nodes[i]);
		else
			put_row(columns, &(struct row){
				.node = is_comm ? 0 : i, .comm = comm_of[i],
				.weight = nodes[i].self,
			});
	}
}

static int put_tree(struct columns *columns, const struct tree *tree)
{
	json_t *array = member(columns, columns->data, "comms", json_array());
	uint32_t *comm_of = calloc(tree->nr_nodes, sizeof(*comm_of));
	struct texts names = { .are_names = true }, comms = { 0 };
	int err = texts_init(&names, columns->names, tree->nr_nodes);

	err = err ?: texts_init(&comms, array, (size_t)tree->nr_nodes + 1);
	if (!comm_of)
		err = -ENOMEM;
	if (!err) {
		put_tree_nodes(columns, tree, &names, &comms, comm_of);
		put_tree_records(columns, tree, comm_of);
		member(columns, columns->data, "unit", json_string("samples"));
		member(columns, columns->data, "hasContexts", json_false());
		member(columns, columns->data, "hosts", json_pack("[s]", "[unknown]"));
		member(columns, columns->data, "books", json_null());
		member(columns, columns->data, "cpus", json_array());
	}
	free(comm_of);
	texts_deinit(&names);
	texts_deinit(&comms);
	return err;
}

/* ---- both ---- */

/* Write the marks, in the order of their shades. */
static void put_marks(struct columns *columns)
{
	json_t *marks = member(columns, columns->data, "marks", json_array());

	for (unsigned int i = 0; paint_mark_name(i); i++)
		put(columns, marks, json_string(paint_mark_name(i)));
}

static void put_shades(struct columns *columns)
{
	static const char *const pages[] = { "light", "dark" };
	json_t *shades = member(columns, columns->data, "shades", json_object());

	for (int dark = 0; dark < 2; dark++) {
		json_t *page = member(columns, shades, pages[dark], json_object());

		for (int kind = TREE_TASK; kind <= TREE_MARK; kind++) {
			char name[] = { paint_kind_letter(kind), '\0' }, hex[8];
			json_t *list = member(columns, page, name, json_array());
			uint32_t rgb;

			for (unsigned int i = 0; ; i++) {
				rgb = paint_kind_shade(kind, i, dark);
				if (rgb > 0xffffff)
					break;
				snprintf(hex, sizeof(hex), "#%06x", rgb);
				put(columns, list, json_string(hex));
			}
		}
	}
}

static void put_levels(struct columns *columns, const struct fold_options *by)
{
	json_t *levels = member(columns, columns->data, "by", json_array());

	for (unsigned int i = 0; i < by->nr_by; i++) {
		put(columns, levels, json_string(fold_level_name(by->by[i])));
		columns->has_pids |= by->by[i] == FOLD_PID;
		columns->has_tids |= by->by[i] == FOLD_TID;
	}
}

static void put_session(struct columns *columns,
			const struct html_options *options)
{
	json_t *session = member(columns, columns->data, "session", json_array());

	if (options->profile)
		put_facts(columns, session, options->profile);
	if (options->note)
		put(columns, session, text(options->note));
}

json_t *html_data_create(const struct html_options *options)
{
	struct columns columns = { 0 };
	int err;

	columns_init(&columns);
	member(&columns, columns.data, "title", text(options->title));
	put_levels(&columns, options->by);
	if (options->profile)
		err = put_profile(&columns, options->profile);
	else
		err = put_tree(&columns, options->tree);
	put_session(&columns, options);
	put_shades(&columns);
	put_marks(&columns);
	member(&columns, columns.data, "total", weight_json(columns.total));
	if (!err && !columns.failed)
		return columns.data;
	json_decref(columns.data);
	return NULL;
}
