/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User stacks, stored as a tree from the interrupted function outwards.
 *
 * It is the counterpart of ../path.h: the same frames always have the same path,
 * so the number of a path identifies all of them. A frame is the number of an object
 * (object.h) and an offset in its file, so it is the same in every process.
 *
 * Locking: as in ../table.h.
 */
#ifndef _FLAMEMOD_USER_PATHS_H
#define _FLAMEMOD_USER_PATHS_H

#include <linux/bits.h>
#include <linux/types.h>

#include "../../common/uapi/flamemod.h"
#include "cfi.h"

#define FM_USER_KB_MIN		64
#define FM_USER_KB_MAX		65536
#define FM_USER_DEPTH_MAX	FLAMEMOD_MAX_DEPTH_MAX

/*
 * A frame: an object's number and an offset; or object 0 and a mark, as follows; or an
 * address in code that was made at run time, which is in no file. The first of these
 * in a stack is preceded by FM_USER_PROCESS, so that a path has the frames of one
 * process alone: the same address is another function in another one.
 */
#define FM_USER_OFFSET_BITS	44
#define FM_USER_MADE		1ull	/* code made at run time, at no address that is kept */
#define FM_USER_FOREIGN		2ull	/* a file that may not be read */
#define FM_USER_END		16ull	/* plus enum flamemod_user_side: why the stack ends here */
#define FM_USER_COPIED		BIT_ULL(32)	/* plus a number: see copies.h */
#define FM_USER_PROCESS		BIT_ULL(33)	/* plus a process's id; it is no frame */
#define FM_USER_MADE_AT		BIT_ULL(63)	/* plus an address below FM_USER_MADE_MAX */
#define FM_USER_MADE_MAX	BIT_ULL(48)	/* flamectl knows no higher ones */

/* The most that a path has: frames, a process, and why it ends or a copy. */
#define FM_USER_FRAMES_MAX	(FM_USER_DEPTH_MAX + 2)

static inline u64 fm_user_frame(u32 object, u64 offset)
{
	return (u64)object << FM_USER_OFFSET_BITS |
	       (offset & ((1ull << FM_USER_OFFSET_BITS) - 1));
}

static inline u32 fm_user_frame_object(u64 frame)
{
	return frame >> FM_USER_OFFSET_BITS;
}

static inline u64 fm_user_frame_offset(u64 frame)
{
	return frame & ((1ull << FM_USER_OFFSET_BITS) - 1);
}

/* Return: whether a frame is the number of a copy. */
static inline bool fm_user_frame_is_copy(u64 frame)
{
	return frame >> 32 == FM_USER_COPIED >> 32;
}

/* Return: whether it tells the process of the frames after it. */
static inline bool fm_user_frame_is_process(u64 frame)
{
	return frame >> 32 == FM_USER_PROCESS >> 32;
}

/* Return: the frame of an address in code that was made at run time. */
static inline u64 fm_user_frame_made(u64 address)
{
	return address < FM_USER_MADE_MAX ? FM_USER_MADE_AT | address : FM_USER_MADE;
}

/* Return: whether it is such a frame, and has its address. */
static inline bool fm_user_frame_is_made(u64 frame)
{
	return frame & FM_USER_MADE_AT;
}

/* What a walk needs of a frame's row (cfi.h) to go on without looking it up. */
struct fm_user_step {
	s16 cfa;
	u8 kind;		/* enum fm_cfa; FM_CFA_NONE: look it up */
	s8 bp;
	s8 bx;
	u8 base;		/* the slot of the frame's object: see struct fm_bases */
};

/* Path 0 is none: it has no frame, and no step. */
struct fm_user_path {
	u64 frame;
	u32 parent;		/* the path that led here; 0: none, the leaf */
	u32 next_at;		/* how far the path that extended this one last is from path 0 */
	struct fm_user_step step;	/* from @frame to its caller */
};

/*
 * Users choose their stacks, so a process could fill the paths of a CPU and leave no
 * room for others. For one that has a fifth of them, a drain is requested, after which
 * there are new ones; one that has a quarter gets no more until then. Processes share
 * sets of owners; a new one replaces the one with the fewest paths in its set.
 */
#define FM_USER_OWNERS		64	/* a power of two */
#define FM_USER_OWNERS_SET	4	/* a power of two */

struct fm_user_owner {
	const void *mm;		/* only compared */
	u32 nr;
};

struct fm_user_paths {
	struct fm_user_path *paths;
	u32 *index;
	u32 *nodes;		/* the drain's notes, by path */
	u64 secret;		/* a key for the hash, since users choose frames */
	u32 nr;
	u32 max;
	u32 shift;
	bool hogged;		/* a process has used up its share */
	struct fm_user_owner *owner;	/* of the stack that is being added */
	struct fm_user_owner owners[FM_USER_OWNERS];
};

/* Return: the path that extended another one last; 0: none. */
static inline u32 fm_user_paths_next(const struct fm_user_paths *paths, u32 nr)
{
	return paths->paths[nr].next_at / sizeof(*paths->paths);
}

/* Note that a path extended another one last. */
static inline void fm_user_paths_set_next(struct fm_user_paths *paths, u32 nr, u32 next)
{
	paths->paths[nr].next_at = next * sizeof(*paths->paths);
}

int fm_user_paths_init(struct fm_user_paths *paths, size_t bytes, int node);
void fm_user_paths_deinit(struct fm_user_paths *paths);
void fm_user_paths_clear(struct fm_user_paths *paths);
void fm_user_paths_forget_notes(struct fm_user_paths *paths);
bool fm_user_paths_begin(struct fm_user_paths *paths, const void *mm);
u32 fm_user_paths_add(struct fm_user_paths *paths, u32 parent, u64 frame);
u32 fm_user_paths_end(struct fm_user_paths *paths, u32 path,
		      enum flamemod_user_side *side);
unsigned int fm_user_paths_frames(const struct fm_user_paths *paths, u32 path,
				  u64 *frames);

/*
 * Return: where the search for the path that extends another one by a frame starts.
 *
 * One secret in some hundreds lets frames at equal distances, such as offsets in a row,
 * start at few places. Then the search for some of them ends before it finds a free slot.
 * Their stacks are crowded until tables are allocated anew, with another secret.
 */
static __always_inline u32 fm_user_paths_slot(const struct fm_user_paths *paths,
					      u32 parent, u64 frame)
{
	return ((frame ^ (u64)parent << 32 ^ parent) * paths->secret) >> 32 >> paths->shift;
}

/*
 * Find the path that extends another one by a frame, if that takes no long search.
 * Return: its number, or 0. Calls no function.
 */
static __always_inline u32 fm_user_paths_find(const struct fm_user_paths *paths,
					      u32 parent, u64 frame)
{
	u32 slot = fm_user_paths_slot(paths, parent, frame), probes, nr;

	for (probes = 0; probes < 4; probes++) {
		nr = paths->index[(slot + probes) & (~0U >> paths->shift)];
		if (!nr)
			break;
		if (paths->paths[nr].frame == frame && paths->paths[nr].parent == parent)
			return nr;
	}
	return 0;
}

/* Return: the path that has only a reason; it always exists. */
static inline u32 fm_user_paths_nothing(enum flamemod_user_side side)
{
	return 1 + side;
}

static inline bool fm_user_paths_filling(const struct fm_user_paths *paths)
{
	return paths->nr > paths->max / 4 * 3 || paths->hogged;
}

static inline bool fm_user_paths_used_up(const struct fm_user_paths *paths)
{
	return paths->nr > paths->max / 8 * 5 || paths->hogged;
}

#endif /* _FLAMEMOD_USER_PATHS_H */
