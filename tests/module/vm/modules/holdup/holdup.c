// SPDX-License-Identifier: GPL-2.0
/*
 * Takes the CPU away from a function, as a hypervisor does.
 *
 * Writing milliseconds to the parameter "ms" spins for that long on the writer's
 * CPU, in holdup_victim(). Every SLICE_MS a timer takes the CPU from it for "for_ms"
 * in hard interrupt context, at whatever instruction it is; other timers wait.
 *
 * If "account" is set, this time is added to the kernel's account of stolen time, as
 * the kernel's tick does on a machine with a steal clock. "taken_us" tells how much
 * time was taken, and "ran_us" how long the function ran, what was taken included.
 */
#include <linux/hrtimer.h>
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/version.h>

#define SLICE_MS	100
#define AFTER_MS	30
#define SPINS		1000

static uint for_ms = 20;
module_param(for_ms, uint, 0644);

static bool account;
module_param(account, bool, 0644);

static ulong taken_us;
module_param(taken_us, ulong, 0444);

static ulong ran_us;
module_param(ran_us, ulong, 0444);

static struct hrtimer holdup_timer;

static enum hrtimer_restart holdup_take(struct hrtimer *timer)
{
	u64 start_ns = ktime_get_ns(), taken_ns;

	do {
		cpu_relax();
		taken_ns = ktime_get_ns() - start_ns;
	} while (taken_ns < (u64)for_ms * NSEC_PER_MSEC);
	taken_us += taken_ns / NSEC_PER_USEC;
	if (account)
		kcpustat_this_cpu->cpustat[CPUTIME_STEAL] += taken_ns;
	return HRTIMER_NORESTART;
}

static noinline void holdup_victim(u64 ms)
{
	u64 start_ns = ktime_get_ns();
	uint spin;

	do {
		for (spin = 0; spin < SPINS; spin++)
			cpu_relax();
	} while (ktime_get_ns() - start_ns < ms * NSEC_PER_MSEC);
	ran_us += (ktime_get_ns() - start_ns) / NSEC_PER_USEC;
}

static int ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	for (; ms >= SLICE_MS; ms -= SLICE_MS) {
		preempt_disable();
		hrtimer_start(&holdup_timer, ms_to_ktime(AFTER_MS),
			      HRTIMER_MODE_REL_PINNED_HARD);
		holdup_victim(SLICE_MS);
		preempt_enable();
		hrtimer_cancel(&holdup_timer);
		cond_resched();
	}
	return 0;
}

static const struct kernel_param_ops ms_ops = { .set = ms_set };
module_param_cb(ms, &ms_ops, NULL, 0200);

static int __init holdup_init(void)
{
/* v6.13 has the one, v6.15 has not the other any more. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&holdup_timer, holdup_take, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&holdup_timer, CLOCK_MONOTONIC,
		     HRTIMER_MODE_REL_PINNED_HARD);
	holdup_timer.function = holdup_take;
#endif
	return 0;
}

static void __exit holdup_exit(void)
{
	hrtimer_cancel(&holdup_timer);
}

module_init(holdup_init);
module_exit(holdup_exit);
MODULE_DESCRIPTION("takes the CPU from a function, as a hypervisor does");
MODULE_LICENSE("GPL");
