// SPDX-License-Identifier: GPL-2.0
/*
 * Slots of tasks: see slots.h.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>

#include "memory.h"
#include "slots.h"

/**
 * fm_slots_init() - allocate free slots.
 * @slots: to set up
 * @memory: the limit that they are charged to
 * @bits: log2 of the number of sets, at least 1
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fm_slots_init(struct fm_slots *slots, struct fm_memory *memory, u32 bits)
{
	static_assert(sizeof(struct fm_slot) == 64);
	slots->bits = bits;
	return fm_pool_init_fixed(&slots->sets, memory,
				  sizeof(struct fm_slot_set), BIT(bits));
}

/**
 * fm_slots_deinit() - free the slots.
 * @slots: set up, or all zero
 *
 * Context: Process context; nobody else uses them.
 */
void fm_slots_deinit(struct fm_slots *slots)
{
	fm_pool_deinit(&slots->sets);
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
