// SPDX-License-Identifier: GPL-2.0
/*
 * Select tasks, and count several as one: threads as their process, kernel threads
 * of a kind as one task of that kind.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "profile/cgroup.h"
#include "profile/kthread.h"
#include "select/private.h"

/* Compare exactly, or as a shell pattern. */
static bool is_comm(const char *wanted, const char *comm)
{
	return !strcmp(wanted, comm) ||
	       (strpbrk(wanted, "*?[") && !fnmatch(wanted, comm, 0));
}

static bool comm_kept(const struct criteria *criteria, const char *comm)
{
	char kind[KTHREAD_KIND];
	bool is_merged = select_asked(criteria, SELECT_MERGE_KTHREADS) &&
			 kthread_kind(comm, kind);

	for (unsigned int i = 0; i < criteria->comms.nr; i++)
		if (is_comm(criteria->comms.words[i], select_shown(comm)) ||
		    (is_merged && is_comm(criteria->comms.words[i], kind)))
			return true;
	return !criteria->comms.nr;
}

static bool cgroup_kept(const struct criteria *criteria, const struct profile_task *task)
{
	for (unsigned int i = 0; i < criteria->cgroups.nr; i++)
		if (cgroup_is_below(task->cgroup, criteria->cgroups.words[i]))
			return true;
	return !criteria->cgroups.nr;
}

bool select_task_kept(const struct criteria *criteria,
		      const struct profile_task *task, const char *comm)
{
	bool kept = comm_kept(criteria, comm) && cgroup_kept(criteria, task);

	if (!kept || !criteria->nr_pids)
		return kept;
	for (unsigned int i = 0; i < criteria->nr_pids; i++)
		if (task->pid == criteria->pids[i] ||
		    task->tid == criteria->pids[i])
			return true;
	return false;
}

struct member {
	const struct profile_task *task;
	uint32_t number;
};

/* Order by host and process. */
static int compare_processes(const struct profile_task *a,
			     const struct profile_task *b)
{
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return strcmp(a->host, b->host);
}

/* Report whether the process is unknown, as in text that has thread ids only. */
static bool is_stray(const struct profile_task *task)
{
	return !task->pid && task->tid;
}

/*
 * Order by process; its main thread first, with its latest comm; then by
 * thread.
 */
static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;
	bool a_is_main = a->task->tid == a->task->pid;
	bool b_is_main = b->task->tid == b->task->pid;
	int order = compare_processes(a->task, b->task);

	if (order)
		return order;
	if (a_is_main != b_is_main)
		return a_is_main ? -1 : 1;
	if (a->task->tid != b->task->tid)
		return a->task->tid < b->task->tid ? -1 : 1;
	return a->number > b->number ? -1 : a->number < b->number;
}

/* Set @leaders, by task, to the task whose comm its process has. */
static int find_leaders(const struct profile *from, uint32_t *leaders)
{
	struct member *members = calloc((size_t)from->nr_tasks + 1,
					sizeof(*members));
	uint32_t i, first = 0;

	if (!members)
		return -ENOMEM;
	for (i = 0; i < from->nr_tasks; i++)
		members[i] = (struct member){ &from->tasks[i], i };
	qsort(members, from->nr_tasks, sizeof(*members), compare_members);
	for (i = 0; i < from->nr_tasks; i++) {
		const struct profile_task *task = members[i].task;

		if (compare_processes(task, members[first].task))
			first = i;
		/*
		 * earlier comms of a main thread (before an exec) stay as they
		 * are
		 */
		leaders[members[i].number] =
			task->tid == task->pid || is_stray(task) ?
			members[i].number : members[first].number;
	}
	free(members);
	return 0;
}

/* The tasks that were added, and the first kernel thread of each kind on a host. */
struct naming {
	const struct criteria *criteria;
	const struct profile *from;
	struct profile *to;
	uint32_t *firsts, nr_firsts;
};

/*
 * Return: the task whose number all kernel threads of this kind on its host get: the
 * first of them.
 */
static const struct profile_task *
first_of_kind(struct naming *naming, uint32_t number, const char *kind)
{
	const struct profile_task *tasks = naming->from->tasks;
	char other[KTHREAD_KIND];

	for (uint32_t i = 0; i < naming->nr_firsts; i++) {
		const struct profile_task *first = &tasks[naming->firsts[i]];

		if (kthread_kind(first->comm, other) && !strcmp(kind, other) &&
		    !strcmp(first->host, tasks[number].host))
			return first;
	}
	naming->firsts[naming->nr_firsts++] = number;
	return &tasks[number];
}

static int add_task(struct naming *naming, uint32_t number, const char *comm,
		    uint32_t *added)
{
	bool merge = select_asked(naming->criteria, SELECT_MERGE_THREADS);
	struct profile_task task = naming->from->tasks[number];
	char kind[KTHREAD_KIND];

	if (merge && !is_stray(&task))
		task.tid = task.pid;
	task.comm = comm;

	if (select_asked(naming->criteria, SELECT_MERGE_KTHREADS) &&
	    kthread_kind(comm, kind)) {
		task = *first_of_kind(naming, number, kind);
		task.comm = kind;
	}
	return profile_intern_task(naming->to, &task, added);
}

int select_tasks(const struct criteria *criteria, const struct profile *from,
		 struct profile *to, uint32_t **tasks)
{
	bool merge = select_asked(criteria, SELECT_MERGE_THREADS);
	struct naming naming = { .criteria = criteria, .from = from, .to = to };
	size_t nr = (size_t)from->nr_tasks + 1;
	uint32_t *leaders = calloc(nr, sizeof(*leaders));
	int err;

	naming.firsts = calloc(nr, sizeof(*naming.firsts));
	*tasks = calloc(nr, sizeof(**tasks));
	err = leaders && naming.firsts && *tasks ? 0 : -ENOMEM;
	if (!err && merge)
		err = find_leaders(from, leaders);
	for (uint32_t i = 0; i < from->nr_tasks && !err; i++) {
		const char *comm = from->tasks[merge ? leaders[i] : i].comm;

		if (select_task_kept(criteria, &from->tasks[i], comm))
			err = add_task(&naming, i, comm, &(*tasks)[i]);
		else
			(*tasks)[i] = SELECT_LEFT_OUT;
	}
	free(leaders);
	free(naming.firsts);
	return err;
}
