// SPDX-License-Identifier: GPL-2.0
/*
 * Takes kernel stacks on x86 with the kernel's own unwinder, starting at the
 * interrupted registers.
 *
 * stack_trace_save() would start in our callback and unwind the interrupt's
 * frames first, at some 400 instructions each. unwind_start() with registers
 * starts at the interrupted code. It skips the interrupted frame itself, which
 * is added here.
 */
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/unwind.h>

#include "learned.h"
#include "sample.h"
#include "stack.h"
#include "traced.h"

#ifdef CONFIG_UNWINDER_ORC
static bool fm_stack_is_whole(const struct unwind_state *state,
			      const struct task_struct *task)
{
	return (state->regs && user_mode(state->regs)) ||
	       fm_stack_begins(task, state->sp);
}

/* Remember where the CPU's interrupt stack is; it never moves. */
static void fm_unwind_learn_stack(struct fm_learned *learned,
				  const struct unwind_state *state,
				  const struct pt_regs *regs)
{
	const struct stack_info *info = &state->stack_info;

	if (info->type != STACK_TYPE_IRQ ||
	    regs->sp < (unsigned long)info->begin ||
	    regs->sp > (unsigned long)info->end)
		return;
	learned->irq_low = (unsigned long)info->begin;
	learned->irq_high = (unsigned long)info->end;
}

static void fm_unwind_note(struct fm_learned *learned, unsigned long returned)
{
	if (learned->returns.sets)
		fm_learned_note(learned, returned, false);
}

static void fm_unwind_learn(struct fm_learned *learned,
			    const struct unwind_state *state)
{
	/* After an error the unwinder guesses, so learn nothing from it. */
	if (learned && learned->returns.sets && !state->error)
		fm_learned_note(learned, state->ip, state->signal);
}

/* It finds the caller of a function that was just called. */
static unsigned int fm_unwind_entered(const struct unwind_state *state,
				      const struct pt_regs *regs, struct fm_sample *sample)
{
	return 1;
}
#else
/*
 * A function that was just called has no frame yet: the frame pointer is that of its
 * caller, and the unwinder begins with the caller's caller. So the return address is read
 * from the top of the stack. Return: how many frames the sample has then.
 */
static unsigned int fm_unwind_entered(const struct unwind_state *state,
				      const struct pt_regs *regs, struct fm_sample *sample)
{
	const unsigned long *top = (const unsigned long *)regs->sp;
	unsigned long address;

	if (top < state->stack_info.begin || top >= state->stack_info.end)
		return 1;
	address = fm_traced_return(current, regs->sp) ?: READ_ONCE_NOCHECK(*top);
	sample->frames[1] = address - 1;
	return 2;
}

/* The frame pointer unwinder checks this itself, and is not learned. */
static bool fm_stack_is_whole(const struct unwind_state *state,
			      const struct task_struct *task)
{
	return true;
}

static void fm_unwind_learn_stack(struct fm_learned *learned,
				  const struct unwind_state *state,
				  const struct pt_regs *regs)
{
}

static void fm_unwind_note(struct fm_learned *learned, unsigned long returned)
{
}

static void fm_unwind_learn(struct fm_learned *learned,
			    const struct unwind_state *state)
{
}
#endif

/* Add the callers that the unwinder finds to a sample's first @nr frames. */
static void fm_unwind(struct fm_learned *learned, struct unwind_state *state,
		      const struct task_struct *task, struct fm_sample *sample,
		      unsigned int nr, unsigned int max_depth)
{
	sample->key.marks = 0;
	for (; !unwind_done(state); unwind_next_frame(state)) {
		unsigned long addr = unwind_get_return_address(state);

		if (!addr)
			break;
		fm_unwind_learn(learned, state);
		if (nr == max_depth) {
			sample->key.marks = FM_STACK_TRUNCATED;
			break;
		}
		/* An interrupted frame's address is no return address. */
		if (!unwind_get_entry_regs(state, NULL))
			addr--;
		sample->frames[nr++] = addr;
	}
	if (unwind_error(state) ||
	    (!sample->key.marks && !fm_stack_is_whole(state, task)))
		sample->key.marks |= FM_STACK_INCOMPLETE;
	sample->nr_frames = nr;
}

/**
 * fm_stack_from_regs() - take the current kernel stack from its registers.
 * @learned: where to learn the steps that the unwinder reports
 * @regs: the interrupted registers, of kernel mode
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Hard interrupt.
 */
void fm_stack_from_regs(struct fm_learned *learned, struct pt_regs *regs,
			struct fm_sample *sample, unsigned int max_depth)
{
	struct unwind_state state;

	fm_sample_slows(sample);
	sample->frames[0] = instruction_pointer(regs);
	unwind_start(&state, current, regs, NULL);
	fm_unwind_learn_stack(learned, &state, regs);
	fm_unwind(learned, &state, current, sample, 1, max_depth);
}

/**
 * fm_stack_from_spot() - take the current kernel stack from where a handler was called.
 * @learned: where to learn the steps that the unwinder reports, or NULL
 * @spot: the place
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off.
 */
void fm_stack_from_spot(struct fm_learned *learned, const struct fm_spot *spot,
			struct fm_sample *sample, unsigned int max_depth)
{
	struct pt_regs *regs = spot->regs;
	struct unwind_state state;
	unsigned long ip = regs->ip;
	unsigned int nr = 1;

	fm_sample_slows(sample);
	sample->frames[0] = spot->leaf;
	if (!spot->returned)
		regs->ip = spot->leaf;
	else if (max_depth > 1)
		sample->frames[nr++] = ip - 1;
	/* The unwinder reports what is above that, so note it here. */
	if (spot->returned && learned)
		fm_unwind_note(learned, ip);
	unwind_start(&state, current, regs, NULL);
	if (learned)
		fm_unwind_learn_stack(learned, &state, regs);
	if (!spot->returned && !spot->inside && max_depth > 1)
		nr = fm_unwind_entered(&state, regs, sample);
	fm_unwind(learned, &state, current, sample, nr, max_depth);
	regs->ip = ip;
}

/**
 * fm_stack_from_task() - take the kernel stack of a task that is off the CPU.
 * @learned: where to learn the steps that the unwinder reports, or NULL
 * @task: the task, which cannot run meanwhile
 * @sample: nr_frames, frames and marks are set; there may be no frame
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off, in the scheduler.
 */
void fm_stack_from_task(struct fm_learned *learned, struct task_struct *task,
			struct fm_sample *sample, unsigned int max_depth)
{
	struct unwind_state state;

	/* The unwinder must not take this stack: see traced.h. */
	if (fm_traced(task)) {
		fm_stack_peek(task, sample, max_depth);
		return;
	}
	fm_sample_slows(sample);
	unwind_start(&state, task, NULL, NULL);
	fm_unwind(learned, &state, task, sample, 0, max_depth);
	/* Nothing called what a new task starts with, so this is no return address. */
	if (sample->nr_frames && !(task->nvcsw + task->nivcsw))
		sample->frames[0]++;
}

/**
 * fm_stack_has_tasks() - check whether stacks of other tasks can be taken.
 *
 * Context: Any.
 * Return: true.
 */
bool fm_stack_has_tasks(void)
{
	return true;
}
