/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slots: for each task since when it is on or off a CPU.
 *
 * A slot is found by the address of the task's struct, which nothing else has while the
 * task lives; its id may change, when a thread calls exec. Slots are in sets of four,
 * and their number is fixed. They are mapped memory, and stay until unload: see memory.h.
 * A task without a slot was not seen before, unless its set is or was full: that is
 * remembered, so a time that is not known is never guessed.
 *
 * Locking: no locks. A slot is claimed by cmpxchg. After that it belongs to the CPU
 * that switches its task in or out, with interrupts off; the scheduler never does both
 * at a time. The time in it may be replaced by a dump (events_cut.c), by cmpxchg; the
 * CPU takes it by xchg. So each nanosecond is counted by one of the two.
 */
#ifndef _FLAMEMOD_SLOTS_H
#define _FLAMEMOD_SLOTS_H

#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/types.h>

struct task_struct;

/*
 * A time in a slot: nanoseconds of CLOCK_MONOTONIC, shifted to have room for two flags;
 * 62 bits are 146 years.
 */
#define FM_SINCE_COUNTED	BIT_ULL(0)	/* what was before is counted already */
#define FM_SINCE_ON		BIT_ULL(1)	/* on a CPU since then, else off */
#define FM_SINCE_SHIFT		2
#define FM_SINCE_NONE		0ULL		/* it is being counted now */
/* Since the events were attached, or the task was created; on or off: not known. */
#define FM_SINCE_UNSEEN		BIT_ULL(FM_SINCE_SHIFT)

struct fm_slot {
	const struct task_struct *task;	/* NULL: free */
	u64 since;
	u64 run_delay;		/* the task's wait for CPUs in its life, as of @since */
	/* when it left its CPU, which no dump changes; 0: not seen since events were attached */
	u64 off_ns;
	u32 entry;		/* of a hot table: tried first for its stack */
	u32 wait_entry;		/* the same for the event waiting */
	u32 ran_entry;		/* the same for the event ran */
	u32 wake_entry;		/* the same for its wake-ups */
	u8 state;		/* enum flamemod_task_state, while it is off */
	bool overflowed;	/* in the first slot of a set: a task found no place */
	u8 unused[14];		/* a slot is a cache line */
};

#define FM_SLOT_WAYS		4

struct fm_slot_set {
	struct fm_slot ways[FM_SLOT_WAYS];
};

struct fm_slots {
	struct fm_slot_set *sets;
	u32 bits;		/* log2 of their number */
	u32 shift;		/* from a hash to a set */
};

int fm_slots_init(struct fm_slots *slots, u32 bits);
void fm_slots_deinit(struct fm_slots *slots);

struct fm_slot *fm_slots_claim(struct fm_slots *slots,
			       const struct task_struct *task, bool *unseen);
void fm_slot_free(struct fm_slot *slot);

static __always_inline struct fm_slot_set *fm_slots_set(const struct fm_slots *slots,
							const struct task_struct *task)
{
	return &slots->sets[(unsigned long)task * GOLDEN_RATIO_64 >> slots->shift];
}

/**
 * fm_slots_find() - find the slot of a task.
 * @slots: the slots
 * @task: the task
 *
 * Context: Any.
 * Return: the slot, or NULL.
 */
static __always_inline struct fm_slot *fm_slots_find(const struct fm_slots *slots,
						     const struct task_struct *task)
{
	struct fm_slot *slot = fm_slots_set(slots, task)->ways;
	unsigned int i;

	for (i = 0; i < FM_SLOT_WAYS; i++, slot++)
		if (READ_ONCE(slot->task) == task)
			return slot;
	return NULL;
}

static inline u64 fm_since(u64 ns, u64 flags)
{
	return ns << FM_SINCE_SHIFT | flags;
}

static inline u64 fm_since_ns(u64 since)
{
	return since >> FM_SINCE_SHIFT;
}

#endif /* _FLAMEMOD_SLOTS_H */
