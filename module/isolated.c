// SPDX-License-Identifier: GPL-2.0
/*
 * Finds isolated CPUs: see isolated.h.
 *
 * These are the CPUs of isolcpus= (its flag "domain", which is the default, or "nohz")
 * and of nohz_full=, and, from Linux 7.0 on, those of isolated cpuset partitions. The
 * flag "managed_irq" alone does not count: it only moves some devices' interrupts.
 * Without CONFIG_CPU_ISOLATION no CPU is isolated.
 */
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/sched/isolation.h>

#include "compat/compat.h"
#include "isolated.h"

/**
 * fm_isolated_find() - find the isolated CPUs.
 * @cpus: set to the isolated ones of the possible CPUs
 *
 * Context: Any.
 */
void fm_isolated_find(struct cpumask *cpus)
{
	/* From v7.0 on, a cpuset may replace the first mask at any time. */
	rcu_read_lock();
	cpumask_and(cpus, housekeeping_cpumask(HK_TYPE_DOMAIN),
		    housekeeping_cpumask(HK_TYPE_TICK));
	rcu_read_unlock();
	cpumask_andnot(cpus, cpu_possible_mask, cpus);
}
