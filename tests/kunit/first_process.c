// SPDX-License-Identifier: GPL-2.0
/*
 * The first process: see first_process.h.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>

#include "first_process.h"

/* Return: its memory, with a reference; NULL if it has none. */
struct mm_struct *fm_first_mm(void)
{
	struct pid *pid = find_get_pid(1);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (task)
		put_task_struct(task);
	put_pid(pid);
	return mm;
}
