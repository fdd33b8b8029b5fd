/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call paths: the callers of interrupted instructions, as a tree.
 *
 * A path is a caller and the path that led to it, from the interrupted
 * function outwards. The same callers are always the same path, so a path's
 * number stands for all of them. A path also knows where it went last, and by
 * which step of the unwinder: following a stack that was seen before is one
 * comparison a frame.
 *
 * Locking: none of its own; see table.h, of which it is a part. Callers and
 * parents stay as they are until all are forgotten.
 */
#ifndef _FLAMEMOD_PATH_H
#define _FLAMEMOD_PATH_H

#include <linux/hash.h>
#include <linux/types.h>

#include "step.h"

/*
 * How an address of text is kept. On x86-64 all text lies in the topmost 2 GiB:
 * half of an address tells it. Others, such as a firmware's, are kept as 0.
 */
#ifdef CONFIG_X86_64
static inline unsigned long fm_text_keep(unsigned long address)
{
	return likely(fm_step_possible(address)) ? (u32)address : 0;
}

static inline unsigned long fm_text_address(unsigned long kept)
{
	return (long)(int)kept;
}
#else
static inline unsigned long fm_text_keep(unsigned long address)
{
	return address;
}

static inline unsigned long fm_text_address(unsigned long kept)
{
	return kept;
}
#endif

struct fm_path {
#ifdef CONFIG_X86_64
	u32 caller;		/* the address to look up: see fm_text_keep() */
#else
	unsigned long caller;
#endif
	u32 parent;		/* the path that led here; 0: the leaf did */
	u32 next;		/* the one that went on from here last */
	struct fm_move move;	/* how the unwinder goes on */
};

/* That of a leaf without callers, and where none has gone on from a path yet. */
#define FM_PATH_NONE		0
#define FM_PATH_NOWHERE		1

struct fm_paths {
	struct fm_path *paths;
	u32 *index;
	u32 *nodes;		/* by path, the drain's: see drain.c */
	u32 epoch;		/* likewise: the aggregate that these are of */
	bool passes;		/* likewise: some are for one drain */
	u32 nr;
	u32 max;
	u32 shift;		/* from a 32-bit hash to a slot of the index */
};

/* One stack of the greatest depth does not fill them. */
#define FM_PATHS_MIN		172

/* But for the index. */
#define FM_PATH_BYTES		(sizeof(struct fm_path) + sizeof(u32))

int fm_paths_init(struct fm_paths *paths, u32 max, int node);
void fm_paths_deinit(struct fm_paths *paths);
void fm_paths_clear(struct fm_paths *paths);
void fm_paths_forget_notes(struct fm_paths *paths);

u32 fm_paths_add(struct fm_paths *paths, u32 parent, unsigned long caller);
unsigned int fm_paths_callers(const struct fm_paths *paths, u32 path,
			      unsigned long *callers);

static inline bool fm_paths_filling(const struct fm_paths *paths)
{
	return paths->nr > paths->max / 4 * 3;
}

static inline bool fm_paths_used_up(const struct fm_paths *paths)
{
	return paths->nr > paths->max / 8 * 5;
}

#endif /* _FLAMEMOD_PATH_H */
