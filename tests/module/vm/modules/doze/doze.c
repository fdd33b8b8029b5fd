// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps a CPU idle on purpose: by a thread that calls play_idle_precise(), as
 * intel_powerclamp does on hardware that supports it.
 *
 * Writing milliseconds to the parameter "ms" starts a thread "idle_inj/CPU" on
 * the writer's CPU, which injects so much idle time, DOZE_MS at a time with a
 * short sleep in between, and waits until it is done. "dozed_us" is how much time
 * was injected.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/smp.h>

#define DOZE_MS		24
#define AWAKE_US	1000

static ulong dozed_us;
module_param(dozed_us, ulong, 0444);

static DECLARE_COMPLETION(doze_done);

static int doze_thread(void *data)
{
	uint ms = (uintptr_t)data;
	u64 start;

	/* play_idle_precise() requires this, and a thread bound to a CPU. */
	sched_set_fifo(current);
	for (; ms >= DOZE_MS; ms -= DOZE_MS) {
		start = ktime_get_ns();
		play_idle_precise(DOZE_MS * NSEC_PER_MSEC, U64_MAX);
		dozed_us += (ktime_get_ns() - start) / NSEC_PER_USEC;
		usleep_range(AWAKE_US, 2 * AWAKE_US);
	}
	complete(&doze_done);
	while (!kthread_should_stop())
		usleep_range(AWAKE_US, 2 * AWAKE_US);
	return 0;
}

static int ms_set(const char *text, const struct kernel_param *param)
{
	uint cpu = raw_smp_processor_id(), ms;
	struct task_struct *task;
	int err;

	err = kstrtouint(text, 10, &ms);
	if (err)
		return err;
	task = kthread_create(doze_thread, (void *)(uintptr_t)ms, "idle_inj/%u", cpu);
	if (IS_ERR(task))
		return PTR_ERR(task);
	reinit_completion(&doze_done);
	kthread_bind(task, cpu);
	wake_up_process(task);
	wait_for_completion(&doze_done);
	return kthread_stop(task);
}

static const struct kernel_param_ops ms_ops = { .set = ms_set };
module_param_cb(ms, &ms_ops, NULL, 0200);

static int __init doze_init(void)
{
	return 0;
}

static void __exit doze_exit(void)
{
}

module_init(doze_init);
module_exit(doze_exit);
MODULE_DESCRIPTION("injects idle time on a CPU");
MODULE_LICENSE("GPL");
