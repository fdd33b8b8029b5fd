/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Layout of a call tree: computes the positions of frames in a picture, but
 * does not draw.
 */
#ifndef FLAMECTL_LAYOUT_H
#define FLAMECTL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tree/tree.h"

/* About ten times what a browser shows without a pause. */
#define LAYOUT_RECTS_MAX	(1U << 20)

struct layout_options {
	double width_px;	/* of the root's rectangle, above 0 */
	double min_width_px;	/* collapse below, but never [lost]; 0: none */
	bool inverted;		/* the root is on top */
	uint64_t total;		/* the root's weight; 0: the sum */
};

/*
 * One rectangle. Weights are exact: @start is the sum of the weights to its
 * left, and siblings have no gaps. @x and @width are the same in pixels.
 */
struct layout_rect {
	uint32_t node;		/* in the tree; the parent's if @collapsed */
	uint32_t collapsed;	/* number of narrow siblings; 0: a frame */
	uint32_t first;		/* of the narrow siblings; the others follow it */
	uint32_t depth;		/* 0 for the root */
	uint32_t row;		/* 0 is the top row */
	uint64_t start;
	uint64_t weight;
	uint64_t hidden;	/* children too narrow even together */
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
 * layout_create() - lay out a tree whose totals are summed.
 * @layout: set on success, to be freed by layout_destroy().
 *
 * Neighbours narrower than the minimum are merged into one rectangle, or left
 * out if they are narrower even together.
 *
 * Return: 0; -ENOMEM; or with @error: -ENODATA for a tree without weight,
 * -ERANGE for a tree whose weight exceeds the requested total, or -EOVERFLOW if
 * its weights sum to more than 2^64 - 1 or it has more than LAYOUT_RECTS_MAX
 * rectangles.
 */
int layout_create(struct layout **layout, const struct tree *tree,
		  const struct layout_options *options, struct error *error);

/** layout_destroy() - free @layout; may be NULL. */
void layout_destroy(struct layout *layout);

/* Room for "[4294967295 narrow frames]". */
#define LAYOUT_NAME_MAX 32

/**
 * layout_rect_name() - return a rectangle's name: its frame's, or
 * "[3 narrow frames]".
 * @text: has room for the latter.
 */
const char *layout_rect_name(const struct layout_rect *rect,
			     const struct tree *tree,
			     char text[LAYOUT_NAME_MAX]);

#endif /* FLAMECTL_LAYOUT_H */
