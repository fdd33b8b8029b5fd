/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sampler's share of its CPU: a quarter at the most, over any 100 ms.
 *
 * Time spent is paid from a credit that grows by a fifth of the time that
 * passes, up to 2.5 ms; one sample may overdraw it by as much. So no 100 ms can
 * hold more than 100/5 + 2.5 + 2.5 = 25 ms of sampling, and under overload the
 * samples that are taken stay evenly spread.
 */
#ifndef _FLAMEMOD_THROTTLE_H
#define _FLAMEMOD_THROTTLE_H

#include <linux/types.h>

#define FM_THROTTLE_CREDIT_NS_MAX	(2500 * 1000)
#define FM_THROTTLE_SHARE		5

struct fm_throttle {
	u64 last_ns;
	s64 credit_ns;
};

void fm_throttle_init(struct fm_throttle *throttle, u64 now_ns);
bool fm_throttle_allows(struct fm_throttle *throttle, u64 now_ns);
void fm_throttle_spend(struct fm_throttle *throttle, u64 spent_ns);

#endif /* _FLAMEMOD_THROTTLE_H */
