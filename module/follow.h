/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that is followed: it, its threads, and all that they create.
 *
 * Each thread id of the initial pid namespace has a bit. The tracepoint
 * task_newtask reports every new task before it runs for the first time, be it
 * of fork, vfork, clone or an io_uring worker: it gets the bit of the task that
 * created it. So what is followed is exact from the first instruction on, however
 * short it lives and whoever its parent is later. The bit is written for every
 * new task, so an id that is used again says nothing of the task that had it
 * before, and nobody has to be told when a task ends. There is a bit for every
 * id that a kernel can give: nothing fails to fit.
 *
 * Two things are not followed: kernel threads that work for a process but are
 * created by another (kworkers, vhost before 6.4, io_uring's workers before
 * 5.12); and the last microseconds of a task whose id was given back and taken
 * by another before it left its CPU.
 *
 * Locking: the bits are atomic; whoever reads them holds on to the object. It
 * is destroyed when no sampler looks at it any more (session_follow.c).
 */
#ifndef _FLAMEMOD_FOLLOW_H
#define _FLAMEMOD_FOLLOW_H

#include <linux/bitops.h>
#include <linux/threads.h>
#include <linux/types.h>
#include <asm/page.h>

struct fm_memory;
struct netlink_ext_ack;
struct tracepoint;

struct fm_follow {
	struct fm_memory *memory;
	struct tracepoint *newtask;
	u32 pid;		/* of the first, in the initial pid namespace; 0: none yet */
	unsigned long tasks[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

struct fm_follow *fm_follow_create(struct fm_memory *memory,
				   struct netlink_ext_ack *extack);
int fm_follow_start(struct fm_follow *follow, u32 vpid,
		    struct netlink_ext_ack *extack);
void fm_follow_destroy(struct fm_follow *follow);

/**
 * fm_follow_has() - is a task followed?
 * @follow: the followed ones
 * @tid: the task's thread id, in the initial pid namespace
 *
 * Context: Any, the timer callback above all.
 * Return: true when it is.
 */
static inline bool fm_follow_has(const struct fm_follow *follow, u32 tid)
{
	return test_bit(tid, follow->tasks);
}

#endif /* _FLAMEMOD_FOLLOW_H */
