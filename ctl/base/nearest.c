// SPDX-License-Identifier: GPL-2.0
/*
 * Find the word that was meant: see nearest.h. The distance counts letters that
 * were left out, added or replaced, and exchanged neighbours (optimal string
 * alignment).
 */
#include "base/nearest.h"

#include <string.h>

/* No name that is looked for is longer. */
#define LENGTH_MAX	32

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int low = a < b ? a : b;

	return low < c ? low : c;
}

/*
 * Compute row @at of the table of distances: [i] is that from the first @at letters
 * of @a to the first i of @b. @rows is a ring of the last three rows.
 */
static void next_row(unsigned int rows[3][LENGTH_MAX + 1], size_t at,
		     const char *a, const char *b)
{
	const unsigned int *earlier = rows[(at + 1) % 3];
	const unsigned int *above = rows[(at + 2) % 3];
	unsigned int *row = rows[at % 3];

	row[0] = (unsigned int)at;
	for (size_t i = 1; i <= strlen(b); i++) {
		row[i] = least(above[i] + 1, row[i - 1] + 1,
			       above[i - 1] + (a[at - 1] != b[i - 1]));
		if (at > 1 && i > 1 && a[at - 1] == b[i - 2] &&
		    a[at - 2] == b[i - 1] && earlier[i - 2] + 1 < row[i])
			row[i] = earlier[i - 2] + 1;
	}
}

static unsigned int distance(const char *a, const char *b)
{
	unsigned int rows[3][LENGTH_MAX + 1] = { { 0 } };

	for (unsigned int i = 0; i <= LENGTH_MAX; i++)
		rows[0][i] = i;
	for (size_t at = 1; at <= strlen(a); at++)
		next_row(rows, at, a, b);
	return rows[strlen(a) % 3][strlen(b)];
}

void nearest_try(struct nearest *nearest, const char *candidate)
{
	size_t length = strlen(nearest->word);
	unsigned int far, limit = length < 6 ? 1 : (unsigned int)length / 3;

	if (!length || length > LENGTH_MAX || strlen(candidate) > LENGTH_MAX)
		return;
	/* if the word starts the candidate, the rest counts as one mistake */
	far = length > 2 && !strncmp(candidate, nearest->word, length) ?
	      1 : distance(nearest->word, candidate);
	if (far > limit || far >= length ||
	    (nearest->best && far > nearest->distance))
		return;
	nearest->tied = nearest->best && far == nearest->distance;
	nearest->distance = far;
	nearest->best = candidate;
}

const char *nearest_word(const struct nearest *nearest)
{
	return nearest->tied ? NULL : nearest->best;
}
