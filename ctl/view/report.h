/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call tree as text for people: as a tree, or as a list of functions. Control
 * characters in names are not sent to the terminal.
 */
#ifndef FLAMECTL_REPORT_H
#define FLAMECTL_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "tree/flat.h"
#include "tree/tree.h"

/* Shares from these on are coloured, as perf does, in millionths. */
#define REPORT_HOT_PPM	50000
#define REPORT_WARM_PPM	5000

struct report_options {
	const struct profile *profile;	/* whose books to show, or NULL */
	const char *unit;		/* of weights, in the plural */
	const char *note;		/* of how weights are counted, or NULL */
	uint64_t left_out;		/* weight excluded by a selection */
	uint32_t threshold_ppm;		/* sum up what is below this share */
	uint32_t depth;			/* of the tree; UINT32_MAX: no limit */
	bool callers;			/* the tree is reversed */
	bool color;
};

/**
 * report_tree() - write a summed tree, the root on top, the heaviest first.
 *
 * A frame is below its caller. It is indented if it has siblings or takes less
 * than its caller's time. Frames below the threshold become one line with their
 * number and weight, so that children and self sum to the total.
 *
 * Return: 0, -ENOMEM, -ENODATA for a tree without weight, or -errno of the
 * stream.
 */
int report_tree(const struct tree *tree, const struct report_options *options,
		FILE *out);

/**
 * report_flat() - write functions by their self; those whose total is below the
 * threshold become one line. Return: as report_tree().
 */
int report_flat(const struct flat *flat, const struct report_options *options,
		FILE *out);

#endif /* FLAMECTL_REPORT_H */
