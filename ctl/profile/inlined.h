/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that a compiler inlined, as frames of their own. Their names end in
 * "_[i]", as other tools write them.
 */
#ifndef FLAMECTL_PROFILE_INLINED_H
#define FLAMECTL_PROFILE_INLINED_H

#include "profile/profile.h"

/* Ends the name of an inlined function. */
#define INLINED_MARK	"_[i]"

/**
 * inlined_fn - return the name of a function that is inlined at a frame's place.
 * @number: from 0. Number 0 is inlined into the frame's function, 1 into number 0, and so
 *	    on.
 *
 * Return: the name, or NULL if there are not so many.
 */
typedef const char *(*inlined_fn)(void *context, uint32_t frame, uint32_t number);

/**
 * inlined_add() - add a frame for each inlined function to all stacks of a profile.
 * @profile: unchanged after an error. Nodes get other numbers, frames and tasks do not.
 * @names: called for each frame of the profile.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW, as profile_add_node().
 */
int inlined_add(struct profile *profile, inlined_fn names, void *context);

#endif /* FLAMECTL_PROFILE_INLINED_H */
