/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rows of flamectl top's pages, made anew from the interval that is shown.
 */
#ifndef FLAMECTL_TOP_ROWS_H
#define FLAMECTL_TOP_ROWS_H

#include "view/terminal/top_model.h"

/* "cpu 4294967295" */
#define TOP_CPU_NAME	16

/** top_cpu_name() - "cpu N", as fold_profile() calls that group. */
void top_cpu_name(char name[TOP_CPU_NAME], uint32_t cpu);

/**
 * top_fold() - the interval as a tree. Return: NULL when memory is short.
 */
struct tree *top_fold(const struct top_model *model,
		      const struct fold_options *by, bool with_idle);

/**
 * top_fold_groups() - the same of groups alone, in a fraction of the time.
 * @by: of a level, at least.
 */
struct tree *top_fold_groups(const struct top_model *model,
			     const struct fold_options *by);

/**
 * top_rows_make() - make tree and rows; the row that was selected stays so.
 *
 * Return: 0 or -ENOMEM.
 */
int top_rows_make(struct top_model *model);

#endif /* FLAMECTL_TOP_ROWS_H */
