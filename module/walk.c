// SPDX-License-Identifier: GPL-2.0
/*
 * Takes stacks by learned steps: see learned.h. A walk goes from the interrupted
 * instruction to one caller after the other, each by one step. If a step is not
 * known or leads off the stack, the kernel's unwinder takes the whole stack. If the
 * stack of an event has the shape of the last one with this leaf, no walk is needed.
 */
#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <asm/switch_to.h>

#include "learned_steps.h"
#include "path.h"
#include "sample.h"
#include "shape.h"
#include "stack.h"
#include "text.h"
#include "traced.h"

struct fm_walk {
	unsigned long low, high;	/* the stack we are on */
	unsigned long sp;
	const unsigned long *bp;	/* where the frame pointer was saved last */
};

/* Where a walk starts. */
struct fm_start {
	struct task_struct *task;	/* off the CPU; NULL: the current one */
	unsigned long address;		/* what was interrupted, or is returned to */
	unsigned long returned;		/* the current task has returned from there to this; or 0 */
	unsigned long sp;
	const unsigned long *bp;	/* where the frame pointer is */
};

/* Find whose stack a walk takes: @task's, or the current task's if @task is NULL. */
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
 * May a return address be learned although the unwinder has not reported it? On all other
 * stacks the unwinder reports what is new. But it must not take the stack of another task
 * that has a return probe (traced.h). There an address is learned if learned steps lead to
 * it.
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

/* Find the step of the first address. Return: NULL if it was not learned. */
static __always_inline struct fm_step *fm_walk_first(const struct fm_learned *learned,
						     const struct fm_start *start)
{
	return fm_steps_find(start->task ? &learned->returns : &learned->leaves,
			     fm_step_key(start->address, !start->task));
}

/* Find where the callers begin, by the first step. Return: false if it leads to none. */
static __always_inline bool fm_walk_callers(const struct fm_start *start,
					    const struct fm_move *move,
					    struct fm_shape_from *from)
{
	*from = (struct fm_shape_from) {
		.task = start->task ?: current,
		.cfa = start->sp,
		.bp = start->bp,
		.returned = start->returned,
	};
	if (start->returned)
		return true;
	if (move->kind == FM_STEP_BP) {
		from->cfa = fm_walk_load((unsigned long)start->bp) + move->cfa;
		/* As in a walk. */
		if (from->cfa <= start->sp ||
		    from->cfa + move->bp * (long)sizeof(long) < start->sp)
			return false;
	} else if (move->kind == FM_STEP_SP) {
		from->cfa += move->cfa;
	} else {
		return false;
	}
	if (move->bp)
		from->bp = (const unsigned long *)from->cfa + move->bp;
	return true;
}

/*
 * Take a stack that has the shape of the last one with this leaf.
 * Return: false if it has not, so that it is to be walked.
 */
static __always_inline bool fm_walk_again(struct fm_learned *learned,
					  const struct fm_start *start,
					  struct fm_sample *sample, unsigned int max_depth)
{
	const struct fm_shape *shape;
	struct fm_shape_from from;
	struct fm_step *step;

	if (unlikely(learned->off || !learned->shapes.shapes ||
		     !fm_step_possible(start->address)))
		return false;
	step = fm_walk_first(learned, start);
	if (unlikely(!step))
		return false;
	shape = fm_shapes_at(&learned->shapes, step->whole);
	if (!fm_shape_is(shape, sample->paths, step->whole) || shape->depth >= max_depth ||
	    !fm_walk_callers(start, &step->move, &from) || !fm_shape_fits(shape, &from))
		return false;
	sample->key.leaf = start->task ? start->address - 1 : start->address;
	sample->key.path = step->whole;
	sample->key.marks = 0;
	sample->last = &step->entry;
	sample->nr_frames = 0;
	return true;
}

/*
 * Note the path of a whole stack, which ended in user mode if @end. If the leaf's last
 * stack had the same path, learn its shape.
 */
static noinline void fm_walk_note(struct fm_learned *learned, const struct fm_start *start,
				  bool end, struct fm_step *step, struct fm_sample *sample)
{
	struct fm_shape_from from;
	u32 last = step->whole;

	step->whole = sample->key.path;
	if (end && step->whole == last && fm_walk_callers(start, &step->move, &from) &&
	    fm_shapes_learn(&learned->shapes, sample->paths, step->whole, &from))
		fm_sample_slows(sample);
}

/* Walk along a stack. Return: false if the kernel's unwinder has to take it. */
static __always_inline bool fm_walk(struct fm_learned *learned, const struct fm_start *start,
				    struct fm_sample *sample, unsigned int max_depth)
{
	const struct task_struct *task = start->task;
	struct fm_walk walk = { .sp = start->sp, .bp = start->bp };
	unsigned long address = start->address;
	struct fm_path *first = sample->paths->paths, *path = first, *next;
	unsigned long cfa, caller, traced;
	struct fm_step *step;
	bool end = false;
	u32 nr;

	if (!fm_walk_locate(&walk, learned, task) || !fm_step_possible(address))
		return false;
	step = fm_walk_first(learned, start);
	if (unlikely(!step)) {
		fm_sample_slows(sample);
		if (!task || fm_learned_trusts(task))
			step = fm_learned_learn(learned, task ? &learned->returns :
						&learned->leaves, address, !task);
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
	if (start->returned) {
		address = start->returned;
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
			fm_sample_slows(sample);
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
	if (learned->shapes.shapes)
		fm_walk_note(learned, start, end, step, sample);
	return true;
}

static __always_inline struct fm_start fm_start_regs(const struct pt_regs *regs)
{
	return (struct fm_start) { .address = regs->ip, .sp = regs->sp, .bp = &regs->bp };
}

static __always_inline struct fm_start fm_start_spot(const struct fm_spot *spot)
{
	return (struct fm_start) {
		.address = spot->leaf,
		.returned = spot->returned ? spot->regs->ip : 0,
		.sp = spot->regs->sp,
		.bp = &spot->regs->bp,
	};
}

/*
 * A task that is off the CPU: what its last switch left on its stack. A task that never ran
 * has the address of a function there that no call precedes, which only the kernel's
 * unwinder knows; then, or if nothing is there, the address is 0.
 */
static __always_inline struct fm_start fm_start_task(struct task_struct *task)
{
	const struct inactive_task_frame *frame = (void *)task->thread.sp;
	unsigned long low = (unsigned long)task_stack_page(task);
	struct fm_start start = {
		.task = task,
		.sp = (unsigned long)(frame + 1),
		.bp = &frame->bp,
	};

	if ((unsigned long)frame >= low &&
	    (unsigned long)frame <= low + THREAD_SIZE - sizeof(*frame) &&
	    task->nvcsw + task->nivcsw)
		start.address = READ_ONCE_NOCHECK(frame->ret_addr);
	return start;
}

/*
 * Take the stack with the kernel's unwinder, too, and use that result: of a task, of a
 * place, or of interrupted registers.
 */
static noinline void fm_learned_verify(struct fm_learned *learned, struct task_struct *task,
				       const struct fm_spot *spot, struct pt_regs *regs,
				       struct fm_sample *sample, unsigned int max_depth)
{
	unsigned long *callers = learned->check, leaf = sample->key.leaf;
	u8 marks = sample->key.marks;
	unsigned int nr;

	learned->verify_in = learned->verify;
	if (!learned->verify || (task && fm_traced(task)))
		return;
	fm_sample_slows(sample);
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

/* A stack was taken by learned steps: verify it, if it is time to. */
static __always_inline void fm_learned_took(struct fm_learned *learned,
					    struct task_struct *task,
					    const struct fm_spot *spot, struct pt_regs *regs,
					    struct fm_sample *sample, unsigned int max_depth)
{
	learned->counts.learned++;
	if (unlikely(!--learned->verify_in))
		fm_learned_verify(learned, task, spot, regs, sample, max_depth);
}

/* Take a stack by a walk, or with the kernel's unwinder. */
static __always_inline void fm_learned_take(struct fm_learned *learned,
					    struct task_struct *task,
					    const struct fm_spot *spot, struct pt_regs *regs,
					    struct fm_sample *sample, unsigned int max_depth)
{
	const struct fm_start start = task ? fm_start_task(task) :
				      spot ? fm_start_spot(spot) : fm_start_regs(regs);

	if (!unlikely(learned->off) && fm_walk(learned, &start, sample, max_depth)) {
		fm_learned_took(learned, task, spot, regs, sample, max_depth);
	} else {
		learned->counts.unwound++;
		if (task)
			fm_stack_from_task(learned, task, sample, max_depth);
		else if (spot)
			fm_stack_from_spot(learned, spot, sample, max_depth);
		else
			fm_stack_from_regs(learned, regs, sample, max_depth);
	}
	if (unlikely(sample->slow))
		learned->may_learn = FM_LEARNED_PER_SAMPLE;
}

/*
 * Take a stack that has not the shape of the last one. It is apart, so that the usual way
 * saves no registers for it.
 */
static noinline void fm_learned_take_new(struct fm_learned *learned, struct task_struct *task,
					 const struct fm_spot *spot,
					 struct fm_sample *sample, unsigned int max_depth)
{
	fm_learned_take(learned, task, spot, NULL, sample, max_depth);
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
	fm_learned_take(learned, NULL, NULL, regs, sample, max_depth);
}

/* Take a stack of an event: compare it with a shape, or take it in another way. */
static __always_inline void fm_learned_event_stack(struct fm_learned *learned,
						   struct task_struct *task,
						   const struct fm_spot *spot,
						   const struct fm_start *start,
						   struct fm_sample *sample,
						   unsigned int max_depth)
{
	if (likely(fm_walk_again(learned, start, sample, max_depth)))
		fm_learned_took(learned, task, spot, NULL, sample, max_depth);
	else
		fm_learned_take_new(learned, task, spot, sample, max_depth);
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
	const struct fm_start start = fm_start_task(task);

	fm_learned_event_stack(learned, task, NULL, &start, sample, max_depth);
}

/* As fm_learned_spot_stack(), from a function that has returned. */
static noinline void fm_learned_returned_stack(struct fm_learned *learned,
					       const struct fm_spot *spot,
					       struct fm_sample *sample, unsigned int max_depth)
{
	const struct fm_start start = fm_start_spot(spot);

	fm_learned_event_stack(learned, NULL, spot, &start, sample, max_depth);
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
	const struct fm_start start = fm_start_spot(spot);

	/* The usual way has no instruction for this. */
	if (spot->returned)
		fm_learned_returned_stack(learned, spot, sample, max_depth);
	else
		fm_learned_event_stack(learned, NULL, spot, &start, sample, max_depth);
}
