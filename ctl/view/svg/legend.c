// SPDX-License-Identifier: GPL-2.0
/*
 * Legends of graphs: see view/svg/legend.h.
 */
#include "view/svg/legend.h"

#include "view/svg/text.h"

/* An upper estimate of the advance in the legend's proportional 11 px font. */
#define KEY_ADVANCE 6.4

/* Boxes have the colour of frames; a line is in the middle of where a box would be. */
static const struct shape {
	int top, height, radius;
} box = { 6, 12, 2 }, line = { 11, 2, 0 };

struct legend {
	double room;
	FILE *out;		/* NULL: only compute the height */
	double x;
	unsigned int y;
};

static void put_key(const struct legend *legend, const struct paint_key *key,
		    const struct shape *shape)
{
	FILE *out = legend->out;

	fprintf(out, "<rect class=\"%s\" x=\"", key->class);
	svg_put_px(out, legend->x);
	fprintf(out, "\" y=\"%u\" width=\"12\" height=\"%d\"", legend->y + shape->top,
		shape->height);
	if (shape->radius)
		fprintf(out, " rx=\"%d\"", shape->radius);
	fputs("/><text class=\"key\" x=\"", out);
	svg_put_px(out, legend->x + 17);
	fprintf(out, "\" y=\"%u\">", legend->y + 16);
	svg_put_text_part(out, key->text, key->length);
	fputs("</text>\n", out);
}

static void flow_key(struct legend *legend, const struct paint_key *key,
		     const struct shape *shape)
{
	double advance = 17 + key->length * KEY_ADVANCE + 12;

	if (legend->x > 0 && legend->x + advance > legend->room) {
		legend->x = 0;
		legend->y += SVG_LEGEND_LINE;
	}
	if (legend->out)
		put_key(legend, key, shape);
	legend->x += advance;
}

/* The script does the same after a change of width. */
unsigned int svg_put_legend(const struct paint *paint, bool has_meetings, double room,
			    FILE *out)
{
	static const char text[] = "kernel meets user";
	static const struct paint_key meeting = {
		.class = "meeting", .text = text, .length = sizeof(text) - 1,
	};
	struct legend legend = { .room = room, .out = out };

	for (size_t i = 0; i < paint->nr_keys; i++)
		flow_key(&legend, &paint->keys[i], &box);
	if (has_meetings)
		flow_key(&legend, &meeting, &line);
	return legend.x > 0 ? legend.y + SVG_LEGEND_LINE : 0;
}
