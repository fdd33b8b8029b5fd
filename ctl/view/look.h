/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parsing of command line options for a graph's appearance. Each function sets
 * the graph's option only if the whole value is valid; else it returns -EINVAL,
 * with @error naming the value and its limits.
 */
#ifndef FLAMECTL_LOOK_H
#define FLAMECTL_LOOK_H

#include "base/error.h"
#include "view/svg/svg.h"

/* Collapse narrower frames; one of the two is 0. */
struct look_narrow {
	double px;
	double percent;			/* of the whole width */
};

/** look_narrow() - parse "0.5", "0.5px" or "1%". */
int look_narrow(struct look_narrow *narrow, const char *text,
		struct error *error);

/** look_narrow_px() - convert @narrow to pixels, for a graph of @width_px. */
double look_narrow_px(const struct look_narrow *narrow, double width_px);

/** look_width() - parse a width in pixels; browsers keep it as well. */
int look_width(struct svg_options *svg, const char *text, struct error *error);

/** look_height() - parse the height of a row, in pixels. */
int look_height(struct svg_options *svg, const char *text, struct error *error);

/** look_font() - set the font's family to @text, which is kept, not copied. */
int look_font(struct svg_options *svg, const char *text, struct error *error);

/** look_font_size() - parse a font size in pixels. */
int look_font_size(struct svg_options *svg, const char *text,
		   struct error *error);

/** look_theme() - parse "light", "dark" or "auto". */
int look_theme(struct svg_options *svg, const char *text, struct error *error);

/** look_background() - parse "#rrggbb" or "#rgb". */
int look_background(struct svg_options *svg, const char *text,
		    struct error *error);

/** look_complete() - derive the options not given from those given. */
void look_complete(struct svg_options *svg);

#endif /* FLAMECTL_LOOK_H */
