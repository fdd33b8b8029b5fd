/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A difference of two call trees as a table of functions, for people.
 */
#ifndef FLAMECTL_DIFF_TEXT_H
#define FLAMECTL_DIFF_TEXT_H

#include <stdio.h>

#include "tree/diff.h"

/**
 * diff_text() - write the functions that changed, the largest change of self
 * first.
 * @unit: of both trees, in the plural.
 * @threshold_ppm: changes below it, of both self and total, are summed up in
 *       one line.
 *
 * Return: 0, -ENODATA and -ENOMEM as diff_create(), or -errno of the stream.
 */
int diff_text(const struct tree *a, const struct tree *b, bool normalize,
	      const char *unit, uint32_t threshold_ppm, FILE *out,
	      struct error *error);

#endif /* FLAMECTL_DIFF_TEXT_H */
