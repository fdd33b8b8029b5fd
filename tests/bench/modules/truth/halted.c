// SPDX-License-Identifier: GPL-2.0
/*
 * Reports in debugfs' halted how often the CPUs were halted since this module was
 * loaded, and for how many nanoseconds.
 *
 * If the clock counts instructions and skips the time in which all CPUs wait, all
 * other time is instructions. A CPU that goes idle is counted as halted from the end
 * of the last probe of cpu_idle to the next interrupt of its timer. So the work of
 * other probes and of that interrupt does not count as waiting.
 *
 * Locking: the counters belong to their CPU with interrupts off; a reader may see
 * those of another CPU a moment too early.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

/* Runs after all probes of the usual priority, which is 10. */
#define LAST	0

static DEFINE_PER_CPU(u64, halted_since_ns);
static DEFINE_PER_CPU(u64, halted_ns);
static DEFINE_PER_CPU(u64, nr_halted);
static struct tracepoint *timer_entry;
static struct dentry *halted_file;

static void halted_end(void)
{
	u64 since_ns = __this_cpu_read(halted_since_ns);

	if (!since_ns)
		return;
	__this_cpu_add(halted_ns, ktime_get_ns() - since_ns);
	__this_cpu_inc(nr_halted);
	__this_cpu_write(halted_since_ns, 0);
}

static void halted_cpu_idle(void *unused, unsigned int state, unsigned int cpu)
{
	if (state == PWR_EVENT_EXIT)
		halted_end();
	else
		__this_cpu_write(halted_since_ns, ktime_get_ns());
}

static void halted_timer_entry(void *unused, int vector)
{
	halted_end();
}

static int halted_show(struct seq_file *seq, void *unused)
{
	u64 nr = 0, ns = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		nr += per_cpu(nr_halted, cpu);
		ns += per_cpu(halted_ns, cpu);
	}
	seq_printf(seq, "%llu %llu\n", nr, ns);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(halted);

/* Find the timer's tracepoint, which is not exported. */
static void halted_find(struct tracepoint *tracepoint, void *unused)
{
	if (!strcmp(tracepoint->name, "local_timer_entry"))
		timer_entry = tracepoint;
}

static int __init halted_init(void)
{
	int err;

	for_each_kernel_tracepoint(halted_find, NULL);
	if (!timer_entry)
		return -ENOENT;
	err = tracepoint_probe_register(timer_entry, halted_timer_entry, NULL);
	if (err)
		return err;
	err = register_trace_prio_cpu_idle(halted_cpu_idle, NULL, LAST);
	if (err) {
		tracepoint_probe_unregister(timer_entry, halted_timer_entry, NULL);
		tracepoint_synchronize_unregister();
		return err;
	}
	halted_file = debugfs_create_file("halted", 0400, NULL, NULL, &halted_fops);
	return 0;
}

static void __exit halted_exit(void)
{
	debugfs_remove(halted_file);
	unregister_trace_cpu_idle(halted_cpu_idle, NULL);
	tracepoint_probe_unregister(timer_entry, halted_timer_entry, NULL);
	tracepoint_synchronize_unregister();
}

module_init(halted_init);
module_exit(halted_exit);
MODULE_DESCRIPTION("tells how long CPUs were halted");
MODULE_LICENSE("GPL");
