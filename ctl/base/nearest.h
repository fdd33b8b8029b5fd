/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find which of several words was meant by a mistyped one.
 */
#ifndef FLAMECTL_NEAREST_H
#define FLAMECTL_NEAREST_H

#include <stdbool.h>

/* The best candidate so far; the caller sets @word and zeroes the rest. */
struct nearest {
	const char *word;		/* as it was typed */
	const char *best;		/* NULL: no candidate is near */
	unsigned int distance;		/* from @word to @best */
	bool tied;			/* another candidate is as near */
};

/**
 * nearest_try() - compare one candidate; @nearest keeps the nearest one.
 *
 * A word is near if at most a third of the typed one's letters, but at least
 * one, were left out, added, exchanged or mistaken, or if the typed word
 * starts it.
 */
void nearest_try(struct nearest *nearest, const char *candidate);

/**
 * nearest_word() - return the nearest candidate, or NULL if none or several
 * are.
 */
const char *nearest_word(const struct nearest *nearest);

#endif /* FLAMECTL_NEAREST_H */
