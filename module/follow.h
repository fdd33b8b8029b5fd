/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Follows a process: the process, its threads, and all that they create.
 *
 * Each thread id of the initial pid namespace has a bit (followed.h). The tracepoint
 * task_newtask reports every new task before it first runs, whether from fork,
 * vfork, clone or io_uring. The new task gets the bit of the task that created it,
 * so following is exact from its first instruction on, however short it lives and
 * whoever becomes its parent. The bit is written for every new task, so a reused
 * id does not inherit the bit of its last user, and ends of tasks need not be
 * tracked. There is a bit for every id that a kernel can assign.
 *
 * Two things are not followed: kernel threads that work for a process but are
 * created by another (kworkers, vhost before 6.4, io_uring's workers before
 * 5.12); and the last microseconds of a task whose id was released and assigned to
 * another task before it left its CPU.
 *
 * Locking: the bits are atomic. The object is destroyed when no sampler uses it any
 * more (session_follow.c). See follow.c for the probe.
 */
#ifndef _FLAMEMOD_FOLLOW_H
#define _FLAMEMOD_FOLLOW_H

#include <linux/types.h>

#include "followed.h"

struct fm_session;
struct netlink_ext_ack;

void fm_follow_init(struct fm_session *session);
void fm_follow_deinit(struct fm_session *session);

struct fm_follow *fm_follow_create(struct fm_memory *memory,
				   struct netlink_ext_ack *extack);
int fm_follow_start(struct fm_follow *follow, u32 vpid,
		    struct netlink_ext_ack *extack);
void fm_follow_destroy(struct fm_follow *follow);

#endif /* _FLAMEMOD_FOLLOW_H */
