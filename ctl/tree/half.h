/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The halves of a stack: what a program did, and what the kernel did for it.
 *
 * A mark in brackets belongs to the half of the frame above it, and marks at the root
 * to the user half if that comes below them. "[truncated]" and "[incomplete]" below
 * a user frame are the kernel's.
 */
#ifndef FLAMECTL_TREE_HALF_H
#define FLAMECTL_TREE_HALF_H

#include "profile/profile.h"
#include "tree/tree.h"

/* Bits, as a level of grouping is shown with either half. */
enum {
	HALF_USER = 1 << 0,
	HALF_KERNEL = 1 << 1,
	HALF_BOTH = HALF_USER | HALF_KERNEL,
};

/* What stands for the kernel half, as "[user]" does for the user half. */
#define HALF_KERNEL_NAME	"[kernel]"

/**
 * half_of_profile() - find out to which half each node belongs.
 * @halves: set, by node; NULL if memory is short. The caller frees it.
 */
void half_of_profile(const struct profile *profile, uint8_t **halves);

/** half_of_tree() - do the same for a tree, such as folded text. */
void half_of_tree(const struct tree *tree, uint8_t **halves);

/**
 * half_meets() - report whether a node is of the kernel half and its parent of the user
 * half, or the reverse, as in a tree from leaves to roots.
 * @halves: from half_of_tree().
 */
bool half_meets(const struct tree *tree, const uint8_t *halves, uint32_t node);

/** half_in_profile() - report whether any frame is of this half. */
bool half_in_profile(const struct profile *profile, uint8_t half);

/** half_in_tree() - do the same for folded text. */
bool half_in_tree(const struct tree *tree, uint8_t half);

#endif /* FLAMECTL_TREE_HALF_H */
