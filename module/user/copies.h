/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of user stacks whose text had no rows yet.
 *
 * When a sample first meets some text, the timer copies what its walk would have read
 * to a slot of its CPU: registers, the stack from sp on, and which files are
 * mapped as text. The worker compiles the rows, walks the copy, and keeps its frames as
 * the copy's result. The next drain waits for the worker, but not long, and takes the
 * result. So a program that lives for a few milliseconds has whole stacks, too. If
 * the timer could not lock the mappings, the worker lists them soon, in a work of its own
 * that waits for no file.
 *
 * In the CPU's paths such a stack is the frames that were known, and a frame with the
 * number of its copy. If the worker is not done when the drain ends its wait, or if
 * there was no room for the copy, the stack is "not learned".
 *
 * No user leaves none to the others: the processes of one user get half of the slots and of
 * the results at most, and those of all but root three quarters (budget.h).
 *
 * A copy is a user's data: it is wiped once it was walked, and is never sent. It holds
 * references to files until then.
 *
 * Locking: copies have consecutive numbers. The worker walks them in this order, and
 * owns the slots of those from @walked up to @next; the timer owns the others. A result
 * belongs to the timer while it is free, to the worker while it is waited for, and to
 * the drain, under the session's lock, once it is done. A drain that does not wait any
 * longer marks it left, and the worker frees it.
 */
#ifndef _FLAMEMOD_USER_COPIES_H
#define _FLAMEMOD_USER_COPIES_H

#include <linux/wait.h>

#include "arch.h"
#include "maps.h"
#include "paths.h"

#define FM_COPIES	16u		/* of a CPU that wait for the worker; a power of two */
#define FM_RESULTS	64u		/* of a CPU that wait for the drain; a power of two */
#define FM_COPY_BYTES	8192u		/* of the stack, from sp on */

enum fm_result_state {
	FM_RESULT_FREE,
	FM_RESULT_AWAITED,
	FM_RESULT_LEFT,
	FM_RESULT_DONE,
};

struct fm_copy {
	struct fm_user_regs regs;
	u32 tgid;
	u32 bytes;		/* how many bytes of the stack could be copied, from sp on */
	struct fm_runner runner;	/* of its process */
	struct fm_mappings mappings;	/* of text; or the worker lists them */
	u8 stack[FM_COPY_BYTES] __aligned(sizeof(unsigned long));
};

struct fm_result {
	u32 state;		/* enum fm_result_state */
	u32 number;		/* the copy's */
	u8 side;		/* enum flamemod_user_side */
	u32 nr_frames;
	u64 frames[FM_USER_FRAMES_MAX];	/* the leaf first; the end frame, if any, last */
};

struct fm_copies {
	u32 next;		/* the number of the next copy; written by the timer */
	u32 listed;		/* the number of the next one to list; for the worker */
	u32 walked;		/* the number of the next one to walk; written by the worker */
	u32 drained;		/* that of the first one for the next drain; written by drains */
	u8 budgets[FM_RESULTS];	/* whose each of the last ones was; for the timer */
	wait_queue_head_t wait;	/* for the worker to go on */
	struct fm_copy slots[FM_COPIES];
	struct fm_result results[FM_RESULTS];
};

struct fm_copies *fm_copies_create(int node);
void fm_copies_destroy(struct fm_copies *copies);

bool fm_copies_are_left(const struct fm_copies *copies, u32 from, u32 max, u8 budget);
bool fm_copies_take(struct fm_maps *maps, const struct fm_user_regs *regs, u64 *frame);
unsigned long fm_copies_wait(struct fm_copies *copies, u32 before, unsigned long jiffies_max);
unsigned int fm_copies_result(struct fm_copies *copies, u64 *frames, unsigned int nr,
			      u8 *side);
void fm_copies_release(struct fm_copies *copies, u32 before);

/* Return: the slot of a copy. */
static inline struct fm_copy *fm_copies_slot(struct fm_copies *copies, u32 number)
{
	return &copies->slots[number % FM_COPIES];
}

/* Return: the place for the result of a copy. */
static inline struct fm_result *fm_copies_place(struct fm_copies *copies, u32 number)
{
	return &copies->results[number % FM_RESULTS];
}

/* In a walk of a copy, by the worker. */
const struct fm_map *fm_copy_map(const struct fm_copy *copy, unsigned long address);
bool fm_copy_load(const struct fm_copy *copy, unsigned long at, unsigned long *value);
void fm_copy_wipe(struct fm_copy *copy);
bool fm_copy_learn(struct fm_objects *objects, const struct fm_copy *copy,
		   unsigned long address);

#endif /* _FLAMEMOD_USER_COPIES_H */
