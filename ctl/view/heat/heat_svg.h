/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A heat map as an SVG document: one file that needs nothing else. In a browser
 * it fits the window; a range of time can be marked with the mouse, and it says
 * how to get a graph of that.
 */
#ifndef FLAMECTL_HEAT_SVG_H
#define FLAMECTL_HEAT_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "view/heat/heat.h"

/* Limits of the width of a picture, in pixels. */
#define HEAT_WIDTH_MIN	320
#define HEAT_WIDTH_MAX	100000

/* Texts may be any bytes: what XML cannot hold is replaced or left out. */
struct heat_svg_options {
	const char *title;
	const char *subtitle;		/* or NULL */
	const char *what;		/* what a share is: "busy" */
	const char *rest;		/* of the command for a graph of a range, behind that */
	const struct profile *profile;	/* whose books to tell */
	unsigned int width;		/* HEAT_WIDTH_MIN..HEAT_WIDTH_MAX pixels */
	bool fixed;			/* keep that width in browsers as well */
};

/**
 * heat_svg_write() - write the document. The same input gives the same bytes,
 * on any machine and in any locale.
 *
 * Return: 0 or -errno of the stream.
 */
int heat_svg_write(const struct heat *heat,
		   const struct heat_svg_options *options, FILE *out);

#endif /* FLAMECTL_HEAT_SVG_H */
