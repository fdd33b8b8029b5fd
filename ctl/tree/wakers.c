// SPDX-License-Identifier: GPL-2.0
/*
 * Turn the stacks of wakers, and find them in a call tree: see wakers.h.
 */
#include "tree/wakers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/rebuild.h"
#include "tree/kind.h"

/* A stack, from the root on, and where its parts end. */
struct parts {
	uint32_t *frames;
	uint32_t nr;
	uint32_t user;			/* the waker's user stack is before it */
	uint32_t waker;			/* the woken task's stack is before it; nr: none */
};

static enum flamemod_frame_kind kind_of(const struct profile *profile, uint32_t frame)
{
	return profile->frames[frame].kind;
}

/* Return: 0 with @parts->frames to be freed, or -ENOMEM. */
static int list_frames(const struct profile *profile, uint32_t node, struct parts *parts)
{
	uint32_t nr = 0;

	for (uint32_t at = node; at; at = profile->nodes[at].parent)
		nr++;
	*parts = (struct parts){ .frames = calloc(nr + 1, sizeof(uint32_t)), .nr = nr };
	if (!parts->frames)
		return -ENOMEM;
	for (uint32_t at = node; at; at = profile->nodes[at].parent)
		parts->frames[--nr] = profile->nodes[at].frame;
	while (parts->user < parts->nr &&
	       kind_of(profile, parts->frames[parts->user]) == FLAMEMOD_FRAME_USER)
		parts->user++;
	parts->waker = parts->user;
	while (parts->waker < parts->nr &&
	       kind_of(profile, parts->frames[parts->waker]) != FLAMEMOD_FRAME_WAKER)
		parts->waker++;
	return 0;
}

/*
 * Return: where the stack of a waker starts; of an interrupt, where that was entered last.
 * If this is not known, the whole stack belongs to it: what comes after @parts->waker.
 */
static uint32_t find_entry(const struct profile *profile, const struct parts *parts)
{
	const char *waker = profile->frames[parts->frames[parts->waker]].name;
	enum flamemod_context context = FLAMEMOD_CONTEXT_HARDIRQ;
	uint32_t found = parts->waker + 1;

	if (!strcmp(waker, "[softirq]"))
		context = FLAMEMOD_CONTEXT_SOFTIRQ;
	else if (strcmp(waker, "[hardirq]"))
		return found;
	for (uint32_t i = parts->nr - 1; i > parts->waker; i--) {
		const char *name = profile->frames[parts->frames[i]].name;

		if (kind_of_context(FLAMEMOD_CONTEXT_TASK, name) == context)
			found = i;
		else if (found > parts->waker + 1)
			break;
	}
	return found;
}

/* Return: a name with the mark, before the module in it if there is one; NULL: no memory. */
static char *mark(const struct profile_frame *frame)
{
	const char *end = frame->kind == FLAMEMOD_FRAME_MODULE ? strrchr(frame->name, ' ') : NULL;
	char *name;

	if (!end)
		end = frame->name + strlen(frame->name);
	if (asprintf(&name, "%.*s" KIND_WAKER_MARK "%s", (int)(end - frame->name), frame->name,
		     end) < 0)
		return NULL;
	return name;
}

/* Add a frame of a waker to the new profile. */
static int add_marked(struct profile_map *map, uint32_t number, uint32_t *added)
{
	const struct profile_frame *frame = &map->from->frames[number];
	const struct profile_object *object;
	uint32_t in;
	char *name = mark(frame);
	int err;

	if (!name)
		return -ENOMEM;
	if (!frame->object) {
		err = profile_add_frame(map->to, name, frame->kind == FLAMEMOD_FRAME_WAKER ?
					FLAMEMOD_FRAME_MARK : frame->kind, added);
	} else {
		object = &map->from->objects[frame->object - 1];
		err = profile_add_object(map->to, object->path, object->build_id, &in) ?:
		      profile_add_frame_at(map->to, name, in, frame->offset, added);
	}
	free(name);
	return err;
}

/* Add a frame of a waker above a node. */
static int add_waker(struct profile_map *map, uint32_t frame, uint32_t *node)
{
	bool is_unnamed = profile_frame_unnamed(map->from, frame);
	uint32_t number = 0;
	int err = is_unnamed ? profile_map_frame(map, frame) : add_marked(map, frame, &number);

	if (!err && is_unnamed)
		number = map->frames[frame] - 1;
	return err ?: profile_add_node(map->to, *node, number, node);
}

/* Add a frame of a woken task above a node. */
static int add_woken(struct profile_map *map, uint32_t frame, uint32_t *node)
{
	return profile_map_frame(map, frame) ?:
	       profile_add_node(map->to, *node, map->frames[frame] - 1, node);
}

static int add_parts(struct profile_map *map, const struct parts *parts, uint32_t *node)
{
	const uint32_t *frames = parts->frames;
	bool has_waker = parts->waker < parts->nr;
	uint32_t entry = has_waker ? find_entry(map->from, parts) : parts->nr;
	int err = 0;

	*node = 0;
	for (uint32_t i = has_waker ? parts->user : 0; i < parts->waker && !err; i++)
		err = add_woken(map, frames[i], node);
	for (uint32_t i = parts->nr; i > entry && !err; i--)
		err = add_waker(map, frames[i - 1], node);
	for (uint32_t i = parts->user; has_waker && i-- > 0 && !err;)
		err = add_waker(map, frames[i], node);
	if (has_waker && !err)
		err = add_waker(map, frames[parts->waker], node);
	return err;
}

static int turn_stack(struct profile_map *map, uint32_t node, uint32_t *number)
{
	struct parts parts;
	int err = list_frames(map->from, node, &parts);

	if (!err)
		err = add_parts(map, &parts, number);
	free(parts.frames);
	return err;
}

static void turn(struct profile_map *map)
{
	map->stack = turn_stack;
}

static bool has_wakers(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		if (kind_of(profile, i) == FLAMEMOD_FRAME_WAKER)
			return true;
	return false;
}

int wakers_turn(struct profile *profile, struct error *error)
{
	int err = has_wakers(profile) ? rebuild(profile, turn, NULL) : 0;

	return err ? error_set(error, err, "cannot order the stacks of wakers: %s",
			       strerror(-err)) : 0;
}

/* ---- in a call tree ---- */

/* What is known of a node: where there are marked ones in its stacks. */
enum { HAS_MARK = 1, MARK_NEARER_ROOT = 2, MARK_FARTHER = 4 };

/*
 * A node's parent has a lower number, so two passes are enough. A marked node on one side is
 * not: those of the woken task have one, too.
 */
bool *wakers_nodes(const struct tree *tree)
{
	const struct tree_node *nodes = tree->nodes;
	uint8_t *marks = calloc(tree->nr_nodes, sizeof(*marks));
	bool *wakers = calloc(tree->nr_nodes, sizeof(*wakers));

	for (uint32_t i = 1; marks && wakers && i < tree->nr_nodes; i++) {
		if (kind_is_waker(nodes[i].name))
			marks[i] |= HAS_MARK;
		if (marks[nodes[i].parent] & (HAS_MARK | MARK_NEARER_ROOT))
			marks[i] |= MARK_NEARER_ROOT;
	}
	for (uint32_t i = tree->nr_nodes; marks && wakers && i-- > 1;) {
		if (marks[i] & (HAS_MARK | MARK_FARTHER))
			marks[nodes[i].parent] |= MARK_FARTHER;
		wakers[i] = marks[i] & HAS_MARK ||
			    (marks[i] & MARK_NEARER_ROOT && marks[i] & MARK_FARTHER);
	}
	free(marks);
	if (marks)
		return wakers;
	free(wakers);
	return NULL;
}
