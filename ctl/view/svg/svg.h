/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A laid out call tree as an SVG document: one file that needs nothing else,
 * complete where it is only shown, and with zoom and search in a browser.
 */
#ifndef FLAMECTL_SVG_H
#define FLAMECTL_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "tree/tree.h"
#include "view/layout.h"
#include "view/paint.h"

/* Free space to the left and the right of the frames, in pixels. */
#define SVG_PAD 12

/* Limits of the width of a picture, in pixels. */
#define SVG_WIDTH_MIN 320
#define SVG_WIDTH_MAX 100000

/* Limits of a row's height and of labels, in pixels. */
#define SVG_ROW_MIN 8
#define SVG_ROW_MAX 100
#define SVG_FONT_MIN 4
#define SVG_FONT_MAX 72

/* Which page it is drawn for; auto asks the viewer. */
enum svg_theme { SVG_AUTO, SVG_LIGHT, SVG_DARK };

/* Texts may be any bytes: what XML cannot hold is replaced or left out. */
struct svg_options {
	const char *title;
	const char *subtitle;		/* or NULL */
	const char *unit;		/* what weights count, in the plural */
	const char *note;		/* how the tree was made, or NULL */
	const char *notes;		/* the user's, in lines, or NULL */
	const char *name_type;		/* before names in the status line, or NULL */
	const char *font;		/* of labels, a family that CSS can quote; or NULL */
	unsigned int font_size;		/* of labels, SVG_FONT_MIN..MAX pixels; 0: 12 */
	unsigned int row_height;	/* SVG_ROW_MIN..MAX pixels; 0: 18 */
	enum svg_theme theme;
	bool has_background;		/* in the place of the theme's own: */
	uint32_t background;		/* 0xRRGGBB */
	const struct paint *paint;	/* of @layout; NULL: by the kinds of frames */
	unsigned int width;		/* SVG_WIDTH_MIN..SVG_WIDTH_MAX pixels */
	bool fixed;			/* keep that width in browsers as well */
	bool inverted;			/* as the layout is */
	const struct profile *profile;	/* whose books to tell, or NULL */
};

/**
 * svg_write() - write the document.
 * @tree: the tree that @layout was made from.
 * @layout: its width_px was options->width - 2 * SVG_PAD.
 *
 * The same input gives the same bytes, on any machine and in any locale.
 *
 * Return: 0, -ENOMEM, or -errno of the stream.
 */
int svg_write(const struct tree *tree, const struct layout *layout,
	      const struct svg_options *options, FILE *out);

#endif /* FLAMECTL_SVG_H */
