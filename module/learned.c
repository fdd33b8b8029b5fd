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
#include "stack.h"
#include "step.h"
#include "text.h"

/* A step costs about as much as three frames of the kernel's unwinder. */
#define FM_LEARNED_PER_SAMPLE	16

/* Steps of one hash: the last two learned are kept. */
struct fm_step_set {
	struct fm_step ways[2];
};

struct fm_walk {
	unsigned long low, high;	/* the stack we are on */
	unsigned long sp, bp;
};

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

	if (!bytes || learned->leaves)
		return 0;
	bits = ilog2(bytes / 2 / sizeof(struct fm_step_set));
	bytes = sizeof(struct fm_step_set) << bits;
	learned->leaves = vzalloc_node(bytes, node);
	learned->returns = vzalloc_node(bytes, node);
	if (!learned->leaves || !learned->returns) {
		fm_learned_deinit(learned);
		return -ENOMEM;
	}
	learned->shift = 32 - bits;
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
	vfree(learned->leaves);
	vfree(learned->returns);
	learned->leaves = NULL;
	learned->returns = NULL;
}

static struct fm_step_set *fm_learned_set(const struct fm_learned *learned,
					  struct fm_step_set *sets, u32 key)
{
	return &sets[(key * GOLDEN_RATIO_32) >> learned->shift];
}

/* NULL where it was not learned, or was forgotten for others. */
static __always_inline const struct fm_step *
fm_learned_find(const struct fm_learned *learned, struct fm_step_set *sets,
		u32 key)
{
	const struct fm_step_set *set = fm_learned_set(learned, sets, key);

	if (likely(set->ways[0].key == key))
		return &set->ways[0];
	if (set->ways[1].key == key)
		return &set->ways[1];
	return NULL;
}

static void fm_learned_forget(const struct fm_learned *learned,
			      struct fm_step_set *sets)
{
	u32 i, nr = 1U << (32 - learned->shift);

	for (i = 0; i < nr; i++) {
		struct fm_step *ways = sets[i].ways;

		if (fm_text_is_module(fm_step_address(ways[1].key)))
			ways[1].key = 0;
		if (fm_text_is_module(fm_step_address(ways[0].key)))
			ways[0].key = 0;
	}
}

/**
 * fm_learned_forget_modules() - forget what was learned of modules' text.
 * @learned: the CPU's
 *
 * Context: On that CPU with interrupts off, or where it does not sample.
 */
void fm_learned_forget_modules(struct fm_learned *learned)
{
	if (!learned->leaves)
		return;
	fm_learned_forget(learned, learned->leaves);
	fm_learned_forget(learned, learned->returns);
}

static const struct fm_step *fm_learned_learn(struct fm_learned *learned,
					      struct fm_step_set *sets,
					      unsigned long address,
					      bool interrupted)
{
	struct fm_step_set *set;

	if (!learned->may_learn || !fm_text_stays(learned->text, address))
		return NULL;
	learned->may_learn--;
	learned->counts.steps++;
	set = fm_learned_set(learned, sets, fm_step_key(address, interrupted));
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

	if (!fm_learned_find(learned, learned->returns, key))
		fm_learned_learn(learned, learned->returns, address,
				 interrupted);
}

/* Which of the stacks that we know is the stack pointer on? */
static bool fm_walk_locate(struct fm_walk *walk,
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
static bool fm_walk_switch(struct fm_walk *walk,
			   const struct fm_learned *learned,
			   const struct fm_step *step, unsigned long *cfa)
{
	unsigned long low = walk->low;

	if (!fm_walk_holds(walk, walk->sp, sizeof(long)))
		return false;
	*cfa = fm_walk_load(walk->sp) + step->cfa;
	walk->sp = *cfa - sizeof(long);
	/* From the interrupt stack to the task's, so that it happens once. */
	return fm_walk_locate(walk, learned) && low == learned->irq_low &&
	       walk->low != low && *cfa <= walk->high;
}

/*
 * To the code that was interrupted. Return: its address, or 0 where it was
 * user mode (*@end is set) or is nowhere we know.
 */
static unsigned long fm_walk_regs(struct fm_walk *walk,
				  const struct fm_learned *learned,
				  const struct fm_step *step, bool *end)
{
	struct pt_regs *regs = (void *)(walk->sp + step->cfa);
	unsigned long low = walk->low, sp = walk->sp;

	if (!fm_walk_holds(walk, (unsigned long)regs, sizeof(*regs)))
		return 0;
	if (regs == task_pt_regs(current) && user_mode(regs)) {
		*end = true;
		return 0;
	}
	walk->sp = READ_ONCE_NOCHECK(regs->sp);
	walk->bp = READ_ONCE_NOCHECK(regs->bp);
	if (user_mode(regs) || !fm_walk_locate(walk, learned) ||
	    (walk->low == low ? walk->sp <= sp : low != learned->irq_low))
		return 0;
	return READ_ONCE_NOCHECK(regs->ip);
}

/* Return: false where the kernel's unwinder has to do it. */
static bool fm_learned_walk(struct fm_learned *learned,
			    const struct pt_regs *regs,
			    struct fm_sample *sample, unsigned int max_depth)
{
	struct fm_walk walk = { .sp = regs->sp, .bp = regs->bp };
	unsigned long cfa, at, address = regs->ip;
	const struct fm_step *step;
	unsigned int nr = 1;
	bool end = false;
	u32 key;

	if (!fm_walk_locate(&walk, learned))
		return false;
	step = fm_learned_find(learned, learned->leaves,
			       fm_step_key(address, true));
	if (unlikely(!step)) {
		step = fm_learned_learn(learned, learned->leaves, address,
					true);
		if (!step)
			return false;
	}
	sample->frames[0] = address;
	sample->marks = 0;
	for (;;) {
		if (likely(step->kind == FM_STEP_SP ||
			   step->kind == FM_STEP_BP)) {
			cfa = (step->kind == FM_STEP_SP ? walk.sp : walk.bp) +
			      step->cfa;
			if (unlikely(cfa <= walk.sp || cfa > walk.high))
				return false;
		} else if (step->kind == FM_STEP_REGS) {
			address = fm_walk_regs(&walk, learned, step, &end);
			if (end)
				break;
			key = fm_step_key(address, true);
			if (unlikely(!fm_step_possible(address)))
				return false;
			goto next;
		} else if (step->kind == FM_STEP_END) {
			break;
		} else if (step->kind != FM_STEP_INDIRECT ||
			   !fm_walk_switch(&walk, learned, step, &cfa)) {
			return false;
		}
		if (step->bp) {
			at = cfa + step->bp * (long)sizeof(long);
			if (unlikely(at < walk.low))
				return false;
			walk.bp = fm_walk_load(at);
		}
		address = fm_walk_load(cfa - sizeof(long));
		if (unlikely(!fm_step_possible(address)))
			return false;
		walk.sp = cfa;
		key = fm_step_key(address--, false);
next:
		step = fm_learned_find(learned, learned->returns, key);
		if (unlikely(!step))
			return false;
		if (unlikely(nr == max_depth)) {
			sample->marks = FM_STACK_TRUNCATED;
			break;
		}
		sample->frames[nr++] = address;
	}
	if (!end && !sample->marks && !fm_stack_begins(walk.sp))
		sample->marks = FM_STACK_INCOMPLETE;
	sample->nr_frames = nr;
	return true;
}

/* Take the stack by the kernel's unwinder too; its word goes. */
static void fm_learned_verify(struct fm_learned *learned, struct pt_regs *regs,
			      struct fm_sample *sample, unsigned int max_depth)
{
	struct fm_sample *check = &learned->check;

	learned->verify_in = learned->verify;
	learned->counts.verified++;
	fm_stack_from_regs(learned, regs, check, max_depth);
	if (check->nr_frames == sample->nr_frames &&
	    check->marks == sample->marks &&
	    !memcmp(check->frames, sample->frames,
		    check->nr_frames * sizeof(check->frames[0])))
		return;
	learned->counts.differences++;
	learned->off = true;
	sample->nr_frames = check->nr_frames;
	sample->marks = check->marks;
	memcpy(sample->frames, check->frames,
	       check->nr_frames * sizeof(check->frames[0]));
}

/**
 * fm_learned_stack() - take the current kernel stack by learned steps.
 * @learned: the CPU's
 * @regs: the interrupted registers, of kernel mode
 * @sample: nr_frames, frames and marks are set
 * @max_depth: the most frames to keep
 *
 * Context: Hard interrupt.
 */
void fm_learned_stack(struct fm_learned *learned, struct pt_regs *regs,
		      struct fm_sample *sample, unsigned int max_depth)
{
	learned->may_learn = FM_LEARNED_PER_SAMPLE;
	if (unlikely(learned->off) ||
	    !fm_learned_walk(learned, regs, sample, max_depth)) {
		learned->counts.unwound++;
		fm_stack_from_regs(learned, regs, sample, max_depth);
		return;
	}
	learned->counts.learned++;
	if (learned->verify && !--learned->verify_in)
		fm_learned_verify(learned, regs, sample, max_depth);
}
