/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cgroup of a task, in the default hierarchy: that of cgroup v2.
 */
#ifndef _FLAMEMOD_CGROUP_H
#define _FLAMEMOD_CGROUP_H

#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "groups.h"

#ifdef CONFIG_CGROUPS
/**
 * fm_cgroup_id() - return the id of the cgroup that a task is in.
 * @task: the task, to which the caller has a reference, or current
 *
 * The id is the inode number of the cgroup's directory, and is not used again. The task
 * may be moved meanwhile, by another CPU: its css_set, and the cgroup that it holds, are
 * freed after a grace period. Grace periods wait for code with interrupts off as well, on
 * PREEMPT_RT too, which lockdep does not know, hence _raw.
 *
 * Context: Interrupts off, or rcu_read_lock().
 * Return: the id, not 0; without CONFIG_CGROUPS FM_CGROUP_NONE.
 */
static __always_inline u64 fm_cgroup_id(const struct task_struct *task)
{
	return cgroup_id(rcu_dereference_raw(task->cgroups)->dfl_cgrp);
}
#else
static __always_inline u64 fm_cgroup_id(const struct task_struct *task)
{
	return FM_CGROUP_NONE;
}
#endif

#endif /* _FLAMEMOD_CGROUP_H */
