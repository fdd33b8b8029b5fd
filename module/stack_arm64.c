// SPDX-License-Identifier: GPL-2.0
/*
 * Takes stacks of tasks that are off the CPU on arm64: see stack.h.
 *
 * The kernel's unwinder for other tasks is only exported from v6.12 on, and starts
 * with our own frames. A switch leaves the frame pointer, and each function of the
 * kernel stores a frame record: the caller's frame pointer and the return address. So
 * the records are followed, as long as they are on the task's stack and lead towards
 * its base.
 */
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/memory.h>
#include <asm/processor.h>

#include "sample.h"
#include "stack.h"

/* What a function stores when it starts, and its frame pointer points to. */
struct fm_frame_record {
	unsigned long fp;
	unsigned long lr;
};

/* Is a whole record there, above the one before? */
static bool fm_record_possible(const struct task_struct *task, unsigned long fp,
			       unsigned long last)
{
	unsigned long low = (unsigned long)task_stack_page(task);

	return fp > last && fp % sizeof(long) == 0 && fp >= low &&
	       fp <= low + THREAD_SIZE - sizeof(struct fm_frame_record);
}

/**
 * fm_stack_from_task() - take the kernel stack of a task that is off the CPU.
 * @learned: not used
 * @task: the task; if it runs meanwhile, what is found means nothing
 * @sample: nr_frames, frames and marks are set; there is one frame at least
 * @max_depth: the most frames to keep
 *
 * Context: Any; the caller sees to it that the stack is not freed.
 */
void fm_stack_from_task(struct fm_learned *learned, struct task_struct *task,
			struct fm_sample *sample, unsigned int max_depth)
{
	unsigned long fp = thread_saved_fp(task), last = 0, lr;
	const struct fm_frame_record *record;
	unsigned int nr = 1;

	sample->slow = true;
	sample->key.marks = 0;
	sample->frames[0] = thread_saved_pc(task) - 1;
	for (; fp; last = fp, fp = READ_ONCE_NOCHECK(record->fp)) {
		if (!fm_record_possible(task, fp, last)) {
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
		/* A signature (pointer authentication) is in bits that are all set in text. */
		sample->frames[nr++] = (lr | GENMASK(63, VA_BITS_MIN - 1)) - 1;
	}
	sample->nr_frames = nr;
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
