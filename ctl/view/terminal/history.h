/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What names amounted to over the last intervals, for sparklines, in bounded
 * memory: a name that was not seen for all of them is forgotten.
 */
#ifndef FLAMECTL_HISTORY_H
#define FLAMECTL_HISTORY_H

#include <stdint.h>

/* Two minutes at two seconds an interval; what a wide terminal shows. */
#define HISTORY_INTERVALS	60

struct history;

/** history_create() - nothing has been; NULL when memory is short. */
struct history *history_create(void);

/** history_destroy() - NULL is fine. */
void history_destroy(struct history *history);

/** history_begin() - begin an interval, in which all names are 0 at first. */
void history_begin(struct history *history);

/**
 * history_set() - what @name amounts to in this interval.
 *
 * Return: 0, -ENOMEM, or -EOVERFLOW past 2^32 names.
 */
int history_set(struct history *history, const char *name, uint16_t value);

/**
 * history_get() - the last intervals of @name.
 * @values: oldest first; 0 where it was not seen, or on an error.
 *
 * Return: as history_set().
 */
int history_get(struct history *history, const char *name,
		uint16_t values[HISTORY_INTERVALS]);

/** history_nr_names() - how many are remembered. */
uint32_t history_nr_names(const struct history *history);

#endif /* FLAMECTL_HISTORY_H */
