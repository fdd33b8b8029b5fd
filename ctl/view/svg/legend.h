/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The legend of a graph: a box and a word for each colour that tells something.
 */
#ifndef FLAMECTL_SVG_LEGEND_H
#define FLAMECTL_SVG_LEGEND_H

#include <stdio.h>

#include "view/paint.h"

/* The height of a line, in pixels. */
#define SVG_LEGEND_LINE 18

/**
 * svg_put_legend() - write the keys of @paint, in as many lines as they take.
 * @room: the width of a line, in pixels.
 * @out: NULL to find the height alone.
 *
 * Return: the height, in pixels; 0 where there is no key.
 */
unsigned int svg_put_legend(const struct paint *paint, double room, FILE *out);

#endif /* FLAMECTL_SVG_LEGEND_H */
