/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's unwinder on x86, which the units under test call through here, so that
 * a test can replace it by one of its own.
 */
#ifndef _FM_UNWINDER_H
#define _FM_UNWINDER_H

#include "../../module/stack.h"

#if FM_STACK_HAS_REGS
#include <asm/unwind.h>

/* unwind_start() and unwind_next_frame(): the kernel's, unless a test sets others. */
extern void (*fm_unwind_start)(struct unwind_state *state, struct task_struct *task,
			       struct pt_regs *regs, unsigned long *first_frame);
extern bool (*fm_unwind_next)(struct unwind_state *state);

/* An unwinder that finds nothing, and how often it was started. */
void fm_unwind_nothing(struct unwind_state *state, struct task_struct *task,
		       struct pt_regs *regs, unsigned long *first_frame);
extern u32 fm_unwind_nr_starts;

void fm_unwinder_reset(void);
#endif

#endif /* _FM_UNWINDER_H */
