// SPDX-License-Identifier: GPL-2.0
/*
 * A timer on each CPU that fires "hz" times a second, and does nothing. Its cost is
 * the least that a sampler can cost.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/smp.h>

static unsigned int hz = 997;
module_param(hz, uint, 0444);

static DEFINE_PER_CPU(struct hrtimer, ticker_timer);

static enum hrtimer_restart ticker_fire(struct hrtimer *timer)
{
	hrtimer_forward_now(timer, NSEC_PER_SEC / hz);
	return HRTIMER_RESTART;
}

static void ticker_begin(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&ticker_timer);

#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, ticker_fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = ticker_fire;
#endif
	hrtimer_start(timer, NSEC_PER_SEC / hz, HRTIMER_MODE_REL_PINNED_HARD);
}

static int __init ticker_init(void)
{
	if (!hz)
		return -EINVAL;
	on_each_cpu(ticker_begin, NULL, 1);
	return 0;
}

static void __exit ticker_exit(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		hrtimer_cancel(per_cpu_ptr(&ticker_timer, cpu));
}

module_init(ticker_init);
module_exit(ticker_exit);
MODULE_DESCRIPTION("timers that do nothing");
MODULE_LICENSE("GPL");
