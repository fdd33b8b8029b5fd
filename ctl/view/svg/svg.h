/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A laid out call tree as a self-contained SVG document: complete as a still
 * picture, and with zoom and search in a browser.
 */
#ifndef FLAMECTL_SVG_H
#define FLAMECTL_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "tree/tree.h"
#include "view/layout.h"
#include "view/paint.h"

/* Margin left and right of the frames, in pixels. */
#define SVG_PAD 12

/* Limits of a picture's width, in pixels. */
#define SVG_WIDTH_MIN 320
#define SVG_WIDTH_MAX 100000

/* Limits of row heights and of label sizes, in pixels. */
#define SVG_ROW_MIN 8
#define SVG_ROW_MAX 100
#define SVG_FONT_MIN 4
#define SVG_FONT_MAX 72

/* The kind of page to draw for; auto asks the viewer. */
enum svg_theme { SVG_AUTO, SVG_LIGHT, SVG_DARK };

/* Texts may be any bytes: those invalid in XML are replaced or left out. */
struct svg_options {
	const char *title;
	const char *subtitle;		/* or NULL */
	const char *unit;		/* of weights, in the plural */
	const char *note;		/* how the tree was made, or NULL */
	const char *notes;		/* the user's, in lines; or NULL */
	const char *name_type;		/* status line: before names; or NULL */
	const char *font;		/* of labels: a CSS family, or NULL */
	unsigned int font_size;		/* of labels, SVG_FONT_MIN..MAX pixels; 0: 12 */
	unsigned int row_height;	/* SVG_ROW_MIN..MAX pixels; 0: 18 */
	enum svg_theme theme;
	bool has_background;		/* @background replaces the theme's */
	uint32_t background;		/* 0xRRGGBB */
	const struct paint *paint;	/* of @layout; NULL: by kinds */
	unsigned int width;		/* SVG_WIDTH_MIN..SVG_WIDTH_MAX pixels */
	bool fixed;			/* keep the width in browsers, too */
	bool inverted;			/* as in the layout */
	const struct profile *profile;	/* whose books to show, or NULL */
};

/**
 * svg_write() - write the document.
 * @tree: the tree that @layout was made from.
 * @layout: its width_px must be options->width - 2 * SVG_PAD.
 *
 * The same input gives the same bytes on any machine and in any locale.
 *
 * Return: 0, -ENOMEM, or -errno of the stream.
 */
int svg_write(const struct tree *tree, const struct layout *layout,
	      const struct svg_options *options, FILE *out);

#endif /* FLAMECTL_SVG_H */
