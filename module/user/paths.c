// SPDX-License-Identifier: GPL-2.0
/*
 * Stores user stacks: see paths.h.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/random.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "../index.h"
#include "paths.h"

/* The most slots that a search looks at: see FM_TABLE_PROBES. */
#define FM_USER_PROBES	256

/* Add the paths that always exist: one for each reason to have no frames. */
static void fm_user_paths_start(struct fm_user_paths *paths)
{
	u32 side;

	paths->paths[0] = (struct fm_user_path){};
	for (side = 0; side < __FLAMEMOD_USER_MAX; side++)
		paths->paths[fm_user_paths_nothing(side)] = (struct fm_user_path){
			.frame = fm_user_frame(0, FM_USER_END + side),
		};
	paths->nr = 1 + __FLAMEMOD_USER_MAX;
	paths->hogged = false;
	memset(paths->owners, 0, sizeof(paths->owners));
	paths->owner = &paths->owners[0];
}

/**
 * fm_user_paths_init() - allocate an empty set of user stacks.
 * @paths: to set up, all zero
 * @bytes: memory for all of it, at least FM_USER_KB_MIN / 2 KiB
 * @node: the memory node of the CPU that will use them
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_user_paths_init(struct fm_user_paths *paths, size_t bytes, int node)
{
	/* a path, a note and four slots of the index, rounded up */
	u32 max = bytes / (sizeof(*paths->paths) + 5 * sizeof(u32));
	u32 slots;

	slots = roundup_pow_of_two(2 * max);
	paths->max = max;
	paths->shift = 32 - ilog2(slots);
	paths->secret = get_random_u64() | 1;
	paths->paths = vzalloc_node(max * sizeof(*paths->paths), node);
	paths->index = vzalloc_node(slots * sizeof(u32), node);
	paths->nodes = vzalloc_node(max * sizeof(u32), node);
	if (!paths->paths || !paths->index || !paths->nodes) {
		fm_user_paths_deinit(paths);
		return -ENOMEM;
	}
	fm_user_paths_start(paths);
	return 0;
}

/**
 * fm_user_paths_deinit() - free the user stacks.
 * @paths: set up, or all zero
 *
 * Context: Process context.
 */
void fm_user_paths_deinit(struct fm_user_paths *paths)
{
	vfree(paths->paths);
	vfree(paths->index);
	vfree(paths->nodes);
	memset(paths, 0, sizeof(*paths));
}

/**
 * fm_user_paths_clear() - forget all user stacks.
 * @paths: the paths, or all zero
 *
 * Context: Any; the caller owns them.
 */
void fm_user_paths_clear(struct fm_user_paths *paths)
{
	if (!paths->max)
		return;
	fm_index_clear(paths->index, paths->shift);
	memset(paths->nodes, 0, paths->nr * sizeof(u32));
	fm_user_paths_start(paths);
}

/**
 * fm_user_paths_forget_notes() - forget where user stacks are in the aggregate.
 * @paths: the paths
 *
 * Context: Process context, under the session's lock.
 */
void fm_user_paths_forget_notes(struct fm_user_paths *paths)
{
	if (paths->max)
		memset(paths->nodes, 0, paths->max * sizeof(u32));
}

/* Find or add the count of a process. */
static struct fm_user_owner *fm_user_owner_of(struct fm_user_paths *paths, const void *mm)
{
	u32 set = hash_ptr(mm, ilog2(FM_USER_OWNERS / FM_USER_OWNERS_SET)), i;
	struct fm_user_owner *owners = &paths->owners[set * FM_USER_OWNERS_SET];
	struct fm_user_owner *least = owners;

	for (i = 0; i < FM_USER_OWNERS_SET; i++) {
		if (owners[i].mm == mm)
			return &owners[i];
		if (owners[i].nr < least->nr)
			least = &owners[i];
	}
	*least = (struct fm_user_owner){ .mm = mm };
	return least;
}

/**
 * fm_user_paths_begin() - start to add a stack.
 * @paths: the paths
 * @mm: the memory of the process that it belongs to
 *
 * Context: Any; the caller owns the paths.
 * Return: false if that process has used up its share of the paths.
 */
bool fm_user_paths_begin(struct fm_user_paths *paths, const void *mm)
{
	struct fm_user_owner *owner = fm_user_owner_of(paths, mm);

	paths->owner = owner;
	if (owner->nr > paths->max / 5)
		paths->hogged = true;
	return owner->nr <= paths->max / 4;
}

/**
 * fm_user_paths_add() - find or add the path that extends another one by a frame.
 * @paths: the paths, with memory
 * @parent: the path to extend; 0: none
 * @frame: the frame
 *
 * Context: Any; the caller owns the paths.
 * Return: its number, or 0 if there is no room for a new one.
 */
u32 fm_user_paths_add(struct fm_user_paths *paths, u32 parent, u64 frame)
{
	u32 nr = fm_user_paths_next(paths, parent), mask = ~0U >> paths->shift, slot, probes;
	struct fm_user_path *path = &paths->paths[nr];

	if (nr && path->frame == frame)
		return nr;
	slot = fm_user_paths_slot(paths, parent, frame);
	for (probes = 0; (nr = paths->index[slot]); slot = (slot + 1) & mask) {
		path = &paths->paths[nr];
		if (path->frame == frame && path->parent == parent)
			goto found;
		if (++probes == FM_USER_PROBES)
			return 0;
	}
	if (paths->nr == paths->max)
		return 0;
	nr = paths->nr++;
	paths->owner->nr++;
	paths->index[slot] = nr;
	paths->paths[nr] = (struct fm_user_path){ .frame = frame, .parent = parent };
found:
	fm_user_paths_set_next(paths, parent, nr);
	return nr;
}

/**
 * fm_user_paths_end() - end an incomplete stack with a frame that says why.
 * @paths: the paths
 * @path: the path of the frames that are known; 0: none
 * @side: the reason; set to FLAMEMOD_USER_CROWDED if there is no room
 *
 * Context: Any; the caller owns the paths.
 * Return: the path.
 */
u32 fm_user_paths_end(struct fm_user_paths *paths, u32 path,
		      enum flamemod_user_side *side)
{
	if (path)
		path = fm_user_paths_add(paths, path,
					 fm_user_frame(0, FM_USER_END + *side));
	else
		path = fm_user_paths_nothing(*side);
	if (!path) {
		*side = FLAMEMOD_USER_CROWDED;
		path = fm_user_paths_nothing(*side);
	}
	return path;
}

/**
 * fm_user_paths_frames() - list the frames in a path.
 * @paths: the paths
 * @path: one of them
 * @frames: room for FM_USER_FRAMES_MAX frames; the leaf first
 *
 * Context: Any; the caller owns the paths.
 * Return: how many there are.
 */
unsigned int fm_user_paths_frames(const struct fm_user_paths *paths, u32 path,
				  u64 *frames)
{
	unsigned int nr = 0, i;
	u32 at;

	for (at = path; at; at = paths->paths[at].parent)
		nr++;
	for (at = path, i = nr; i; at = paths->paths[at].parent)
		frames[--i] = paths->paths[at].frame;
	return nr;
}
