/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampler's share of its CPU: a quarter at the most, over any 100 ms.
 *
 * Time spent is paid from a credit that grows by a fifth of the time that
 * passes, up to 2.5 ms; one sample may overdraw it by as much. So no 100 ms can
 * hold more than 100/5 + 2.5 + 2.5 = 25 ms of sampling, and under overload the
 * samples that are taken stay evenly spread.
 *
 * Looking at the clock costs as much as a stack whose callers are all known. Of
 * such samples, which take no more than a comparison a frame, one in some is
 * timed, and paid for as if all of these had taken as long: what 15 of them take
 * may come on top of the 25 ms.
 */
#ifndef _FLAMEMOD_THROTTLE_H
#define _FLAMEMOD_THROTTLE_H

#include <linux/types.h>

#define FM_THROTTLE_CREDIT_NS_MAX	(2500 * 1000)
#define FM_THROTTLE_SHARE		5
#define FM_THROTTLE_QUICK		16	/* quick samples for one timed */

struct fm_throttle {
	u64 earned_ns;		/* until when credit has grown */
	s64 credit_ns;
	u32 quick;		/* samples, timed or not, that are not paid for */
};

void fm_throttle_init(struct fm_throttle *throttle, u64 now_ns);
void fm_throttle_earn(struct fm_throttle *throttle, u64 now_ns);
void fm_throttle_spend(struct fm_throttle *throttle, u64 now_ns, u64 spent_ns);

/**
 * fm_throttle_allows() - may a stack be taken now?
 * @throttle: the CPU's credit
 * @now_ns: the time, not before that of the last call
 *
 * Context: Any, the timer callback above all.
 * Return: false when the share is used up.
 */
static inline bool fm_throttle_allows(struct fm_throttle *throttle, u64 now_ns)
{
	if (likely(throttle->credit_ns > 0))
		return true;
	fm_throttle_earn(throttle, now_ns);
	return throttle->credit_ns > 0;
}

/**
 * fm_throttle_times() - is this sample to be timed, for fm_throttle_spend()?
 * @throttle: the CPU's credit
 * @slow: whether it took more than a comparison a frame
 *
 * Context: Any, the timer callback above all.
 * Return: true for every slow one, and for some others.
 */
static inline bool fm_throttle_times(struct fm_throttle *throttle, bool slow)
{
	if (likely(!slow))
		throttle->quick++;
	return slow || throttle->quick == FM_THROTTLE_QUICK;
}

#endif /* _FLAMEMOD_THROTTLE_H */
