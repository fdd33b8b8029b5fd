/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree as text for people: as a tree, or as a list of functions. Names
 * are written so that they steer no terminal.
 */
#ifndef FLAMECTL_REPORT_H
#define FLAMECTL_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "tree/flat.h"
#include "tree/tree.h"

/* Shares are coloured from these on, as perf does, in millionths. */
#define REPORT_HOT_PPM	50000
#define REPORT_WARM_PPM	5000

struct report_options {
	const struct profile *profile;	/* whose books to tell, or NULL */
	const char *unit;		/* what weights count, in the plural */
	uint64_t left_out;		/* by a selection */
	uint32_t threshold_ppm;		/* less than this share of all is summed up */
	uint32_t depth;			/* of the tree, UINT32_MAX for all */
	bool callers;			/* the tree is a reversed one */
	bool color;
};

/**
 * report_tree() - a summed tree, the root on top, what weighs most first.
 *
 * A frame stands below its caller; where it is one of several, or not all of
 * its caller's time, it is indented. What is below the threshold is one line
 * that says how many and how much, so that children and self sum to the total.
 *
 * Return: 0, -ENOMEM, -ENODATA for a tree without weight, or -errno of the
 * stream.
 */
int report_tree(const struct tree *tree, const struct report_options *options,
		FILE *out);

/**
 * report_flat() - functions by their self; those whose total is below the
 * threshold are one line. Return: as report_tree().
 */
int report_flat(const struct flat *flat, const struct report_options *options,
		FILE *out);

#endif /* FLAMECTL_REPORT_H */
