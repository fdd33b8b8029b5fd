/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts of samples with the same key.
 */
#ifndef _FLAMEMOD_COUNTS_H
#define _FLAMEMOD_COUNTS_H

#include <linux/types.h>

struct fm_counts {
	u64 count;		/* samples; may be 0, as for the excess of late fires */
	u64 periods;		/* sampling periods that they stand for */
	u64 late_ns;		/* sum of how late they were */
};

static inline void fm_counts_add(struct fm_counts *sum,
				 const struct fm_counts *counts)
{
	sum->count += counts->count;
	sum->periods += counts->periods;
	sum->late_ns += counts->late_ns;
}

#endif /* _FLAMEMOD_COUNTS_H */
