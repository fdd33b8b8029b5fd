/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Painting of a difference of two call trees: each frame's shade is its change,
 * relative to the larger of its two weights.
 */
#ifndef FLAMECTL_DIFF_PAINT_H
#define FLAMECTL_DIFF_PAINT_H

#include "tree/diff.h"
#include "view/paint.h"

/* The colours of a diff, for paint_create_view() with the diff as its data. */
extern const struct paint_view diff_view;

/* The same, with the hues for growing and shrinking exchanged. */
extern const struct paint_view diff_view_negated;

#endif /* FLAMECTL_DIFF_PAINT_H */
