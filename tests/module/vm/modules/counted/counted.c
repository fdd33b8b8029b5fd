// SPDX-License-Identifier: GPL-2.0
/*
 * A counter of the processor for x86 machines without one, such as QEMU's without KVM.
 *
 * perf is given a PMU that counts the clock's cycles as its event "cycles". A timer of
 * each CPU sends the next CPU a non-maskable interrupt every "every_us". If the counter of
 * that CPU has counted a period since its last hit, it hits. So hits are anywhere, also
 * where interrupts are off.
 *
 * sum is what counters had counted when they hit. Writing to "pauses" lets so many hits
 * say that perf pauses the counter. Writing milliseconds to "quiet_ms" spins for that long
 * with interrupts off, in counted_quiet(); quiet_sum is the part of sum that hit there.
 */
#include <linux/module.h>

#ifdef CONFIG_X86
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/version.h>
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/nmi.h>

/* At a time on one CPU. */
#define COUNTERS	4

/* At a time with interrupts off. */
#define QUIET_NS	(2 * NSEC_PER_MSEC)

struct counted_cpu {
	struct perf_event *events[COUNTERS];
	bool is_quiet;
	struct hrtimer timer;
};

static DEFINE_PER_CPU(struct counted_cpu, counted_cpus);

static uint every_us = 500;
module_param(every_us, uint, 0444);

static atomic64_t sum_hits;
static atomic_t nr_pauses;

static int counted_get(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%lld\n", atomic64_read((atomic64_t *)param->arg));
}

static const struct kernel_param_ops counted_ops = { .get = counted_get };
module_param_cb(sum, &counted_ops, &sum_hits, 0444);

static int pauses_set(const char *text, const struct kernel_param *param)
{
	int nr, err = kstrtoint(text, 10, &nr);

	if (!err)
		atomic_set(&nr_pauses, nr);
	return err;
}

static const struct kernel_param_ops pauses_ops = { .set = pauses_set };
module_param_cb(pauses, &pauses_ops, NULL, 0200);

static atomic64_t quiet_hits;
module_param_cb(quiet_sum, &counted_ops, &quiet_hits, 0444);

/* A task's loop with interrupts off, in which only such a counter hits. */
static noinline __noclone void counted_quiet(u64 ns)
{
	u64 end = ktime_get_mono_fast_ns() + ns;
	unsigned long flags;
	uint spin;

	local_irq_save(flags);
	this_cpu_write(counted_cpus.is_quiet, true);
	do {
		for (spin = 0; spin < 1000; spin++)
			cpu_relax();
	} while (ktime_get_mono_fast_ns() < end);
	this_cpu_write(counted_cpus.is_quiet, false);
	local_irq_restore(flags);
}

static int quiet_set(const char *text, const struct kernel_param *param)
{
	u64 end;
	uint ms;
	int err = kstrtouint(text, 10, &ms);

	if (err)
		return err;
	end = ktime_get_mono_fast_ns() + (u64)ms * NSEC_PER_MSEC;
	while (ktime_get_mono_fast_ns() < end) {
		counted_quiet(QUIET_NS);
		cond_resched();
	}
	return 0;
}

static const struct kernel_param_ops quiet_ops = { .set = quiet_set };
module_param_cb(quiet_ms, &quiet_ops, NULL, 0200);

/* ---- counting ---- */

/* Count up to now. An interrupt may come in between, and does the same. */
static void counted_update(struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 before, now;

	do {
		before = local64_read(&hw->prev_count);
		now = rdtsc_ordered();
	} while (local64_cmpxchg(&hw->prev_count, before, now) != before);
	local64_add(now - before, &event->count);
}

/* Hit if a period has passed. What was counted at the last hit is in config_base. */
static void counted_hit(struct perf_event *event, struct pt_regs *regs)
{
	struct perf_sample_data data;
	u64 count, passed;

	counted_update(event);
	count = local64_read(&event->count);
	passed = count - event->hw.config_base;
	if (passed < event->attr.sample_period || !event->overflow_handler)
		return;
	event->hw.config_base = count;
	atomic64_add(passed, &sum_hits);
	if (this_cpu_read(counted_cpus.is_quiet))
		atomic64_add(passed, &quiet_hits);
	event->hw.interrupts = atomic_add_unless(&nr_pauses, -1, 0) ? ~0ULL : 0;
	perf_sample_data_init(&data, 0, passed);
	event->overflow_handler(event, &data, regs);
}

/* Two that are sent to a CPU may come as one, so none is told from those of others. */
static int counted_interrupt(unsigned int type, struct pt_regs *regs)
{
	struct counted_cpu *c = this_cpu_ptr(&counted_cpus);
	uint i;

	for (i = 0; i < COUNTERS; i++) {
		struct perf_event *event = READ_ONCE(c->events[i]);

		if (event)
			counted_hit(event, regs);
	}
	return NMI_HANDLED;
}

/* ---- the PMU ---- */

static int counted_init_event(struct perf_event *event)
{
	if (event->attr.type != PERF_TYPE_HARDWARE ||
	    event->attr.config != PERF_COUNT_HW_CPU_CYCLES || event->cpu < 0)
		return -ENOENT;
	return 0;
}

static void counted_start(struct perf_event *event, int flags)
{
	struct counted_cpu *c = this_cpu_ptr(&counted_cpus);

	local64_set(&event->hw.prev_count, rdtsc_ordered());
	event->hw.state = 0;
	WRITE_ONCE(c->events[event->hw.idx], event);
}

static void counted_stop(struct perf_event *event, int flags)
{
	struct counted_cpu *c = this_cpu_ptr(&counted_cpus);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	WRITE_ONCE(c->events[event->hw.idx], NULL);
	counted_update(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int counted_add(struct perf_event *event, int flags)
{
	struct counted_cpu *c = this_cpu_ptr(&counted_cpus);
	int i;

	for (i = 0; i < COUNTERS && c->events[i]; i++)
		;
	if (i == COUNTERS)
		return -EAGAIN;
	event->hw.idx = i;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		counted_start(event, flags);
	return 0;
}

static void counted_del(struct perf_event *event, int flags)
{
	counted_stop(event, flags);
}

static struct pmu counted_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_invalid_context,
	.event_init = counted_init_event,
	.add = counted_add,
	.del = counted_del,
	.start = counted_start,
	.stop = counted_stop,
	.read = counted_update,
};

/* ---- interrupts ---- */

static enum hrtimer_restart counted_fire(struct hrtimer *timer)
{
	int cpu = cpumask_next(smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	apic->send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
	hrtimer_forward_now(timer, ns_to_ktime((u64)every_us * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static void counted_begin(void *unused)
{
	struct hrtimer *timer = &this_cpu_ptr(&counted_cpus)->timer;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, counted_fire, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = counted_fire;
#endif
	hrtimer_start(timer, ns_to_ktime((u64)every_us * NSEC_PER_USEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static int __init counted_init(void)
{
	int err;

	err = register_nmi_handler(NMI_LOCAL, counted_interrupt, 0, "counted");
	if (err)
		return err;
	err = perf_pmu_register(&counted_pmu, "counted", -1);
	if (err) {
		unregister_nmi_handler(NMI_LOCAL, "counted");
		return err;
	}
	on_each_cpu(counted_begin, NULL, 1);
	return 0;
}

static void __exit counted_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(counted_cpus, cpu).timer.function)
			hrtimer_cancel(&per_cpu(counted_cpus, cpu).timer);
	perf_pmu_unregister(&counted_pmu);
	/* The last ones have come by then: none may find that nobody expects it. */
	msleep(20);
	unregister_nmi_handler(NMI_LOCAL, "counted");
}
#else
static int __init counted_init(void)
{
	return -EOPNOTSUPP;
}

static void __exit counted_exit(void)
{
}
#endif

module_init(counted_init);
module_exit(counted_exit);
MODULE_DESCRIPTION("a counter of the processor that hits in non-maskable interrupts");
MODULE_LICENSE("GPL");
