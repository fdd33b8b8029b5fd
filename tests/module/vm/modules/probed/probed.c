// SPDX-License-Identifier: GPL-2.0
/*
 * Functions to attach sources to, of which it is known how often they are called, with
 * what, and how long they take.
 *
 * Writing a number to a parameter makes so many calls:
 *
 *   calls     of probed_call(i, -i, i % 256 with garbage above, i << 40), i from 1 on
 *   outer     of probed_outer(), which calls probed_inner() below two other functions
 *   softirq   of probed_call(1, ...) in a timer's softirq
 *   hardirq   the same, in a timer's hard interrupt
 *   sleeps    of probed_sleep(), which sleeps for a millisecond
 *   nmis      of probed_call(1, ...) in non-maskable interrupts; 0 where there are none
 *
 * nr_calls, sum, sum_small and slept_ns are what was done: calls of probed_call(), the sums
 * of its first argument and of its third one, and the time that probed_sleep() took.
 * nr_nmis counts interrupts that came.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/version.h>
#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

static DEFINE_MUTEX(probed_lock);

static ulong nr_calls, sum, sum_small, slept_ns, nr_nmis;
module_param(nr_calls, ulong, 0444);
module_param(sum, ulong, 0444);
module_param(sum_small, ulong, 0444);
module_param(slept_ns, ulong, 0444);
module_param(nr_nmis, ulong, 0444);

static noinline __noclone u64 probed_call(u64 bytes, int negative, u8 small, u64 huge)
{
	/* Kept apart from what the compiler knows of the arguments. */
	OPTIMIZER_HIDE_VAR(bytes);
	OPTIMIZER_HIDE_VAR(negative);
	OPTIMIZER_HIDE_VAR(huge);
	return bytes + negative + small + huge;
}

/* The same, called with all of a register, of which its third argument is the lowest byte. */
static u64 (*probed_call_wide)(u64 bytes, int negative, u64 small, u64 huge) =
	(void *)probed_call;

static noinline __noclone u64 probed_inner(u64 i)
{
	OPTIMIZER_HIDE_VAR(i);
	return i * 3;
}

static noinline __noclone u64 probed_middle(u64 i)
{
	return probed_inner(i) + 1;
}

static noinline __noclone u64 probed_outer(u64 i)
{
	return probed_middle(i) + 1;
}

static noinline __noclone void probed_sleep(void)
{
	u64 began_ns = ktime_get_ns();

	usleep_range(1000, 1100);
	slept_ns += ktime_get_ns() - began_ns;
}

static u64 probed_result;

static void probed_do_call(u64 i)
{
	nr_calls++;
	sum += i;
	sum_small += i % 256;
	probed_result += probed_call_wide(i, -(int)i, 0xdeadbeef00ULL + i % 256, i << 40);
}

static void probed_do_calls(uint nr)
{
	uint i;

	for (i = 1; i <= nr; i++) {
		probed_do_call(i);
		if (!(i % 1024))
			cond_resched();
	}
}

static void probed_do_outer(uint nr)
{
	while (nr--)
		probed_result += probed_outer(nr);
}

static void probed_do_sleeps(uint nr)
{
	while (nr--)
		probed_sleep();
}

static DECLARE_COMPLETION(probed_fired);
static struct hrtimer probed_timer;

static enum hrtimer_restart probed_fire(struct hrtimer *timer)
{
	probed_do_call(1);
	complete(&probed_fired);
	return HRTIMER_NORESTART;
}

static void probed_do_timers(uint nr, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&probed_timer, probed_fire, CLOCK_MONOTONIC, mode);
#else
	hrtimer_init(&probed_timer, CLOCK_MONOTONIC, mode);
	probed_timer.function = probed_fire;
#endif
	while (nr--) {
		hrtimer_start(&probed_timer, ns_to_ktime(100 * NSEC_PER_USEC), mode);
		wait_for_completion(&probed_fired);
	}
	hrtimer_cancel(&probed_timer);
}

static void probed_do_softirq(uint nr)
{
	probed_do_timers(nr, HRTIMER_MODE_REL_SOFT);
}

static void probed_do_hardirq(uint nr)
{
	probed_do_timers(nr, HRTIMER_MODE_REL_HARD);
}

#ifdef CONFIG_X86
static bool probed_expects_nmi;

static int probed_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(probed_expects_nmi))
		return NMI_DONE;
	WRITE_ONCE(probed_expects_nmi, false);
	nr_nmis++;
	probed_do_call(1);
	return NMI_HANDLED;
}

static void probed_do_nmis(uint nr)
{
	if (register_nmi_handler(NMI_LOCAL, probed_nmi, 0, "probed"))
		return;
	while (nr--) {
		preempt_disable();
		WRITE_ONCE(probed_expects_nmi, true);
		apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
		preempt_enable();
		while (READ_ONCE(probed_expects_nmi))
			cond_resched();
	}
	unregister_nmi_handler(NMI_LOCAL, "probed");
}
#else
static void probed_do_nmis(uint nr)
{
}
#endif

static int probed_set(const char *text, const struct kernel_param *param)
{
	void (*function)(uint nr) = param->arg;
	uint nr;
	int err;

	err = kstrtouint(text, 10, &nr);
	if (err)
		return err;
	mutex_lock(&probed_lock);
	if (nr)
		function(nr);
	mutex_unlock(&probed_lock);
	return 0;
}

static const struct kernel_param_ops probed_ops = { .set = probed_set };
module_param_cb(calls, &probed_ops, probed_do_calls, 0200);
module_param_cb(outer, &probed_ops, probed_do_outer, 0200);
module_param_cb(softirq, &probed_ops, probed_do_softirq, 0200);
module_param_cb(hardirq, &probed_ops, probed_do_hardirq, 0200);
module_param_cb(sleeps, &probed_ops, probed_do_sleeps, 0200);
module_param_cb(nmis, &probed_ops, probed_do_nmis, 0200);

static int __init probed_init(void)
{
	return 0;
}

static void __exit probed_exit(void)
{
}

module_init(probed_init);
module_exit(probed_exit);
MODULE_DESCRIPTION("functions to attach sources to");
MODULE_LICENSE("GPL");
