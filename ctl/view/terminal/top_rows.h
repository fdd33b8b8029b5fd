/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of flamectl top's pages, which are rebuilt for each interval.
 */
#ifndef FLAMECTL_TOP_ROWS_H
#define FLAMECTL_TOP_ROWS_H

#include "view/terminal/top_state.h"

/* Room for "cpu 4294967295". */
#define TOP_CPU_NAME	16

/** top_cpu_name() - write "cpu N", the name fold_profile() gives that group. */
void top_cpu_name(char name[TOP_CPU_NAME], uint32_t cpu);

/**
 * top_fold() - fold the interval into a tree. Return: NULL if out of memory.
 */
struct tree *top_fold(const struct top_model *model,
		      const struct fold_options *by, bool with_idle);

/**
 * top_fold_groups() - as top_fold(), for groups without their stacks, which
 * takes a fraction of the time.
 * @by: has at least one level.
 */
struct tree *top_fold_groups(const struct top_model *model,
			     const struct fold_options *by);

/**
 * top_rows_make() - rebuild tree and rows; the selected row stays selected.
 *
 * Return: 0 or -ENOMEM.
 */
int top_rows_make(struct top_model *model);

#endif /* FLAMECTL_TOP_ROWS_H */
