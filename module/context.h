/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Determines what the timer interrupted.
 */
#ifndef _FLAMEMOD_CONTEXT_H
#define _FLAMEMOD_CONTEXT_H

#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "../common/uapi/flamemod.h"

/**
 * fm_context_in() - determine the context from a processor state.
 * @hardirq: whether a hardirq runs
 * @serving_softirq: in_serving_softirq()
 * @user: whether the registers are user mode's
 * @idle: whether the current task is the idle task
 *
 * A softirq or interrupt handler runs on top of an unrelated task, so the task is
 * checked last.
 *
 * Context: Any; a pure function.
 * Return: the context.
 */
static inline enum flamemod_context
fm_context_in(bool hardirq, bool serving_softirq, bool user, bool idle)
{
	if (user)
		return FLAMEMOD_CONTEXT_USER;
	if (hardirq)
		return FLAMEMOD_CONTEXT_HARDIRQ;
	if (serving_softirq)
		return FLAMEMOD_CONTEXT_SOFTIRQ;
	return idle ? FLAMEMOD_CONTEXT_IDLE : FLAMEMOD_CONTEXT_TASK;
}

/**
 * fm_context_of() - determine the context that the timer interrupted.
 * @preempt: preempt_count() in the timer's own hardirq
 * @serving_softirq: in_serving_softirq() there
 * @user: whether the interrupted registers are user mode's
 * @idle: whether the current task is the idle task
 *
 * Context: Any; a pure function.
 * Return: the context.
 */
static inline enum flamemod_context
fm_context_of(unsigned long preempt, bool serving_softirq, bool user, bool idle)
{
	/* The timer's own interrupt is one level; a second was interrupted. */
	return fm_context_in((preempt & HARDIRQ_MASK) > HARDIRQ_OFFSET, serving_softirq, user,
			     idle);
}

/**
 * fm_context_idles() - check whether a task is an idle task.
 * @task: the task
 *
 * is_idle_task() is true for more tasks: play_idle() sets its flag for threads that
 * inject idle time (idle_inj/N of intel_powerclamp), which are ordinary tasks.
 *
 * Context: Any.
 * Return: true for the task that a CPU runs when there is nothing to do.
 */
static inline bool fm_context_idles(const struct task_struct *task)
{
	return !task->pid;
}

/**
 * fm_context_injects_idle() - check whether a task keeps its CPU idle on purpose.
 * @task: the task
 *
 * Context: Any.
 * Return: true while a thread is in play_idle().
 */
static inline bool fm_context_injects_idle(const struct task_struct *task)
{
	return is_idle_task(task) && !fm_context_idles(task);
}

/**
 * fm_context_has_memory() - check whether a task has memory of user mode.
 * @task: the current task
 *
 * Context: Any.
 * Return: false for most threads of the kernel, and at the end of an exit.
 */
static inline bool fm_context_has_memory(const struct task_struct *task)
{
	return task->mm;
}

/**
 * fm_context_get() - determine what the timer interrupted.
 * @regs: the interrupted registers
 *
 * Context: Hard interrupt, in a timer callback.
 * Return: the context.
 */
static inline enum flamemod_context fm_context_get(struct pt_regs *regs)
{
	return fm_context_of(preempt_count(), in_serving_softirq(),
			     user_mode(regs), fm_context_idles(current));
}

#endif /* _FLAMEMOD_CONTEXT_H */
