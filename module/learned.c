// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks by learned steps: see learned.h.
 */
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "learned.h"
#include "path.h"
#include "sample.h"
#include "stack.h"
#include "step.h"
#include "text.h"

/* A step costs somewhat more than a frame of the kernel's unwinder. */
#define FM_LEARNED_PER_SAMPLE	16

/* Steps of one hash: the last two learned are kept. */
struct fm_step_set {
	struct fm_step ways[2];
};

/* Leaves are many to a caller: they get three quarters of the memory or more. */
#define FM_LEARNED_BYTES	(sizeof(struct fm_step_set) * 5 / 4)

struct fm_walk {
	unsigned long low, high;	/* the stack we are on */
	unsigned long sp;
	const unsigned long *bp;	/* where the frame pointer was saved last */
};

static int fm_steps_init(struct fm_steps *steps, u32 bits, int node)
{
	steps->shift = 32 - bits;
	steps->sets = vzalloc_node(sizeof(*steps->sets) << bits, node);
	return steps->sets ? 0 : -ENOMEM;
}

static void fm_steps_deinit(struct fm_steps *steps)
{
	vfree(steps->sets);
	steps->sets = NULL;
}

static __always_inline u32 fm_steps_slot(const struct fm_steps *steps, u32 key)
{
	return (key * GOLDEN_RATIO_32) >> steps->shift;
}

/* NULL where it was not learned, or was forgotten for others. */
static __always_inline struct fm_step *
fm_steps_find(const struct fm_steps *steps, u32 key)
{
	struct fm_step_set *set = &steps->sets[fm_steps_slot(steps, key)];

	if (likely(set->ways[0].key == key))
		return &set->ways[0];
	if (set->ways[1].key == key)
		return &set->ways[1];
	return NULL;
}

static void fm_steps_forget_modules(struct fm_steps *steps)
{
	u32 i, nr = 1U << (32 - steps->shift);

	for (i = 0; i < nr; i++) {
		struct fm_step *ways = steps->sets[i].ways;

		if (fm_text_is_module(fm_step_address(ways[1].key)))
			ways[1].key = 0;
		if (fm_text_is_module(fm_step_address(ways[0].key)))
			ways[0].key = 0;
	}
}

/**
 * fm_learned_fit() - what steps can use of so much memory.
 * @bytes: of memory, at least 40
 *
 * Context: Any.
 * Return: bytes, no more than @bytes and more than half of them.
 */
size_t fm_learned_fit(size_t bytes)
{
	return FM_LEARNED_BYTES << ilog2(bytes / FM_LEARNED_BYTES);
}

/**
 * fm_learned_init() - nothing learned yet.
 * @learned: to set up, all zero or already set up
 * @bytes: memory for steps, or 0 where none are to be learned
 * @node: the memory node of the CPU that will use it
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_learned_init(struct fm_learned *learned, size_t bytes, int node)
{
	u32 bits;

	if (!bytes || learned->leaves.sets)
		return 0;
	learned->may_learn = FM_LEARNED_PER_SAMPLE;
	bits = ilog2(bytes / FM_LEARNED_BYTES);
	if (fm_steps_init(&learned->leaves, bits, node) ||
	    fm_steps_init(&learned->returns, bits - 2, node)) {
		fm_learned_deinit(learned);
		return -ENOMEM;
	}
	return 0;
}

/**
 * fm_learned_deinit() - free what was learned.
 * @learned: set up, or all zero
 *
 * Context: Process context.
 */
void fm_learned_deinit(struct fm_learned *learned)
{
	fm_steps_deinit(&learned->leaves);
	fm_steps_deinit(&learned->returns);
}

/**
 * fm_learned_forget_modules() - forget what was learned of modules' text.
 * @learned: the CPU's
 *
 * Context: On that CPU with interrupts off, or where it does not sample.
 */
void fm_learned_forget_modules(struct fm_learned *learned)
{
	if (!learned->leaves.sets)
		return;
	fm_steps_forget_modules(&learned->leaves);
	fm_steps_forget_modules(&learned->returns);
}

static struct fm_step *fm_learned_learn(struct fm_learned *learned,
					struct fm_steps *steps,
					unsigned long address,
					bool interrupted)
{
	struct fm_step_set *set;
	u32 key = fm_step_key(address, interrupted);

	if (!learned->may_learn || !fm_text_stays(learned->text, address))
		return NULL;
	learned->may_learn--;
	learned->counts.steps++;
	set = &steps->sets[fm_steps_slot(steps, key)];
	set->ways[1] = set->ways[0];
	fm_step_learn(&set->ways[0], address, interrupted);
	return &set->ways[0];
}

/**
 * fm_learned_note() - learn an address that the kernel's unwinder reported.
 * @learned: the CPU's
 * @address: where it is at now
 * @interrupted: an interrupted instruction, no return address
 *
 * Context: Hard interrupt.
 */
void fm_learned_note(struct fm_learned *learned, unsigned long address,
		     bool interrupted)
{
	u32 key = fm_step_key(address, interrupted);

	if (!fm_steps_find(&learned->returns, key))
		fm_learned_learn(learned, &learned->returns, address,
				 interrupted);
}

/* Which of the stacks that we know is the stack pointer on? */
static __always_inline bool fm_walk_locate(struct fm_walk *walk,
					   const struct fm_learned *learned)
{
	walk->low = (unsigned long)task_stack_page(current);
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

/* To the caller, on another stack: *sp is its stack pointer there. */
static __always_inline bool fm_walk_switch(struct fm_walk *walk,
					   const struct fm_learned *learned,
					   const struct fm_move *move,
					   unsigned long *cfa)
{
	unsigned long low = walk->low;

	if (!fm_walk_holds(walk, walk->sp, sizeof(long)))
		return false;
	*cfa = fm_walk_load(walk->sp) + move->cfa;
	walk->sp = *cfa - sizeof(long);
	/* From the interrupt stack to the task's, so that it happens once. */
	return fm_walk_locate(walk, learned) && low == learned->irq_low &&
	       walk->low != low && *cfa <= walk->high;
}

/*
 * To the code that was interrupted. Return: its address, or 0 where it was
 * user mode (*@end is set) or is nowhere we know.
 */
static __always_inline unsigned long
fm_walk_regs(struct fm_walk *walk, const struct fm_learned *learned,
	     const struct fm_move *move, bool *end)
{
	struct pt_regs *regs = (void *)(walk->sp + move->cfa);
	unsigned long low = walk->low, sp = walk->sp;

	if (!fm_walk_holds(walk, (unsigned long)regs, sizeof(*regs)))
		return 0;
	if (regs == task_pt_regs(current) && user_mode(regs)) {
		*end = true;
		return 0;
	}
	walk->sp = READ_ONCE_NOCHECK(regs->sp);
	walk->bp = &regs->bp;
	if (user_mode(regs) || !fm_walk_locate(walk, learned) ||
	    (walk->low == low ? walk->sp <= sp : low != learned->irq_low))
		return 0;
	return READ_ONCE_NOCHECK(regs->ip);
}

/*
 * How the unwinder goes on from a path that was met for the first time since
 * its table was empty. Return: false where that was not learned.
 */
static bool fm_learned_move(struct fm_learned *learned,
			    const struct fm_paths *paths, struct fm_path *path)
{
	bool interrupted = paths->paths[path->parent].move.kind == FM_STEP_REGS;
	unsigned long address = fm_text_address(path->caller) + !interrupted;
	const struct fm_step *step;

	step = fm_steps_find(&learned->returns,
			     fm_step_key(address, interrupted));
	/* A key of 0, which is no text's, finds a way that is empty. */
	if (!step || !step->key)
		return false;
	path->move = step->move;
	return true;
}

/* Return: false where the kernel's unwinder has to do it. */
static bool fm_learned_walk(struct fm_learned *learned,
			    const struct pt_regs *regs,
			    struct fm_sample *sample, unsigned int max_depth)
{
	struct fm_walk walk = { .sp = regs->sp, .bp = &regs->bp };
	struct fm_path *first = sample->paths->paths, *path = first, *next;
	unsigned long cfa, caller, address = regs->ip;
	struct fm_step *step;
	bool end = false;
	u32 nr;

	if (!fm_walk_locate(&walk, learned) || !fm_step_possible(address))
		return false;
	step = fm_steps_find(&learned->leaves, fm_step_key(address, true));
	if (unlikely(!step)) {
		sample->slow = true;
		step = fm_learned_learn(learned, &learned->leaves, address,
					true);
		if (!step)
			return false;
	}
	sample->key.leaf = address;
	sample->key.marks = 0;
	sample->last = &step->entry;
	/* The leaf's callers begin where there are none. */
	first->move = step->move;
	if (likely(step->path < sample->paths->nr &&
		   first[step->path].parent == FM_PATH_NONE))
		first->next = step->path;
	for (;;) {
		const struct fm_move *move = &path->move;

		if (likely(move->kind == FM_STEP_SP)) {
			cfa = walk.sp + move->cfa;
			if (unlikely(cfa > walk.high))
				return false;
		} else if (move->kind == FM_STEP_BP) {
			cfa = fm_walk_load((unsigned long)walk.bp) + move->cfa;
			/* The frame, with what is saved in it. */
			if (unlikely(cfa <= walk.sp || cfa > walk.high ||
				     cfa + move->bp * (long)sizeof(long) < walk.sp))
				return false;
		} else if (move->kind == FM_STEP_REGS) {
			address = fm_walk_regs(&walk, learned, move, &end);
			if (end)
				break;
			/* A caller of 0 would be the root's. */
			if (!address)
				return false;
			caller = address;
			goto found;
		} else if (move->kind == FM_STEP_INDIRECT) {
			if (!fm_walk_switch(&walk, learned, move, &cfa) ||
			    cfa + move->bp * (long)sizeof(long) < walk.low)
				return false;
		} else if (move->kind == FM_STEP_NONE) {
			if (!fm_learned_move(learned, sample->paths, path))
				return false;
			sample->slow = true;
			continue;
		} else {
			if (move->kind != FM_STEP_END)
				return false;
			if (!fm_stack_begins(walk.sp))
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
			if (!fm_step_possible(address))
				return false;
			nr = fm_paths_add(sample->paths, path - first, caller);
			if (nr == FM_PATH_NONE)
				return false;
			next = first + nr;
		}
		path = next;
	}
	step->path = first->next;
	sample->key.path = path - first;
	sample->nr_frames = 0;
	return true;
}

/* Take the stack by the kernel's unwinder too; its word goes. */
static void fm_learned_verify(struct fm_learned *learned, struct pt_regs *regs,
			      struct fm_sample *sample, unsigned int max_depth)
{
	unsigned long *callers = learned->check;
	u8 marks = sample->key.marks;
	unsigned int nr;

	learned->verify_in = learned->verify;
	if (!learned->verify)
		return;
	sample->slow = true;
	learned->counts.verified++;
	nr = fm_paths_callers(sample->paths, sample->key.path, callers);
	fm_stack_from_regs(learned, regs, sample, max_depth);
	if (sample->nr_frames == nr + 1 && sample->key.marks == marks &&
	    !memcmp(sample->frames + 1, callers, nr * sizeof(callers[0])))
		return;
	learned->counts.differences++;
	learned->off = true;
}

/**
 * fm_learned_stack() - take the current kernel stack by learned steps.
 * @learned: the CPU's
 * @regs: the interrupted registers, of kernel mode
 * @sample: its key, or frames and marks, are set
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
			fm_learned_verify(learned, regs, sample, max_depth);
	}
	if (unlikely(sample->slow))
		learned->may_learn = FM_LEARNED_PER_SAMPLE;
}
