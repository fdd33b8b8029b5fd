// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler's share of its CPU: see throttle.h.
 */
#include <linux/minmax.h>

#include "throttle.h"

/**
 * fm_throttle_init() - begin with full credit.
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
 * fm_throttle_earn() - let the credit grow by a share of the time that passed.
 * @throttle: the CPU's credit
 * @now_ns: the time, not before that of the last call
 *
 * Context: Any, the timer callback above all.
 */
void fm_throttle_earn(struct fm_throttle *throttle, u64 now_ns)
{
	/* Bounded before it is divided: the division is by a constant, in 32 bits. */
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
 * @now_ns: when the sample began
 * @spent_ns: how long it took
 *
 * No more than the full credit is paid for one sample: a hypervisor may take
 * the CPU away in the middle of one, and that time is not ours.
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
