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

/* A value that matched nothing; all zero before the first. */
struct select_miss {
	enum select_option option;
	const char *value;		/* not terminated by NUL */
	size_t length;
	unsigned int term, index;	/* where to go on */
};

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
 * select_next_miss() - find the next value that matched nothing. Only options
 * that ask for a name or number have such values, not SELECT_NO_IDLE.
 * @at: the last one found; set to the next.
 *
 * Return: whether there is one.
 */
bool select_next_miss(const struct selection *selection,
			const struct select_met *met, struct select_miss *at);

/**
 * select_only_nameless() - report whether all profiles were other tools' and
 * without any comm.
 */
bool select_only_nameless(const struct select_met *met);

#endif /* FLAMECTL_SELECT_MET_H */
