/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocates what a CPU needs for user stacks.
 */
#ifndef _FLAMEMOD_USER_ROOM_H
#define _FLAMEMOD_USER_ROOM_H

#include "table.h"
#include "user/maps.h"

int fm_user_room_init(struct fm_maps **maps, struct fm_table tables[2],
		      struct fm_objects *objects, unsigned int cpu, enum fm_taker taker,
		      size_t bytes);

#endif /* _FLAMEMOD_USER_ROOM_H */
