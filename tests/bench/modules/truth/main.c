// SPDX-License-Identifier: GPL-2.0
/*
 * Burns CPU time in known shares, to compare a sampler's results with.
 *
 * Writing "REGION BURSTS BURST_NS PERIOD_NS" to debugfs' truth/burn burns that many
 * bursts of that length in the region (region.c). They follow each other, or with a
 * period there is one in each, for which an hrtimer ends the wait. The time of a
 * burst is computed from instructions, and measured as well. For each region,
 * "truth/burnt" has the bursts so far, and three times in nanoseconds: computed,
 * measured, and measured without the stalls in which the host ran something else.
 * Both measured times include interrupts, and the sampler. Waiting is region "idle".
 *
 * Locking: any number of writers may enter a region at a time, since its counters
 * are atomic. The thread works for one writer at a time, which holds thread_lock.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "region.h"

struct truth_work {
	struct truth_region *region;
	unsigned int nr_bursts;
	u64 burst_ns;
	u64 period_ns;
};

static struct truth_region *idle;
static struct task_struct *thread;
static struct dentry *directory;

static DEFINE_MUTEX(thread_lock);
static const struct truth_work *thread_work;
static DECLARE_WAIT_QUEUE_HEAD(thread_wait);
static DECLARE_COMPLETION(thread_done);

static void truth_wait_until(ktime_t end)
{
	u64 start_ns = ktime_get_ns();

	while (ktime_before(ktime_get(), end)) {
		set_current_state(TASK_IDLE);
		schedule_hrtimeout_range(&end, 0, HRTIMER_MODE_ABS);
	}
	truth_region_count(idle, 0, start_ns);
}

static void truth_do(const struct truth_work *work)
{
	struct truth_region *region = work->region;
	u64 rounds = truth_rounds(work->burst_ns);
	ktime_t begin = ktime_get();
	unsigned int i;

	for (i = 0; i < work->nr_bursts; i++) {
		if (work->period_ns) {
			begin = ktime_add_ns(begin, work->period_ns);
			truth_wait_until(begin);
		}
		region->enter(region, rounds);
		cond_resched();
	}
}

static int truth_thread(void *unused)
{
	for (;;) {
		wait_event_idle(thread_wait, thread_work || kthread_should_stop());
		if (!thread_work)
			return 0;
		truth_do(thread_work);
		thread_work = NULL;
		complete(&thread_done);
	}
}

static void truth_do_in_thread(const struct truth_work *work)
{
	mutex_lock(&thread_lock);
	thread_work = work;
	wake_up(&thread_wait);
	wait_for_completion(&thread_done);
	mutex_unlock(&thread_lock);
}

static ssize_t truth_write(struct file *file, const char __user *from,
			   size_t size, loff_t *pos)
{
	char text[96], name[32];
	struct truth_work work;

	if (size >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	text[size] = 0;
	if (sscanf(text, "%31s %u %llu %llu", name, &work.nr_bursts,
		   &work.burst_ns, &work.period_ns) != 4)
		return -EINVAL;
	work.region = truth_region_find(name);
	if (!work.region)
		return -ENOENT;
	if (work.region->in_thread)
		truth_do_in_thread(&work);
	else
		truth_do(&work);
	return size;
}

static const struct file_operations truth_burn_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.write = truth_write,
};

static int truth_burnt_show(struct seq_file *seq, void *unused)
{
	unsigned int i;

	for (i = 0; i < truth_nr_regions; i++) {
		struct truth_region *region = &truth_regions[i];

		seq_printf(seq, "%s %lld %llu %lld %lld\n", region->name,
			   (s64)atomic64_read(&region->nr_bursts),
			   truth_burnt_ns(atomic64_read(&region->nr_rounds)),
			   (s64)atomic64_read(&region->measured_ns),
			   (s64)atomic64_read(&region->ran_ns));
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(truth_burnt);

static int __init truth_init(void)
{
	truth_calibrate();
	idle = truth_region_find("idle");
	thread = kthread_run(truth_thread, NULL, "truth");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	directory = debugfs_create_dir("truth", NULL);
	debugfs_create_file("burn", 0200, directory, NULL, &truth_burn_fops);
	debugfs_create_file("burnt", 0400, directory, NULL, &truth_burnt_fops);
	return 0;
}

static void __exit truth_exit(void)
{
	debugfs_remove(directory);
	kthread_stop(thread);
}

module_init(truth_init);
module_exit(truth_exit);
MODULE_DESCRIPTION("spends known shares of CPU time in functions with known names");
MODULE_LICENSE("GPL");
