/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes kernel stacks on x86 with the ORC unwinder, by steps that were learned
 * from that unwinder (see step.h).
 *
 * A step is learned the first time its address is met, and kept in a per-CPU
 * cache. The paths of a hot table copy their steps from there. After that a
 * frame of a known path costs one comparison and one load; and the stack of an event
 * that was met before, in the same places, is only compared with what was there (shape.h).
 * If a step was not or cannot be learned, the kernel's unwinder takes the whole stack.
 * Interrupted instructions and return addresses have separate steps, because the
 * unwinder looks a return address up one byte before it.
 *
 * Return addresses are learned from what the unwinder reports; fm_learned_trusts() has the
 * exception. If a return probe has replaced a return address with its trampoline's,
 * fm_walk() finds the true one by fm_traced_return(). What the function_graph tracer has
 * replaced, only the unwinder finds.
 *
 * Locking: belongs to its CPU with interrupts off, like the sampler.
 */
#ifndef _FLAMEMOD_LEARNED_H
#define _FLAMEMOD_LEARNED_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"
#include "stack.h"

struct fm_sample;
struct fm_shape;
struct fm_step_set;
struct fm_text;
struct pt_regs;

/* How many stacks of kernel mode were taken, and how. */
struct fm_learned_counts {
	u64 learned;		/* by learned steps alone */
	u64 unwound;		/* by the kernel's unwinder */
	u64 steps;		/* steps learned */
	u64 verified;		/* stacks taken both ways */
	u64 differences;	/* verified stacks that differed */
};

static inline void fm_learned_add(struct fm_learned_counts *sum,
				  const struct fm_learned_counts *counts)
{
	sum->learned += counts->learned;
	sum->unwound += counts->unwound;
	sum->steps += counts->steps;
	sum->verified += counts->verified;
	sum->differences += counts->differences;
}

/* How many sets to check per call with interrupts off: takes some 10 us. */
#define FM_LEARNED_FORGET	2048

struct fm_steps {
	struct fm_step_set *sets;
	u32 shift;			/* from a 32-bit hash to a set */
};

struct fm_shapes {
	struct fm_shape *shapes;
	u32 mask;			/* from a path's number to its shape */
};

struct fm_learned {
	struct fm_steps leaves;		/* interrupted instructions */
	struct fm_steps returns;	/* callers */
	struct fm_shapes shapes;	/* of whole stacks; events alone have any */
	const struct fm_text *text;
	unsigned long irq_low, irq_high;	/* the CPU's interrupt stack */
	u32 verify;			/* one stack in this many; 0: none */
	u32 verify_in;
	u32 may_learn;			/* steps left to learn in this sample */
	bool off;			/* a verified stack differed: unused */
	struct fm_learned_counts counts;
	unsigned long check[FLAMEMOD_MAX_DEPTH_MAX];	/* callers to compare in a verification */
};

#if FM_STACK_HAS_STEPS
size_t fm_learned_fit(size_t bytes);
int fm_learned_init(struct fm_learned *learned, size_t bytes, int node);
int fm_learned_init_events(struct fm_learned *learned, size_t bytes, int node);
void fm_learned_deinit(struct fm_learned *learned);
bool fm_learned_forget_modules(struct fm_learned *learned, u32 *next);

void fm_learned_note(struct fm_learned *learned, unsigned long address,
		     bool interrupted);
void fm_learned_stack(struct fm_learned *learned, struct pt_regs *regs,
		      struct fm_sample *sample, unsigned int max_depth);
void fm_learned_task_stack(struct fm_learned *learned, struct task_struct *task,
			   struct fm_sample *sample, unsigned int max_depth);
void fm_learned_spot_stack(struct fm_learned *learned, const struct fm_spot *spot,
			   struct fm_sample *sample, unsigned int max_depth);
#else
static inline size_t fm_learned_fit(size_t bytes)
{
	return 0;
}

static inline int fm_learned_init(struct fm_learned *learned, size_t bytes,
				  int node)
{
	return 0;
}

static inline int fm_learned_init_events(struct fm_learned *learned,
					 size_t bytes, int node)
{
	return 0;
}

static inline void fm_learned_deinit(struct fm_learned *learned)
{
}

static inline bool fm_learned_forget_modules(struct fm_learned *learned,
					     u32 *next)
{
	return true;
}

static inline void fm_learned_stack(struct fm_learned *learned,
				    struct pt_regs *regs,
				    struct fm_sample *sample,
				    unsigned int max_depth)
{
}

static inline void fm_learned_task_stack(struct fm_learned *learned,
					 struct task_struct *task,
					 struct fm_sample *sample,
					 unsigned int max_depth)
{
}

static inline void fm_learned_spot_stack(struct fm_learned *learned,
					 const struct fm_spot *spot,
					 struct fm_sample *sample,
					 unsigned int max_depth)
{
}
#endif

#endif /* _FLAMEMOD_LEARNED_H */
