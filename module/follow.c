// SPDX-License-Identifier: GPL-2.0
/*
 * Follows a process and all that it creates: see follow.h.
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

/* Tracepoint: runs in the task that creates @task, before @task runs. */
static void fm_follow_newtask(void *data, struct task_struct *task,
			      fm_compat_clone_flags clone_flags)
{
	struct fm_follow *follow = data;

	/* Skip the idle task of a new CPU, whose id is 0: nobody created it. */
	if (task->pid)
		fm_follow_write(follow, task->pid,
				fm_follow_has(follow, current->pid));
}

/* The tracepoint is not exported, so look for it by name. */
static void fm_follow_match(struct tracepoint *tracepoint, void *data)
{
	struct fm_follow *follow = data;

	if (!strcmp(tracepoint->name, "task_newtask"))
		follow->newtask = tracepoint;
}

/* Add threads and children of followed tasks. Return: were any added? */
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
 * Follow the existing tasks. A task may be in creation by a task whose bit was set
 * too late for it: each round waits for such creations and then finds the new task.
 */
static void fm_follow_begin(struct fm_follow *follow)
{
	set_bit(follow->pid, follow->tasks);
	do {
		tracepoint_synchronize_unregister();
	} while (fm_follow_spread(follow));
}

/* Find a process. Return: its id in the initial pid namespace, or 0. */
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
 * fm_follow_create() - allocate an object that follows nobody yet.
 * @memory: the limit that the object is charged to
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; the limit must not change meanwhile.
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
 * fm_follow_start() - start to follow a process.
 * @follow: the object, which follows nobody yet
 * @vpid: the process, by its id in the caller's pid namespace
 * @extack: for the reason of a refusal
 *
 * The threads and descendants that it already has are followed, too.
 *
 * Context: Process context, may sleep, for a grace period of RCU or more. Not
 * inside cpus_read_lock(), which registering a tracepoint takes.
 * Return: 0, -ESRCH, or the error of registering the tracepoint.
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
 * fm_follow_destroy() - stop following and free the object.
 * @follow: the object, no longer used by any sampler; or NULL
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
