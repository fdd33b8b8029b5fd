/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Build a profile's stacks anew, with other frames.
 */
#ifndef FLAMECTL_PROFILE_REBUILD_H
#define FLAMECTL_PROFILE_REBUILD_H

#include "profile/profile_map.h"

/* Set ->frame, ->below or ->stack of a map from the old profile to the new one. */
typedef void (*rebuild_fn)(struct profile_map *map);

/**
 * rebuild() - build all stacks and records of a profile anew.
 * @profile: unchanged after an error. Records that become equal are summed, also in
 *	     slices.
 * @hooks: sets what is to change.
 * @context: the map's ->context.
 *
 * Return: 0, -ENOMEM or -EOVERFLOW, as profile_add_node().
 */
int rebuild(struct profile *profile, rebuild_fn hooks, void *context);

#endif /* FLAMECTL_PROFILE_REBUILD_H */
