/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What flamectl top shows: rows by interval, where the eye is among them, and
 * what was asked for. No terminal and no module is known here.
 *
 * 100 % is all time of all CPUs in the interval, idle and unsampled time too,
 * so that a share means the same whatever is left out.
 */
#ifndef FLAMECTL_TOP_MODEL_H
#define FLAMECTL_TOP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "profile/profile.h"
#include "tree/tree.h"
#include "view/terminal/cursor.h"
#include "view/terminal/history.h"
#include "view/terminal/top_by.h"

enum top_page { TOP_LIST, TOP_TREE, TOP_CPUS, TOP_PAGES };

/* The longest filter, in bytes. */
#define TOP_FILTER_MAX	64

/* The most rows that are opened below others; a screen is some 50 high. */
#define TOP_ROWS_MAX	100000

/* Where a CPU's periods went. */
struct top_load {
	uint32_t cpu;
	uint64_t whole;
	uint64_t contexts[__FLAMEMOD_CONTEXT_MAX];
	uint64_t lost;
};

/* Of the list and the tree. */
struct top_row {
	const char *name;	/* any bytes; until the next change */
	uint32_t key;		/* of the same row in every interval */
	uint32_t node;		/* of the tree; 0 in the list of functions */
	uint32_t depth;		/* 0: right below the root */
	uint64_t self, total;	/* periods */
	enum tree_kind kind;
	bool may_open, is_open;
	bool matches;		/* the filter, itself or a caller */
};

struct top_model {
	enum top_page page;
	struct fold_options bys[TOP_BYS_MAX];
	unsigned int nr_bys, by;	/* by: the one that is shown */
	bool by_total;			/* the list's order; else by self */
	bool show_idle;
	char filter[TOP_FILTER_MAX + 1];
	/* of the interval that is shown */
	struct profile *delta;		/* NULL: none yet */
	struct tree *tree;		/* as filtered */
	struct flat *flat;		/* of the list by function */
	uint64_t whole;			/* periods */
	struct top_load sum;		/* of all CPUs */
	struct top_load *cpus;
	uint32_t nr_cpus;
	struct top_row *rows;		/* of the page; none for the CPUs' */
	struct arena names;		/* of rows that are groups of several levels */
	uint32_t nr_rows, max_rows;
	struct cursor cursor;
	bool follows;			/* the row, not the first place, is selected */
	/* of all intervals */
	struct history *histories[TOP_BYS_MAX];
	struct history *loads;		/* by CPU */
	struct profile *places;		/* rows, as frames and nodes, for keys */
	uint8_t *opened;		/* by key */
	uint32_t max_opened;
};

/** top_model_init() - Return: 0 or -ENOMEM. */
int top_model_init(struct top_model *model);

/** top_model_deinit() - free what it holds; fine after zeroing. */
void top_model_deinit(struct top_model *model);

/**
 * top_model_take() - show another interval.
 * @delta: the model's from now on, on an error too.
 *
 * Return: 0, -ENOMEM, -EBADMSG where its books do not balance, or -EOVERFLOW
 * for more names than are kept apart.
 */
int top_model_take(struct top_model *model, struct profile *delta);

/*
 * What keys do. Return: 0 or -errno as above.
 */

/** top_model_show() - another page. */
int top_model_show(struct top_model *model, enum top_page page);

/** top_model_by() - rows by @by at first; before the first interval. */
void top_model_by(struct top_model *model, const struct fold_options *by);

/** top_model_group() - rows of the next kind. */
int top_model_group(struct top_model *model);

/** top_model_sort() - by total rather than self, or back. */
int top_model_sort(struct top_model *model);

/** top_model_idle() - idle time too, or no more. */
int top_model_idle(struct top_model *model);

/**
 * top_model_filter() - only what has @text in its name, in any case: rows of
 * the list, stacks of the tree; "" for all.
 */
int top_model_filter(struct top_model *model, const char *text);

/** top_model_open() - open the selected row, with all only callees below. */
int top_model_open(struct top_model *model);

/** top_model_close() - close the selected row, or go to its caller. */
int top_model_close(struct top_model *model);

/** top_model_move() - select the row so many below, as far as there is one. */
void top_model_move(struct top_model *model, int64_t rows);

/** top_model_resize() - the screen has room for so many rows. */
void top_model_resize(struct top_model *model, uint32_t height);

/** top_model_nr_rows() - of the page. */
static inline uint32_t top_model_nr_rows(const struct top_model *model)
{
	return model->page == TOP_CPUS ? model->nr_cpus : model->nr_rows;
}

/** top_busy() - periods neither idle, nor filtered, nor lost. */
uint64_t top_busy(const struct top_load *load);

#endif /* FLAMECTL_TOP_MODEL_H */
