// SPDX-License-Identifier: GPL-2.0
/*
 * Limits the sampler's share of its CPU: see throttle.h.
 */
#include <linux/minmax.h>

#include "throttle.h"

/**
 * fm_throttle_init() - start with full credit.
 * @throttle: to set up
 * @now_ns: the time
 *
 * Context: Any.
 */
void fm_throttle_init(struct fm_throttle *throttle, u64 now_ns)
{
	throttle->earned_ns = now_ns;
	throttle->credit_ns = FM_THROTTLE_CREDIT_NS_MAX;
	throttle->quick = 0;
}

/**
 * fm_throttle_earn() - increase the credit by a share of the time that passed.
 * @throttle: the CPU's credit
 * @now_ns: the time, not before that of the last call
 *
 * Context: Any, the timer callback above all.
 */
void fm_throttle_earn(struct fm_throttle *throttle, u64 now_ns)
{
	/* Limit it first, so that the division is in 32 bits, by a constant. */
	u32 passed_ns = min_t(u64, now_ns - throttle->earned_ns,
			      2 * FM_THROTTLE_SHARE * FM_THROTTLE_CREDIT_NS_MAX);

	throttle->earned_ns = now_ns;
	throttle->credit_ns = min_t(s64, FM_THROTTLE_CREDIT_NS_MAX,
				    throttle->credit_ns +
				    passed_ns / FM_THROTTLE_SHARE);
}

/**
 * fm_throttle_spend() - pay for a sample.
 * @throttle: the CPU's credit
 * @now_ns: when the sample started
 * @spent_ns: how long it took
 *
 * One sample costs at most the full credit, because a hypervisor may take the
 * CPU away during a sample, and that time is not the sampler's.
 *
 * Context: Any, the timer callback above all.
 */
void fm_throttle_spend(struct fm_throttle *throttle, u64 now_ns, u64 spent_ns)
{
	fm_throttle_earn(throttle, now_ns);
	if (throttle->quick == FM_THROTTLE_QUICK) {
		spent_ns *= FM_THROTTLE_QUICK;
		throttle->quick = 0;
	}
	throttle->credit_ns -= min_t(u64, spent_ns,
				     FM_THROTTLE_CREDIT_NS_MAX);
}
