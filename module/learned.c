// SPDX-License-Identifier: GPL-2.0
/*
 * The cache of the steps that a CPU has learned: see learned.h.
 */
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/vmalloc.h>

#include "learned_steps.h"
#include "shape.h"
#include "text.h"

/* There are many leaves per caller, so leaves get four fifths of the memory. */
#define FM_LEARNED_BYTES	(sizeof(struct fm_step_set) * 5 / 4)

/* For events it is the reverse, and there is one shape per 16 sets of callers. */
#define FM_LEARNED_SHAPE_BITS	4
#define FM_LEARNED_EVENT_BYTES	(FM_LEARNED_BYTES + \
				 (sizeof(struct fm_shape) >> FM_LEARNED_SHAPE_BITS))

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

static u32 fm_steps_nr(const struct fm_steps *steps)
{
	return 1U << (32 - steps->shift);
}

static void fm_steps_forget_module(struct fm_step_set *set)
{
	struct fm_step *ways = set->ways;

	if (fm_text_is_module(fm_step_address(ways[1].key)))
		ways[1].key = 0;
	if (fm_text_is_module(fm_step_address(ways[0].key)))
		ways[0].key = 0;
}

/**
 * fm_learned_fit() - compute how much of some memory steps can use.
 * @bytes: the memory available, at least 50
 *
 * Context: Any.
 * Return: bytes, no more than @bytes and more than half of them.
 */
size_t fm_learned_fit(size_t bytes)
{
	return FM_LEARNED_BYTES << ilog2(bytes / FM_LEARNED_BYTES);
}

/* Allocate sets of steps, by their bits. Return: 0 or -ENOMEM. */
static int fm_learned_alloc(struct fm_learned *learned, u32 leaves, u32 returns, int node)
{
	learned->may_learn = FM_LEARNED_PER_SAMPLE;
	if (fm_steps_init(&learned->leaves, leaves, node) ||
	    fm_steps_init(&learned->returns, returns, node)) {
		fm_learned_deinit(learned);
		return -ENOMEM;
	}
	return 0;
}

/**
 * fm_learned_init() - allocate an empty cache of steps.
 * @learned: to set up, all zero or already set up
 * @bytes: memory for steps, or 0 to learn none
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
	bits = ilog2(bytes / FM_LEARNED_BYTES);
	return fm_learned_alloc(learned, bits, bits - 2, node);
}

/**
 * fm_learned_init_events() - allocate an empty cache for stacks of events.
 * @learned: to set up, all zero or already set up
 * @bytes: memory for steps and shapes, at least 1024, or 0 to learn none
 * @node: the memory node of the CPU that will use it
 *
 * Stacks of tasks off the CPU have no interrupted instruction, and those of functions
 * start at their first one, so most steps are those of callers.
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_learned_init_events(struct fm_learned *learned, size_t bytes, int node)
{
	u32 bits;

	if (!bytes || learned->returns.sets)
		return 0;
	bits = ilog2(bytes / FM_LEARNED_EVENT_BYTES);
	if (fm_learned_alloc(learned, bits - 2, bits, node))
		return -ENOMEM;
	if (fm_shapes_init(&learned->shapes, bits - FM_LEARNED_SHAPE_BITS, node)) {
		fm_learned_deinit(learned);
		return -ENOMEM;
	}
	return 0;
}

/**
 * fm_learned_deinit() - free the cache of steps.
 * @learned: set up, or all zero
 *
 * Context: Process context.
 */
void fm_learned_deinit(struct fm_learned *learned)
{
	fm_steps_deinit(&learned->leaves);
	fm_steps_deinit(&learned->returns);
	fm_shapes_deinit(&learned->shapes);
}

/**
 * fm_learned_forget_modules() - forget a part of the steps learned from modules' text.
 * @learned: the CPU's
 * @next: where to continue; 0 for the first call, then as the last call left it
 *
 * One call forgets only a part, because all of it would take long with interrupts
 * off. The other steps are still valid: the text stays until the last call returns.
 *
 * Context: On that CPU with interrupts off, or anywhere if the CPU does not sample.
 * Return: true when all is forgotten.
 */
bool fm_learned_forget_modules(struct fm_learned *learned, u32 *next)
{
	u32 leaves, all, to, i;

	if (!learned->leaves.sets)
		return true;
	leaves = fm_steps_nr(&learned->leaves);
	all = leaves + fm_steps_nr(&learned->returns);
	to = min(all, *next + FM_LEARNED_FORGET);
	for (i = *next; i < to; i++)
		fm_steps_forget_module(i < leaves ? &learned->leaves.sets[i] :
				       &learned->returns.sets[i - leaves]);
	*next = to;
	return to == all;
}

/**
 * fm_learned_learn() - learn the unwinder's step at an address.
 * @learned: the CPU's
 * @steps: where to keep it: @learned's leaves or returns
 * @address: the address
 * @interrupted: it is an interrupted instruction, not a return address
 *
 * Context: Hard interrupt.
 * Return: the step, or NULL if this sample may learn no more, or the text may
 * change.
 */
struct fm_step *fm_learned_learn(struct fm_learned *learned,
				 struct fm_steps *steps, unsigned long address,
				 bool interrupted)
{
	struct fm_step_set *set;
	u32 key = fm_step_key(address, interrupted);

	/* The unwinder applies the rule of the call, which may be the last on its page. */
	if (!learned->may_learn ||
	    !fm_text_stays(learned->text, interrupted ? address : address - 1))
		return NULL;
	learned->may_learn--;
	learned->counts.steps++;
	set = &steps->sets[fm_steps_slot(steps, key)];
	set->ways[1] = set->ways[0];
	fm_step_learn(&set->ways[0], address, interrupted);
	return &set->ways[0];
}

/**
 * fm_learned_note() - learn the step at an address that the kernel's unwinder reported.
 * @learned: the CPU's
 * @address: the address
 * @interrupted: it is an interrupted instruction, not a return address
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
