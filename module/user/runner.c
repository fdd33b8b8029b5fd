// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs a program: see runner.h.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/mount.h>
#include <linux/nsproxy.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/user_namespace.h>

#include "../compat/compat.h"
#include "object.h"

/**
 * fm_realm_elsewhere() - tell whose paths a process has that is not in the machine's namespace.
 * @cred: its credentials
 *
 * Context: Any; the caller keeps @cred alive.
 * Return: the realm of root; else, in a user namespace, of its owner; else of the process's user,
 * who may have got an open file from anywhere.
 */
u64 fm_realm_elsewhere(const struct cred *cred)
{
	const struct user_namespace *users = cred->user_ns;

	if (fm_cred_is_root(cred))
		return FM_REALM_ROOT;
	/* Only the owner of a user namespace gives uids to the processes there. */
	return FM_REALM_USER + (u64)__kuid_val(users == &init_user_ns ? cred->uid : users->owner);
}

/* Return: whose paths the current task has. */
static u64 fm_realm_of_current(const struct fm_objects *objects)
{
	/* Only the task itself changes it. While it exits, it has none. */
	const struct nsproxy *namespaces = current->nsproxy;
	u64 realm;

	if (likely(namespaces && namespaces->mnt_ns == objects->machine))
		return FM_REALM_MACHINE;
	rcu_read_lock();
	realm = fm_realm_elsewhere(__task_cred(current));
	rcu_read_unlock();
	return realm;
}

/**
 * fm_runner_of_current() - tell who runs the current task's program.
 * @objects: the objects
 *
 * Context: Any.
 * Return: who does. The budget is FM_BUDGET_OF_CURRENT: to find it takes time, and few need it.
 */
struct fm_runner fm_runner_of_current(const struct fm_objects *objects)
{
	return (struct fm_runner){
		.realm = fm_realm_of_current(objects),
		.budget = FM_BUDGET_OF_CURRENT,
	};
}

/* Return: process 1, with a reference; or NULL. */
static struct task_struct *fm_process_1(void)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(1, &init_pid_ns), PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/**
 * fm_machine() - find the machine's mount namespace, which is that of process 1.
 *
 * Context: Process context.
 * Return: the namespace, without a reference: it may only be compared; or NULL.
 */
const struct mnt_namespace *fm_machine(void)
{
	struct task_struct *task = fm_process_1();
	const struct mnt_namespace *machine = NULL;

	if (!task)
		return NULL;
	task_lock(task);
	if (task->nsproxy)
		machine = task->nsproxy->mnt_ns;
	task_unlock(task);
	put_task_struct(task);
	return machine;
}

/**
 * fm_machine_has() - ask whether a file's path is true in the machine's mount namespace.
 * @file: the file
 *
 * Context: Process context, may sleep.
 * Return: true if the file is below the root of process 1, or in a mount of the kernel's own, as a
 * memfd is: nobody else can make such a path. False if it was opened in another namespace, or if
 * its mount is gone.
 */
bool fm_machine_has(const struct file *file)
{
	const struct path *path = fm_compat_user_path(file);
	struct task_struct *task;
	struct path root = {};
	bool has;

	if (path->mnt->mnt_sb->s_flags & SB_KERNMOUNT)
		return true;
	task = fm_process_1();
	if (!task)
		return false;
	task_lock(task);
	if (task->fs)
		get_fs_root(task->fs, &root);
	task_unlock(task);
	put_task_struct(task);
	has = root.mnt && path_is_under(path, &root);
	path_put(&root);
	return has;
}
