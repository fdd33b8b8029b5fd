/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words of a heat map: what its rows and cells are, and what is not in it. They may be
 * any bytes, as commands are.
 */
#ifndef FLAMECTL_HEAT_WORDS_H
#define FLAMECTL_HEAT_WORDS_H

#include <stdbool.h>

#include "profile/profile.h"
#include "view/heat/heat.h"

/* Room for each of the texts below, and a NUL. */
#define HEAT_TEXT	1280

/* Colours: 0 is nothing, 10 all or the most. */
#define HEAT_STEPS	11

/** heat_row_label() - write the name beside a row: "CPU 3", "20 %", "1 us", "cat". */
const char *heat_row_label(char text[HEAT_TEXT], const struct heat *heat, uint32_t row);

/** heat_row_text() - write the same in full: "load 10 to 20 %", "1.02 us to 2.05 us". */
const char *heat_row_text(char text[HEAT_TEXT], const struct heat *heat, uint32_t row);

/**
 * heat_cell_text() - write what is in a cell: "12.00 % busy (12 of 100 periods)",
 * "12 calls (40.00 % of 30)".
 * @what: what a share of a CPU's time is: "busy"
 */
const char *heat_cell_text(char text[HEAT_TEXT], const struct heat *heat,
			   const struct heat_cell *cell, const struct profile *profile,
			   const char *what);

/** heat_most_text() - write what the last colour is: "100 % busy", "30 calls in a cell". */
const char *heat_most_text(char text[HEAT_TEXT], const struct heat *heat,
			   const struct profile *profile, const char *what);

/**
 * heat_column_text() - write how long a column is: "each column is 2.00 s", or "... about
 * 2.00 s" if they differ. The last one may be shorter. A recording of many slices joins
 * neighbours, so this is not always what was asked for.
 *
 * Return: @text.
 */
const char *heat_column_text(char text[HEAT_TEXT], const struct heat *heat);

/**
 * heat_facts() - write how much is drawn, and what is not: "all of it, in timer periods:
 * fires 10 missed 2 ...", "30 calls drawn of 42 seen; not drawn: 12 below 1.00 us".
 */
const char *heat_facts(char text[HEAT_TEXT], const struct heat *heat,
		       const struct profile *profile);

/** heat_counts() - report whether cells have amounts, not shares of a CPU's time. */
bool heat_counts(const struct heat *heat);

/**
 * heat_step() - choose the colour of a cell: of shares of a CPU's time, and of the largest
 * weight, in even steps; of calls on a logarithmic scale, as a few matter beside many.
 */
unsigned int heat_step(const struct heat *heat, const struct heat_cell *cell);

#endif /* FLAMECTL_HEAT_WORDS_H */
