// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the kernel stack of a task that may run meanwhile, on x86: see stack.h.
 *
 * The kernel's unwinder must not take such a stack. If the task wakes up, and calls a
 * function whose return is probed, that unwinder warns (traced.h). So it is only asked what
 * it does at an address, with a stack of ours (step.h), and the task's own stack is read
 * here. Each load is within that stack and above the one before, so a walk ends whatever is
 * there.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/switch_to.h>

#include "context.h"
#include "sample.h"
#include "stack.h"
#include "step.h"
#include "traced.h"

struct fm_peek {
	const struct task_struct *task;
	unsigned long address;		/* the frame's */
	bool interrupted;		/* it is no return address */
	unsigned long sp;		/* nothing below is read any more */
	unsigned long high;		/* the end of the stack */
	unsigned long bp;
	struct fm_move move;		/* the step to its caller, with the ORC unwinder */
};

/* What a step of a walk came to. */
enum fm_peeked {
	FM_PEEK_FRAME,			/* another frame */
	FM_PEEK_END,			/* there are no further callers */
	FM_PEEK_LOST,			/* they are not known */
};

static bool fm_peek_holds(const struct fm_peek *peek, unsigned long at, size_t bytes)
{
	return at >= peek->sp && at <= peek->high - bytes;
}

#ifdef CONFIG_UNWINDER_ORC
/**
 * fm_stack_begins() - check whether sp is at the base of a task's stack.
 * @task: the task
 * @sp: the stack pointer
 *
 * Some assembly tells the unwinder that it has no callers although it has:
 * function_graph's return_to_handler(), and the retpoline thunks up to 6.1. The
 * unwinder stops there, and the stack is incomplete.
 *
 * A stack starts with the user's registers. If the task never had any, or has
 * just been forked, its stack starts right below their place; an idle task's
 * stack starts below what a first switch to it would have restored.
 *
 * Context: Any.
 * Return: true if there can be no further callers.
 */
bool fm_stack_begins(const struct task_struct *task, unsigned long sp)
{
	unsigned long gap = (unsigned long)task_pt_regs(task) - sp;

	return gap <= (fm_context_idles(task) ?
		       sizeof(struct inactive_task_frame) : 0);
}

/* Is this text whose step is known? What the stack of a running task holds may be anything. */
static enum fm_peeked fm_peek_at(struct fm_peek *peek)
{
	struct fm_step step;

	if (!fm_step_possible(peek->address))
		return FM_PEEK_LOST;
	fm_step_learn(&step, peek->address, peek->interrupted);
	peek->move = step.move;
	return step.move.kind == FM_STEP_HARD ? FM_PEEK_LOST : FM_PEEK_FRAME;
}
#else
static enum fm_peeked fm_peek_at(struct fm_peek *peek)
{
	return fm_step_possible(peek->address) ? FM_PEEK_FRAME : FM_PEEK_LOST;
}
#endif

/* Go on at the code that was interrupted, by its registers. */
static enum fm_peeked fm_peek_regs(struct fm_peek *peek, unsigned long at)
{
	struct pt_regs *regs = (void *)at;
	unsigned long sp;

	if (!fm_peek_holds(peek, at, sizeof(*regs)))
		return FM_PEEK_LOST;
	/* The selector is the lowest part of a word. */
	if (READ_ONCE_NOCHECK(*(unsigned long *)&regs->cs) & SEGMENT_RPL_MASK)
		return regs == task_pt_regs(peek->task) ? FM_PEEK_END : FM_PEEK_LOST;
	sp = READ_ONCE_NOCHECK(regs->sp);
	if (sp <= at || sp > peek->high)
		return FM_PEEK_LOST;
	peek->address = READ_ONCE_NOCHECK(regs->ip);
	peek->interrupted = true;
	peek->bp = READ_ONCE_NOCHECK(regs->bp);
	peek->sp = sp;
	return fm_peek_at(peek);
}

#ifdef CONFIG_UNWINDER_ORC
static bool fm_peek_load(const struct fm_peek *peek, unsigned long at, unsigned long *value)
{
	if (!fm_peek_holds(peek, at, sizeof(long)))
		return false;
	*value = READ_ONCE_NOCHECK(*(unsigned long *)at);
	return true;
}

static enum fm_peeked fm_peek_up(struct fm_peek *peek)
{
	const struct fm_move move = peek->move;
	unsigned long cfa = move.cfa;

	switch (move.kind) {
	case FM_STEP_SP:
		cfa += peek->sp;
		break;
	case FM_STEP_BP:
		cfa += peek->bp;
		break;
	case FM_STEP_REGS:
		return fm_peek_regs(peek, peek->sp + cfa);
	case FM_STEP_END:
		return fm_stack_begins(peek->task, peek->sp) ? FM_PEEK_END : FM_PEEK_LOST;
	default:
		/* A task leaves its CPU on its own stack, so there is no way to another. */
		return FM_PEEK_LOST;
	}
	if (!fm_peek_load(peek, cfa - sizeof(long), &peek->address) ||
	    (move.bp && !fm_peek_load(peek, cfa + move.bp * (long)sizeof(long), &peek->bp)))
		return FM_PEEK_LOST;
	peek->interrupted = false;
	peek->sp = cfa;
	return fm_peek_at(peek);
}
#else
/* What a frame pointer points to. */
struct fm_peek_frame {
	unsigned long bp;
	unsigned long address;
};

/* Entry code sets a frame pointer with this bit, which is that of registers. */
#define FM_PEEK_REGS	1UL

static enum fm_peeked fm_peek_up(struct fm_peek *peek)
{
	const struct fm_peek_frame *frame = (void *)peek->bp;

	/* The stack starts right below the place of the user's registers. */
	if (peek->sp == (unsigned long)task_pt_regs(peek->task))
		return FM_PEEK_END;
	if (peek->bp & FM_PEEK_REGS)
		return fm_peek_regs(peek, peek->bp & ~FM_PEEK_REGS);
	if (!fm_peek_holds(peek, peek->bp, sizeof(*frame)))
		return FM_PEEK_LOST;
	peek->address = READ_ONCE_NOCHECK(frame->address);
	peek->interrupted = false;
	peek->bp = READ_ONCE_NOCHECK(frame->bp);
	peek->sp = (unsigned long)(frame + 1);
	return fm_peek_at(peek);
}
#endif

/* Start with what the task's last switch left on its stack. */
static enum fm_peeked fm_peek_begin(struct fm_peek *peek, const struct task_struct *task)
{
	unsigned long low = (unsigned long)task_stack_page(task);
	const struct inactive_task_frame *frame;

	frame = (void *)READ_ONCE(task->thread.sp);
	*peek = (struct fm_peek) { .task = task, .sp = low, .high = low + THREAD_SIZE };
	if (!fm_peek_holds(peek, (unsigned long)frame, sizeof(*frame)))
		return FM_PEEK_LOST;
	peek->address = READ_ONCE_NOCHECK(frame->ret_addr);
	/* Nothing called what a new task starts with. */
	peek->interrupted = !(READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw));
	peek->bp = READ_ONCE_NOCHECK(frame->bp);
	peek->sp = (unsigned long)(frame + 1);
	return fm_peek_at(peek);
}

/**
 * fm_stack_peek() - take the kernel stack of a task that may run meanwhile.
 * @task: the task, not the current one; if it runs meanwhile, what is found means nothing
 * @sample: nr_frames, frames and marks are set; there may be no frame
 * @max_depth: the most frames to keep
 *
 * If return addresses were replaced, only the first frame is taken: the lists of the true
 * ones must not be read of a task that may run.
 *
 * Context: Any; the caller sees to it that the stack is not freed.
 */
void fm_stack_peek(struct task_struct *task, struct fm_sample *sample, unsigned int max_depth)
{
	bool replaced = fm_traced(task) || fm_traced_graph(task);
	enum fm_peeked found;
	struct fm_peek peek;
	unsigned int nr = 0;

	fm_sample_slows(sample);
	sample->key.marks = 0;
	found = fm_peek_begin(&peek, task);
	while (found == FM_PEEK_FRAME) {
		if (nr == max_depth) {
			sample->key.marks = FM_STACK_TRUNCATED;
			break;
		}
		sample->frames[nr++] = peek.address - !peek.interrupted;
		found = replaced ? FM_PEEK_LOST : fm_peek_up(&peek);
	}
	if (found == FM_PEEK_LOST)
		sample->key.marks = FM_STACK_INCOMPLETE;
	sample->nr_frames = nr;
}
