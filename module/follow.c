// SPDX-License-Identifier: GPL-2.0
/*
 * Follows a process and all that it creates: see follow.h.
 *
 * Registering and unregistering the probe of new tasks patches the kernel's text, which
 * interrupts all CPUs, also those that are not sampled. So the probe is registered for
 * as long as sampling runs, whether a process is followed or not, and nothing is
 * patched in between. While nothing is sampled it is there only if a process is
 * followed.
 *
 * Locking: fm_follow_lock serialises all changes here. It is taken outside the
 * session's lock, because registering takes cpus_read_lock().
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "compat/compat.h"
#include "follow.h"
#include "memory.h"
#include "session.h"
#include "tracepoints.h"

#ifdef CONFIG_TRACEPOINTS
#include <trace/events/task.h>

static DEFINE_MUTEX(fm_follow_lock);
static LIST_HEAD(fm_follow_all);	/* the started objects; the probe reads it */
static struct tracepoint *fm_follow_tracepoint;
static bool fm_follow_listens;		/* the probe is registered */
static bool fm_follow_keeps;		/* sampling runs: the probe stays */

static void fm_follow_write(struct fm_follow *follow, u32 tid, bool followed)
{
	if (followed)
		set_bit(tid % BITS_PER_LONG, fm_follow_bits(follow, tid));
	else
		clear_bit(tid % BITS_PER_LONG, fm_follow_bits(follow, tid));
}

/* Tracepoint: runs in the task that creates @task, before @task runs. */
static void fm_follow_newtask(void *data, struct task_struct *task,
			      fm_compat_clone_flags clone_flags)
{
	struct fm_follow *follow;

	/* Skip the idle task of a new CPU, whose id is 0: nobody created it. */
	if (!task->pid)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(follow, &fm_follow_all, list)
		fm_follow_write(follow, task->pid,
				fm_follow_has(follow, current->pid));
	rcu_read_unlock();
}

/* Locked. Register the probe, unless it is. Return: 0 or -errno. */
static int fm_follow_listen(void)
{
	int err;

	check_trace_callback_type_task_newtask(fm_follow_newtask);
	if (fm_follow_listens)
		return 0;
	err = tracepoint_probe_register(fm_follow_tracepoint,
					fm_follow_newtask, NULL);
	fm_follow_listens = !err;
	return err;
}

/* Locked. Unregister the probe if nobody needs it. Return: was it unregistered? */
static bool fm_follow_ignore(void)
{
	if (!fm_follow_listens || fm_follow_keeps || !list_empty(&fm_follow_all))
		return false;
	tracepoint_probe_unregister(fm_follow_tracepoint, fm_follow_newtask,
				    NULL);
	fm_follow_listens = false;
	return true;
}

static int fm_follow_add(struct fm_follow *follow)
{
	int err;

	mutex_lock(&fm_follow_lock);
	err = fm_follow_listen();
	if (!err)
		list_add_rcu(&follow->list, &fm_follow_all);
	mutex_unlock(&fm_follow_lock);
	return err;
}

static void fm_follow_remove(struct fm_follow *follow)
{
	bool ended;

	mutex_lock(&fm_follow_lock);
	list_del_rcu(&follow->list);
	ended = fm_follow_ignore();
	mutex_unlock(&fm_follow_lock);
	synchronize_rcu();
	/* This may interrupt CPUs, so do it only when the probe went, too. */
	if (ended)
		tracepoint_synchronize_unregister();
}

/*
 * Keep the probe while sampling runs. This is called after every start and stop, so
 * the last of several concurrent calls sees the last change.
 */
static void fm_follow_watch(struct fm_session *session)
{
	mutex_lock(&fm_follow_lock);
	fm_follow_keeps = fm_session_runs(session);
	/* If this fails for lack of memory, fm_follow_start() tries again. */
	if (fm_follow_keeps)
		fm_follow_listen();
	else
		fm_follow_ignore();
	mutex_unlock(&fm_follow_lock);
}

/**
 * fm_follow_init() - register the probe at each start of sampling from now on.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 */
void fm_follow_init(struct fm_session *session)
{
	fm_follow_tracepoint = fm_tracepoint_find("task_newtask");
	if (fm_follow_tracepoint)
		session->watch_follow = fm_follow_watch;
}

/**
 * fm_follow_deinit() - undo fm_follow_init().
 * @session: stopped for good
 *
 * A process that is still followed is followed until fm_follow_destroy().
 *
 * Context: Process context, may sleep.
 */
void fm_follow_deinit(struct fm_session *session)
{
	fm_session_watch(session);
	tracepoint_synchronize_unregister();
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
		fm_follow_write(follow, task->pid, true);
		any = true;
	}
	rcu_read_unlock();
	return any;
}

/*
 * Follow the existing tasks. A task may be in creation by a task whose bit was set
 * too late for it: each round waits for such creations and then finds the new task.
 * Return: 0, or -EINTR if the caller is killed: nobody knows how many rounds it takes.
 */
static int fm_follow_begin(struct fm_follow *follow)
{
	fm_follow_write(follow, follow->pid, true);
	do {
		if (fatal_signal_pending(current))
			return -EINTR;
		synchronize_rcu();
	} while (fm_follow_spread(follow));
	return 0;
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

/* Allocate an object and its bits. Return: it, or NULL. */
static struct fm_follow *fm_follow_alloc(struct fm_memory *memory)
{
	struct fm_follow *follow = fm_memory_alloc(memory, sizeof(*follow));

	if (!follow)
		return NULL;
	follow->memory = memory;
	if (!fm_pool_init_fixed(&follow->tasks, memory, sizeof(long),
				BITS_TO_LONGS(PID_MAX_LIMIT)))
		return follow;
	fm_memory_free(memory, follow, sizeof(*follow));
	return NULL;
}

static void fm_follow_free(struct fm_follow *follow)
{
	fm_pool_deinit(&follow->tasks);
	fm_memory_free(follow->memory, follow, sizeof(*follow));
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
	struct fm_follow *follow = fm_follow_alloc(memory);

	if (!follow) {
		NL_SET_ERR_MSG(extack,
			       "follow: no memory for it: dump what you need and reset, or load with a larger aggregate_kb");
		return ERR_PTR(-ENOMEM);
	}
	if (!fm_follow_tracepoint)
		fm_follow_tracepoint = fm_tracepoint_find("task_newtask");
	if (fm_follow_tracepoint)
		return follow;
	fm_follow_free(follow);
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
 * Return: 0, -ESRCH, the error of registering the tracepoint, or -EINTR if the caller is
 * killed meanwhile. On an error the caller destroys the object.
 */
int fm_follow_start(struct fm_follow *follow, u32 vpid,
		    struct netlink_ext_ack *extack)
{
	u32 pid = fm_follow_find(vpid);
	int err;

	if (!pid) {
		NL_SET_ERR_MSG(extack, "follow: there is no such process");
		return -ESRCH;
	}
	err = fm_follow_add(follow);
	if (err) {
		NL_SET_ERR_MSG(extack, "follow: the kernel refused to report new tasks");
		return err;
	}
	/* From here on, fm_follow_destroy() ends it. */
	follow->pid = pid;
	err = fm_follow_begin(follow);
	if (err)
		NL_SET_ERR_MSG(extack, "follow: the program that asked is being killed");
	return err;
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
	if (follow->pid)
		fm_follow_remove(follow);
	fm_follow_free(follow);
}
#else
void fm_follow_init(struct fm_session *session)
{
}

void fm_follow_deinit(struct fm_session *session)
{
}

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
