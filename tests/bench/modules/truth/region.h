/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that burn known amounts of CPU time, and the ways to call them.
 */
#ifndef _TRUTH_REGION_H
#define _TRUTH_REGION_H

#include <linux/atomic.h>
#include <linux/time64.h>
#include <linux/types.h>

/*
 * If so much time or more passes between two readings of the clock, it is a stall.
 * Interrupts take less, in an emulator as well, and stalls by a host rarely do.
 */
#define TRUTH_STALL_NS	NSEC_PER_MSEC

struct truth_burst;

struct truth_region {
	const char *name;	/* its function is truth_NAME() */
	void (*burn)(struct truth_burst *burst);
	/* Has @burn called, in the region's way; from process context. */
	void (*enter)(struct truth_region *region, u64 rounds);
	unsigned int nr_levels;	/* functions on the way, without the last two */
	bool in_thread;		/* it is entered by the module's thread */
	/* The work so far, of all writers. */
	atomic64_t nr_bursts;
	atomic64_t nr_rounds;
	atomic64_t measured_ns;
	atomic64_t ran_ns;	/* measured, without stalls */
};

extern struct truth_region truth_regions[];
extern const unsigned int truth_nr_regions;

struct truth_region *truth_region_find(const char *name);
void truth_region_count(struct truth_region *region, u64 rounds, u64 start_ns);

void truth_calibrate(void);
u64 truth_rounds(u64 burnt_ns);
u64 truth_burnt_ns(u64 rounds);

#endif /* _TRUTH_REGION_H */
