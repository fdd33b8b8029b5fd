// SPDX-License-Identifier: GPL-2.0
/*
 * Takes stacks of tasks that are off the CPU, and from where a handler was called, on
 * arm64: see stack.h.
 *
 * The kernel's unwinder for other tasks is only exported from v6.12 on, and starts
 * with our own frames. A switch leaves the frame pointer, and each function of the
 * kernel stores a frame record: the caller's frame pointer and the return address. So
 * the records are followed, as long as they are on the task's stack and lead towards
 * its base.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/memory.h>
#include <asm/processor.h>

#include "sample.h"
#include "stack.h"
#include "traced.h"

/* What a function stores when it starts, and its frame pointer points to. */
struct fm_frame_record {
	unsigned long fp;
	unsigned long lr;
};

/* The part of a stack on which records may be. */
struct fm_record_stack {
	unsigned long low;
	unsigned long high;
	bool may_run;		/* its task may run meanwhile */
};

static struct fm_record_stack fm_record_task(const struct task_struct *task)
{
	unsigned long low = (unsigned long)task_stack_page(task);

	return (struct fm_record_stack){ .low = low, .high = low + THREAD_SIZE };
}

/*
 * The stack that is in use at sp: the task's, or an interrupt's. The kernel does not
 * export where that one is, but it is aligned to its size if stacks are mapped memory.
 */
static struct fm_record_stack fm_record_current(unsigned long sp)
{
	struct fm_record_stack stack = fm_record_task(current);

	if (sp >= stack.low && sp < stack.high)
		return (struct fm_record_stack){ .low = sp, .high = stack.high };
	if (IS_ENABLED(CONFIG_VMAP_STACK))
		return (struct fm_record_stack){ .low = sp, .high = round_up(sp + 1, THREAD_SIZE) };
	return (struct fm_record_stack){};
}

/* Is a whole record there, above the one before? */
static bool fm_record_possible(const struct fm_record_stack *stack, unsigned long fp,
			       unsigned long last)
{
	return fp > last && fp % sizeof(long) == 0 && fp >= stack->low &&
	       fp + sizeof(struct fm_frame_record) <= stack->high;
}

/* A signature (pointer authentication) is in bits that are all set in text. */
static unsigned long fm_record_text(unsigned long lr)
{
	return lr | GENMASK(63, VA_BITS_MIN - 1);
}

/*
 * Follow the records of @owner's stack from @fp on, and add the callers to a sample's first
 * @nr frames. A return probe of a function has kept the caller's frame pointer, which is
 * what the function's record begins with.
 */
static void fm_record_follow(struct fm_record_stack stack, const struct task_struct *owner,
			     unsigned long fp, struct fm_sample *sample, unsigned int nr,
			     unsigned int max_depth)
{
	const struct fm_record_stack task = fm_record_task(owner);
	bool may_run = stack.may_run;
	const struct fm_frame_record *record;
	unsigned long last = 0, lr, traced;

	for (; fp; last = fp, fp = READ_ONCE_NOCHECK(record->fp)) {
		/* From the stack of an interrupt to that of the task, once. */
		if (stack.high != task.high && !fm_record_possible(&stack, fp, last) &&
		    fm_record_possible(&task, fp, 0)) {
			stack = task;
			last = 0;
		}
		if (!fm_record_possible(&stack, fp, last)) {
			sample->key.marks = FM_STACK_INCOMPLETE;
			break;
		}
		record = (void *)fp;
		lr = READ_ONCE_NOCHECK(record->lr);
		/* The last record, of the task's start or of its entry from user mode. */
		if (!lr)
			break;
		if (nr == max_depth) {
			sample->key.marks = FM_STACK_TRUNCATED;
			break;
		}
		traced = may_run ? 0 : fm_traced_return(owner, READ_ONCE_NOCHECK(record->fp));
		sample->frames[nr++] = fm_record_text(traced ?: lr) - 1;
	}
	sample->nr_frames = nr;
}

/**
 * fm_stack_from_spot() - take the current kernel stack from where a handler was called.
 * @learned: not used
 * @spot: the place
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * A function that was just called has stored no record yet: its caller is in x30.
 *
 * Context: Interrupts off.
 */
void fm_stack_from_spot(struct fm_learned *learned, const struct fm_spot *spot,
			struct fm_sample *sample, unsigned int max_depth)
{
	const struct pt_regs *regs = spot->regs;
	unsigned long caller;
	unsigned int nr = 0;

	fm_sample_slows(sample);
	sample->key.marks = 0;
	sample->frames[nr++] = spot->leaf;
	if (nr == max_depth) {
		sample->key.marks = FM_STACK_TRUNCATED;
		sample->nr_frames = nr;
		return;
	}
	if (!spot->inside) {
		caller = spot->returned ? 0 : fm_traced_return(current, regs->regs[29]);
		if (!caller)
			caller = spot->returned ? regs->pc : regs->regs[30];
		caller = fm_record_text(caller);
		sample->frames[nr++] = caller - 1;
	}
	fm_record_follow(fm_record_current(regs->sp), current, regs->regs[29], sample, nr,
			 max_depth);
}

/**
 * fm_stack_from_task() - take the kernel stack of a task that is off the CPU.
 * @learned: not used
 * @task: the task, which cannot run meanwhile
 * @sample: nr_frames, frames and marks are set; there is one frame at least
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off, in the scheduler.
 */
void fm_stack_from_task(struct fm_learned *learned, struct task_struct *task,
			struct fm_sample *sample, unsigned int max_depth)
{
	fm_sample_slows(sample);
	sample->key.marks = 0;
	sample->frames[0] = thread_saved_pc(task) - 1;
	fm_record_follow(fm_record_task(task), task, thread_saved_fp(task), sample, 1,
			 max_depth);
}

/**
 * fm_stack_peek() - take the kernel stack of a task that may run meanwhile.
 * @task: the task, not the current one; if it runs meanwhile, what is found means nothing
 * @sample: nr_frames, frames and marks are set; there is one frame at least
 * @max_depth: the most frames to keep
 *
 * If return addresses were replaced, only the first frame is taken: the lists of the true
 * ones must not be read of a task that may run.
 *
 * Context: Any; the caller sees to it that the stack is not freed.
 */
void fm_stack_peek(struct task_struct *task, struct fm_sample *sample, unsigned int max_depth)
{
	struct fm_record_stack stack = fm_record_task(task);

	stack.may_run = true;
	fm_sample_slows(sample);
	sample->frames[0] = thread_saved_pc(task) - 1;
	sample->nr_frames = 1;
	sample->key.marks = FM_STACK_INCOMPLETE;
	if (fm_traced(task) || fm_traced_graph(task))
		return;
	sample->key.marks = 0;
	fm_record_follow(stack, task, thread_saved_fp(task), sample, 1, max_depth);
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
