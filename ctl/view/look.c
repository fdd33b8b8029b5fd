// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of options for a graph's appearance: see look.h.
 */
#include "view/look.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/number.h"

#define NARROW_MAX_PX 1000
#define NARROW_MAX_PERCENT 100
#define FONT_MAX 64

/* Labels larger than this need higher rows than the default. */
#define FONT_LARGE 12

/* Black and white have equal contrast to this luminance, by WCAG. */
#define LUMINANCE_MIDDLE 0.18

static const char *or_nothing(const char *text)
{
	return *text ? text : "nothing";
}

int look_narrow(struct look_narrow *narrow, const char *text,
		struct error *error)
{
	const char *suffix = text + strspn(text, "0123456789.");
	bool percent = !strcmp(suffix, "%");
	double value;
	char *end;

	value = strtod(text, &end);
	if (suffix == text || end != suffix ||
	    !(percent || !*suffix || !strcmp(suffix, "px")) ||
	    value > (percent ? NARROW_MAX_PERCENT : NARROW_MAX_PX))
		return error_set(error, -EINVAL,
				 "%.40s: pixels from 0 to %d, such as 0.5, or a share of the width from 0%% to %d%%, such as 0.1%%",
				 or_nothing(text), NARROW_MAX_PX,
				 NARROW_MAX_PERCENT);
	narrow->px = percent ? 0 : value;
	narrow->percent = percent ? value : 0;
	return 0;
}

double look_narrow_px(const struct look_narrow *narrow, double width_px)
{
	return narrow->percent > 0 ? narrow->percent / 100 * width_px :
				     narrow->px;
}

static int parse_pixels(unsigned int *pixels, unsigned int min,
			unsigned int max, const char *text, struct error *error)
{
	uint64_t number;
	int err = number_parse(text, min, max, &number, error);

	if (!err)
		*pixels = number;
	return err;
}

int look_width(struct svg_options *svg, const char *text, struct error *error)
{
	int err = parse_pixels(&svg->width, SVG_WIDTH_MIN, SVG_WIDTH_MAX, text,
			       error);

	if (!err)
		svg->fixed = true;
	return err;
}

int look_height(struct svg_options *svg, const char *text, struct error *error)
{
	return parse_pixels(&svg->row_height, SVG_ROW_MIN, SVG_ROW_MAX, text,
			    error);
}

/* Only characters that are safe in quotes in a style sheet are allowed. */
int look_font(struct svg_options *svg, const char *text, struct error *error)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.";

	if (!*text || text[strspn(text, allowed)] || strlen(text) > FONT_MAX)
		return error_set(error, -EINVAL,
				 "%.40s: the name of one family, of at most %d letters, digits, spaces, \"-\", \"_\" and \".\"",
				 or_nothing(text), FONT_MAX);
	svg->font = text;
	return 0;
}

int look_font_size(struct svg_options *svg, const char *text,
		   struct error *error)
{
	return parse_pixels(&svg->font_size, SVG_FONT_MIN, SVG_FONT_MAX, text,
			    error);
}

int look_theme(struct svg_options *svg, const char *text, struct error *error)
{
	static const char *const themes[] = {
		[SVG_AUTO] = "auto", [SVG_LIGHT] = "light", [SVG_DARK] = "dark",
	};

	for (int i = SVG_AUTO; i <= SVG_DARK; i++)
		if (!strcmp(text, themes[i])) {
			svg->theme = i;
			return 0;
		}
	return error_set(error, -EINVAL, "%.40s: light, dark or auto",
			 or_nothing(text));
}

int look_background(struct svg_options *svg, const char *text,
		    struct error *error)
{
	uint32_t rgb;

	if (!colour_parse(text, &rgb))
		return error_set(error, -EINVAL,
				 "%.40s: a colour such as #fff or #f8f8f2",
				 or_nothing(text));
	svg->has_background = true;
	svg->background = rgb;
	return 0;
}

void look_complete(struct svg_options *svg)
{
	if (!svg->row_height && svg->font_size > FONT_LARGE)
		svg->row_height = svg->font_size * 3 / 2;
	if (svg->has_background && svg->theme == SVG_AUTO)
		svg->theme = colour_luminance(svg->background) > LUMINANCE_MIDDLE ?
			     SVG_LIGHT : SVG_DARK;
}
