/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which parts of a selection matched anything: a name that is in no profile is
 * more often a slip than meant, and is to be said.
 */
#ifndef FLAMECTL_SELECT_MET_H
#define FLAMECTL_SELECT_MET_H

#include "select/select.h"

/* By term, a bit for each of the first 64 values of its list; zeroed: none. */
struct select_met {
	uint64_t bits[SELECT_TERMS_MAX];
};

/* "no function matches x (--focus); no comm matches y (--comm)" and a NUL */
#define SELECT_MISSED_TEXT	400

/**
 * select_meet_profile() - note what @profile, before it is selected from, has
 * of what is selected; may be called for several.
 *
 * Return: 0 or -ENOMEM.
 */
int select_meet_profile(const struct selection *selection,
			const struct profile *profile, struct select_met *met);

/** select_meet_tree() - the same for folded text. */
int select_meet_tree(const struct selection *selection, const struct tree *tree,
		     struct select_met *met);

/**
 * select_missed() - what matched nothing, in words; "" where all did. Only what
 * asks for a name or number can miss: --no-idle cannot.
 */
const char *select_missed(const struct selection *selection,
			  const struct select_met *met,
			  char text[SELECT_MISSED_TEXT]);

/**
 * select_missed_in() - both for one profile. Where memory is short, "": what is
 * selected from it comes next, and says so.
 */
const char *select_missed_in(const struct selection *selection,
			     const struct profile *profile,
			     char text[SELECT_MISSED_TEXT]);

#endif /* FLAMECTL_SELECT_MET_H */
