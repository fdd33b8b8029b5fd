/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ways of taking a kernel stack.
 *
 * All ways give the same result: addresses to look up, leaf first, starting at
 * the interrupted instruction, without the interrupt in which the sampler runs.
 */
#ifndef _FLAMEMOD_STACK_H
#define _FLAMEMOD_STACK_H

#include <linux/types.h>

struct fm_learned;
struct fm_sample;
struct pt_regs;
struct task_struct;

/*
 * A place in the current code that a handler was called for: the function, or the
 * instruction, and registers of the kernel. Only their ip, sp, bp and cs are used on
 * x86. If the function has returned, they are those of its caller, which goes on at ip.
 * If the place is inside of a function, its frame is there already. If it may be any
 * instruction, with interrupts off as well, the kernel's unwinder is used, which knows
 * the stacks of entry code.
 */
struct fm_spot {
	struct pt_regs *regs;
	unsigned long leaf;
	bool returned;
	bool inside;
	bool anywhere;
};

/**
 * typedef fm_stack_fn - take the current kernel stack.
 * @learned: the steps that the CPU has learned
 * @regs: the interrupted registers, of kernel mode
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep, 1..FLAMEMOD_MAX_DEPTH_MAX
 *
 * Context: Hard interrupt.
 */
typedef void (*fm_stack_fn)(struct fm_learned *learned, struct pt_regs *regs,
			    struct fm_sample *sample, unsigned int max_depth);

void fm_stack_portable(struct fm_learned *learned, struct pt_regs *regs,
		       struct fm_sample *sample, unsigned int max_depth);

#if defined(CONFIG_X86) && (defined(CONFIG_UNWINDER_ORC) || \
			    defined(CONFIG_UNWINDER_FRAME_POINTER))
#define FM_STACK_HAS_REGS	1
void fm_stack_from_regs(struct fm_learned *learned, struct pt_regs *regs,
			struct fm_sample *sample, unsigned int max_depth);
#else
#define FM_STACK_HAS_REGS	0
#define fm_stack_from_regs	fm_stack_portable
#endif

#if defined(CONFIG_X86) && defined(CONFIG_UNWINDER_ORC)
#define FM_STACK_HAS_STEPS	1
#define FM_STACK_NAMES		", regs, learned or portable"
bool fm_stack_begins(const struct task_struct *task, unsigned long sp);
#else
#define FM_STACK_HAS_STEPS	0
#define FM_STACK_NAMES		(FM_STACK_HAS_REGS ? ", regs or portable" : \
						     " or portable")
#endif

void fm_stack_from_task(struct fm_learned *learned, struct task_struct *task,
			struct fm_sample *sample, unsigned int max_depth);
void fm_stack_peek(struct task_struct *task, struct fm_sample *sample, unsigned int max_depth);
bool fm_stack_has_tasks(void);

void fm_stack_from_spot(struct fm_learned *learned, const struct fm_spot *spot,
			struct fm_sample *sample, unsigned int max_depth);

void fm_stack_trim(struct fm_sample *sample, unsigned int nr,
		   unsigned long interrupted, unsigned int max_depth);

fm_stack_fn fm_stack_find(const char *name);
bool fm_stack_learns(fm_stack_fn take_stack);

#endif /* _FLAMEMOD_STACK_H */
