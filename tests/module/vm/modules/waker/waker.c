// SPDX-License-Identifier: GPL-2.0
/*
 * Wakes the machine from suspend-to-idle, which QEMU's clock does not do.
 *
 * Writing milliseconds to the parameter "ms" wakes the machine after that time. Timers
 * run in suspend-to-idle if the CPU has no idle states.
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>

static void waker_wake(struct work_struct *work)
{
	pm_system_wakeup();
}

static DECLARE_DELAYED_WORK(waker_work, waker_wake);

static int waker_ms_set(const char *text, const struct kernel_param *param)
{
	uint ms;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	mod_delayed_work(system_wq, &waker_work, msecs_to_jiffies(ms));
	return 0;
}

static const struct kernel_param_ops waker_ms_ops = { .set = waker_ms_set };
module_param_cb(ms, &waker_ms_ops, NULL, 0200);

static int __init waker_init(void)
{
	return 0;
}

static void __exit waker_exit(void)
{
	cancel_delayed_work_sync(&waker_work);
}

module_init(waker_init);
module_exit(waker_exit);
MODULE_DESCRIPTION("wakes the machine from suspend-to-idle");
MODULE_LICENSE("GPL");
