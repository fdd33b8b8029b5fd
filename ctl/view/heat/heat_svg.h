/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A heat map as a self-contained SVG document. In a browser it fits the window;
 * users can mark a range of time with the mouse, and it shows the command for a
 * graph of that range.
 */
#ifndef FLAMECTL_HEAT_SVG_H
#define FLAMECTL_HEAT_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/profile.h"
#include "view/heat/heat.h"

/* Limits of a picture's width, in pixels. */
#define HEAT_WIDTH_MIN	320
#define HEAT_WIDTH_MAX	100000

/* Texts may be any bytes: those invalid in XML are replaced or left out. */
struct heat_svg_options {
	const char *title;
	const char *subtitle;		/* or NULL */
	const char *what;		/* what a share is: "busy" */
	const char *rest;		/* end of the command for a range */
	const struct profile *profile;	/* whose books to show */
	unsigned int width;		/* HEAT_WIDTH_MIN..HEAT_WIDTH_MAX pixels */
	bool fixed;			/* keep the width in browsers, too */
};

/**
 * heat_svg_write() - write the document. The same input gives the same bytes on
 * any machine and in any locale.
 *
 * Return: 0 or -errno of the stream.
 */
int heat_svg_write(const struct heat *heat,
		   const struct heat_svg_options *options, FILE *out);

#endif /* FLAMECTL_HEAT_SVG_H */
