// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of user stacks whose text had no rows yet: see copies.h.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "copies.h"

/**
 * fm_copies_create() - create slots for a CPU's copies, all free.
 * @node: the memory node of the CPU
 *
 * Context: Process context, may sleep.
 * Return: the slots, or NULL when memory is short.
 */
struct fm_copies *fm_copies_create(int node)
{
	return vzalloc_node(sizeof(struct fm_copies), node);
}

/**
 * fm_copy_wipe() - drop a copy's references to files, and wipe what the timer copied.
 * @copy: the copy
 *
 * Context: Process context, may sleep.
 */
void fm_copy_wipe(struct fm_copy *copy)
{
	u32 i;

	for (i = 0; i < copy->nr_maps; i++) {
		const struct fm_request request = { .file = copy->files[i] };

		fm_object_drop(&request);
	}
	copy->nr_maps = 0;
	memzero_explicit(&copy->regs, sizeof(copy->regs));
	memzero_explicit(copy->maps, sizeof(copy->maps));
	memzero_explicit(copy->files, sizeof(copy->files));
	memzero_explicit(copy->stack, sizeof(copy->stack));
}

/**
 * fm_copies_destroy() - free a CPU's slots, with the copies in them.
 * @copies: the slots, which no timer, worker or drain uses any more; or NULL
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

/* Copy the current task's stack from sp on, as far as it can be read without waiting. */
static void fm_copy_stack(struct fm_copy *copy)
{
	unsigned long at = copy->regs.sp;
	u32 part;

	for (copy->bytes = 0; copy->bytes < FM_COPY_BYTES; copy->bytes += part, at += part) {
		part = min_t(u32, FM_COPY_BYTES - copy->bytes, PAGE_SIZE - offset_in_page(at));
		if (copy_from_user_nofault(copy->stack + copy->bytes, (void __user *)at, part))
			return;
	}
}

/**
 * fm_copies_take() - copy what a walk of the current task would read.
 * @maps: the CPU's cache, in a walk
 * @regs: the task's registers of user mode
 * @frame: set to a frame that has the copy's number, for the CPU's paths
 *
 * Context: Hard interrupt.
 * Return: false if no slot is free, or the mappings cannot be locked now.
 */
bool fm_copies_take(struct fm_maps *maps, const struct fm_copy_regs *regs, u64 *frame)
{
	struct fm_copies *copies = maps->copies;
	struct fm_copy *copy;

	if (!copies)
		return false;
	copy = fm_copies_slot(copies, copies->next);
	/* Pairs with fm_copies_release() and fm_copies_walk(): the slot is free again. */
	if (smp_load_acquire(&copy->state) != FM_COPY_FREE)
		return false;
	copy->nr_maps = fm_maps_list(maps, copy->maps, copy->files, FM_COPY_MAPS,
				     &copy->maps_are_cut);
	if (!copy->nr_maps)
		return false;
	copy->regs = *regs;
	copy->tgid = current->tgid;
	copy->number = copies->next;
	fm_copy_stack(copy);
	*frame = fm_user_frame(0, FM_USER_COPIED + copy->number);
	/* Pairs with fm_copies_walk() and fm_copies_result(): the copy is complete. */
	smp_store_release(&copy->state, FM_COPY_FILLED);
	/* Pairs with fm_copies_walk(): its state is set. */
	smp_store_release(&copies->next, copy->number + 1);
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
	u32 i;

	for (i = 0; i < copy->nr_maps; i++)
		if (address >= copy->maps[i].start && address < copy->maps[i].end)
			return &copy->maps[i];
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
		.file = copy->files[map - copy->maps],
		.chunk = min_t(u64, (address + map->delta) / FM_CHUNK_BYTES, U32_MAX),
	};
	fm_object_learn(objects, &request);
	return fm_object_chunk(map->object, address + map->delta) ||
	       fm_object_has_none(map->object, address + map->delta);
}

/**
 * fm_copies_result() - replace a copy's frame in a stack by what the worker found.
 * @copies: the slots of the CPU that the stack is from
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
	struct fm_copy *copy = fm_copies_slot(copies, number);

	/* Pairs with fm_copies_walk(). */
	if (smp_load_acquire(&copy->state) != FM_COPY_DONE || copy->number != number ||
	    !copy->nr_frames) {
		frames[nr - 1] = fm_user_frame(0, FM_USER_END + *side);
		return nr;
	}
	*side = copy->side;
	memcpy(frames, copy->frames, copy->nr_frames * sizeof(*frames));
	return copy->nr_frames;
}

/**
 * fm_copies_release() - free a CPU's slots whose stacks were drained.
 * @copies: the CPU's slots
 * @before: the number of the first copy that may be in stacks that were not drained
 *
 * Context: Process context, under the session's lock.
 */
void fm_copies_release(struct fm_copies *copies, u32 before)
{
	u32 number;

	for (number = before - FM_COPIES; number != before; number++) {
		struct fm_copy *copy = fm_copies_slot(copies, number);

		/* Pairs with fm_copies_take(): a slot that is not free has its number. */
		if (smp_load_acquire(&copy->state) == FM_COPY_FREE || copy->number != number)
			continue;
		if (cmpxchg(&copy->state, FM_COPY_FILLED, FM_COPY_LEFT) != FM_COPY_DONE)
			continue;
		/* Pairs with fm_copies_take(): nobody reads the slot any more. */
		smp_store_release(&copy->state, FM_COPY_FREE);
	}
}
