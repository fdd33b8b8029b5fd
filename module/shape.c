// SPDX-License-Identifier: GPL-2.0
/*
 * Shapes of stacks: see shape.h.
 */
#include <linux/errno.h>
#include <linux/vmalloc.h>

#include "shape.h"

/* A walk along the callers of a path, which notes where it finds what. */
struct fm_shape_walk {
	struct fm_shape *shape;
	u32 nr;				/* words */
	struct fm_shape_word *first;	/* of the segment */
	unsigned long base;		/* of the segment */
	unsigned long end;
	unsigned long sp;		/* the CFA of the frame before */
	unsigned long bp;		/* where the frame pointer is */
	bool leaf_bp;			/* no caller has saved it yet */
};

/**
 * fm_shapes_init() - allocate room for shapes.
 * @shapes: to set up
 * @bits: for 2^bits of them
 * @node: the memory node of the CPU that will use them
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_shapes_init(struct fm_shapes *shapes, u32 bits, int node)
{
	shapes->mask = BIT(bits) - 1;
	shapes->shapes = vzalloc_node(sizeof(*shapes->shapes) << bits, node);
	return shapes->shapes ? 0 : -ENOMEM;
}

/**
 * fm_shapes_deinit() - free shapes.
 * @shapes: set up, or all zero
 *
 * Context: Process context.
 */
void fm_shapes_deinit(struct fm_shapes *shapes)
{
	vfree(shapes->shapes);
	shapes->shapes = NULL;
}

/* Return: a place, from the segment's base. */
static u16 fm_shape_place(const struct fm_shape_walk *walk, unsigned long address)
{
	return (address - walk->base) / sizeof(long);
}

/* Note a word. Return: false if there are too many. */
static bool fm_shape_note(struct fm_shape_walk *walk, u16 at, s32 value)
{
	if (walk->nr == FM_SHAPE_WORDS)
		return false;
	walk->shape->words[walk->nr++] = (struct fm_shape_word){ .value = value, .at = at };
	return true;
}

/* Begin a segment, whose base is at a place of the one before. */
static bool fm_shape_begin(struct fm_shape_walk *walk, unsigned long base, u16 at)
{
	walk->first = &walk->shape->words[walk->nr];
	walk->base = base;
	walk->shape->segments++;
	return fm_shape_note(walk, at, 0);
}

/* End the segment at its top. */
static void fm_shape_end(struct fm_shape_walk *walk, unsigned long top)
{
	walk->first->value = top - walk->base;
	walk->first->nr = &walk->shape->words[walk->nr] - walk->first - 1;
}

/* Find a frame by the frame pointer, in a new segment. Return: false if it leads off. */
static bool fm_shape_follow_bp(struct fm_shape_walk *walk)
{
	unsigned long base = fm_shape_load((unsigned long *)walk->bp);
	u16 at = walk->leaf_bp ? FM_SHAPE_LEAF : fm_shape_place(walk, walk->bp);

	if (base < walk->sp)
		return false;
	fm_shape_end(walk, walk->sp);
	return fm_shape_begin(walk, base, at);
}

/* Take the step of a caller. Return: false if it is of another kind, or leads off. */
static bool fm_shape_step(struct fm_shape_walk *walk, const struct fm_move *move)
{
	unsigned long cfa, bp, low = walk->sp;

	if (move->kind == FM_STEP_BP) {
		if (!fm_shape_follow_bp(walk))
			return false;
		low = walk->base;
		cfa = low + move->cfa;
	} else if (move->kind == FM_STEP_SP) {
		cfa = low + move->cfa;
	} else {
		return false;
	}
	bp = cfa + move->bp * (long)sizeof(long);
	if (cfa <= low || cfa > walk->end || bp < low || bp > cfa ||
	    (cfa - walk->base) % sizeof(long))
		return false;
	if (move->bp) {
		walk->bp = bp;
		walk->leaf_bp = false;
	}
	walk->sp = cfa;
	return true;
}

/* Note a return address. Return: false if it is not there. */
static bool fm_shape_note_return(struct fm_shape_walk *walk, unsigned long address,
				 bool on_stack)
{
	unsigned long place = walk->sp - sizeof(long);

	if (on_stack && fm_shape_load((unsigned long *)place) != address)
		return false;
	return fm_shape_note(walk, fm_shape_place(walk, place), (s32)address);
}

/* Walk along so many callers, the leaf's first. Return: false if there is no shape. */
static bool fm_shape_walk(struct fm_shape_walk *walk, const struct fm_paths *paths,
			  const u32 *callers, u32 nr, bool returned)
{
	const struct fm_path *path = NULL;
	u32 i;

	for (i = 0; i < nr; i++) {
		if (path && !fm_shape_step(walk, &path->move))
			return false;
		path = &paths->paths[callers[i]];
		if (!fm_shape_note_return(walk, fm_text_address(path->caller) + 1,
					  i || !returned))
			return false;
	}
	/* The last step is to the registers of user mode. */
	if (!path || path->move.kind != FM_STEP_REGS ||
	    walk->sp + path->move.cfa != walk->end)
		return false;
	fm_shape_end(walk, walk->end);
	return true;
}

/* List a path's callers, the leaf's first. Return: how many; 0 if there are too many. */
static u32 fm_shape_callers(const struct fm_paths *paths, u32 path, u32 *callers)
{
	u32 nr = 0, at, i;

	for (at = path; at; at = paths->paths[at].parent)
		if (++nr > FM_SHAPE_WORDS)
			return 0;
	for (at = path, i = nr; i; at = paths->paths[at].parent)
		callers[--i] = at;
	return nr;
}

/**
 * fm_shapes_learn() - learn the shape of a stack that was just walked.
 * @shapes: the CPU's
 * @paths: where its path is
 * @path: the path of the whole stack
 * @from: where its callers begin
 *
 * Stacks whose shapes share a slot may come by turns. So that they do not replace each
 * other each time, only one walk in FM_SHAPE_WAIT learns.
 *
 * Context: Interrupts off.
 * Return: true if it tried, which takes longer than a walk.
 */
bool fm_shapes_learn(struct fm_shapes *shapes, const struct fm_paths *paths, u32 path,
		     const struct fm_shape_from *from)
{
	struct fm_shape *shape = fm_shapes_at(shapes, path);
	struct fm_shape_walk walk = {
		.shape = shape,
		.end = (unsigned long)task_pt_regs(from->task),
		.sp = from->cfa,
		.bp = (unsigned long)from->bp,
		.leaf_bp = true,
	};
	u32 callers[FM_SHAPE_WORDS];

	if (shape->wait) {
		shape->wait--;
		return false;
	}
	shape->wait = FM_SHAPE_WAIT;
	shape->generation = 0;
	shape->segments = 0;
	shape->depth = fm_shape_callers(paths, path, callers);
	if (!fm_shape_begin(&walk, from->cfa - sizeof(long), 0) ||
	    !fm_shape_walk(&walk, paths, callers, shape->depth, from->returned))
		return true;
	shape->path = path;
	shape->generation = paths->generation;
	return true;
}
