// SPDX-License-Identifier: GPL-2.0
/*
 * Legends of graphs: see view/svg/legend.h.
 */
#include "view/svg/legend.h"

#include "view/svg/text.h"

/* An upper estimate of the advance in the legend's proportional 11 px font. */
#define KEY_ADVANCE 6.4

static void put_key(const struct paint_key *key, double x, unsigned int y,
		    FILE *out)
{
	fprintf(out, "<rect class=\"%s\" x=\"", key->class);
	svg_put_px(out, x);
	fprintf(out, "\" y=\"%u\" width=\"12\" height=\"12\" rx=\"2\"/><text class=\"key\" x=\"",
		y + 6);
	svg_put_px(out, x + 17);
	fprintf(out, "\" y=\"%u\">", y + 16);
	svg_put_text_part(out, key->text, key->length);
	fputs("</text>\n", out);
}

/* The script does the same after a change of width. */
unsigned int svg_put_legend(const struct paint *paint, double room, FILE *out)
{
	unsigned int y = 0;
	double x = 0;

	for (size_t i = 0; i < paint->nr_keys; i++) {
		const struct paint_key *key = &paint->keys[i];
		double advance = 17 + key->length * KEY_ADVANCE + 12;

		if (x > 0 && x + advance > room) {
			x = 0;
			y += SVG_LEGEND_LINE;
		}
		if (out)
			put_key(key, x, y, out);
		x += advance;
	}
	return paint->nr_keys ? y + SVG_LEGEND_LINE : 0;
}
