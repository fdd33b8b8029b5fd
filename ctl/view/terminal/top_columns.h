/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of flamectl top's list if a row is a group of several levels: one
 * per level, in the order requested.
 */
#ifndef FLAMECTL_TOP_COLUMNS_H
#define FLAMECTL_TOP_COLUMNS_H

#include "view/terminal/top_model.h"

/** top_columns_width() - return the number of cells that all columns want. */
int top_columns_width(const struct fold_options *by);

/** top_columns_heading() - write the levels' names; the last takes the rest. */
void top_columns_heading(const struct fold_options *by, int cells);

/** top_columns_row() - write the levels of @row, a group of @model's tree. */
void top_columns_row(const struct top_model *model, const struct top_row *row,
		     int cells);

#endif /* FLAMECTL_TOP_COLUMNS_H */
