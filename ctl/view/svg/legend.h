/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The legend of a graph: a box and a word for each colour that has a meaning.
 */
#ifndef FLAMECTL_SVG_LEGEND_H
#define FLAMECTL_SVG_LEGEND_H

#include <stdbool.h>
#include <stdio.h>

#include "view/paint.h"

/* Height of a line, in pixels. */
#define SVG_LEGEND_LINE 18

/**
 * svg_put_legend() - write the keys of @paint, in as many lines as needed.
 * @has_meetings: the graph has lines where the halves of stacks meet.
 * @room: the width of a line, in pixels.
 * @out: NULL to only compute the height.
 *
 * Return: the height, in pixels; 0 if there are no keys.
 */
unsigned int svg_put_legend(const struct paint *paint, bool has_meetings, double room,
			    FILE *out);

#endif /* FLAMECTL_SVG_LEGEND_H */
