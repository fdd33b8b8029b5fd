/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which samples to leave out, before their stacks are taken.
 */
#ifndef _FLAMEMOD_FILTER_H
#define _FLAMEMOD_FILTER_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"
#include "followed.h"

struct fm_filter {
	bool looks;			/* anything is set: see fm_filter_begin() */
	bool exclude_idle;
	bool kernel_only;
	u32 nr_pids;			/* 0: every process */
	u32 pids[FLAMEMOD_PIDS_MAX];	/* processes or threads */
	const struct fm_follow *follow;	/* the tasks to mark, or NULL */
	bool followed_only;		/* leave out all other tasks; all tasks if !follow */
};

/**
 * fm_filter_begin() - prepare the filter after its settings are complete.
 * @filter: the settings
 *
 * Context: Any.
 */
static inline void fm_filter_begin(struct fm_filter *filter)
{
	filter->looks = filter->exclude_idle || filter->kernel_only ||
			filter->nr_pids || filter->follow ||
			filter->followed_only;
}

/**
 * fm_filter_drops() - check whether to leave out a sample.
 * @filter: the settings
 * @context: what was interrupted
 * @pid: the current process, in the initial pid namespace
 * @tid: the current thread, likewise
 * @followed: set to whether the current thread is followed; unchanged if no
 *            process is followed
 *
 * Context: Any, the timer callback above all.
 * Return: true if it is to be counted as filtered.
 */
static inline bool fm_filter_drops(const struct fm_filter *filter,
				   enum flamemod_context context,
				   u32 pid, u32 tid, u8 *followed)
{
	u32 i;

	if (likely(!filter->looks))
		return false;
	if (filter->follow)
		*followed = fm_follow_has(filter->follow, tid);
	if (filter->followed_only && !(filter->follow && *followed))
		return true;
	if (filter->exclude_idle && context == FLAMEMOD_CONTEXT_IDLE)
		return true;
	if (filter->kernel_only && context == FLAMEMOD_CONTEXT_USER)
		return true;
	if (!filter->nr_pids)
		return false;
	for (i = 0; i < filter->nr_pids; i++)
		if (filter->pids[i] == pid || filter->pids[i] == tid)
			return false;
	return true;
}

#endif /* _FLAMEMOD_FILTER_H */
