/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names the frames of user stacks by object and offset. flamectl turns these into
 * the names of functions.
 *
 * Locking: the session's lock protects all of it.
 */
#ifndef _FLAMEMOD_USER_NAMES_H
#define _FLAMEMOD_USER_NAMES_H

#include <linux/types.h>

struct fm_objects;
struct fm_symbols;

int fm_user_name(struct fm_symbols *symbols, const struct fm_objects *objects,
		 u64 frame, bool places, u32 *id);

#endif /* _FLAMEMOD_USER_NAMES_H */
