/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The halves of a stack: what a program did, and what the kernel did for it.
 *
 * A mark in brackets belongs to the half of the frame above it, and marks at the root
 * to the user half if that comes below them. "[truncated]" below a user frame is the
 * kernel's.
 */
#ifndef FLAMECTL_SELECT_HALF_H
#define FLAMECTL_SELECT_HALF_H

#include "profile/profile.h"
#include "select/private.h"
#include "tree/tree.h"

/* Bits, as a level of grouping is shown with either half. */
enum {
	HALF_USER = 1 << 0,
	HALF_KERNEL = 1 << 1,
	HALF_BOTH = HALF_USER | HALF_KERNEL,
};

/* What stands for the kernel half, as "[user]" does for the user half. */
#define HALF_KERNEL_NAME	"[kernel]"

/** half_wanted() - return the half that is asked for, or HALF_BOTH. */
uint8_t half_wanted(const struct criteria *criteria);

/**
 * half_of_profile() - find out to which half each node belongs.
 * @halves: set, by node; NULL if memory is short. The caller frees it.
 */
void half_of_profile(const struct profile *profile, uint8_t **halves);

/** half_of_tree() - do the same for folded text. */
void half_of_tree(const struct tree *tree, uint8_t **halves);

/** half_in_profile() - report whether any frame is of the half that is asked for. */
bool half_in_profile(const struct criteria *criteria, const struct profile *profile);

/** half_in_tree() - do the same for folded text. */
bool half_in_tree(const struct criteria *criteria, const struct tree *tree);

#endif /* FLAMECTL_SELECT_HALF_H */
