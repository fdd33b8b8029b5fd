/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns addresses into names, once per function, and names into frame numbers.
 *
 * A frame is a distinct name. Frames stay for the session, even if the module
 * that they name is gone. The cache from addresses to frames forgets a module's
 * addresses when it goes, since another module may be loaded there.
 *
 * Locking: the session's lock protects all of it, except reading frames below a
 * count that was read under the lock, as in pool.h.
 */
#ifndef _FLAMEMOD_SYMBOLS_H
#define _FLAMEMOD_SYMBOLS_H

#include "extents.h"
#include "set.h"
#include "text.h"
#include "../common/uapi/flamemod.h"

struct module;

struct fm_frame {
	struct fm_link link;
	u16 name_bytes;		/* the final NUL included */
	u8 kind;		/* enum flamemod_frame_kind */
	const char *name;
};

#define FM_USER_NAME_MAX	592	/* a path, an offset and a build-id: user/names.c */

/* Which frame a user function has: see user/names.c. */
struct fm_user_known {
	u64 key;
	u32 id;
};

#define FM_USER_KNOWN_MAX	8192L	/* a power of two */
#define FM_USER_KNOWN_SHARE	16	/* they take at most this part of the memory */

struct fm_symbols {
	struct fm_memory *memory;
	struct fm_set frames;
	struct fm_extents extents;
	struct fm_text text;		/* pages in which symbols of modules were found */
	char *buffer;
	char user_buffer[FM_USER_NAME_MAX];
	struct fm_pool user_known;	/* of struct fm_user_known, a power of two; or all zero */
};

/* The address may have another name the next time. */
#define FM_SYMBOLS_PASSES	1

int fm_symbols_init(struct fm_symbols *symbols, struct fm_memory *memory);
void fm_symbols_deinit(struct fm_symbols *symbols);

int fm_symbols_resolve(struct fm_symbols *symbols, unsigned long address,
		       u32 *frame);
int fm_symbols_mark(struct fm_symbols *symbols, const char *name, u32 *frame);
int fm_symbols_waker(struct fm_symbols *symbols, const char *name, u32 *frame);
int fm_symbols_user(struct fm_symbols *symbols, const char *name, u32 *frame);
bool fm_symbols_forget(struct fm_symbols *symbols, const struct module *mod,
		       bool (*within)(unsigned long address,
				      const struct module *mod));

#endif /* _FLAMEMOD_SYMBOLS_H */
