/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of flamectl top's list where a row is a group of several levels:
 * one a level, in the order in which they were asked for.
 */
#ifndef FLAMECTL_TOP_COLUMNS_H
#define FLAMECTL_TOP_COLUMNS_H

#include "view/terminal/top_model.h"

/** top_columns_width() - the cells that all of them want at least. */
int top_columns_width(const struct fold_options *by);

/** top_columns_heading() - put the levels' names; the last takes the rest. */
void top_columns_heading(const struct fold_options *by, int cells);

/** top_columns_row() - put what @row, a group of @model's tree, is called. */
void top_columns_row(const struct top_model *model, const struct top_row *row,
		     int cells);

#endif /* FLAMECTL_TOP_COLUMNS_H */
