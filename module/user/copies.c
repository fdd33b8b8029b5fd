// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of user stacks whose text had no rows yet: see copies.h.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "arch.h"
#include "copies.h"

/**
 * fm_copies_create() - create room for a CPU's copies and results, all free.
 * @node: the memory node of the CPU
 *
 * Context: Process context, may sleep.
 * Return: the room, or NULL when memory is short.
 */
struct fm_copies *fm_copies_create(int node)
{
	struct fm_copies *copies = vzalloc_node(sizeof(*copies), node);

	if (copies)
		init_waitqueue_head(&copies->wait);
	return copies;
}

/**
 * fm_copy_wipe() - drop a copy's references to files, and wipe what the timer copied.
 * @copy: the copy
 *
 * Context: Process context, may sleep.
 */
void fm_copy_wipe(struct fm_copy *copy)
{
	struct fm_mappings *mappings = &copy->mappings;
	u32 i;

	for (i = 0; i < mappings->nr; i++) {
		const struct fm_request request = { .file = mappings->files[i] };

		fm_object_drop(&request);
	}
	if (mappings->mm)
		mmdrop(mappings->mm);
	memzero_explicit(mappings, sizeof(*mappings));
	memzero_explicit(&copy->regs, sizeof(copy->regs));
	memzero_explicit(copy->stack, sizeof(copy->stack));
}

/**
 * fm_copies_destroy() - free a CPU's copies and results.
 * @copies: the copies, which no timer, worker or drain uses any more; or NULL
 *
 * Context: Process context, may sleep.
 */
void fm_copies_destroy(struct fm_copies *copies)
{
	u32 i;

	for (i = 0; copies && i < FM_COPIES; i++)
		fm_copy_wipe(&copies->slots[i]);
	vfree(copies);
}

/*
 * Copy the current task's stack from sp on, as far as it can be read without waiting. This is
 * not copy_from_user_nofault(): from v5.18 until "mm: Fix copy_from_user_nofault()." in v6.3
 * that takes a lock which what was interrupted may hold, if the copy is in vmalloc memory.
 */
static void fm_copy_stack(struct fm_copy *copy)
{
	unsigned long limit = fm_user_limit(), at = fm_arch_untag(copy->regs.sp);
	unsigned long *word = (unsigned long *)copy->stack;
	const unsigned long *end = word + FM_COPY_BYTES / sizeof(*word);

	copy->bytes = 0;
	if (!fm_user_begin())
		return;
	for (; word < end && at < limit; word++, at += sizeof(*word))
		if (!fm_user_word(at, array_index_mask_nospec(at, limit), word))
			break;
	fm_user_end();
	copy->bytes = (u8 *)word - copy->stack;
}

/**
 * fm_copies_are_left() - ask whether a user may have one copy more.
 * @copies: the CPU's copies
 * @from: the number of the first copy that counts
 * @max: how many there can be from that on
 * @budget: the user's budget
 *
 * Context: Hard interrupt.
 * Return: false if that user, or all but root, have too many.
 */
bool fm_copies_are_left(const struct fm_copies *copies, u32 from, u32 max, u8 budget)
{
	u32 own = 0, users = 0;

	if (budget == FM_BUDGET_OF_ROOT)
		return true;
	for (; from != copies->next; from++) {
		u8 other = copies->budgets[from % FM_RESULTS];

		own += other == budget;
		users += other != FM_BUDGET_OF_ROOT;
		if (own >= max / 2 || users >= max / 4 * 3)
			return false;
	}
	return true;
}

/**
 * fm_copies_take() - copy what a walk of the current task would read.
 * @maps: the CPU's cache, in a walk
 * @regs: the task's registers of user mode
 * @frame: set to a frame that has the copy's number, for the CPU's paths
 *
 * Context: Hard interrupt.
 * Return: false if there is no room.
 */
bool fm_copies_take(struct fm_maps *maps, const struct fm_user_regs *regs, u64 *frame)
{
	struct fm_copies *copies = maps->copies;
	struct fm_result *result;
	struct fm_copy *copy;
	u32 number, walked;
	struct fm_runner runner;

	if (!copies)
		return false;
	number = copies->next;
	/* Pairs with fm_copies_walk(): the slot was wiped. */
	walked = smp_load_acquire(&copies->walked);
	if (number - walked == FM_COPIES)
		return false;
	result = fm_copies_place(copies, number);
	/* Pairs with fm_copies_release() and fm_copies_walk(): nobody reads it any more. */
	if (smp_load_acquire(&result->state) != FM_RESULT_FREE)
		return false;
	runner = fm_runner_of_current(maps->objects);
	runner.budget = fm_budget_of_current(maps->objects);
	if (!fm_copies_are_left(copies, walked, FM_COPIES, runner.budget) ||
	    !fm_copies_are_left(copies, READ_ONCE(copies->drained), FM_RESULTS, runner.budget))
		return false;
	copies->budgets[number % FM_RESULTS] = runner.budget;
	copy = fm_copies_slot(copies, number);
	fm_maps_list(maps, &copy->mappings);
	copy->runner = runner;
	copy->regs = *regs;
	copy->tgid = current->tgid;
	fm_copy_stack(copy);
	*frame = fm_user_frame(0, FM_USER_COPIED + number);
	result->number = number;
	/* Pairs with fm_copies_release(): a result that is not free has its number. */
	smp_store_release(&result->state, FM_RESULT_AWAITED);
	/* Pairs with fm_copies_walk(): the copy is complete. */
	smp_store_release(&copies->next, number + 1);
	fm_objects_wake_worker(maps->objects);
	return true;
}

/**
 * fm_copy_map() - find the mapping of an address.
 * @copy: the copy
 * @address: an address of its process
 *
 * Context: Any.
 * Return: the mapping, or NULL if there is none of text.
 */
const struct fm_map *fm_copy_map(const struct fm_copy *copy, unsigned long address)
{
	const struct fm_mappings *mappings = &copy->mappings;
	u32 i;

	for (i = 0; i < mappings->nr; i++)
		if (address >= mappings->maps[i].start && address < mappings->maps[i].end)
			return &mappings->maps[i];
	return NULL;
}

/**
 * fm_copy_load() - read a word of the stack.
 * @copy: the copy
 * @at: the word's address in its process
 * @value: set to the word
 *
 * Context: Any.
 * Return: false if it was not copied.
 */
bool fm_copy_load(const struct fm_copy *copy, unsigned long at, unsigned long *value)
{
	unsigned long offset = at - copy->regs.sp;

	if (at < copy->regs.sp || offset > copy->bytes ||
	    copy->bytes - offset < sizeof(*value))
		return false;
	/* Users choose it: a mispredicted branch could load from any address. */
	offset = array_index_nospec(offset, FM_COPY_BYTES);
	memcpy(value, copy->stack + offset, sizeof(*value));
	return true;
}

/**
 * fm_copy_learn() - compile the rows of an address.
 * @objects: the objects
 * @copy: the copy
 * @address: an address of its process
 *
 * Context: Process context, may sleep, in the worker.
 * Return: true if they are there now, or never will be.
 */
bool fm_copy_learn(struct fm_objects *objects, const struct fm_copy *copy,
		   unsigned long address)
{
	const struct fm_map *map = fm_copy_map(copy, address);
	struct fm_request request;

	if (!map || map->kind != FM_MAP_OBJECT)
		return false;
	request = (struct fm_request){
		.object = map->object,
		.file = copy->mappings.files[map - copy->mappings.maps],
		.chunk = fm_chunk_number(address + map->delta),
		.runner = copy->runner,
	};
	fm_objects_rest(fm_object_learn(objects, &request));
	return fm_object_chunk(map->object, address + map->delta) ||
	       fm_object_has_none(map->object, address + map->delta);
}

static bool fm_copies_are_walked(const struct fm_copies *copies, u32 before)
{
	/* Pairs with fm_copies_walk(): the results are complete. */
	return (s32)(smp_load_acquire(&copies->walked) - before) >= 0;
}

/**
 * fm_copies_wait() - wait until the worker has walked a CPU's copies.
 * @copies: the CPU's copies
 * @before: the number of the first copy that need not be walked
 * @jiffies_max: the longest time to wait
 *
 * Context: Process context, may sleep, under the session's lock.
 * Return: what is left of that time.
 */
unsigned long fm_copies_wait(struct fm_copies *copies, u32 before, unsigned long jiffies_max)
{
	return wait_event_timeout(copies->wait, fm_copies_are_walked(copies, before),
				  jiffies_max);
}

/**
 * fm_copies_result() - replace a copy's frame in a stack by what the worker found.
 * @copies: the copies of the CPU that the stack is from
 * @frames: the stack, the leaf first; its last frame is a copy's. There is room for
 *          FM_USER_FRAMES_MAX frames
 * @nr: how many there are
 * @side: what became of the stack: set if that is known now
 *
 * Context: Process context, under the session's lock.
 * Return: how many frames there are then.
 */
unsigned int fm_copies_result(struct fm_copies *copies, u64 *frames, unsigned int nr,
			      u8 *side)
{
	u32 number = fm_user_frame_offset(frames[nr - 1]) - FM_USER_COPIED;
	struct fm_result *result = fm_copies_place(copies, number);

	/* Pairs with fm_copies_walk(): the result is complete. */
	if (smp_load_acquire(&result->state) != FM_RESULT_DONE || result->number != number ||
	    !result->nr_frames) {
		frames[nr - 1] = fm_user_frame(0, FM_USER_END + *side);
		return nr;
	}
	*side = result->side;
	memcpy(frames, result->frames, result->nr_frames * sizeof(*frames));
	return result->nr_frames;
}

/**
 * fm_copies_release() - free a CPU's results whose stacks were drained.
 * @copies: the CPU's copies
 * @before: the number of the first copy that may be in stacks that were not drained
 *
 * Context: Process context, under the session's lock.
 */
void fm_copies_release(struct fm_copies *copies, u32 before)
{
	u32 number;

	/* First: so no more than FM_RESULTS are ever counted from there on. */
	WRITE_ONCE(copies->drained, before);
	for (number = before - FM_RESULTS; number != before; number++) {
		struct fm_result *result = fm_copies_place(copies, number);

		/* Pairs with fm_copies_take(): a result that is not free has its number. */
		if (smp_load_acquire(&result->state) == FM_RESULT_FREE ||
		    result->number != number)
			continue;
		if (cmpxchg(&result->state, FM_RESULT_AWAITED, FM_RESULT_LEFT) != FM_RESULT_DONE)
			continue;
		/* Pairs with fm_copies_take(): nobody reads the result any more. */
		smp_store_release(&result->state, FM_RESULT_FREE);
	}
}
