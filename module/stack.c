// SPDX-License-Identifier: GPL-2.0
/*
 * Takes kernel stacks in the portable way: see stack.h.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include "learned.h"
#include "sample.h"
#include "stack.h"

/**
 * fm_stack_trim() - remove all frames before the interrupted instruction.
 * @sample: holds @nr raw addresses; nr_frames, frames and marks are set
 * @nr: how many there are
 * @interrupted: the interrupted instruction
 * @max_depth: the most frames to keep
 *
 * The frames of the interrupt come first. Their number differs between kernels,
 * and between paths in one kernel, so this searches for the interrupted
 * address. If it is not found, the unwinder failed in the interrupt's own
 * frames, and only the interrupted instruction is known.
 *
 * Context: Any; a pure function.
 */
void fm_stack_trim(struct fm_sample *sample, unsigned int nr,
		   unsigned long interrupted, unsigned int max_depth)
{
	unsigned long *frames = sample->frames;
	unsigned int first, i;

	for (first = 0; first < nr; first++)
		if (frames[first] == interrupted)
			break;
	sample->key.marks = 0;
	if (first == nr) {
		frames[0] = interrupted;
		sample->nr_frames = 1;
		sample->key.marks = FM_STACK_INCOMPLETE;
		return;
	}
	if (nr - first > max_depth) {
		nr = first + max_depth;
		sample->key.marks = FM_STACK_TRUNCATED;
	}
	sample->nr_frames = nr - first;
	frames[0] = interrupted;
	for (i = 1; i < sample->nr_frames; i++)
		frames[i] = frames[first + i] - 1;
}

/**
 * fm_stack_portable() - take the current kernel stack with stack_trace_save().
 * @learned: not used
 * @regs: the interrupted registers, of kernel mode
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Hard interrupt.
 */
void fm_stack_portable(struct fm_learned *learned, struct pt_regs *regs,
		       struct fm_sample *sample, unsigned int max_depth)
{
	unsigned int nr;

	fm_sample_slows(sample);
	nr = stack_trace_save(sample->frames, max_depth + FM_STACK_SPARE, 0);
	fm_stack_trim(sample, nr, instruction_pointer(regs), max_depth);
}

#if !FM_STACK_HAS_REGS && !defined(CONFIG_ARM64)
/**
 * fm_stack_from_spot() - take the current kernel stack from where a handler was called.
 * @learned: not used
 * @spot: the place
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off.
 */
void fm_stack_from_spot(struct fm_learned *learned, const struct fm_spot *spot,
			struct fm_sample *sample, unsigned int max_depth)
{
	/* A place inside of a function is an instruction, or before a return address. */
	bool before = spot->inside && instruction_pointer(spot->regs) != spot->leaf;
	unsigned int nr;

	fm_sample_slows(sample);
	nr = stack_trace_save(sample->frames, max_depth + FM_STACK_SPARE, 0);
	fm_stack_trim(sample, nr, spot->leaf + before, max_depth);
	sample->frames[0] -= before;
}

/**
 * fm_stack_from_task() - take the kernel stack of a task that is off the CPU.
 * @learned: not used
 * @task: the task
 * @sample: no frame is set
 * @max_depth: not used
 *
 * Context: Any; not called: see fm_stack_has_tasks().
 */
void fm_stack_from_task(struct fm_learned *learned, struct task_struct *task,
			struct fm_sample *sample, unsigned int max_depth)
{
	sample->nr_frames = 0;
	sample->key.marks = 0;
}

/**
 * fm_stack_peek() - take the kernel stack of a task that may run meanwhile.
 * @task: the task
 * @sample: no frame is set
 * @max_depth: not used
 *
 * Context: Any; not called: see fm_stack_has_tasks().
 */
void fm_stack_peek(struct task_struct *task, struct fm_sample *sample, unsigned int max_depth)
{
	fm_stack_from_task(NULL, task, sample, max_depth);
}

/**
 * fm_stack_has_tasks() - check whether stacks of other tasks can be taken.
 *
 * Context: Any.
 * Return: false, since this architecture's unwinder is not known.
 */
bool fm_stack_has_tasks(void)
{
	return false;
}
#endif

/* The first one is what "auto" selects. */
static const struct fm_stack_way {
	const char *name;
	fm_stack_fn take_stack;
} fm_stack_ways[] = {
#if FM_STACK_HAS_STEPS
	{ "learned", fm_learned_stack },
#endif
#if FM_STACK_HAS_REGS
	{ "regs", fm_stack_from_regs },
#endif
	{ "portable", fm_stack_portable },
};

/**
 * fm_stack_find() - find a way of taking stacks by its name.
 * @name: its name, or "auto"
 *
 * Context: Any.
 * Return: the way, or NULL if it does not exist (on this kernel).
 */
fm_stack_fn fm_stack_find(const char *name)
{
	unsigned int i;

	if (!strcmp(name, "auto"))
		return fm_stack_ways[0].take_stack;
	for (i = 0; i < ARRAY_SIZE(fm_stack_ways); i++)
		if (!strcmp(name, fm_stack_ways[i].name))
			return fm_stack_ways[i].take_stack;
	return NULL;
}

/**
 * fm_stack_learns() - check whether a way of taking stacks learns steps.
 * @take_stack: the way
 *
 * Context: Any.
 * Return: true for the learned way.
 */
bool fm_stack_learns(fm_stack_fn take_stack)
{
#if FM_STACK_HAS_STEPS
	return take_stack == fm_learned_stack;
#else
	return false;
#endif
}
