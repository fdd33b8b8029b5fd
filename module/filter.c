// SPDX-License-Identifier: GPL-2.0
/*
 * Which samples are left out: see filter.h.
 */
#include "filter.h"

/**
 * fm_filter_drops() - is a sample to be left out?
 * @filter: the settings
 * @context: what was interrupted
 * @pid: the current process, in the initial pid namespace
 * @tid: the current thread, likewise
 *
 * Context: Any, the timer callback above all.
 * Return: true to count it as filtered.
 */
bool fm_filter_drops(const struct fm_filter *filter,
		     enum flamemod_context context, u32 pid, u32 tid)
{
	u32 i;

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
