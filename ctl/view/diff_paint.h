/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a difference of two call trees is painted: by how much of the larger
 * weight each frame changed.
 */
#ifndef FLAMECTL_DIFF_PAINT_H
#define FLAMECTL_DIFF_PAINT_H

#include "tree/diff.h"
#include "view/paint.h"

/* How the tree of a diff is painted, for paint_create_view() with a diff as the data. */
extern const struct paint_view diff_view;

/* The same with the hues of what grew and of what shrank exchanged. */
extern const struct paint_view diff_view_negated;

#endif /* FLAMECTL_DIFF_PAINT_H */
