/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shapes of stacks that were met before.
 *
 * A walk (walk.c) reads a few words of a stack: return addresses, and saved frame
 * pointers. Its steps only depend on these. If the same return addresses are at the same
 * places again, another walk leads to the same path. A shape has the addresses and places
 * of the last such walk, so a stack that is met again is only compared, address by
 * address, without a step between two of them. If anything differs, a walk takes the
 * stack.
 *
 * A shape has segments. The base of the first one is the place of the leaf's return
 * address, so that leaves with the same callers share a shape. Each further one starts at
 * a caller whose frame is found by the frame pointer, which is its base. So the distance
 * between two segments may change: on many kernels it is random for each system call
 * (CONFIG_RANDOMIZE_KSTACK_OFFSET). A segment ends at the top of its last frame, which
 * is where the last one meets the registers of user mode.
 *
 * Only stacks of one kind have a shape: those that lead from one call to the next to the
 * registers of user mode, where a task entered the kernel. All others, such as those of
 * interrupts, are walked.
 *
 * Locking: belongs to its CPU with interrupts off, like learned steps.
 */
#ifndef _FLAMEMOD_SHAPE_H
#define _FLAMEMOD_SHAPE_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/types.h>

#include "learned.h"
#include "path.h"

/* The most words of a shape. A deeper stack has none. */
#define FM_SHAPE_WORDS	26

/* So many walks find the shape of another stack in a slot before it is replaced. */
#define FM_SHAPE_WAIT	8

/* The place of a frame pointer that no caller has saved: the leaf has it. */
#define FM_SHAPE_LEAF	U16_MAX

/* The first word of a segment is about its base, the others are return addresses. */
struct fm_shape_word {
	s32 value;	/* the lower half of the address; or bytes from the base to the top */
	u16 at;		/* where it is: words from the base; or that of the segment before */
	u16 nr;		/* of a segment's first word: how many others it has */
};

struct fm_shape {
	u32 path;		/* of the whole stack */
	u32 generation;		/* of its paths; 0: there is no shape here */
	u16 depth;		/* callers */
	u16 segments;
	u32 wait;		/* walks until it is replaced */
	struct fm_shape_word words[FM_SHAPE_WORDS];
};

/* Where the callers of a leaf begin. */
struct fm_shape_from {
	struct task_struct *task;	/* the current one, or one that does not run meanwhile */
	unsigned long cfa;		/* the leaf's */
	const unsigned long *bp;	/* where the leaf's frame pointer is */
	unsigned long returned;		/* the first return address, if it left the stack; or 0 */
};

int fm_shapes_init(struct fm_shapes *shapes, u32 bits, int node);
void fm_shapes_deinit(struct fm_shapes *shapes);
bool fm_shapes_learn(struct fm_shapes *shapes, const struct fm_paths *paths, u32 path,
		     const struct fm_shape_from *from);

/* Return: where the shape of a path is, if it has one. */
static __always_inline struct fm_shape *fm_shapes_at(const struct fm_shapes *shapes, u32 path)
{
	return &shapes->shapes[path & shapes->mask];
}

static __always_inline bool fm_shape_is(const struct fm_shape *shape,
					const struct fm_paths *paths, u32 path)
{
	return shape->path == path && shape->generation == paths->generation;
}

/* Get the return address of a word of a shape. */
static __always_inline unsigned long fm_shape_value(const struct fm_shape_word *word)
{
	return (long)word->value;
}

static __always_inline unsigned long fm_shape_load(const unsigned long *word)
{
	return READ_ONCE_NOCHECK(*word);
}

/**
 * fm_shape_fits() - compare a stack with a shape.
 * @shape: the shape
 * @from: where its callers begin
 *
 * A segment is only read if its top is not above the registers of user mode; and that of
 * the last must be right there.
 *
 * Context: Interrupts off.
 * Return: true if a walk would lead to the shape's path.
 */
static __always_inline bool fm_shape_fits(const struct fm_shape *shape,
					  const struct fm_shape_from *from)
{
	unsigned long low = (unsigned long)task_stack_page(from->task), top;
	unsigned long end = (unsigned long)task_pt_regs(from->task);
	const unsigned long *base = (const unsigned long *)from->cfa - 1, *bp;
	const struct fm_shape_word *word = shape->words;
	u32 segments = shape->segments, nr;

	if (unlikely((unsigned long)base - low >= THREAD_SIZE ||
		     !user_mode((struct pt_regs *)end)))
		return false;
	for (;;) {
		nr = word->nr;
		top = (unsigned long)base + word->value;
		if (unlikely(top > end))
			return false;
		if (from->returned && word == shape->words) {
			word++;
			nr--;
			if (fm_shape_value(word) != from->returned)
				return false;
		}
		for (; nr; nr--) {
			word++;
			if (unlikely(fm_shape_load(&base[word->at]) != fm_shape_value(word)))
				return false;
		}
		if (!--segments)
			return likely(top == end);
		word++;
		bp = word->at == FM_SHAPE_LEAF ? from->bp : &base[word->at];
		base = (const unsigned long *)fm_shape_load(bp);
		if (unlikely((unsigned long)base - top > end - top))
			return false;
	}
}

#endif /* _FLAMEMOD_SHAPE_H */
