/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find out which parts of a selection matched anything. A name that is in no
 * profile is usually a typing mistake, so it is reported.
 */
#ifndef FLAMECTL_SELECT_MET_H
#define FLAMECTL_SELECT_MET_H

#include "select/select.h"

/* By term, a bit for each of the first 64 values of its list that matched. */
struct select_met {
	uint64_t bits[SELECT_TERMS_MAX];
	unsigned int nr_profiles;	/* looked at */
	unsigned int nr_nameless;	/* of these, other tools' without any comm */
};

/* room for "no function matches x (--focus); no comm matches y (--comm)" */
#define SELECT_MISSED_TEXT	600

/**
 * select_meet_profile() - record which values of a selection @profile has. Call
 * it before selecting from @profile; it may be called for several profiles.
 *
 * Return: 0 or -ENOMEM.
 */
int select_meet_profile(const struct selection *selection,
			const struct profile *profile, struct select_met *met);

/** select_meet_tree() - do the same for folded text. */
int select_meet_tree(const struct selection *selection, const struct tree *tree,
		     struct select_met *met);

/**
 * select_missed() - write what matched nothing; "" if everything matched. Only
 * options that ask for a name or number are reported, not --no-idle.
 */
const char *select_missed(const struct selection *selection,
			  const struct select_met *met,
			  char text[SELECT_MISSED_TEXT]);

/**
 * select_missed_in() - do both for one profile. If memory is short, the result
 * is "": the selection that follows reports the shortage.
 */
const char *select_missed_in(const struct selection *selection,
			     const struct profile *profile,
			     char text[SELECT_MISSED_TEXT]);

#endif /* FLAMECTL_SELECT_MET_H */
