/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which of several words somebody meant who typed another.
 */
#ifndef FLAMECTL_NEAREST_H
#define FLAMECTL_NEAREST_H

#include <stdbool.h>

/* The best candidate so far; @word is to be set, the rest zeroed. */
struct nearest {
	const char *word;		/* as it was typed */
	const char *best;		/* NULL: none is near */
	unsigned int distance;		/* of @best */
	bool tied;			/* another one is as near */
};

/**
 * nearest_try() - look at one candidate; the nearest stays in @nearest.
 *
 * A word is near if at most a third of the typed one's letters, but at least
 * one, were left out, added, exchanged or mistaken, or if the typed word
 * starts it.
 */
void nearest_try(struct nearest *nearest, const char *candidate);

/** nearest_word() - the only nearest candidate, or NULL. */
const char *nearest_word(const struct nearest *nearest);

#endif /* FLAMECTL_NEAREST_H */
