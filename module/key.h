/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The task in a key (sample.h), for the timer and for hits of sources alike.
 */
#ifndef _FLAMEMOD_KEY_H
#define _FLAMEMOD_KEY_H

#include <linux/sched.h>
#include <linux/string.h>

#include "cgroup.h"
#include "context.h"
#include "groups.h"
#include "sample.h"

/**
 * fm_key_set_task() - set the task of a key.
 * @key: the key
 * @groups: those of the table that the key is for
 * @task: no idle task; current, or one that the caller keeps from going
 *
 * Context: Interrupts off.
 */
static __always_inline void fm_key_set_task(struct fm_key *key, struct fm_groups *groups,
					    const struct task_struct *task)
{
	key->pid = task->tgid;
	key->tid = task->pid;
	/* Another thread may be changing it; a mix of the old and new bytes is harmless. */
	memcpy(key->comm, task->comm, TASK_COMM_LEN);
	key->comm[TASK_COMM_LEN - 1] = 0;
	key->group = fm_groups_number(groups, fm_cgroup_id(task));
}

/**
 * fm_key_set_current() - set the current task in a key.
 * @key: the key
 * @groups: those of the table that the key is for
 *
 * The idle tasks of all CPUs appear as one task, which is in no cgroup: to be idle is
 * nobody's use of a CPU.
 *
 * Context: Interrupts off.
 */
static __always_inline void fm_key_set_current(struct fm_key *key, struct fm_groups *groups)
{
	if (!fm_context_idles(current)) {
		fm_key_set_task(key, groups, current);
		return;
	}
	key->pid = current->tgid;
	key->tid = current->pid;
	memcpy(key->comm, "swapper\0\0\0\0\0\0\0\0", TASK_COMM_LEN);
	key->group = FM_GROUP_NONE;
}

#endif /* _FLAMEMOD_KEY_H */
