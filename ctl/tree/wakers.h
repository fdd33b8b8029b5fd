/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks of the event wakers: what woke a task, on top of where the task was blocked.
 *
 * The module sends the waker's stack, with a frame of kind FLAMEMOD_FRAME_WAKER, which is
 * the waker's comm, between it and that of the woken task; the waker's user stack is below
 * all, as in other records. In a profile they are as other tools draw them: the woken
 * task's stack, then the waker's upside down, so that the two functions that met touch
 * each other, and the waker's comm at the top. Frames of the waker end in "_[w]". If an
 * interrupt woke the task, what it interrupted has nothing to do with it and is left out.
 */
#ifndef FLAMECTL_TREE_WAKERS_H
#define FLAMECTL_TREE_WAKERS_H

#include <stdbool.h>

#include "base/error.h"
#include "profile/profile.h"
#include "tree/tree.h"

/**
 * wakers_turn() - turn the stacks of a profile as described above.
 * @profile: as the module sent it, with names; unchanged after an error. Functions that
 *	     have no name yet keep their place as a name, without the mark, so that they can
 *	     be named later. Stacks without a waker stay as they are, and so do profiles
 *	     without wakers.
 *
 * Return: 0, or -ENOMEM or -EOVERFLOW as profile_add_node(), with @error.
 */
int wakers_turn(struct profile *profile, struct error *error);

/**
 * wakers_nodes() - find the nodes of wakers in a call tree: those that have the mark, and
 * those between two that have it, such as functions without a name.
 * @tree: stacks may start at their leaves.
 *
 * Return: an array by node, to be freed; NULL if memory is short.
 */
bool *wakers_nodes(const struct tree *tree);

#endif /* FLAMECTL_TREE_WAKERS_H */
