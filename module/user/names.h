/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names the frames of user stacks by object and offset. flamectl turns these into
 * the names of functions.
 *
 * Locking: the session's lock protects all of it.
 */
#ifndef _FLAMEMOD_USER_NAMES_H
#define _FLAMEMOD_USER_NAMES_H

#include <linux/string.h>
#include <linux/types.h>

struct fm_objects;
struct fm_symbols;

/* Code that was made at run time, without its address. */
#define FM_USER_NAME_MADE	"[jit]"

int fm_user_name(struct fm_symbols *symbols, const struct fm_objects *objects,
		 u64 frame, bool places, u32 *id);
int fm_user_name_made(struct fm_symbols *symbols, u64 frame, u32 pid, u32 *id);

/* Return: a frame's name for texts that may be kept, without addresses. */
static inline const char *fm_user_name_shown(const char *name)
{
	return strncmp(name, "[jit ", 5) ? name : FM_USER_NAME_MADE;
}

#endif /* _FLAMEMOD_USER_NAMES_H */
