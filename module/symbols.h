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

#include <linux/siphash.h>

#include "extents.h"
#include "set.h"
#include "text.h"
#include "../common/uapi/flamemod.h"

struct module;

#define FM_FILE_PATH_MAX	512
#define FM_FILE_ID_MAX		41	/* a build-id of 20 bytes in hex, and the final NUL */

/* A file that user functions are in, as their names have it. */
struct fm_symbols_file {
	u16 path_bytes;		/* without the final NUL, as @id_bytes */
	u16 id_bytes;
	char path[FM_FILE_PATH_MAX];	/* of the first process that was seen to map it */
	char id[FM_FILE_ID_MAX];	/* its build-id in hex; empty if it has none */
};

/*
 * A user function has no text of its own, but its file and an offset there. There are many,
 * and to print a name takes thousands of instructions.
 */
struct fm_frame {
	struct fm_link link;
	u16 name_bytes;		/* the final NUL included */
	u8 kind;		/* enum flamemod_frame_kind */
	bool in_file;
	union {
		const char *name;
		const struct fm_symbols_file *file;
	};
	u64 offset;		/* in the file */
};

/* Which frame a user function has: see user/names.c. */
struct fm_user_known {
	u64 key;
	u32 id;
};

#define FM_USER_KNOWN_MAX	8192	/* a power of two */

struct fm_symbols {
	struct fm_memory *memory;
	/* for hashes of frames: any process chooses comms, and addresses of code it makes */
	hsiphash_key_t key;
	struct fm_set frames;
	struct fm_extents extents;
	struct fm_text text;		/* pages in which symbols of modules were found */
	char *buffer;
	struct fm_pool user_known;	/* of struct fm_user_known, a power of two; or all zero */
};

/* The address may have another name the next time. */
#define FM_SYMBOLS_PASSES	1

int fm_symbols_init(struct fm_symbols *symbols, struct fm_memory *memory);
void fm_symbols_deinit(struct fm_symbols *symbols);

int fm_symbols_resolve(struct fm_symbols *symbols, unsigned long address,
		       u32 *frame);
int fm_symbols_mark(struct fm_symbols *symbols, const char *name, u32 *frame);
int fm_symbols_waker(struct fm_symbols *symbols, const char *name, bool is_comm, u32 *frame);
int fm_symbols_user(struct fm_symbols *symbols, const char *name, u32 *frame);
int fm_symbols_place(struct fm_symbols *symbols, const struct fm_symbols_file *file,
		     u64 offset, u32 *frame);
void fm_frame_put(const struct fm_frame *frame, char *to);
bool fm_symbols_forget(struct fm_symbols *symbols, const struct module *mod,
		       bool (*within)(unsigned long address,
				      const struct module *mod));

#endif /* _FLAMEMOD_SYMBOLS_H */
