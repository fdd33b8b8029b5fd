/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile as one self-contained page: graphs, functions, filters and the
 * books (the counts of what became of each timer period), drawn by the page's
 * own script (html/).
 */
#ifndef FLAMECTL_HTML_H
#define FLAMECTL_HTML_H

#include <stdio.h>

#include "profile/profile.h"
#include "tree/tree.h"

/* Either @profile or @tree is set. Texts may be any bytes. */
struct html_options {
	const char *title;
	const struct profile *profile;
	const struct tree *tree;	/* summed; from folded text */
	const struct fold_options *by;	/* the initial grouping */
	const char *note;		/* how it was made, or NULL */
};

/**
 * html_write() - write the page.
 *
 * Names are data of the script, never markup. The page's
 * Content-Security-Policy forbids loading anything, and running any script but
 * its own. Weights above 2^53 are as exact as a script's numbers; the books are
 * exact.
 *
 * Return: 0, -ENOMEM, or -errno of the stream.
 */
int html_write(const struct html_options *options, FILE *out);

#endif /* FLAMECTL_HTML_H */
