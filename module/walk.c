// SPDX-License-Identifier: GPL-2.0
/*
 * Takes stacks by learned steps: see learned.h. A walk goes from the interrupted
 * instruction to one caller after the other, each by one step. If a step is not
 * known or leads off the stack, the kernel's unwinder takes the whole stack.
 */
#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <asm/switch_to.h>

#include "learned_steps.h"
#include "path.h"
#include "sample.h"
#include "stack.h"
#include "text.h"
#include "traced.h"

struct fm_walk {
	unsigned long low, high;	/* the stack we are on */
	unsigned long sp;
	const unsigned long *bp;	/* where the frame pointer was saved last */
};

/*
 * Return: the task whose stack is walked. The timer passes NULL for the current task: the
 * compiler sees that, so the timer executes no instruction more.
 */
static __always_inline const struct task_struct *
fm_walk_task(const struct task_struct *task)
{
	return task ?: current;
}

/* Find the stack that sp is on: the task's or the interrupt stack. */
static __always_inline bool fm_walk_locate(struct fm_walk *walk,
					   const struct fm_learned *learned,
					   const struct task_struct *task)
{
	walk->low = (unsigned long)task_stack_page(fm_walk_task(task));
	walk->high = walk->low + THREAD_SIZE;
	if (walk->sp >= walk->low && walk->sp <= walk->high)
		return true;
	walk->low = learned->irq_low;
	walk->high = learned->irq_high;
	return walk->sp >= walk->low && walk->sp <= walk->high;
}

static bool fm_walk_holds(const struct fm_walk *walk, unsigned long address,
			  size_t bytes)
{
	return address >= walk->sp && address <= walk->high - bytes;
}

static unsigned long fm_walk_load(unsigned long address)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

/* Step to the caller on another stack, whose stack pointer is *sp + cfa. */
static __always_inline bool fm_walk_switch(struct fm_walk *walk,
					   const struct fm_learned *learned,
					   const struct task_struct *task,
					   const struct fm_move *move,
					   unsigned long *cfa)
{
	unsigned long low = walk->low;

	if (!fm_walk_holds(walk, walk->sp, sizeof(long)))
		return false;
	*cfa = fm_walk_load(walk->sp) + move->cfa;
	walk->sp = *cfa - sizeof(long);
	/* Only from the interrupt stack to the task's, so that it happens once. */
	return fm_walk_locate(walk, learned, task) && low == learned->irq_low &&
	       walk->low != low && *cfa <= walk->high;
}

/*
 * Step to the code that was interrupted. Return: its address, or 0 if that was user
 * mode (*@end is set) or is not on a stack that we know.
 */
static __always_inline unsigned long
fm_walk_regs(struct fm_walk *walk, const struct fm_learned *learned,
	     const struct task_struct *task, const struct fm_move *move, bool *end)
{
	struct pt_regs *regs = (void *)(walk->sp + move->cfa);
	unsigned long low = walk->low, sp = walk->sp;

	if (!fm_walk_holds(walk, (unsigned long)regs, sizeof(*regs)))
		return 0;
	if (regs == task_pt_regs(fm_walk_task(task)) && user_mode(regs)) {
		*end = true;
		return 0;
	}
	walk->sp = READ_ONCE_NOCHECK(regs->sp);
	walk->bp = &regs->bp;
	if (user_mode(regs) || !fm_walk_locate(walk, learned, task) ||
	    (walk->low == low ? walk->sp <= sp : low != learned->irq_low))
		return 0;
	return READ_ONCE_NOCHECK(regs->ip);
}

/*
 * Return addresses are only learned from what the unwinder reports. It must not take the
 * stack of another task with a return probe: see traced.h. There what the steps before
 * lead to is learned.
 */
static bool fm_learned_trusts(const struct task_struct *task)
{
	return IS_ENABLED(CONFIG_RETHOOK) && task && fm_traced(task);
}

/*
 * Set the step of a path that is used for the first time since its table was
 * cleared. Return: false if the step was not learned.
 */
static bool fm_learned_move(struct fm_learned *learned, const struct task_struct *task,
			    const struct fm_paths *paths, struct fm_path *path)
{
	bool interrupted = paths->paths[path->parent].move.kind == FM_STEP_REGS;
	unsigned long address = fm_text_address(path->caller) + !interrupted;
	const struct fm_step *step;

	step = fm_steps_find(&learned->returns,
			     fm_step_key(address, interrupted));
	if (!step && fm_learned_trusts(task))
		step = fm_learned_learn(learned, &learned->returns, address, interrupted);
	/* A key of 0 belongs to no text, and would match an empty slot. */
	if (!step || !step->key)
		return false;
	path->move = step->move;
	return true;
}

/*
 * Take a stack: of the current task (@task is NULL), which was interrupted at @address,
 * or has returned from there to @returned, if that is not 0; or of a task that is off the
 * CPU and will return to @address.
 * Return: false if the kernel's unwinder has to take it.
 */
static __always_inline bool
fm_walk(struct fm_learned *learned, const struct task_struct *task,
	unsigned long address, unsigned long returned, unsigned long sp,
	const unsigned long *bp, struct fm_sample *sample, unsigned int max_depth)
{
	struct fm_steps *steps = task ? &learned->returns : &learned->leaves;
	struct fm_walk walk = { .sp = sp, .bp = bp };
	struct fm_path *first = sample->paths->paths, *path = first, *next;
	unsigned long cfa, caller, traced;
	struct fm_step *step;
	bool end = false;
	u32 nr;

	if (!fm_walk_locate(&walk, learned, task) || !fm_step_possible(address))
		return false;
	step = fm_steps_find(steps, fm_step_key(address, !task));
	if (unlikely(!step)) {
		sample->slow = true;
		if (!task || fm_learned_trusts(task))
			step = fm_learned_learn(learned, steps, address, !task);
		if (!step)
			return false;
	}
	sample->key.leaf = task ? address - 1 : address;
	sample->key.marks = 0;
	sample->last = &step->entry;
	/* Start at the path without callers, with the leaf's step. */
	first->move = step->move;
	if (likely(step->path < sample->paths->nr &&
		   first[step->path].parent == FM_PATH_NONE))
		first->next = step->path;
	if (returned) {
		address = returned;
		caller = address - 1;
		goto found;
	}
	for (;;) {
		const struct fm_move *move = &path->move;

		if (likely(move->kind == FM_STEP_SP)) {
			cfa = walk.sp + move->cfa;
			if (unlikely(cfa > walk.high))
				return false;
		} else if (move->kind == FM_STEP_BP) {
			cfa = fm_walk_load((unsigned long)walk.bp) + move->cfa;
			/* The frame with the saved bp must be on the stack. */
			if (unlikely(cfa <= walk.sp || cfa > walk.high ||
				     cfa + move->bp * (long)sizeof(long) < walk.sp))
				return false;
		} else if (move->kind == FM_STEP_REGS) {
			address = fm_walk_regs(&walk, learned, task, move, &end);
			if (end)
				break;
			/* A caller of 0 would match the root path. */
			if (!address)
				return false;
			caller = address;
			goto found;
		} else if (move->kind == FM_STEP_INDIRECT) {
			if (!fm_walk_switch(&walk, learned, task, move, &cfa) ||
			    cfa + move->bp * (long)sizeof(long) < walk.low)
				return false;
		} else if (move->kind == FM_STEP_NONE) {
			if (!fm_learned_move(learned, task, sample->paths, path))
				return false;
			sample->slow = true;
			continue;
		} else {
			if (move->kind != FM_STEP_END)
				return false;
			if (!fm_stack_begins(fm_walk_task(task), walk.sp))
				sample->key.marks = FM_STACK_INCOMPLETE;
			break;
		}
		if (move->bp)
			walk.bp = (unsigned long *)cfa + move->bp;
		walk.sp = cfa;
		address = fm_walk_load(cfa - sizeof(long));
		caller = address - 1;
found:
		if (unlikely(!--max_depth)) {
			if (!fm_step_possible(address))
				return false;
			sample->key.marks = FM_STACK_TRUNCATED;
			break;
		}
		next = first + path->next;
		if (unlikely(fm_text_address(next->caller) != caller)) {
			traced = path->move.kind == FM_STEP_REGS ? 0 :
				 fm_traced_return(fm_walk_task(task), walk.sp - sizeof(long));
			if (traced) {
				address = traced;
				caller = address - 1;
				if (fm_text_address(next->caller) == caller)
					goto follow;
			}
			if (!fm_step_possible(address))
				return false;
			nr = fm_paths_add(sample->paths, path - first, caller);
			if (nr == FM_PATH_NONE)
				return false;
			next = first + nr;
		}
follow:
		path = next;
	}
	step->path = first->next;
	sample->key.path = path - first;
	sample->nr_frames = 0;
	return true;
}

/* Take the current stack. Return: false if the kernel's unwinder has to take it. */
static bool fm_learned_walk(struct fm_learned *learned,
			    const struct pt_regs *regs,
			    struct fm_sample *sample, unsigned int max_depth)
{
	return fm_walk(learned, NULL, regs->ip, 0, regs->sp, &regs->bp, sample,
		       max_depth);
}

/* Take the current stack from a place. Return: as fm_learned_walk(). */
static bool fm_learned_walk_spot(struct fm_learned *learned, const struct fm_spot *spot,
				 struct fm_sample *sample, unsigned int max_depth)
{
	const struct pt_regs *regs = spot->regs;

	return fm_walk(learned, NULL, spot->leaf, spot->returned ? regs->ip : 0,
		       regs->sp, &regs->bp, sample, max_depth);
}

/*
 * Take the stack of a task that is off the CPU, from what its last switch left there.
 * A task that never ran has the address of a function there that no call precedes,
 * which only the kernel's unwinder knows.
 * Return: false if the kernel's unwinder has to take it.
 */
static bool fm_learned_walk_task(struct fm_learned *learned,
				 struct task_struct *task,
				 struct fm_sample *sample, unsigned int max_depth)
{
	const struct inactive_task_frame *frame = (void *)task->thread.sp;
	unsigned long low = (unsigned long)task_stack_page(task);

	if ((unsigned long)frame < low ||
	    (unsigned long)frame > low + THREAD_SIZE - sizeof(*frame) ||
	    !(task->nvcsw + task->nivcsw))
		return false;
	return fm_walk(learned, task, READ_ONCE_NOCHECK(frame->ret_addr), 0,
		       (unsigned long)(frame + 1), &frame->bp, sample, max_depth);
}

/*
 * Take the stack with the kernel's unwinder, too, and use that result: of a task, of a
 * place, or of interrupted registers.
 */
static void fm_learned_verify(struct fm_learned *learned, struct task_struct *task,
			      const struct fm_spot *spot, struct pt_regs *regs,
			      struct fm_sample *sample, unsigned int max_depth)
{
	unsigned long *callers = learned->check, leaf = sample->key.leaf;
	u8 marks = sample->key.marks;
	unsigned int nr;

	learned->verify_in = learned->verify;
	if (!learned->verify || (task && fm_traced(task)))
		return;
	sample->slow = true;
	learned->counts.verified++;
	nr = fm_paths_callers(sample->paths, sample->key.path, callers);
	if (task)
		fm_stack_from_task(learned, task, sample, max_depth);
	else if (spot)
		fm_stack_from_spot(learned, spot, sample, max_depth);
	else
		fm_stack_from_regs(learned, regs, sample, max_depth);
	if (sample->nr_frames == nr + 1 && sample->frames[0] == leaf &&
	    sample->key.marks == marks &&
	    !memcmp(sample->frames + 1, callers, nr * sizeof(callers[0])))
		return;
	learned->counts.differences++;
	learned->off = true;
}

/**
 * fm_learned_stack() - take the current kernel stack by learned steps.
 * @learned: the CPU's
 * @regs: the interrupted registers, of kernel mode
 * @sample: the key is set, or frames and marks if the unwinder took the stack
 * @max_depth: the most frames to keep
 *
 * Context: Hard interrupt.
 */
void fm_learned_stack(struct fm_learned *learned, struct pt_regs *regs,
		      struct fm_sample *sample, unsigned int max_depth)
{
	if (unlikely(learned->off) ||
	    !fm_learned_walk(learned, regs, sample, max_depth)) {
		learned->counts.unwound++;
		fm_stack_from_regs(learned, regs, sample, max_depth);
	} else {
		learned->counts.learned++;
		if (unlikely(!--learned->verify_in))
			fm_learned_verify(learned, NULL, NULL, regs, sample, max_depth);
	}
	if (unlikely(sample->slow))
		learned->may_learn = FM_LEARNED_PER_SAMPLE;
}

/**
 * fm_learned_task_stack() - take the kernel stack of a task that is off the CPU.
 * @learned: the CPU's
 * @task: the task, which cannot run meanwhile
 * @sample: as for fm_learned_stack()
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off, in the scheduler.
 */
void fm_learned_task_stack(struct fm_learned *learned, struct task_struct *task,
			   struct fm_sample *sample, unsigned int max_depth)
{
	if (unlikely(learned->off) ||
	    !fm_learned_walk_task(learned, task, sample, max_depth)) {
		learned->counts.unwound++;
		fm_stack_from_task(learned, task, sample, max_depth);
	} else {
		learned->counts.learned++;
		if (unlikely(!--learned->verify_in))
			fm_learned_verify(learned, task, NULL, NULL, sample, max_depth);
	}
	if (unlikely(sample->slow))
		learned->may_learn = FM_LEARNED_PER_SAMPLE;
}

/**
 * fm_learned_spot_stack() - take the current kernel stack from where a handler was called.
 * @learned: the CPU's
 * @spot: the place
 * @sample: as for fm_learned_stack()
 * @max_depth: the most frames to keep
 *
 * Context: Interrupts off.
 */
void fm_learned_spot_stack(struct fm_learned *learned, const struct fm_spot *spot,
			   struct fm_sample *sample, unsigned int max_depth)
{
	if (unlikely(learned->off) ||
	    !fm_learned_walk_spot(learned, spot, sample, max_depth)) {
		learned->counts.unwound++;
		fm_stack_from_spot(learned, spot, sample, max_depth);
	} else {
		learned->counts.learned++;
		if (unlikely(!--learned->verify_in))
			fm_learned_verify(learned, NULL, spot, NULL, sample, max_depth);
	}
	if (unlikely(sample->slow))
		learned->may_learn = FM_LEARNED_PER_SAMPLE;
}
