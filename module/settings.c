// SPDX-License-Identifier: GPL-2.0
/*
 * Copies settings: see settings.h.
 */
#include <linux/string.h>

#include "settings.h"

/**
 * fm_settings_copy() - copy some of the settings.
 * @to: the settings to change
 * @from: the settings to copy from
 * @named: which to copy: bits of FM_SETTING()
 *
 * Context: Any. The caller serialises.
 */
void fm_settings_copy(struct fm_settings *to, const struct fm_settings *from,
		      unsigned long named)
{
	static_assert(FLAMEMOD_A_SETTINGS_MAX ==
		      FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY);
	if (named & FM_SETTING(HZ))
		to->hz = from->hz;
	if (named & FM_SETTING(MAX_DEPTH))
		to->max_depth = from->max_depth;
	if (named & FM_SETTING(EXCLUDE_IDLE))
		to->filter.exclude_idle = from->filter.exclude_idle;
	if (named & FM_SETTING(KERNEL_ONLY))
		to->filter.kernel_only = from->filter.kernel_only;
	if (named & FM_SETTING(PIDS)) {
		to->filter.nr_pids = from->filter.nr_pids;
		memcpy(to->filter.pids, from->filter.pids,
		       sizeof(to->filter.pids));
	}
	if (named & FM_SETTING(CPUS)) {
		to->all_cpus = from->all_cpus;
		cpumask_copy(&to->cpus, &from->cpus);
	}
	if (named & FM_SETTING(FOLLOWED_ONLY))
		to->filter.followed_only = from->filter.followed_only;
}
