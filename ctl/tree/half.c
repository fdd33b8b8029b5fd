// SPDX-License-Identifier: GPL-2.0
/*
 * Tell the halves of stacks apart: see half.h.
 *
 * Kinds of frames say which half they are in; only marks are in either. A node's
 * parent has a lower number, so two passes over the nodes are enough: one from the
 * root for what is above, and one from the leaves for what is below.
 */
#include "tree/half.h"

#include <stdlib.h>
#include <string.h>

#include "tree/kind.h"

/* Below this node is a user frame; only while halves are computed. */
#define ABOVE_USER	(1 << 2)

/* Return: 0 for a mark, which may be in either half; but who woke a task is in both. */
static uint8_t half_of_mark(const char *name)
{
	return kind_is_waker(name) ? HALF_BOTH : 0;
}

static uint8_t half_of_frame(const struct profile_frame *frame)
{
	if (frame->kind == FLAMEMOD_FRAME_USER)
		return HALF_USER;
	return frame->kind == FLAMEMOD_FRAME_MARK ? half_of_mark(frame->name) : HALF_KERNEL;
}

static uint8_t half_of_node(const struct tree_node *node)
{
	switch (node->kind) {
	case TREE_ROOT:
	case TREE_TASK:
	case TREE_LOST:
		return HALF_BOTH;
	case TREE_USER:
		return HALF_USER;
	case TREE_MARK:
		return half_of_mark(node->name);
	default:
		return HALF_KERNEL;
	}
}

/*
 * A mark takes the half of the frame above it. But below user frames, "[truncated]" and
 * "[incomplete]" say that the kernel's first frames are missing.
 */
static void inherit(uint8_t *half, uint8_t above, const char *name)
{
	above &= HALF_BOTH;
	if (*half & HALF_BOTH || above == HALF_BOTH)
		return;
	*half |= above == HALF_USER && kind_is_cut(name) ? HALF_KERNEL : above;
}

/* From the leaves on: tell the node above whether it is above a user frame. */
static void tell(uint8_t half, uint8_t *above)
{
	if (half & ABOVE_USER || (half & HALF_BOTH) == HALF_USER)
		*above |= ABOVE_USER;
}

/* Marks that have no frame above them go by what is below. */
static void settle(uint8_t *half)
{
	if (!(*half & HALF_BOTH))
		*half = *half & ABOVE_USER ? HALF_USER : HALF_KERNEL;
	*half &= HALF_BOTH;
}

void half_of_profile(const struct profile *profile, uint8_t **halves)
{
	const struct profile_node *nodes = profile->nodes;
	uint8_t *half = calloc(profile->nr_nodes, 1);
	uint32_t i;

	*halves = half;
	if (!half)
		return;
	half[0] = HALF_BOTH;
	for (i = 1; i < profile->nr_nodes; i++) {
		half[i] = half_of_frame(&profile->frames[nodes[i].frame]);
		inherit(&half[i], half[nodes[i].parent],
			profile->frames[nodes[i].frame].name);
	}
	/* a stack of marks alone is a program's if it was in user mode */
	for (i = 0; i < profile->nr_records; i++)
		if (profile->records[i].context == FLAMEMOD_CONTEXT_USER)
			half[profile->records[i].node] |= ABOVE_USER;
	for (i = profile->nr_nodes; i-- > 1;) {
		tell(half[i], &half[nodes[i].parent]);
		settle(&half[i]);
	}
	half[0] = HALF_BOTH;
}

void half_of_tree(const struct tree *tree, uint8_t **halves)
{
	const struct tree_node *nodes = tree->nodes;
	uint8_t *half = calloc(tree->nr_nodes, 1);
	uint32_t i;

	*halves = half;
	if (!half)
		return;
	half[0] = HALF_BOTH;
	for (i = 1; i < tree->nr_nodes; i++) {
		half[i] = half_of_node(&nodes[i]);
		inherit(&half[i], half[nodes[i].parent], nodes[i].name);
	}
	for (i = tree->nr_nodes; i-- > 1;) {
		tell(half[i], &half[nodes[i].parent]);
		settle(&half[i]);
	}
	half[0] = HALF_BOTH;
}

bool half_meets(const struct tree *tree, const uint8_t *halves, uint32_t node)
{
	/* the only two bits differ: neither is a level, which is of both halves */
	return (halves[node] ^ halves[tree->nodes[node].parent]) == HALF_BOTH;
}

/* "[user]" is all of user mode where no user stacks were taken. */
static bool stands_for_all(const char *name)
{
	return !strcmp(name, "[user]") || !strcmp(name, HALF_KERNEL_NAME);
}

bool half_in_profile(const struct profile *profile, uint8_t half)
{
	for (uint32_t i = 0; i < profile->nr_frames; i++)
		if (half_of_frame(&profile->frames[i]) == half &&
		    !stands_for_all(profile->frames[i].name))
			return true;
	return false;
}

bool half_in_tree(const struct tree *tree, uint8_t half)
{
	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		if (half_of_node(&tree->nodes[i]) == half &&
		    !stands_for_all(tree->nodes[i].name))
			return true;
	return false;
}
