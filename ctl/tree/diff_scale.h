/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How two weights compare, for graphs and for tables.
 */
#ifndef FLAMECTL_DIFF_SCALE_H
#define FLAMECTL_DIFF_SCALE_H

#include "tree/diff.h"

/* Both on one scale, of which all is @whole. */
struct diff_scaled {
	unsigned __int128 a, b, whole;
};

/* "+18446744073709551615", "-18446744073.71 s" and a NUL */
#define DIFF_TEXT 32

/**
 * diff_scale() - bring a pair to one scale; no weight of @pair is above its
 * part of @whole, and both of that are above 0.
 */
struct diff_scaled diff_scale(const struct diff_pair *pair,
			      const struct diff_pair *whole, bool normalize);

/**
 * diff_hundredths() - @part of @whole in hundredths of a percent.
 * @part: at most @whole. The lowest bits of numbers past 2^112 are ignored:
 *        they do not show.
 * @whole: above 0.
 */
unsigned int diff_hundredths(unsigned __int128 part, unsigned __int128 whole);

/**
 * diff_change() - "+1.20" percent of all, or "-12" and "-12.00 ms".
 * @unit: of weights that are compared as they are; NULL for their shares.
 */
const char *diff_change(char text[DIFF_TEXT], const struct diff_pair *pair,
			const struct diff_pair *whole, const char *unit);

/** diff_amount() - "1.20" percent of @whole, or "12" and "12.00 ms". */
const char *diff_amount(char text[DIFF_TEXT], uint64_t weight, uint64_t whole,
			const char *unit);

#endif /* FLAMECTL_DIFF_SCALE_H */
