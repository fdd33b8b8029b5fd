// SPDX-License-Identifier: GPL-2.0
/*
 * Burns CPU time in functions whose names a scenario looks for.
 *
 * Writing milliseconds to the parameter "ms" spins for that long on the
 * writer's CPU; "init_ms" and "exit_ms" do so while loading and unloading.
 * "irqs_off_ms" does so with interrupts off, for IRQS_OFF_MS at a time.
 * "timer_ms" does so in a timer's softirq, TIMER_AFTER_MS later.
 * "burnt_us" is the time that was spent spinning.
 *
 * Preemption is off while it spins, so that no other task gets the time, and on between
 * slices, so that the CPU is not taken for stuck.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/version.h>

/* v6.2 has the one, v6.15 has not the other any more. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define burn_timer_end	timer_shutdown_sync
#else
#define burn_timer_end	del_timer_sync
#endif

#define SLICE_MS	500
#define SPINS		1000
#define IRQS_OFF_MS	5
#define TIMER_AFTER_MS	60

static ulong burnt_us;
module_param(burnt_us, ulong, 0444);

static uint init_ms;
module_param(init_ms, uint, 0444);

static uint exit_ms;
module_param(exit_ms, uint, 0644);

/* Inlined, so that each caller is a leaf of its own. */
static __always_inline u64 spin_slice_ns(uint ms)
{
	u64 start, now;
	uint spin;

	preempt_disable();
	start = ktime_get_ns();
	do {
		/*
		 * Mostly in this very function: an unwinder may find no
		 * callers from within what reading a clock goes through.
		 */
		for (spin = 0; spin < SPINS; spin++)
			cpu_relax();
		now = ktime_get_ns();
	} while (now - start < (u64)ms * NSEC_PER_MSEC);
	preempt_enable();
	return now - start;
}

static noinline void burn_in_a_named_loop(uint ms)
{
	u64 ns = 0;

	while (ms) {
		uint slice = min_t(uint, ms, SLICE_MS);

		ns += spin_slice_ns(slice);
		ms -= slice;
		cond_resched();
	}
	burnt_us += ns / NSEC_PER_USEC;
}

static int ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	burn_in_a_named_loop(ms);
	return 0;
}

static const struct kernel_param_ops ms_ops = { .set = ms_set };
module_param_cb(ms, &ms_ops, NULL, 0200);

static noinline void burn_with_interrupts_off(uint ms)
{
	u64 ns = 0;

	for (; ms >= IRQS_OFF_MS; ms -= IRQS_OFF_MS) {
		local_irq_disable();
		ns += spin_slice_ns(IRQS_OFF_MS);
		local_irq_enable();
		cond_resched();
	}
	burnt_us += ns / NSEC_PER_USEC;
}

static int irqs_off_ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	burn_with_interrupts_off(ms);
	return 0;
}

static const struct kernel_param_ops irqs_off_ms_ops = { .set = irqs_off_ms_set };
module_param_cb(irqs_off_ms, &irqs_off_ms_ops, NULL, 0200);

static uint timer_ms;

static noinline void burn_in_a_timer(struct timer_list *timer)
{
	burnt_us += spin_slice_ns(timer_ms) / NSEC_PER_USEC;
}

static struct timer_list burn_timer;

static int timer_ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	timer_ms = ms;
	mod_timer(&burn_timer, jiffies + msecs_to_jiffies(TIMER_AFTER_MS));
	return 0;
}

static const struct kernel_param_ops timer_ms_ops = { .set = timer_ms_set };
module_param_cb(timer_ms, &timer_ms_ops, NULL, 0200);

static noinline void __init burn_while_loading(void)
{
	if (init_ms)
		spin_slice_ns(init_ms);
}

static noinline void __exit burn_while_unloading(void)
{
	if (exit_ms)
		spin_slice_ns(exit_ms);
}

static int __init burn_init(void)
{
	timer_setup(&burn_timer, burn_in_a_timer, TIMER_PINNED);
	burn_while_loading();
	return 0;
}

static void __exit burn_exit(void)
{
	burn_timer_end(&burn_timer);
	burn_while_unloading();
}

module_init(burn_init);
module_exit(burn_exit);
MODULE_DESCRIPTION("spends CPU time in functions with known names");
MODULE_LICENSE("GPL");
