/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of names over the last intervals, for sparklines. Memory is
 * bounded: a name not seen in any of these intervals is forgotten.
 */
#ifndef FLAMECTL_HISTORY_H
#define FLAMECTL_HISTORY_H

#include <stdint.h>

/* Two minutes at two seconds an interval; this fits a wide terminal. */
#define HISTORY_INTERVALS	60

struct history;

/** history_create() - create an empty history; NULL if out of memory. */
struct history *history_create(void);

/** history_destroy() - free @history; may be NULL. */
void history_destroy(struct history *history);

/** history_begin() - start an interval, in which every name is 0 at first. */
void history_begin(struct history *history);

/**
 * history_set() - set the value of @name in the current interval.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW above 2^32 names.
 */
int history_set(struct history *history, const char *name, uint16_t value);

/**
 * history_get() - get the values of @name in the last intervals.
 * @values: oldest first; 0 if it was not seen, or on error.
 *
 * Return: as history_set().
 */
int history_get(struct history *history, const char *name,
		uint16_t values[HISTORY_INTERVALS]);

/** history_nr_names() - return the number of names remembered. */
uint32_t history_nr_names(const struct history *history);

#endif /* FLAMECTL_HISTORY_H */
