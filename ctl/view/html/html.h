/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile as one page that needs nothing else: graphs, functions, filters and
 * the books, drawn by the page's own script (html/).
 */
#ifndef FLAMECTL_HTML_H
#define FLAMECTL_HTML_H

#include <stdio.h>

#include "profile/profile.h"
#include "tree/tree.h"

/* One of @profile and @tree. Texts may be any bytes. */
struct html_options {
	const char *title;
	const struct profile *profile;
	const struct tree *tree;	/* summed; of folded text */
	const struct fold_options *by;	/* what it is grouped by at first */
	const char *note;		/* how it was made, or NULL */
};

/**
 * html_write() - write the page.
 *
 * Names are data of the script, never markup. The page may load nothing, and
 * run no script but its own, by its Content-Security-Policy. Weights past 2^53
 * are as exact as a script has them, the books are exact.
 *
 * Return: 0, -ENOMEM, or -errno of the stream.
 */
int html_write(const struct html_options *options, FILE *out);

#endif /* FLAMECTL_HTML_H */
