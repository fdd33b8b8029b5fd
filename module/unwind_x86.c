// SPDX-License-Identifier: GPL-2.0
/*
 * How a kernel stack is taken on x86: by the kernel's own unwinder, from the
 * interrupted registers.
 *
 * stack_trace_save() starts in our callback and unwinds the interrupt's
 * frames first, at some 400 instructions each. unwind_start() with registers
 * starts where we want to; it steps past the interrupted frame itself, which
 * is therefore added here.
 */
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/unwind.h>

#include "sample.h"
#include "stack.h"

/**
 * fm_stack_from_regs() - take the current kernel stack from its registers.
 * @regs: the interrupted registers, of kernel mode
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Hard interrupt.
 */
void fm_stack_from_regs(struct pt_regs *regs, struct fm_sample *sample,
			unsigned int max_depth)
{
	struct unwind_state state;
	unsigned int nr = 1;

	sample->marks = 0;
	sample->frames[0] = instruction_pointer(regs);
	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		unsigned long addr = unwind_get_return_address(&state);

		if (!addr)
			break;
		if (nr == max_depth) {
			sample->marks = FM_STACK_TRUNCATED;
			break;
		}
		/* An interrupted frame's address is no return address. */
		if (!unwind_get_entry_regs(&state, NULL))
			addr--;
		sample->frames[nr++] = addr;
	}
	/*
	 * Some assembly (the retpoline thunks up to 6.1, for one) tells the
	 * unwinder that nothing is below it: then the leaf is all that is
	 * known, unless it was user mode that the kernel had just left.
	 */
	if (unwind_error(&state) ||
	    (nr == 1 && !(state.regs && user_mode(state.regs))))
		sample->marks |= FM_STACK_INCOMPLETE;
	sample->nr_frames = nr;
}
