/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that burn known amounts of CPU time, and the ways into them.
 */
#ifndef _TRUTH_REGION_H
#define _TRUTH_REGION_H

#include <linux/atomic.h>
#include <linux/types.h>

struct truth_region {
	const char *name;	/* its function is truth_NAME() */
	void (*burn)(u64 rounds);
	/* From process context; has burn called. */
	void (*enter)(struct truth_region *region, u64 rounds);
	unsigned int nr_levels;	/* functions on the way, but for the last two */
	bool in_thread;		/* it is entered by the module's thread */
	/* What was done so far, by whoever. */
	atomic64_t nr_bursts;
	atomic64_t nr_rounds;
	atomic64_t measured_ns;
};

extern struct truth_region truth_regions[];
extern const unsigned int truth_nr_regions;

struct truth_region *truth_region_find(const char *name);
void truth_region_count(struct truth_region *region, u64 rounds, u64 start_ns);

void truth_calibrate(void);
u64 truth_rounds(u64 burnt_ns);
u64 truth_burnt_ns(u64 rounds);

#endif /* _TRUTH_REGION_H */
