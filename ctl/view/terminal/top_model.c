// SPDX-License-Identifier: GPL-2.0
/*
 * State of flamectl top: see top_state.h. The rows are made in top_rows.c.
 */
#include "view/terminal/top_model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/percent.h"
#include "profile/books.h"
#include "tree/flat.h"
#include "view/terminal/top_rows.h"

uint64_t top_busy(const struct top_load *load)
{
	return load->contexts[FLAMEMOD_CONTEXT_USER] +
	       load->contexts[FLAMEMOD_CONTEXT_TASK] +
	       load->contexts[FLAMEMOD_CONTEXT_SOFTIRQ] +
	       load->contexts[FLAMEMOD_CONTEXT_HARDIRQ];
}

int top_model_init(struct top_model *model)
{
	memset(model, 0, sizeof(*model));
	model->nr_bys = top_by_all(model->bys);
	for (int i = 0; i < TOP_BYS_MAX; i++) {
		model->histories[i] = history_create();
		if (!model->histories[i])
			return -ENOMEM;
	}
	model->loads = history_create();
	model->places = profile_create();
	return model->loads && model->places ? 0 : -ENOMEM;
}

void top_model_deinit(struct top_model *model)
{
	for (int i = 0; i < TOP_BYS_MAX; i++)
		history_destroy(model->histories[i]);
	history_destroy(model->loads);
	profile_destroy(model->places);
	profile_destroy(model->delta);
	tree_destroy(model->tree);
	flat_destroy(model->flat);
	free(model->cpus);
	free(model->rows);
	arena_deinit(&model->names);
	free(model->opened);
	memset(model, 0, sizeof(*model));
}

/* ---- an interval ---- */

static uint16_t share(uint64_t part, uint64_t whole)
{
	return whole ? (uint16_t)percent_hundredths(part, whole) : 0;
}

static void load_add(struct top_load *load, const struct top_load *more)
{
	load->whole += more->whole;
	load->lost += more->lost;
	for (unsigned int i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		load->contexts[i] += more->contexts[i];
}

static struct top_load *find_load(struct top_model *model, uint32_t cpu)
{
	uint32_t low = 0, high = model->nr_cpus;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (model->cpus[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low < model->nr_cpus && model->cpus[low].cpu == cpu ?
	       &model->cpus[low] : NULL;
}

static int take_loads(struct top_model *model, const struct profile *delta)
{
	struct top_load *loads = calloc((size_t)delta->nr_cpus + 1,
					sizeof(*loads));
	uint64_t came, went;

	if (!loads)
		return -ENOMEM;
	free(model->cpus);
	model->cpus = loads;
	model->nr_cpus = delta->nr_cpus;
	for (uint32_t i = 0; i < delta->nr_cpus; i++) {
		if (books_sides(&delta->cpus[i].books, &came, &went))
			return -EOVERFLOW;
		loads[i].cpu = delta->cpus[i].cpu;
		loads[i].whole = came;
		loads[i].lost = profile_lost(&delta->cpus[i].books);
	}
	for (uint32_t i = 0; i < delta->nr_records; i++) {
		const struct profile_record *record = &delta->records[i];
		struct top_load *load = find_load(model, record->cpu);

		if (load)
			load->contexts[record->context] += record->periods;
	}
	memset(&model->sum, 0, sizeof(model->sum));
	for (uint32_t i = 0; i < model->nr_cpus; i++)
		load_add(&model->sum, &loads[i]);
	model->whole = model->sum.whole;
	return 0;
}

static int remember_loads(struct top_model *model)
{
	char name[TOP_CPU_NAME];
	int err = 0;

	history_begin(model->loads);
	for (uint32_t i = 0; i < model->nr_cpus && !err; i++) {
		const struct top_load *load = &model->cpus[i];

		top_cpu_name(name, load->cpu);
		err = history_set(model->loads, name,
				  share(top_busy(load), load->whole));
	}
	return err;
}

static int remember_groups(struct top_model *model,
			   const struct fold_options *by,
			   struct history *history, const struct tree *tree)
{
	char text[TOP_GROUP_TEXT];
	int err = 0;

	for (uint32_t i = 1; i < tree->nr_nodes && !err; i++)
		if (top_by_is_group(by, tree, i))
			err = history_set(history,
					  top_by_group_text(text, tree, i),
					  share(tree->nodes[i].total,
						model->whole));
	return err;
}

/* Record the functions' totals. */
static int remember_functions(struct top_model *model, struct history *history,
			      const struct tree *tree)
{
	struct flat *flat;
	int err = flat_create(&flat, tree);

	if (err)
		return err;
	for (uint32_t i = 0; i < flat->nr_functions && !err; i++)
		err = history_set(history, flat->functions[i].name,
				  share(flat->functions[i].total,
					model->whole));
	flat_destroy(flat);
	return err;
}

static int remember(struct top_model *model)
{
	int err = remember_loads(model);

	for (unsigned int i = 0; i < model->nr_bys && !err; i++) {
		const struct fold_options *by = &model->bys[i];
		struct history *history = model->histories[i];
		struct tree *tree = by->nr_by ? top_fold_groups(model, by) :
						top_fold(model, by, true);

		if (!tree)
			return -ENOMEM;
		history_begin(history);
		err = by->nr_by ?
		      remember_groups(model, by, history, tree) :
		      remember_functions(model, history, tree);
		tree_destroy(tree);
	}
	return err;
}

/* An event has no page of CPUs: the list is shown instead. */
static enum top_page page_of(const struct top_model *model, enum top_page page)
{
	return page == TOP_CPUS && top_model_of_event(model) ? TOP_LIST : page;
}

int top_model_take(struct top_model *model, struct profile *delta)
{
	int err;

	profile_destroy(model->delta);
	model->delta = delta;
	model->page = page_of(model, model->page);
	/* checked first, as no share may exceed its whole */
	err = profile_check(delta, NULL) ?: take_loads(model, delta) ?:
	      remember(model);
	return err ?: top_rows_make(model);
}

/* ---- what was asked for ---- */

static int start_over(struct top_model *model)
{
	model->cursor.selected = 0;
	model->follows = false;
	model->cursor.first = 0;
	model->nr_rows = 0;
	return top_rows_make(model);
}

int top_model_show(struct top_model *model, enum top_page page)
{
	model->page = page_of(model, page);
	return start_over(model);
}

void top_model_by(struct top_model *model, const struct fold_options *by)
{
	for (model->by = 0; model->by < model->nr_bys; model->by++)
		if (top_by_same(&model->bys[model->by], by))
			return;
	/* it replaces another one that was asked for */
	if (model->nr_bys == TOP_BYS_MAX)
		model->by = --model->nr_bys;
	model->bys[model->nr_bys++] = *by;
}

int top_model_group(struct top_model *model)
{
	do
		model->by = (model->by + 1) % model->nr_bys;
	while (top_model_of_event(model) && fold_is_by(&model->bys[model->by], FOLD_CPU));
	return start_over(model);
}

int top_model_sort(struct top_model *model)
{
	model->by_total = !model->by_total;
	return start_over(model);
}

int top_model_idle(struct top_model *model)
{
	model->show_idle = !model->show_idle;
	return top_rows_make(model);
}

int top_model_filter(struct top_model *model, const char *text)
{
	size_t length = strnlen(text, TOP_FILTER_MAX);

	memcpy(model->filter, text, length);
	model->filter[length] = '\0';
	return start_over(model);
}

static int reserve_opened(struct top_model *model, uint32_t key)
{
	uint32_t room = model->max_opened ?: 256;
	uint8_t *opened;

	while (room <= key)
		room *= 2;
	if (room == model->max_opened)
		return 0;
	opened = realloc(model->opened, room);
	if (!opened)
		return -ENOMEM;
	memset(opened + model->max_opened, 0, room - model->max_opened);
	model->opened = opened;
	model->max_opened = room;
	return 0;
}

static int set_open(struct top_model *model, uint32_t row, bool open)
{
	uint32_t key = model->rows[row].key;
	int err = reserve_opened(model, key);

	if (!err)
		model->opened[key] = open;
	return err ?: top_rows_make(model);
}

int top_model_open(struct top_model *model)
{
	uint32_t row = model->cursor.selected;
	int err = 0;

	if (model->page != TOP_TREE)
		return 0;
	while (!err && row < model->nr_rows && model->rows[row].may_open &&
	       !model->rows[row].is_open) {
		err = set_open(model, row, true);
		/* continue only as long as there is a single child */
		if (row + 2 < model->nr_rows &&
		    model->rows[row + 2].depth == model->rows[row + 1].depth)
			break;
		row++;
	}
	return err;
}

int top_model_close(struct top_model *model)
{
	uint32_t row = model->cursor.selected, depth;

	if (model->page != TOP_TREE || row >= model->nr_rows)
		return 0;
	if (model->rows[row].is_open)
		return set_open(model, row, false);
	depth = model->rows[row].depth;
	while (row && model->rows[row].depth >= depth)
		row--;
	top_model_move(model, (int64_t)row - model->cursor.selected);
	return 0;
}

/* ---- where the eye is ---- */

void top_model_move(struct top_model *model, int64_t rows)
{
	cursor_move(&model->cursor, top_model_nr_rows(model), rows);
	if (rows)
		model->follows = model->cursor.selected;
}

void top_model_resize(struct top_model *model, uint32_t height)
{
	model->cursor.height = height;
	top_model_move(model, 0);
}
