/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples are left out, decided before any stack is taken.
 */
#ifndef _FLAMEMOD_FILTER_H
#define _FLAMEMOD_FILTER_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"
#include "follow.h"

struct fm_filter {
	bool looks;			/* at anything at all: see fm_filter_begin() */
	bool exclude_idle;
	bool kernel_only;
	u32 nr_pids;			/* 0: every process */
	u32 pids[FLAMEMOD_PIDS_MAX];	/* processes or threads */
	const struct fm_follow *follow;	/* tasks to be marked, or NULL */
	bool followed_only;		/* leave out all others; none where !follow */
};

/**
 * fm_filter_begin() - the settings are complete.
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
 * fm_filter_drops() - is a sample to be left out?
 * @filter: the settings
 * @context: what was interrupted
 * @pid: the current process, in the initial pid namespace
 * @tid: the current thread, likewise
 * @followed: set to whether the current thread is, where somebody is followed;
 *            left alone where nobody is
 *
 * Context: Any, the timer callback above all.
 * Return: true to count it as filtered.
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
