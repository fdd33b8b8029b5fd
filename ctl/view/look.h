/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a graph is to look, in the words of a command line. What is parsed goes
 * to the graph's options only where all of it is right; or else -EINVAL is
 * returned with @error naming the value and its limits.
 */
#ifndef FLAMECTL_LOOK_H
#define FLAMECTL_LOOK_H

#include "base/error.h"
#include "view/svg/svg.h"

/* Frames narrower than this are collapsed; one of the two is 0. */
struct look_narrow {
	double px;
	double percent;			/* of the width of all */
};

/** look_narrow() - "0.5", "0.5px" or "1%". */
int look_narrow(struct look_narrow *narrow, const char *text,
		struct error *error);

/** look_narrow_px() - what that is where all are @width_px wide. */
double look_narrow_px(const struct look_narrow *narrow, double width_px);

/** look_width() - pixels, to be kept in browsers as well. */
int look_width(struct svg_options *svg, const char *text, struct error *error);

/** look_height() - of a row, in pixels. */
int look_height(struct svg_options *svg, const char *text, struct error *error);

/** look_font() - the name of a family, kept, not copied. */
int look_font(struct svg_options *svg, const char *text, struct error *error);

/** look_font_size() - pixels. */
int look_font_size(struct svg_options *svg, const char *text,
		   struct error *error);

/** look_theme() - "light", "dark" or "auto". */
int look_theme(struct svg_options *svg, const char *text, struct error *error);

/** look_background() - "#rrggbb" or "#rgb". */
int look_background(struct svg_options *svg, const char *text,
		    struct error *error);

/**
 * look_output() - may a picture be written to the file of this name?
 * @path: NULL or "-" for standard output.
 *
 * Return: 0, or -EINVAL with @error saying how to convert, where the name is one
 * of a picture in another format: "x.png".
 */
int look_output(const char *path, struct error *error);

/** look_complete() - what was not asked for, as it follows from what was. */
void look_complete(struct svg_options *svg);

#endif /* FLAMECTL_LOOK_H */
