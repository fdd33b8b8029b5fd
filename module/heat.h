/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Heat: does a source take too much of a CPU?
 *
 * The throttle limits how many stacks are taken, but a hit costs time before it can be
 * turned down: that of the kernel's trap above all. So the time of a source's hits is
 * summed for each CPU, in windows of 50 ms. If it is more than a quarter of one, the
 * source is hot, and is suspended.
 */
#ifndef _FLAMEMOD_HEAT_H
#define _FLAMEMOD_HEAT_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#define FM_HEAT_WINDOW_NS	(50 * NSEC_PER_MSEC)
#define FM_HEAT_SHARE		4

/* What a hit costs before our handler and after it, roughly: it cannot be measured. */
#define FM_HEAT_ENTRY_NS	400

/* A hypervisor may take the CPU away during a hit, and that time is not the source's. */
#define FM_HEAT_HIT_NS_MAX	(50 * NSEC_PER_USEC)

/* Hits between two looks. */
#define FM_HEAT_HITS		16

struct fm_heat {
	u64 begin_ns;		/* of the window */
	u64 spent_ns;		/* in it */
	u32 hits;		/* since the last look */
};

/**
 * fm_heat_hit() - count a hit.
 * @heat: the source's, of this CPU
 *
 * Context: Any.
 * Return: true if it is time for fm_heat_look().
 */
static inline bool fm_heat_hit(struct fm_heat *heat)
{
	return ++heat->hits >= FM_HEAT_HITS;
}

/* Return: true if the next hit is the one to look at. */
static inline bool fm_heat_is_due(const struct fm_heat *heat)
{
	return heat->hits >= FM_HEAT_HITS - 1;
}

/**
 * fm_heat_look() - add the time of the hits since the last look.
 * @heat: the source's, of this CPU
 * @now_ns: the time
 * @hit_ns: how long the last hit took
 *
 * Context: Any.
 * Return: true if the source takes more than its share.
 */
static inline bool fm_heat_look(struct fm_heat *heat, u64 now_ns, u64 hit_ns)
{
	if (now_ns - heat->begin_ns >= FM_HEAT_WINDOW_NS) {
		heat->begin_ns = now_ns;
		heat->spent_ns = 0;
	}
	heat->spent_ns += heat->hits *
		(min_t(u64, hit_ns, FM_HEAT_HIT_NS_MAX) + FM_HEAT_ENTRY_NS);
	heat->hits = 0;
	return heat->spent_ns > FM_HEAT_WINDOW_NS / FM_HEAT_SHARE;
}

#endif /* _FLAMEMOD_HEAT_H */
