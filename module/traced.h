/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Return addresses that the kernel has replaced.
 *
 * While a call of a function with a return probe lasts, whoever set it, its return
 * address on the stack is that of a trampoline of the kernel. The true one is in a list
 * of the task. On 5.15 and later the kernel's unwinder looks it up. But before v6.9 it
 * warns if the task is about to run and is not the current one, which is so at a switch of
 * tasks: with the run queue's lock held, the warning would hang the machine. So the
 * unwinder never takes such a stack of another task, nor that of a task that may run
 * meanwhile (fm_stack_peek()).
 *
 * The function_graph tracer replaces return addresses, too, and keeps the true ones where
 * only the kernel's unwinder finds them.
 */
#ifndef _FLAMEMOD_TRACED_H
#define _FLAMEMOD_TRACED_H

#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#ifdef CONFIG_RETHOOK
#include <linux/rethook.h>
#endif

#include "compat/compat.h"

/* The most calls with return probes, on one stack, that are searched. */
#define FM_TRACED_CALLS		256

/**
 * fm_traced() - check whether a task's stack has a return address that was replaced.
 * @task: the task
 *
 * Context: Any.
 * Return: true if it has.
 */
static inline bool fm_traced(const struct task_struct *task)
{
	bool traced = false;

#ifdef CONFIG_RETHOOK
	traced |= !!READ_ONCE(task->rethooks.first);
#endif
#if defined(CONFIG_KRETPROBES) && defined(FM_HAVE_GET_KRETPROBE)
	traced |= !!READ_ONCE(task->kretprobe_instances.first);
#endif
	return traced;
}

/**
 * fm_traced_graph() - check whether the function_graph tracer has replaced return addresses.
 * @task: the task
 *
 * Context: Any.
 * Return: true if it has replaced one on the task's stack.
 */
static inline bool fm_traced_graph(const struct task_struct *task)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	return READ_ONCE(task->ret_stack) && READ_ONCE(task->curr_ret_depth) >= 0;
#else
	return false;
#endif
}

/* arm64 has no rethooks for kretprobes: their own list is searched. */
#if defined(CONFIG_ARM64) && defined(CONFIG_KRETPROBES) && defined(FM_HAVE_GET_KRETPROBE) && \
	!defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define FM_TRACED_KRETPROBES	1
#else
#define FM_TRACED_KRETPROBES	0
#endif

#if defined(CONFIG_RETHOOK) || FM_TRACED_KRETPROBES
unsigned long fm_traced_search(const struct task_struct *task, unsigned long place);

/**
 * fm_traced_return() - find the true return address.
 * @task: the current task, or one that is off the CPU and cannot run meanwhile
 * @place: where a return address is on its stack; on arm64 the caller's frame pointer
 *
 * If several probes have replaced it, the oldest knows.
 *
 * Context: Interrupts off.
 * Return: the address; 0 if it was not replaced.
 */
static __always_inline unsigned long fm_traced_return(const struct task_struct *task,
						      unsigned long place)
{
	return likely(!fm_traced(task)) ? 0 : fm_traced_search(task, place);
}
#else
static inline unsigned long fm_traced_return(const struct task_struct *task,
					     unsigned long place)
{
	return 0;
}
#endif

#endif /* _FLAMEMOD_TRACED_H */
