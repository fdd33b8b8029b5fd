/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A laid out call tree as an SVG document: one file that needs nothing else,
 * complete where it is only shown, and with zoom and search in a browser.
 */
#ifndef FLAMECTL_SVG_H
#define FLAMECTL_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "layout.h"
#include "profile.h"
#include "tree.h"

/* Free space to the left and the right of the frames, in pixels. */
#define SVG_PAD 12

/* Limits of the width of a picture, in pixels. */
#define SVG_WIDTH_MIN 320
#define SVG_WIDTH_MAX 100000

/* A colour in the legend: a class of svg/flame.css, and a word for it. */
struct svg_key {
	const char *class;
	const char *word;
};

/* How frames look and what is told of them, where a view has its own idea. */
struct svg_paint {
	/* a class of svg/flame.css, instead of that of the node's kind and name */
	const char *(*class)(const void *data, uint32_t node);
	/* the line below the name, instead of weight and share */
	void (*tell)(const void *data, uint32_t node, char *text, size_t size);
	const void *data;
	const struct svg_key *keys;	/* the legend; ends with a zeroed one */
};

/* Texts may be any bytes: what XML cannot hold is replaced or left out. */
struct svg_options {
	const char *title;
	const char *subtitle;		/* or NULL */
	const char *unit;		/* what weights count, in the plural */
	const char *note;		/* how the tree was made, or NULL */
	unsigned int width;		/* SVG_WIDTH_MIN..SVG_WIDTH_MAX pixels */
	bool fixed;			/* keep that width in browsers as well */
	bool inverted;			/* as the layout is */
	const struct profile *profile;	/* whose books to tell, or NULL */
	const struct svg_paint *paint;	/* NULL: by kind and name */
};

/**
 * svg_write() - write the document.
 * @tree: the tree that @layout was made from.
 * @layout: its width_px was options->width - 2 * SVG_PAD.
 *
 * The same input gives the same bytes, on any machine and in any locale.
 *
 * Return: 0 or -errno of the stream.
 */
int svg_write(const struct tree *tree, const struct layout *layout,
	      const struct svg_options *options, FILE *out);

#endif /* FLAMECTL_SVG_H */
