/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Provides today's kernel API on older kernels.
 *
 * The code uses the newest API. What a kernel has is found by compiling a probe
 * (compat/probe.sh), not from its version, since distributions backport
 * changes.
 */
#ifndef _FLAMEMOD_COMPAT_H
#define _FLAMEMOD_COMPAT_H

#include <linux/hrtimer.h>
#include <net/genetlink.h>

#include "features.h"

/* "hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()", in v6.13 */
#ifndef FM_HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* "genetlink: use attrs from struct genl_info", in v6.6 */
#ifdef FM_HAVE_GENL_INFO_DUMP
static inline struct nlattr **fm_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}
#else
static inline struct nlattr **fm_compat_dump_attrs(struct netlink_callback *cb)
{
	return genl_dumpit_info(cb)->attrs;
}
#endif

/* "copy_process: pass clone_flags as u64 across calltree", in v6.18 */
#ifdef FM_HAVE_NEWTASK_U64
#define fm_compat_clone_flags	u64
#else
#define fm_compat_clone_flags	unsigned long
#endif

/* "sched/isolation: Use single feature type while referring to housekeeping cpumask", in v5.18 */
#ifndef FM_HAVE_HK_TYPE
#define HK_TYPE_DOMAIN		HK_FLAG_DOMAIN
#define HK_TYPE_TICK		HK_FLAG_TICK
#endif

/* "sched/tracing: Append prev_state to tp args instead", in v5.19 */
#if defined(CONFIG_TRACEPOINTS) && defined(FM_HAVE_SWITCH_STATE)
#define FM_HAVE_SCHED_SWITCH	1
#define fm_compat_switched	struct task_struct *next, unsigned int prev_state
#elif defined(CONFIG_TRACEPOINTS) && defined(FM_HAVE_SWITCH_PLAIN)
#define FM_HAVE_SCHED_SWITCH	1
#define fm_compat_switched	struct task_struct *next
#endif

#endif /* _FLAMEMOD_COMPAT_H */
