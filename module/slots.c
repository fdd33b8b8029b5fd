// SPDX-License-Identifier: GPL-2.0
/*
 * Slots of tasks: see slots.h.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/numa.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "slots.h"

/**
 * fm_slots_init() - free all slots, which are allocated at first.
 * @slots: to set up, all zero or already set up with as many
 * @bits: log2 of the number of sets, at least 1
 *
 * Context: Process context, may sleep; nobody else uses them.
 * Return: 0 or -ENOMEM.
 */
int fm_slots_init(struct fm_slots *slots, u32 bits)
{
	size_t bytes = sizeof(struct fm_slot_set) << bits;

	static_assert(sizeof(struct fm_slot) == 64);
	slots->bits = bits;
	slots->shift = BITS_PER_LONG - bits;
	if (slots->sets) {
		memset(slots->sets, 0, bytes);
		return 0;
	}
	slots->sets = vzalloc_node(bytes, NUMA_NO_NODE);
	return slots->sets ? 0 : -ENOMEM;
}

/**
 * fm_slots_deinit() - free the slots.
 * @slots: set up, or all zero
 *
 * Context: Process context; nobody else uses them.
 */
void fm_slots_deinit(struct fm_slots *slots)
{
	vfree(slots->sets);
	memset(slots, 0, sizeof(*slots));
}

/**
 * fm_slots_claim() - get a slot for a task that has none.
 * @slots: the slots
 * @task: the task; nobody else claims a slot for it at the same time
 * @unseen: set to whether the task certainly had no slot before; if not, a
 *          set that was full may be why it has none
 *
 * Context: Any.
 * Return: the slot, whose time is FM_SINCE_NONE; or NULL if the set is full.
 */
struct fm_slot *fm_slots_claim(struct fm_slots *slots,
			       const struct task_struct *task, bool *unseen)
{
	struct fm_slot *first = fm_slots_set(slots, task)->ways, *slot = first;
	unsigned int i;

	*unseen = !READ_ONCE(first->overflowed);
	for (i = 0; i < FM_SLOT_WAYS; i++, slot++) {
		if (READ_ONCE(slot->task) || cmpxchg(&slot->task, NULL, task))
			continue;
		slot->run_delay = 0;
		slot->off_ns = 0;
		slot->state = 0;
		return slot;
	}
	WRITE_ONCE(first->overflowed, true);
	return NULL;
}

/**
 * fm_slot_free() - give a slot back.
 * @slot: the slot, of a task that will not run again
 *
 * Context: As the scheduler's switch away from the task.
 */
void fm_slot_free(struct fm_slot *slot)
{
	WRITE_ONCE(slot->since, FM_SINCE_NONE);
	/* Whoever claims it must find that, so this comes after it. */
	smp_store_release(&slot->task, NULL);
}
