// SPDX-License-Identifier: GPL-2.0
/*
 * Copies settings and parses lists of CPUs: see settings.h.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "settings.h"

/**
 * fm_settings_parse_cpus() - set which CPUs are sampled.
 * @settings: the settings; on an error its CPUs are undefined
 * @list: a list such as "0-3,8"; "all"; or "" for all that are not isolated
 *
 * Context: Any. The caller serialises.
 * Return: 0, -EINVAL if it is no list of CPUs that this machine may have, or -ERANGE
 * if it would take more than FLAMEMOD_CPUS_BYTES_MAX bytes in a reply.
 */
int fm_settings_parse_cpus(struct fm_settings *settings, const char *list)
{
	settings->usual_cpus = !*list;
	if (settings->usual_cpus)
		return 0;
	/* Up to v5.11, cpulist_parse() does not know this word. */
	if (!strcmp(list, "all"))
		cpumask_copy(&settings->cpus, cpu_possible_mask);
	else if (cpulist_parse(list, &settings->cpus))
		return -EINVAL;
	/* A list such as "0-8191:1/2" must fit into an answer when written out. */
	if (fm_settings_print_cpus(&settings->cpus, NULL, 0) >= FLAMEMOD_CPUS_BYTES_MAX)
		return -ERANGE;
	return 0;
}

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
		      FLAMEMOD_A_SETTINGS_USER_PLACES);
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
		to->usual_cpus = from->usual_cpus;
		cpumask_copy(&to->cpus, &from->cpus);
	}
	if (named & FM_SETTING(FOLLOWED_ONLY))
		to->filter.followed_only = from->filter.followed_only;
	if (named & FM_SETTING(USER_STACKS))
		to->user_stacks = from->user_stacks;
	if (named & FM_SETTING(USER_PLACES))
		to->user_places = from->user_places;
}
