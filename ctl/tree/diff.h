/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two call trees compared: A is before, B is after.
 *
 * Weights of two runs are seldom of the same length, so that shares are
 * compared, unless asked otherwise: what is a tenth in both has not changed.
 */
#ifndef FLAMECTL_DIFF_H
#define FLAMECTL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* A frame's, or a function's, weights in both. */
struct diff_pair {
	uint64_t a, b;
};

struct diff {
	struct tree *tree;		/* to be drawn */
	struct diff_pair *pairs;	/* totals, by node of the tree */
	uint32_t first_gone;		/* nodes from here on are "[gone]" and below */
	struct diff_pair whole;
	uint64_t scale;			/* of the tree's weights to those of B */
	bool normalize;			/* compare shares, else weights */
	const char *unit;		/* of weights, in the plural */
};

/**
 * diff_create() - compare two summed trees.
 * @diff: set on success, to be freed by diff_destroy().
 *
 * The tree to draw is B, with B's weights. Frames that are in A only follow at
 * its root, below "[gone]", under the callers that they had, with A's weights,
 * scaled to B's whole where shares are compared and then no less than 1. So
 * each frame of B is as wide as it is in a graph of B, beside the others. Where
 * A's whole is larger than B's, all weights are a power of ten as large, so that
 * those of A can be told.
 *
 * Return: 0, -ENODATA with @error naming the one without weight, -ENOMEM, or
 * -EOVERFLOW for too many frames.
 */
int diff_create(struct diff **diff, const struct tree *a, const struct tree *b,
		bool normalize, const char *unit, struct error *error);

/** diff_destroy() - NULL is fine. */
void diff_destroy(struct diff *diff);

#endif /* FLAMECTL_DIFF_H */
