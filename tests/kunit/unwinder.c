// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's unwinder, where no test replaces it: see unwinder.h.
 */
#include <linux/string.h>

#include "unwinder.h"

#if FM_STACK_HAS_REGS
static void fm_unwind_really(struct unwind_state *state, struct task_struct *task,
			     struct pt_regs *regs, unsigned long *first_frame)
{
	unwind_start(state, task, regs, first_frame);
}

void (*fm_unwind_start)(struct unwind_state *state, struct task_struct *task,
			struct pt_regs *regs, unsigned long *first_frame) = fm_unwind_really;
bool (*fm_unwind_next)(struct unwind_state *state) = unwind_next_frame;

u32 fm_unwind_nr_starts;

void fm_unwind_nothing(struct unwind_state *state, struct task_struct *task,
		       struct pt_regs *regs, unsigned long *first_frame)
{
	fm_unwind_nr_starts++;
	memset(state, 0, sizeof(*state));
}

void fm_unwinder_reset(void)
{
	fm_unwind_start = fm_unwind_really;
	fm_unwind_next = unwind_next_frame;
}
#endif
