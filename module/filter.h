/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples are left out, decided before any stack is taken.
 */
#ifndef _FLAMEMOD_FILTER_H
#define _FLAMEMOD_FILTER_H

#include <linux/types.h>

#include "../common/uapi/flamemod.h"

struct fm_filter {
	bool exclude_idle;
	bool kernel_only;
	u32 nr_pids;			/* 0: every process */
	u32 pids[FLAMEMOD_PIDS_MAX];	/* processes or threads */
};

bool fm_filter_drops(const struct fm_filter *filter,
		     enum flamemod_context context, u32 pid, u32 tid);

#endif /* _FLAMEMOD_FILTER_H */
