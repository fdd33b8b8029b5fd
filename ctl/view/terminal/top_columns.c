// SPDX-License-Identifier: GPL-2.0
/*
 * Columns of the list: see top_columns.h. Each has a fixed width, so that
 * nothing moves between intervals; if they do not all fit, all become narrower.
 */
#include "view/terminal/top_columns.h"

#include <string.h>

#include "view/terminal/screen.h"

#define GAP		2
#define NARROWEST	3
#define LAST_WIDTH	24	/* wanted by the last column */

/* Numbers are shown without their level's word; see cell_text(). */
static const int widths[FOLD_LEVEL_MAX] = {
	[FOLD_COMM] = 15,		/* TASK_COMM_LEN - 1 */
	[FOLD_PID] = 7,			/* PID_MAX_LIMIT has seven digits */
	[FOLD_TID] = 7,
	[FOLD_CPU] = 4,
	[FOLD_CONTEXT] = 9,		/* "[softirq]" */
	[FOLD_HOST] = 16,
	[FOLD_CGROUP] = 32,
	[FOLD_MODULE] = 16,
	[FOLD_FUNCTION] = 32,
};

static const char *const titles[FOLD_LEVEL_MAX] = {
	[FOLD_COMM] = "COMM", [FOLD_PID] = "PID", [FOLD_TID] = "TID",
	[FOLD_CPU] = "CPU", [FOLD_CONTEXT] = "CONTEXT", [FOLD_HOST] = "HOST",
	[FOLD_CGROUP] = "CGROUP", [FOLD_MODULE] = "MODULE", [FOLD_FUNCTION] = "FUNCTION",
};

static enum fold_level level_of(const struct fold_options *by, unsigned int i)
{
	return by->nr_by ? by->by[i] : FOLD_FUNCTION;
}

/* Sum the widths of all columns but the last. */
static int fixed_width(const struct fold_options *by)
{
	int width = 0;

	for (unsigned int i = 0; i + 1 < by->nr_by; i++)
		width += widths[by->by[i]] + GAP;
	return width;
}

int top_columns_width(const struct fold_options *by)
{
	return fixed_width(by) + LAST_WIDTH;
}

/* Return the width of column @i if all columns share @cells. */
static int width_of(const struct fold_options *by, unsigned int i, int cells)
{
	int wanted = top_columns_width(by), width = widths[level_of(by, i)];

	if (cells < wanted)
		width = (width + GAP) * cells / wanted - GAP;
	return width < NARROWEST ? NARROWEST : width;
}

/* Write column @i of @nr; the last one takes all cells that are @left. */
static void put_column(const char *text, unsigned int i, unsigned int nr,
		       int width, int *left)
{
	if (*left <= 0)
		return;
	if (i + 1 < nr) {
		screen_cell(text, width < *left ? width : *left);
		if (*left > width)
			screen_cell("", *left - width < GAP ? *left - width : GAP);
	} else {
		screen_name(text, *left);
	}
	*left -= width + GAP;
}

void top_columns_heading(const struct fold_options *by, int cells)
{
	unsigned int nr = by->nr_by ?: 1;
	int left = cells;

	for (unsigned int i = 0; i < nr; i++)
		put_column(titles[level_of(by, i)], i, nr,
			   width_of(by, i, cells), &left);
}

/* Return "12" for "pid 12", in the column PID. */
static const char *cell_text(enum fold_level level, const char *name)
{
	const char *word = fold_level_name(level);
	size_t length = strlen(word);

	return !strncmp(name, word, length) && name[length] == ' ' &&
	       (level == FOLD_PID || level == FOLD_TID || level == FOLD_CPU ||
		level == FOLD_HOST) ? name + length + 1 : name;
}

void top_columns_row(const struct top_model *model, const struct top_row *row,
		     int cells)
{
	const struct fold_options *by = &model->bys[model->by];
	uint32_t nodes[FOLD_LEVEL_MAX];
	unsigned int nr = top_by_nodes(model->tree, row->node, nodes);
	int left = cells;

	for (unsigned int i = 0; i < nr; i++)
		put_column(cell_text(by->by[i],
				     model->tree->nodes[nodes[i]].name),
			   i, nr, width_of(by, i, cells), &left);
}
