/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of samples that are the same.
 */
#ifndef _FLAMEMOD_COUNTS_H
#define _FLAMEMOD_COUNTS_H

#include <linux/types.h>

struct fm_counts {
	u64 count;		/* samples */
	u64 periods;		/* sampling periods they stand for */
	u64 late_ns;		/* by how much they were late, summed */
};

static inline void fm_counts_add(struct fm_counts *sum,
				 const struct fm_counts *counts)
{
	sum->count += counts->count;
	sum->periods += counts->periods;
	sum->late_ns += counts->late_ns;
}

#endif /* _FLAMEMOD_COUNTS_H */
