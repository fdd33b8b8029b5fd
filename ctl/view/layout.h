/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the frames of a call tree lie in a picture: numbers only, no ink.
 */
#ifndef FLAMECTL_LAYOUT_H
#define FLAMECTL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* Some ten times of what a browser shows without a pause. */
#define LAYOUT_RECTS_MAX	(1U << 20)

struct layout_options {
	double width_px;	/* of the root's rectangle, above 0 */
	double min_width_px;	/* narrower ones are collapsed, [lost] never; 0: none */
	bool inverted;		/* the root on top */
	uint64_t total;		/* the root's weight, if not the sum; 0: the sum */
};

/*
 * One rectangle. Weights are exact: @start is the weight to the left of it,
 * and siblings touch. @x and @width are the same in pixels.
 */
struct layout_rect {
	uint32_t node;		/* of the tree; the parent's if @collapsed */
	uint32_t collapsed;	/* siblings too narrow to draw, 0 for a frame */
	uint32_t depth;		/* 0 for the root */
	uint32_t row;		/* 0 is on top */
	uint64_t start;
	uint64_t weight;
	uint64_t hidden;	/* of its children: too narrow even together */
	double x;
	double width;
};

struct layout {
	struct layout_rect *rects;	/* by depth, then from left to right */
	uint32_t nr_rects;
	uint32_t nr_rows;
	uint64_t total;
};

/**
 * layout_create() - lay out a summed tree.
 * @layout: set on success, to be freed by layout_destroy().
 *
 * Neighbours narrower than the minimum become one rectangle that stands for
 * them all, or nothing where even together they are narrower.
 *
 * Return: 0, -ENOMEM, -ENODATA with @error for a tree without weight, -ERANGE
 * with @error for one of more than the total that was asked for, or -EOVERFLOW
 * with @error when its weights sum to more than 2^64 - 1, or it
 * has more rectangles than LAYOUT_RECTS_MAX.
 */
int layout_create(struct layout **layout, const struct tree *tree,
		  const struct layout_options *options, struct error *error);

/** layout_destroy() - free @layout; NULL is fine. */
void layout_destroy(struct layout *layout);

/* "[4294967295 narrow frames]" */
#define LAYOUT_NAME_MAX 32

/**
 * layout_rect_name() - what a rectangle is called: as its frame, or
 * "[3 narrow frames]".
 * @text: room for the latter.
 */
const char *layout_rect_name(const struct layout_rect *rect,
			     const struct tree *tree,
			     char text[LAYOUT_NAME_MAX]);

#endif /* FLAMECTL_LAYOUT_H */
