/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the intervals of tasks at each switch from one to another.
 */
#ifndef _FLAMEMOD_SWITCH_H
#define _FLAMEMOD_SWITCH_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"
#include "compat/compat.h"

struct fm_events;
struct fm_source_request;
struct netlink_ext_ack;

/**
 * fm_switch_state() - find out why a task is off the CPU.
 * @preempted: it was preempted
 * @state: its state, bits of TASK_*, when it was switched away from
 *
 * Context: Any; a pure function.
 * Return: the state, enum flamemod_task_state.
 */
static inline u8 fm_switch_state(bool preempted, unsigned int state)
{
	if (preempted || state == TASK_RUNNING)
		return FLAMEMOD_TASK_STATE_PREEMPTED;
	if (state & TASK_INTERRUPTIBLE)
		return FLAMEMOD_TASK_STATE_SLEEPING;
	if (state & TASK_UNINTERRUPTIBLE)
		return state & TASK_NOLOAD ? FLAMEMOD_TASK_STATE_IDLE :
					     FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE;
	if (state & FM_COMPAT_RTLOCK_WAIT)
		return FLAMEMOD_TASK_STATE_UNINTERRUPTIBLE;
	if (state & __TASK_STOPPED)
		return FLAMEMOD_TASK_STATE_STOPPED;
	if (state & __TASK_TRACED)
		return FLAMEMOD_TASK_STATE_TRACED;
	if (state & TASK_PARKED)
		return FLAMEMOD_TASK_STATE_PARKED;
	return FLAMEMOD_TASK_STATE_OTHER;
}

/**
 * fm_switch_run_delay() - return for how long a task has waited for CPUs in its life.
 * @task: the task
 *
 * Context: Any.
 * Return: nanoseconds, without a wait that lasts.
 */
static inline u64 fm_switch_run_delay(const struct task_struct *task)
{
#ifdef CONFIG_SCHED_INFO
	return READ_ONCE(task->sched_info.run_delay);
#else
	return 0;
#endif
}

bool fm_switch_accounts_wait(void);

int fm_switch_check(const struct fm_source_request *request,
		    struct netlink_ext_ack *extack);
u64 fm_switch_begin(const struct fm_events *events, const struct task_struct *task);
bool fm_switch_wants(const struct fm_events *events, const struct task_struct *task);
u64 fm_switch_waited(const struct task_struct *task, u64 run_delay);
void fm_switch_count(struct fm_events *events, bool preempted, unsigned int state,
		     struct task_struct *prev, struct task_struct *next);

#endif /* _FLAMEMOD_SWITCH_H */
