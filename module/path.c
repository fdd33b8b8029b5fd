// SPDX-License-Identifier: GPL-2.0
/*
 * Stores call paths: see path.h.
 */
#include <linux/atomic.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "index.h"
#include "path.h"

/* Of all paths: numbers of paths are used again, with other callers. */
static atomic_t fm_paths_generation;

/* Return: a new generation. */
static u32 fm_paths_new_generation(void)
{
	u32 generation = atomic_inc_return(&fm_paths_generation);

	return generation ?: atomic_inc_return(&fm_paths_generation);
}

/**
 * fm_paths_init() - allocate an empty set of paths.
 * @paths: to set up
 * @max: the most paths, at least FM_PATHS_MIN
 * @node: the memory node of the CPU that will use them
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_paths_init(struct fm_paths *paths, u32 max, int node)
{
	u32 slots = roundup_pow_of_two(2 * max);

	paths->max = max;
	paths->shift = 32 - ilog2(slots);
	paths->paths = vzalloc_node(max * sizeof(*paths->paths), node);
	paths->index = vzalloc_node(slots * sizeof(u32), node);
	paths->nodes = vzalloc_node(max * sizeof(u32), node);
	if (!paths->paths || !paths->index || !paths->nodes) {
		fm_paths_deinit(paths);
		return -ENOMEM;
	}
	fm_paths_clear(paths);
	return 0;
}

/**
 * fm_paths_deinit() - free the paths.
 * @paths: set up, or all zero
 *
 * Context: Process context.
 */
void fm_paths_deinit(struct fm_paths *paths)
{
	vfree(paths->paths);
	vfree(paths->index);
	vfree(paths->nodes);
	fm_user_paths_deinit(&paths->user);
	fm_wakers_deinit(&paths->wakers);
	memset(paths, 0, sizeof(*paths));
}

/**
 * fm_paths_clear() - forget all paths.
 * @paths: the paths
 *
 * Context: Any; the caller owns them.
 */
void fm_paths_clear(struct fm_paths *paths)
{
	if (paths->nr > FM_PATH_NOWHERE + 1)
		fm_index_clear(paths->index, paths->shift);
	memset(paths->nodes, 0, paths->nr * sizeof(u32));
	paths->paths[FM_PATH_NONE] = (struct fm_path){
		.next = FM_PATH_NOWHERE,
	};
	/* Even if its caller of 0 should match, a walk stops at this path. */
	paths->paths[FM_PATH_NOWHERE] = (struct fm_path){
		.next = FM_PATH_NOWHERE,
		.move.kind = FM_STEP_HARD,
	};
	paths->nr = FM_PATH_NOWHERE + 1;
	paths->generation = fm_paths_new_generation();
	fm_user_paths_clear(&paths->user);
	fm_wakers_clear(&paths->wakers);
}

/**
 * fm_paths_forget_notes() - forget where paths are in the aggregate.
 * @paths: the paths
 *
 * Context: Process context, under the session's lock.
 */
void fm_paths_forget_notes(struct fm_paths *paths)
{
	memset(paths->nodes, 0, paths->max * sizeof(u32));
	fm_user_paths_forget_notes(&paths->user);
}

/* Find or add the path that continues another one, by what is stored for its caller. */
static u32 fm_paths_add_kept(struct fm_paths *paths, u32 parent, unsigned long kept)
{
	u32 mask = ~0U >> paths->shift;
	u32 slot = hash_32((u32)kept ^ parent * GOLDEN_RATIO_32,
			   32 - paths->shift);
	struct fm_path *path;
	u32 nr, probes;

	/* The index is at most half full, so that most searches are short. */
	for (probes = 0; (nr = paths->index[slot]); slot = (slot + 1) & mask) {
		path = &paths->paths[nr];
		if (path->caller == kept && path->parent == parent)
			goto found;
		if (++probes == FM_PATHS_PROBES)
			return FM_PATH_NONE;
	}
	if (paths->nr == paths->max)
		return FM_PATH_NONE;
	nr = paths->nr++;
	paths->index[slot] = nr;
	path = &paths->paths[nr];
	*path = (struct fm_path){
		.caller = kept,
		.parent = parent,
		.next = FM_PATH_NOWHERE,
	};
found:
	paths->paths[parent].next = nr;
	return nr;
}

/**
 * fm_paths_add() - find or add the path that continues another one to a caller.
 * @paths: the paths
 * @parent: the path to continue
 * @caller: the address to look up
 *
 * Context: Any; the caller owns the paths.
 * Return: its number, or FM_PATH_NONE if there is no room for a new one, or the search
 * looked at FM_PATHS_PROBES slots.
 */
u32 fm_paths_add(struct fm_paths *paths, u32 parent, unsigned long caller)
{
	return fm_paths_add_kept(paths, parent, fm_text_keep(caller));
}

/**
 * fm_paths_add_note() - find or add the path that continues another one to a note.
 * @paths: the paths
 * @parent: the path to continue
 * @note: what to note, above 0 and below FM_PATH_NOTES
 *
 * Context: Any; the caller owns the paths.
 * Return: as fm_paths_add().
 */
u32 fm_paths_add_note(struct fm_paths *paths, u32 parent, u32 note)
{
	return fm_paths_add_kept(paths, parent, note);
}

/**
 * fm_paths_append() - find or add the path that continues another one by several callers.
 * @paths: the paths
 * @path: the path to continue, which has a caller
 * @callers: the addresses to look up
 * @nr: how many there are
 *
 * What continued a path last is tried first, since a stack is mostly met again.
 *
 * Context: Any; the caller owns the paths.
 * Return: as fm_paths_add().
 */
u32 fm_paths_append(struct fm_paths *paths, u32 path, const unsigned long *callers,
		    unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr && path; i++) {
		unsigned long kept = fm_text_keep(callers[i]);
		u32 next = paths->paths[path].next;

		if (likely(paths->paths[next].parent == path &&
			   paths->paths[next].caller == kept))
			path = next;
		else
			path = fm_paths_add_kept(paths, path, kept);
	}
	return path;
}

/**
 * fm_paths_callers() - list the callers in a path.
 * @paths: the paths
 * @path: one of them
 * @callers: room for all addresses and notes, FM_PATH_CALLERS_MAX at most; the leaf's
 *           caller first
 *
 * Context: Any; the caller owns the paths.
 * Return: how many there are.
 */
unsigned int fm_paths_callers(const struct fm_paths *paths, u32 path,
			      unsigned long *callers)
{
	unsigned int nr = 0, i;
	u32 at;

	for (at = path; at; at = paths->paths[at].parent)
		nr++;
	for (at = path, i = nr; i; at = paths->paths[at].parent)
		callers[--i] = fm_text_address(paths->paths[at].caller);
	return nr;
}
