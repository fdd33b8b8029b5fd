// SPDX-License-Identifier: GPL-2.0
/*
 * The rows of flamectl top: see top_rows.h.
 *
 * A row's key is its node among the places: its name below that of its caller.
 * This identifies the row in the next interval, wherever it is sorted to.
 */
#include "view/terminal/top_rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/flat.h"
#include "tree/tree_order.h"

/* Limit of places; above it all are forgotten, and so are the opened rows. */
#define PLACES_MAX	(1U << 20)

void top_cpu_name(char name[TOP_CPU_NAME], uint32_t cpu)
{
	snprintf(name, TOP_CPU_NAME, "cpu %u", cpu);
}

struct tree *top_fold(const struct top_model *model,
		      const struct fold_options *by, bool with_idle)
{
	const struct profile *delta = model->delta;
	struct profile wanted = *delta;
	struct tree *tree;

	if (with_idle)
		return fold_profile(delta, by, NULL);
	wanted.nr_records = 0;
	wanted.records = calloc((size_t)delta->nr_records + 1,
				sizeof(*wanted.records));
	if (!wanted.records)
		return NULL;
	for (uint32_t i = 0; i < delta->nr_records; i++)
		if (delta->records[i].context != FLAMEMOD_CONTEXT_IDLE)
			wanted.records[wanted.nr_records++] = delta->records[i];
	tree = fold_profile(&wanted, by, NULL);
	free(wanted.records);
	return tree;
}

struct tree *top_fold_groups(const struct top_model *model,
			     const struct fold_options *by)
{
	struct fold_options options = *by;

	options.groups_only = true;
	return top_fold(model, &options, true);
}

/* ---- the filter ---- */

static bool matches(const struct top_model *model, const char *name)
{
	return !model->filter[0] || strcasestr(name, model->filter);
}

/*
 * Keep only stacks through a frame that matches; a parent comes before its
 * children.
 */
static int filter_tree(const struct top_model *model, struct tree **tree)
{
	const struct tree_node *nodes = (*tree)->nodes;
	uint32_t *kept, nr = (*tree)->nr_nodes;
	struct tree *filtered;
	bool *through;
	int err = 0;

	if (!model->filter[0])
		return 0;
	filtered = tree_create();
	kept = calloc(nr, sizeof(*kept));
	through = calloc(nr, sizeof(*through));
	if (!filtered || !kept || !through)
		err = -ENOMEM;
	for (uint32_t i = 1; i < nr && !err; i++)
		through[i] = through[nodes[i].parent] ||
			     matches(model, nodes[i].name);
	/* callers of a match are needed, too */
	for (uint32_t i = nr; i-- > 1 && !err;)
		kept[nodes[i].parent] |= through[i] || kept[i];
	if (!err)
		kept[0] = 0;
	for (uint32_t i = 1; i < nr && !err; i++) {
		if (!through[i] && !kept[i])
			continue;
		err = tree_add(filtered, kept[nodes[i].parent], nodes[i].name,
			       nodes[i].kind, &kept[i]);
		if (!err && through[i])
			filtered->nodes[kept[i]].self = nodes[i].self;
	}
	free(kept);
	free(through);
	if (err) {
		tree_destroy(filtered);
		return err;
	}
	tree_sum(filtered);
	tree_destroy(*tree);
	*tree = filtered;
	return 0;
}

/* ---- rows ---- */

static int add_row(struct top_model *model, const struct top_row *row)
{
	uint32_t room = model->max_rows ? 2 * model->max_rows : 256;
	struct top_row *rows;

	if (model->nr_rows == model->max_rows) {
		rows = reallocarray(model->rows, room, sizeof(*rows));
		if (!rows)
			return -ENOMEM;
		model->rows = rows;
		model->max_rows = room;
	}
	model->rows[model->nr_rows++] = *row;
	return 0;
}

static int find_place(struct top_model *model, uint32_t parent,
		      const char *name, uint32_t *key)
{
	uint32_t frame;

	return profile_add_frame(model->places, name, FLAMEMOD_FRAME_MARK,
				 &frame) ?:
	       profile_add_node(model->places, parent, frame, key);
}

static int compare_by_self(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_by_total(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* @row: complete except its key */
static int add_listed(struct top_model *model, struct top_row *row)
{
	if (!matches(model, row->name))
		return 0;
	return find_place(model, 0, row->name, &row->key) ?: add_row(model, row);
}

static int list_functions(struct top_model *model)
{
	int err = flat_create(&model->flat, model->tree);

	for (uint32_t i = 0; !err && i < model->flat->nr_functions; i++) {
		const struct flat_function *function =
			&model->flat->functions[i];
		struct top_row row = {
			.name = function->name, .self = function->self,
			.total = function->total,
			.kind = function->kind,
		};

		err = add_listed(model, &row);
	}
	return err;
}

/*
 * Return a group's name, which is composed if it has several levels. NULL if
 * out of memory.
 */
static const char *group_name(struct top_model *model, uint32_t group)
{
	char text[TOP_GROUP_TEXT], *name;
	size_t size;

	if (!model->tree->nodes[group].parent)
		return model->tree->nodes[group].name;
	size = strlen(top_by_group_text(text, model->tree, group)) + 1;
	name = arena_take(&model->names, size);
	return name ? memcpy(name, text, size) : NULL;
}

static int list_groups(struct top_model *model, const struct fold_options *by)
{
	const struct tree *tree = model->tree;
	int err = 0;

	arena_deinit(&model->names);
	model->names = (struct arena) { .left = SIZE_MAX };
	for (uint32_t i = 1; i < tree->nr_nodes && !err; i++) {
		struct top_row row = {
			.node = i, .self = tree->nodes[i].total,
			.total = tree->nodes[i].total,
			.kind = tree->nodes[i].kind,
		};

		if (!top_by_is_group(by, tree, i))
			continue;
		row.name = group_name(model, i);
		err = row.name ? add_listed(model, &row) : -ENOMEM;
	}
	return err;
}

static int make_list(struct top_model *model)
{
	const struct fold_options *by = &model->bys[model->by];
	int err = by->nr_by ? list_groups(model, by) : list_functions(model);

	if (!err && model->nr_rows)
		qsort(model->rows, model->nr_rows, sizeof(*model->rows),
		      model->by_total ? compare_by_total : compare_by_self);
	return err;
}

/* ---- the tree ---- */

/* The rows not added yet, the next one last. */
struct pending {
	struct top_row *rows;
	uint32_t nr;
	struct tree_order order;
};

static bool is_opened(const struct top_model *model, uint32_t key)
{
	return key < model->max_opened && model->opened[key];
}

static int push_children(struct top_model *model, struct pending *pending,
			 const struct top_row *above)
{
	const struct tree_node *nodes = model->tree->nodes;
	struct tree_order *order = &pending->order;
	struct top_row *rows;
	int err = tree_order_children(order, model->tree, above->node);

	if (err)
		return err;
	rows = reallocarray(pending->rows, (size_t)pending->nr + order->nr + 1,
			    sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	pending->rows = rows;
	while (order->nr && !err) {
		uint32_t node = order->nodes[--order->nr];
		struct top_row row = {
			.name = nodes[node].name, .node = node,
			.depth = above->node ? above->depth + 1 : 0,
			.self = nodes[node].self, .total = nodes[node].total,
			.kind = nodes[node].kind, .may_open = nodes[node].child,
			.matches = above->matches ||
				   matches(model, nodes[node].name),
		};

		err = find_place(model, above->key, row.name, &row.key);
		/* open the callers of a match */
		row.is_open = row.may_open && (!row.matches ||
					       is_opened(model, row.key));
		rows[pending->nr++] = row;
	}
	return err;
}

static int make_tree(struct top_model *model)
{
	struct top_row root = { .matches = !model->filter[0] };
	struct pending pending = { 0 };
	int err = push_children(model, &pending, &root);

	while (pending.nr && model->nr_rows < TOP_ROWS_MAX && !err) {
		struct top_row row = pending.rows[--pending.nr];

		err = add_row(model, &row);
		if (!err && row.is_open)
			err = push_children(model, &pending, &row);
	}
	free(pending.rows);
	tree_order_deinit(&pending.order);
	return err;
}

/* ---- all of it ---- */

static int forget_places(struct top_model *model)
{
	struct profile *places = profile_create();

	if (!places)
		return -ENOMEM;
	profile_destroy(model->places);
	model->places = places;
	if (model->opened)
		memset(model->opened, 0, model->max_opened);
	return 0;
}

static void select_key(struct top_model *model, uint32_t key)
{
	for (uint32_t i = 0; i < model->nr_rows; i++)
		if (model->rows[i].key == key)
			model->cursor.selected = i;
	cursor_move(&model->cursor, top_model_nr_rows(model), 0);
}

int top_rows_make(struct top_model *model)
{
	uint32_t key = model->follows && model->cursor.selected < model->nr_rows ?
		       model->rows[model->cursor.selected].key : 0;
	int err = 0;

	model->nr_rows = 0;
	flat_destroy(model->flat);
	tree_destroy(model->tree);
	model->flat = NULL;
	model->tree = NULL;
	if (!model->delta)
		return 0;
	if (model->places->nr_nodes > PLACES_MAX)
		err = forget_places(model);
	if (err)
		return err;
	model->tree = top_fold(model, &model->bys[model->by],
			       model->show_idle);
	if (!model->tree)
		return -ENOMEM;
	err = filter_tree(model, &model->tree);
	if (!err && model->page == TOP_LIST)
		err = make_list(model);
	else if (!err && model->page == TOP_TREE)
		err = make_tree(model);
	select_key(model, key);
	return err;
}
