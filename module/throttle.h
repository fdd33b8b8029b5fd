/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits the sampler to a quarter of its CPU, over any 100 ms.
 *
 * The time of each sample is paid from a credit, which grows by a fifth of the time
 * that passes, up to 2.5 ms. One sample may overdraw it by as much. So no 100 ms
 * can contain more than 100/5 + 2.5 + 2.5 = 25 ms of sampling, and under overload
 * the samples that are taken stay evenly spread.
 *
 * Reading the clock costs as much as a stack whose callers are all known. So only
 * one in 16 of such quick samples, which take one comparison per frame, is timed,
 * and it pays for all 16. Therefore the time of 15 quick samples may come on top of
 * the 25 ms.
 */
#ifndef _FLAMEMOD_THROTTLE_H
#define _FLAMEMOD_THROTTLE_H

#include <linux/types.h>

#define FM_THROTTLE_CREDIT_NS_MAX	(2500 * 1000)
#define FM_THROTTLE_SHARE		5
#define FM_THROTTLE_QUICK		16	/* quick samples per timed one */

struct fm_throttle {
	u64 earned_ns;		/* credit was earned up to then */
	s64 credit_ns;
	u32 quick;		/* quick samples not paid for yet */
};

void fm_throttle_init(struct fm_throttle *throttle, u64 now_ns);
void fm_throttle_earn(struct fm_throttle *throttle, u64 now_ns);
void fm_throttle_spend(struct fm_throttle *throttle, u64 now_ns, u64 spent_ns);

/**
 * fm_throttle_allows() - check whether a stack may be taken now.
 * @throttle: the CPU's credit
 * @now_ns: the time, not before that of the last call
 *
 * Context: Any, the timer callback above all.
 * Return: false if the share is used up.
 */
static inline bool fm_throttle_allows(struct fm_throttle *throttle, u64 now_ns)
{
	if (likely(throttle->credit_ns > 0))
		return true;
	fm_throttle_earn(throttle, now_ns);
	return throttle->credit_ns > 0;
}

/**
 * fm_throttle_times() - decide whether to time this sample.
 * @throttle: the CPU's credit
 * @slow: whether it took more than one comparison per frame
 *
 * Context: Any, the timer callback above all.
 * Return: true for every slow sample, and for one in FM_THROTTLE_QUICK others.
 */
static inline bool fm_throttle_times(struct fm_throttle *throttle, bool slow)
{
	if (likely(!slow))
		throttle->quick++;
	return slow || throttle->quick == FM_THROTTLE_QUICK;
}

/* Return: true if the next quick sample is the one to time. */
static inline bool fm_throttle_is_due(const struct fm_throttle *throttle)
{
	return throttle->quick >= FM_THROTTLE_QUICK - 1;
}

#endif /* _FLAMEMOD_THROTTLE_H */
