/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings of a session, and changes to them.
 */
#ifndef _FLAMEMOD_SETTINGS_H
#define _FLAMEMOD_SETTINGS_H

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>

#include "filter.h"

struct fm_settings {
	u32 hz;
	u32 max_depth;
	bool user_stacks;		/* take them */
	bool user_places;		/* keep the places in their functions apart */
	bool usual_cpus;		/* all that are not isolated */
	struct fm_filter filter;
	struct cpumask cpus;		/* if !usual_cpus */
};

/* The bit of one setting, by its name on the wire: FM_SETTING(HZ). */
#define FM_SETTING(name)	BIT(FLAMEMOD_A_SETTINGS_##name)

/*
 * A change to the settings that a request names. The others keep the values
 * that they have when the change is made: otherwise, of two concurrent
 * requests, the later would undo the earlier.
 */
struct fm_change {
	struct fm_settings *settings;
	unsigned long named;		/* bits of FM_SETTING() */
	u32 owner;			/* port of the socket it ends with; 0: permanent */
};

/* Print a list such as "0-3,8", like snprintf(). */
static inline int fm_settings_print_cpus(const struct cpumask *cpus,
					 char *text, size_t size_bytes)
{
	return snprintf(text, size_bytes, "%*pbl", cpumask_pr_args(cpus));
}

int fm_settings_parse_cpus(struct fm_settings *settings, const char *list);
void fm_settings_copy(struct fm_settings *to, const struct fm_settings *from,
		      unsigned long named);

#endif /* _FLAMEMOD_SETTINGS_H */
