// SPDX-License-Identifier: GPL-2.0
/*
 * A process that is followed: see follow.h.
 */
#include <linux/err.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "compat/compat.h"
#include "follow.h"
#include "memory.h"

#ifdef CONFIG_TRACEPOINTS
#include <trace/events/task.h>

static void fm_follow_write(struct fm_follow *follow, u32 tid, bool followed)
{
	if (followed)
		set_bit(tid, follow->tasks);
	else
		clear_bit(tid, follow->tasks);
}

/* In the task that creates @task, before that runs. */
static void fm_follow_newtask(void *data, struct task_struct *task,
			      fm_compat_clone_flags clone_flags)
{
	struct fm_follow *follow = data;

	/* An idle task of a CPU to come is nobody's child: its id is 0. */
	if (task->pid)
		fm_follow_write(follow, task->pid,
				fm_follow_has(follow, current->pid));
}

/* The tracepoint is not exported, but may be looked for. */
static void fm_follow_match(struct tracepoint *tracepoint, void *data)
{
	struct fm_follow *follow = data;

	if (!strcmp(tracepoint->name, "task_newtask"))
		follow->newtask = tracepoint;
}

/* Follow the threads and children of those that are. Return: were there any? */
static bool fm_follow_spread(struct fm_follow *follow)
{
	struct task_struct *process, *task;
	bool any = false;

	rcu_read_lock();
	for_each_process_thread(process, task) {
		if (fm_follow_has(follow, task->pid) ||
		    (!fm_follow_has(follow, process->pid) &&
		     !fm_follow_has(follow,
				    rcu_dereference(task->real_parent)->pid)))
			continue;
		set_bit(task->pid, follow->tasks);
		any = true;
	}
	rcu_read_unlock();
	return any;
}

/*
 * Those that are there already. A task that is just being created by one whose bit
 * came too late for it is waited for, and found the next time.
 */
static void fm_follow_begin(struct fm_follow *follow)
{
	set_bit(follow->pid, follow->tasks);
	do {
		tracepoint_synchronize_unregister();
	} while (fm_follow_spread(follow));
}

/* Return: the process's id in the initial pid namespace, or 0. */
static u32 fm_follow_find(u32 vpid)
{
	struct task_struct *task;
	u32 pid = 0;

	rcu_read_lock();
	task = pid_task(find_vpid(vpid), PIDTYPE_TGID);
	if (task)
		pid = task->tgid;
	rcu_read_unlock();
	return pid;
}

/**
 * fm_follow_create() - what it takes to follow a process; nobody is followed yet.
 * @memory: the limit that the bits come under
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; whoever changes the limit is kept out.
 * Return: the object, or -ENOMEM or -EOPNOTSUPP as a pointer.
 */
struct fm_follow *fm_follow_create(struct fm_memory *memory,
				   struct netlink_ext_ack *extack)
{
	struct fm_follow *follow = fm_memory_alloc(memory, sizeof(*follow));

	if (!follow) {
		NL_SET_ERR_MSG(extack,
			       "follow: no memory for it: dump what you need and reset, or load with a larger aggregate_kb");
		return ERR_PTR(-ENOMEM);
	}
	follow->memory = memory;
	for_each_kernel_tracepoint(fm_follow_match, follow);
	if (follow->newtask)
		return follow;
	fm_memory_free(memory, follow, sizeof(*follow));
	NL_SET_ERR_MSG(extack,
		       "follow: this kernel has no tracepoint task_newtask, so new tasks cannot be followed");
	return ERR_PTR(-EOPNOTSUPP);
}

/**
 * fm_follow_start() - follow a process from now on.
 * @follow: follows nobody
 * @vpid: the process, by its id in the caller's pid namespace
 * @extack: for the reason of a refusal
 *
 * Its threads and descendants of now are followed, too.
 *
 * Context: Process context, may sleep, for a grace period of RCU or more. Not
 * inside cpus_read_lock(), which tracepoints take.
 * Return: 0, -ESRCH, or what the kernel refused with.
 */
int fm_follow_start(struct fm_follow *follow, u32 vpid,
		    struct netlink_ext_ack *extack)
{
	u32 pid = fm_follow_find(vpid);
	int err;

	check_trace_callback_type_task_newtask(fm_follow_newtask);
	if (!pid) {
		NL_SET_ERR_MSG(extack, "follow: there is no such process");
		return -ESRCH;
	}
	err = tracepoint_probe_register(follow->newtask, fm_follow_newtask,
					follow);
	if (err) {
		NL_SET_ERR_MSG(extack, "follow: the kernel refused to report new tasks");
		return err;
	}
	follow->pid = pid;
	fm_follow_begin(follow);
	return 0;
}

/**
 * fm_follow_destroy() - follow nobody any more.
 * @follow: what no sampler looks at any more; NULL is fine
 *
 * Context: Process context, may sleep; as fm_follow_start().
 */
void fm_follow_destroy(struct fm_follow *follow)
{
	if (!follow)
		return;
	if (follow->pid) {
		tracepoint_probe_unregister(follow->newtask, fm_follow_newtask,
					    follow);
		tracepoint_synchronize_unregister();
	}
	fm_memory_free(follow->memory, follow, sizeof(*follow));
}
#else
struct fm_follow *fm_follow_create(struct fm_memory *memory,
				   struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG(extack,
		       "follow: this kernel has no tracepoints, so new tasks cannot be followed");
	return ERR_PTR(-EOPNOTSUPP);
}

int fm_follow_start(struct fm_follow *follow, u32 vpid,
		    struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

void fm_follow_destroy(struct fm_follow *follow)
{
}
#endif
