/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State of flamectl top: the rows of an interval, the selection among them, and
 * what was asked for.
 *
 * 100 % is the time of all CPUs in the interval, including idle and unsampled
 * time, so that a share means the same whatever is left out.
 */
#ifndef FLAMECTL_TOP_STATE_H
#define FLAMECTL_TOP_STATE_H

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

/* Limit of the filter's length, in bytes. */
#define TOP_FILTER_MAX	64

/* Limit of rows opened below others; a screen has some 50. */
#define TOP_ROWS_MAX	100000

/* What became of a CPU's periods. */
struct top_load {
	uint32_t cpu;
	uint64_t whole;
	uint64_t contexts[__FLAMEMOD_CONTEXT_MAX];
	uint64_t lost;
};

/* A row of the list or the tree. */
struct top_row {
	const char *name;	/* any bytes; valid until the next change */
	uint32_t key;		/* identifies the row across intervals */
	uint32_t node;		/* in the tree; 0 in the list of functions */
	uint32_t depth;		/* 0: directly below the root */
	uint64_t self, total;	/* periods */
	enum tree_kind kind;
	bool may_open, is_open;
	bool matches;		/* it or a caller matches the filter */
};

struct top_model {
	enum top_page page;
	struct fold_options bys[TOP_BYS_MAX];
	unsigned int nr_bys, by;	/* by: the current one */
	bool by_total;			/* the list's order; else by self */
	bool show_idle;
	char filter[TOP_FILTER_MAX + 1];
	/* of the current interval */
	struct profile *delta;		/* NULL: none yet */
	struct tree *tree;		/* filtered */
	struct flat *flat;		/* for the list by function */
	uint64_t whole;			/* periods */
	struct top_load sum;		/* of all CPUs */
	struct top_load *cpus;
	uint32_t nr_cpus;
	struct top_row *rows;		/* of the page; none for TOP_CPUS */
	struct arena names;		/* of rows that are groups by levels */
	uint32_t nr_rows, max_rows;
	struct cursor cursor;
	bool follows;			/* select by row, not position */
	/* across all intervals */
	struct history *histories[TOP_BYS_MAX];
	struct history *loads;		/* by CPU */
	struct profile *places;		/* rows, as frames and nodes: keys */
	uint8_t *opened;		/* by key */
	uint32_t max_opened;
};

/** top_model_nr_rows() - return the number of rows of the current page. */
static inline uint32_t top_model_nr_rows(const struct top_model *model)
{
	return model->page == TOP_CPUS ? model->nr_cpus : model->nr_rows;
}

/** top_model_of_event() - report whether it is of an event, which is of no CPU. */
static inline bool top_model_of_event(const struct top_model *model)
{
	return model->delta && model->delta->meta.intervals.known;
}

#endif /* FLAMECTL_TOP_STATE_H */
