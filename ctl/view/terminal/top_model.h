/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What flamectl top does with its state when an interval ends or a key is pressed.
 * It uses neither terminal nor module.
 */
#ifndef FLAMECTL_TOP_MODEL_H
#define FLAMECTL_TOP_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "view/terminal/top_state.h"

/** top_model_init() - set up an empty model. Return: 0 or -ENOMEM. */
int top_model_init(struct top_model *model);

/** top_model_deinit() - free what @model holds; it may be zeroed. */
void top_model_deinit(struct top_model *model);

/**
 * top_model_take() - show another interval.
 * @delta: owned by the model from now on, even on error.
 *
 * Return: 0, -ENOMEM, -EBADMSG if its books do not balance, or -EOVERFLOW
 * for too many different names. The books are the counts of what became of each
 * timer period: fires + missed = stored + filtered + lost.
 */
int top_model_take(struct top_model *model, struct profile *delta);

/* The actions of keys. Return: 0 or -errno as above. */

/** top_model_show() - go to another page; of an event, to the list instead of the CPUs. */
int top_model_show(struct top_model *model, enum top_page page);

/** top_model_by() - set the initial grouping, before the first interval. */
void top_model_by(struct top_model *model, const struct fold_options *by);

/** top_model_group() - switch to the next grouping; of an event, to none by CPU. */
int top_model_group(struct top_model *model);

/** top_model_sort() - switch between sorting by total and by self. */
int top_model_sort(struct top_model *model);

/** top_model_idle() - show or hide idle time. */
int top_model_idle(struct top_model *model);

/**
 * top_model_filter() - show only names that contain @text, ignoring case: rows
 * of the list, stacks of the tree; "" for all.
 */
int top_model_filter(struct top_model *model, const char *text);

/** top_model_open() - open the selected row, and any chain of only callees. */
int top_model_open(struct top_model *model);

/** top_model_close() - close the selected row, or go to its caller. */
int top_model_close(struct top_model *model);

/** top_model_move() - move the selection by @rows, within the list. */
void top_model_move(struct top_model *model, int64_t rows);

/** top_model_resize() - set the number of rows that fit on the screen. */
void top_model_resize(struct top_model *model, uint32_t height);

/** top_busy() - return the periods neither idle, filtered nor lost. */
uint64_t top_busy(const struct top_load *load);

#endif /* FLAMECTL_TOP_MODEL_H */
