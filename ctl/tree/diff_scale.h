/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare two weights, for graphs and for tables.
 */
#ifndef FLAMECTL_DIFF_SCALE_H
#define FLAMECTL_DIFF_SCALE_H

#include "tree/diff.h"

/* Both weights on one scale, on which @whole is everything. */
struct diff_scaled {
	unsigned __int128 a, b, whole;
};

/* room for "+18446744073709551615" or "-18446744073.71 s" and a NUL */
#define DIFF_TEXT 32

/**
 * diff_scale() - bring a pair of weights to one scale.
 * @pair: neither weight exceeds its counterpart in @whole.
 * @whole: both are above 0.
 */
struct diff_scaled diff_scale(const struct diff_pair *pair,
			      const struct diff_pair *whole, bool normalize);

/**
 * diff_hundredths() - compute @part of @whole in hundredths of a percent.
 * @part: at most @whole. The lowest bits of numbers above 2^112 are ignored:
 *         they do not affect the result.
 * @whole: above 0.
 */
unsigned int diff_hundredths(unsigned __int128 part, unsigned __int128 whole);

/**
 * diff_change() - write a change: "+1.20" (percent of all), "-12" or "-12.00
 * ms".
 * @unit: of the weights, if weights are compared; NULL to compare shares.
 */
const char *diff_change(char text[DIFF_TEXT], const struct diff_pair *pair,
			const struct diff_pair *whole, const char *unit);

/**
 * diff_amount() - write a weight: "1.20" (percent of @whole), "12" or "12.00
 * ms".
 */
const char *diff_amount(char text[DIFF_TEXT], uint64_t weight, uint64_t whole,
			const char *unit);

#endif /* FLAMECTL_DIFF_SCALE_H */
