/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare two call trees: A is before, B is after.
 *
 * Two runs seldom have the same length, so shares of the whole are compared
 * unless the caller asks for weights: a function with a tenth of both has not
 * changed.
 */
#ifndef FLAMECTL_DIFF_H
#define FLAMECTL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* The weights of a frame or a function in both trees. */
struct diff_pair {
	uint64_t a, b;
};

struct diff {
	struct tree *tree;		/* the tree to draw */
	struct diff_pair *pairs;	/* totals, by node of the tree */
	uint32_t first_gone;		/* nodes from here on are "[gone]" and below */
	struct diff_pair whole;
	uint64_t scale;			/* of the tree's weights to B's */
	bool normalize;			/* compare shares, else weights */
	const char *unit;		/* of weights, in the plural */
};

/**
 * diff_create() - compare two summed trees.
 * @diff: set on success, to be freed by diff_destroy().
 *
 * The tree to draw is B, with B's weights. Frames that only A has are added at
 * its root, below "[gone]" and the callers that they had, with A's weights. If
 * shares are compared, these are scaled to B's whole and at least 1. So each
 * frame of B has the same width relative to the others as in a graph of B
 * alone. If A's whole is larger than B's, all weights are multiplied by a power
 * of ten, so that small weights of A remain distinct.
 *
 * Return: 0, -ENODATA with @error naming the tree without weight, -ENOMEM, or
 * -EOVERFLOW for too many frames.
 */
int diff_create(struct diff **diff, const struct tree *a, const struct tree *b,
		bool normalize, const char *unit, struct error *error);

/** diff_destroy() - free @diff; NULL is fine. */
void diff_destroy(struct diff *diff);

#endif /* FLAMECTL_DIFF_H */
