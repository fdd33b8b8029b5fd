/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The set of followed tasks: a bit for each thread id of the initial pid namespace.
 * follow.h fills it; the filter looks a task up in it.
 *
 * Locking: the bits are atomic. The set is destroyed when no sampler uses it any more
 * (session_follow.c).
 */
#ifndef _FLAMEMOD_FOLLOWED_H
#define _FLAMEMOD_FOLLOWED_H

#include <linux/bitops.h>
#include <linux/list.h>
#include <linux/types.h>

#include "pool.h"

struct fm_follow {
	struct fm_memory *memory;
	struct list_head list;
	u32 pid;		/* the process, in the initial pid namespace; 0: none yet */
	struct fm_pool tasks;	/* unsigned longs of bits */
};

static inline unsigned long *fm_follow_bits(const struct fm_follow *follow,
					    u32 tid)
{
	return fm_pool_at(&follow->tasks, tid / BITS_PER_LONG);
}

/**
 * fm_follow_has() - check whether a task is followed.
 * @follow: the followed tasks
 * @tid: the task's thread id, in the initial pid namespace
 *
 * Context: Any, the timer callback above all.
 * Return: true if it is.
 */
static inline bool fm_follow_has(const struct fm_follow *follow, u32 tid)
{
	return test_bit(tid % BITS_PER_LONG, fm_follow_bits(follow, tid));
}

#endif /* _FLAMEMOD_FOLLOWED_H */
