/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call paths: the callers of interrupted instructions, stored as a tree.
 *
 * A path is a caller plus the path that led to it, from the interrupted
 * function outwards. The same callers always have the same path, so the number
 * of a path identifies all of them. A path also remembers which path continued
 * it last, and the unwinder's step that led there, so following a stack that
 * was seen before takes one comparison per frame.
 *
 * Locking: as in table.h, since paths are a part of a table. Callers and
 * parents never change until all paths are forgotten.
 */
#ifndef _FLAMEMOD_PATH_H
#define _FLAMEMOD_PATH_H

#include <linux/hash.h>
#include <linux/types.h>

#include "step.h"
#include "user/paths.h"
#include "wakers.h"

/*
 * How an address of text is stored. On x86-64 all text is in the topmost 2 GiB,
 * so the lower half identifies it. Other addresses, such as firmware's, are 0.
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
	u32 parent;		/* the path that led here; 0: none, the leaf */
	u32 next;		/* the path that continued this one last */
	struct fm_move move;	/* the unwinder's step to the next caller */
};

/* The path of a leaf without callers, and the "next" of a path not continued yet. */
#define FM_PATH_NONE		0
#define FM_PATH_NOWHERE		1

struct fm_paths {
	struct fm_path *paths;
	u32 *index;
	u32 *nodes;		/* the drain's notes, by path: see drain.c */
	u64 noted;		/* the drain's: see fm_drain_check_notes() */
	bool passes;		/* the drain's: some notes are for one drain */
	u32 generation;		/* not 0; paths that were cleared since have another */
	u32 nr;
	u32 max;
	u32 shift;		/* from a 32-bit hash to a slot of the index */
	struct fm_user_paths user;	/* without memory unless user stacks are on */
	struct fm_wakers wakers;	/* whom notes name; without memory unless asked for */
};

/* A caller below is no address, but a note: see wakers.h. */
#define FM_PATH_NOTES		(FM_WAKER_MAX + 1)

/* Return: true if a caller is a note, not an address. A caller of 0 is an unknown address. */
static inline bool fm_path_is_note(unsigned long caller)
{
	return caller && caller < FM_PATH_NOTES;
}

/*
 * The most callers of a path: those of a waker, a note, and the stack of the task that it
 * woke. All others are of one stack.
 */
#define FM_PATH_CALLERS_MAX	(2 * FLAMEMOD_MAX_DEPTH_MAX)

/* Enough that one stack of the greatest depth does not fill them. */
#define FM_PATHS_MIN		172

/* A search in hard interrupt context ends after this many slots, whatever is in them. */
#define FM_PATHS_PROBES		256

/* Memory per path, without the index. */
#define FM_PATH_BYTES		(sizeof(struct fm_path) + sizeof(u32))

int fm_paths_init(struct fm_paths *paths, u32 max, int node);
void fm_paths_deinit(struct fm_paths *paths);
void fm_paths_clear(struct fm_paths *paths);
void fm_paths_forget_notes(struct fm_paths *paths);

u32 fm_paths_add(struct fm_paths *paths, u32 parent, unsigned long caller);
u32 fm_paths_add_note(struct fm_paths *paths, u32 parent, u32 note);
u32 fm_paths_append(struct fm_paths *paths, u32 path, const unsigned long *callers,
		    unsigned int nr);
unsigned int fm_paths_callers(const struct fm_paths *paths, u32 path,
			      unsigned long *callers);

static inline bool fm_paths_filling(const struct fm_paths *paths)
{
	return paths->nr > paths->max / 4 * 3 ||
	       fm_user_paths_filling(&paths->user) || fm_wakers_filling(&paths->wakers);
}

static inline bool fm_paths_used_up(const struct fm_paths *paths)
{
	return paths->nr > paths->max / 8 * 5 ||
	       fm_user_paths_used_up(&paths->user) || fm_wakers_used_up(&paths->wakers);
}

#endif /* _FLAMEMOD_PATH_H */
