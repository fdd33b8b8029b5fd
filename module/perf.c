// SPDX-License-Identifier: GPL-2.0
/*
 * The source perf: tracepoints, page faults and counters of the processor, which the
 * kernel's perf reports. The weight is a field of a tracepoint's record, or how often it
 * happened.
 *
 * perf counts an event by CPU, so each CPU has a counter of its own, which calls the
 * handler at each hit. A tracepoint is called by a function of the kernel, and perf
 * gives the registers of that function's frame: the stack starts there, and nothing of
 * the tracer is on it. A page fault in user mode has no kernel stack.
 *
 * Some tracepoints give perf a number, such as nanoseconds, and perf counts that instead of
 * the hits: it would call the handler once for each, until it stops the counter for the
 * rest of the tick. If it is asked for the period of a sample, it calls the handler once for
 * a hit.
 *
 * A counter of the processor interrupts it each time it has counted a period: on x86 by a
 * non-maskable interrupt, so that code with interrupts off is seen at its own instruction.
 * The weight is what it counted on that CPU since the interrupt before, whoever of the
 * tasks that was for, so all weights sum to what was counted. Its counters are pinned:
 * if others use all that a CPU has, the attach is refused, and nothing is estimated.
 *
 * When CPUs come and go, a worker creates and releases counters. perf takes
 * cpus_read_lock() for that, so a hotplug callback must not do it. perf removes the counter
 * of a CPU that goes offline, even if the worker created it while the CPU was on its way.
 * So each CPU that comes online gets a new counter, whether it has one or not. What happens
 * on that CPU before the worker has run is not seen.
 *
 * Locking: perf->lock protects the counters. The worker takes it, and takes no other lock
 * of ours. Hotplug callbacks queue the work if perf->accepts_work is set. They hold the
 * session's lock, and so does whoever clears it; nothing is queued after that.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "caller_regs.h"
#include "hit.h"
#include "reason.h"
#include "session.h"
#include "source.h"

#ifdef CONFIG_PERF_EVENTS

struct fm_perf_cpu {
	struct perf_event *counter;	/* NULL: none */

	/* handler */
	u64 counted;			/* at the last hit */
};

struct fm_perf {
	struct fm_source source;
	struct mutex lock;		/* see above */
	struct fm_perf_cpu *cpus;	/* by CPU number */
	atomic64_t pauses;		/* how often perf stopped a counter until the next tick */
	unsigned long *stale;		/* bits of CPUs that came or went since the worker ran */
	struct work_struct work;

	/* session */
	bool accepts_work;		/* hotplug callbacks may queue it */
};

static struct fm_perf *fm_perf_of(const struct fm_source *source)
{
	return container_of(source, struct fm_perf, source);
}

/* ---- hits ---- */

/* Count a hit, by the record of a tracepoint; NULL for an event without one. */
static __always_inline void fm_perf_count(struct fm_turn *turn, struct fm_perf *perf,
					  const void *record, struct pt_regs *regs)
{
	const struct fm_source_request *request = &perf->source.request;
	struct fm_spot spot = { .regs = regs, .inside = true };
	struct pt_regs *caller = &turn->c->caller;
	unsigned long preempt = 0;
	u64 weight = request->perf_period;

	if (request->weight.size)
		weight = fm_operand_field(&request->weight, record);
	if (unlikely(request->conditions.nr) &&
	    !fm_conditions_hold_record(&request->conditions, record)) {
		fm_hit_filter(turn, &perf->source, weight);
		return;
	}
	if (!user_mode(regs)) {
		preempt = preempt_count();
		spot.leaf = instruction_pointer(regs);
		/* A fault has all registers, which on arm64 may look like those that perf makes. */
		if (request->perf_type == PERF_TYPE_TRACEPOINT && fm_caller_regs(caller, regs)) {
			spot.regs = caller;
			spot.leaf--;
		}
	}
	fm_hit(turn, &perf->source, user_mode(regs) ? NULL : &spot, preempt, weight, 0);
}

/* Take a hit's turn, if it may have one. */
static void fm_perf_take(struct fm_perf *perf, const struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	const struct fm_source_request *request = &perf->source.request;
	struct fm_turn turn = fm_hit_begin_untimed(&perf->source, in_nmi());
	const struct perf_raw_frag *frag;
	const void *record = NULL;

	if (!turn.c)
		return;
	if (request->record_bytes) {
		frag = data->raw ? &data->raw->frag : NULL;
		if (likely(frag && frag->size >= request->record_bytes))
			record = frag->data;
	}
	if (unlikely(request->record_bytes && !record))
		fm_hit_lose(&turn, &perf->source, FLAMEMOD_EVENT_LOST_MALFORMED);
	else
		fm_perf_count(&turn, perf, record, regs);
	fm_hit_end(&turn, &perf->source);
}

static void fm_perf_overflow(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	fm_perf_take(event->overflow_handler_context, data, regs);
	raw_local_irq_restore(flags);
}

NOKPROBE_SYMBOL(fm_perf_overflow);

/* What perf sets a counter's interrupts to if there are more of them than it allows. */
#define FM_PERF_PAUSED	(~0ULL)

/* Return: preempt_count() of what a counter interrupted. */
static unsigned long fm_perf_interrupted(void)
{
	unsigned long levels = in_nmi() ? NMI_OFFSET + HARDIRQ_OFFSET : HARDIRQ_OFFSET;

	return preempt_count() - levels;
}

/* Store a counter's hit. */
static void fm_perf_store(struct fm_perf *perf, struct pt_regs *regs, u64 weight)
{
	struct fm_spot spot = { .regs = regs, .inside = true, .anywhere = true };
	struct fm_turn turn = fm_hit_begin_for(&perf->source, current, false, weight);

	if (!turn.c)
		return;
	spot.leaf = instruction_pointer(regs);
	fm_hit(&turn, &perf->source, user_mode(regs) ? NULL : &spot, fm_perf_interrupted(),
	       weight, 0);
	fm_hit_end(&turn, &perf->source);
}

static void fm_perf_interrupt(struct perf_event *event, struct perf_sample_data *data,
			      struct pt_regs *regs)
{
	struct fm_perf *perf = event->overflow_handler_context;
	struct fm_perf_cpu *c = &perf->cpus[event->cpu];
	unsigned long flags;
	u64 count, weight;

	raw_local_irq_save(flags);
	count = local64_read(&event->count);
	weight = count - c->counted;
	/* Also if the hit is of a task that was not asked for. */
	c->counted = count;
	if (unlikely(event->hw.interrupts == FM_PERF_PAUSED))
		atomic64_inc(&perf->pauses);
	fm_perf_store(perf, regs, weight);
	raw_local_irq_restore(flags);
}

NOKPROBE_SYMBOL(fm_perf_interrupt);

/* ---- counters ---- */

static struct perf_event *fm_perf_create(struct fm_perf *perf, unsigned int cpu)
{
	const struct fm_source_request *request = &perf->source.request;
	bool interrupts = request->perf_type == PERF_TYPE_HARDWARE;
	struct perf_event *counter;
	struct perf_event_attr attr = {
		.type = request->perf_type,
		.size = sizeof(attr),
		.config = request->perf_config,
		.sample_period = request->perf_period,
		/* Newer kernels give no record unless it is asked for. The period: see above. */
		.sample_type = request->perf_type == PERF_TYPE_TRACEPOINT ?
			       PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD : 0,
		.pinned = interrupts,
		/* Where a guest runs, the registers would be those of its exit. */
		.exclude_guest = interrupts,
	};

	perf->cpus[cpu].counted = 0;
	counter = perf_event_create_kernel_counter(&attr, cpu, NULL, interrupts ?
						   fm_perf_interrupt : fm_perf_overflow,
						   perf);
	if (IS_ERR(counter) || READ_ONCE(counter->state) != PERF_EVENT_STATE_ERROR)
		return counter;
	/* It could not be pinned. */
	perf_event_release_kernel(counter);
	return ERR_PTR(-EBUSY);
}

/* With perf->lock. Release the counter of a CPU, if it has one. */
static void fm_perf_release(struct fm_perf *perf, unsigned int cpu)
{
	if (perf->cpus[cpu].counter)
		perf_event_release_kernel(perf->cpus[cpu].counter);
	perf->cpus[cpu].counter = NULL;
}

/*
 * With perf->lock. Release the counters of CPUs that came or went, and give each CPU that
 * is online one. Return: 0, or -errno if a CPU got none that is not on its way.
 */
static int fm_perf_renew(struct fm_perf *perf)
{
	struct perf_event *counter;
	unsigned int cpu;
	int err = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (test_and_clear_bit(cpu, perf->stale))
			fm_perf_release(perf, cpu);
	for_each_online_cpu(cpu) {
		if (perf->cpus[cpu].counter)
			continue;
		counter = fm_perf_create(perf, cpu);
		if (!IS_ERR(counter))
			perf->cpus[cpu].counter = counter;
		/* A CPU may be going offline, or coming: its callback will queue the work. */
		else if (PTR_ERR(counter) != -ENODEV)
			err = PTR_ERR(counter);
	}
	return err;
}

static void fm_perf_work(struct work_struct *work)
{
	struct fm_perf *perf = container_of(work, struct fm_perf, work);
	int err;

	mutex_lock(&perf->lock);
	err = fm_perf_renew(perf);
	mutex_unlock(&perf->lock);
	if (err)
		pr_warn_ratelimited("%s is not counted on a CPU that came online: error %d\n",
				    perf->source.request.name, -err);
}

/* By a hotplug callback, with the session's lock. */
static void fm_perf_cpu_changed(struct fm_source *source, unsigned int cpu)
{
	struct fm_perf *perf = fm_perf_of(source);

	if (!perf->accepts_work)
		return;
	set_bit(cpu, perf->stale);
	queue_work(source->events->session->wq, &perf->work);
}

static int fm_perf_cpu_online(struct fm_source *source, unsigned int cpu)
{
	fm_perf_cpu_changed(source, cpu);
	return 0;
}

static void fm_perf_cpu_offline(struct fm_source *source, unsigned int cpu)
{
	fm_perf_cpu_changed(source, cpu);
}

/* ---- operations ---- */

static int fm_perf_refuse(const struct fm_source_request *request, int err,
			  struct netlink_ext_ack *extack)
{
	switch (err) {
	case -ENOENT:
	case -EINVAL:
	case -EOPNOTSUPP:
	case -ENODEV:
		if (request->perf_type == PERF_TYPE_HARDWARE)
			fm_reason(extack,
				  "%s: this processor has no such counter, or this virtual machine was given none",
				  request->name);
		else
			fm_reason(extack, "%s: this kernel has no such event of perf",
				  request->name);
		return -EOPNOTSUPP;
	case -EBUSY:
		fm_reason(extack,
			  "%s: others use all counters of a CPU: end what uses them, such as perf or kernel.nmi_watchdog=1",
			  request->name);
		return -EBUSY;
	case -EPERM:
	case -EACCES:
		fm_reason(extack, "%s: perf needs CAP_PERFMON, or the kernel is locked down",
			  request->name);
		return -EPERM;
	}
	fm_reason(extack, "%s: cannot create a counter of perf: error %d", request->name,
		  -err);
	return err;
}

static void fm_perf_accept_work(struct fm_perf *perf, bool accepts_work)
{
	struct fm_session *session = perf->source.events->session;

	/* As hotplug callbacks do, inside of cpus_read_lock(), which is not needed here. */
	mutex_lock(&session->lock);
	perf->accepts_work = accepts_work;
	mutex_unlock(&session->lock);
}

static void fm_perf_detach(struct fm_source *source)
{
	struct fm_perf *perf = fm_perf_of(source);
	unsigned int cpu;

	fm_perf_accept_work(perf, false);
	cancel_work_sync(&perf->work);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		fm_perf_release(perf, cpu);
	/* Until no CPU is in the handler any more. */
	tracepoint_synchronize_unregister();
	synchronize_rcu();
	kfree(perf->cpus);
	bitmap_free(perf->stale);
	perf->cpus = NULL;
	perf->stale = NULL;
	mutex_destroy(&perf->lock);
}

static int fm_perf_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	struct fm_perf *perf = fm_perf_of(source);
	int err = -ENOMEM;

	mutex_init(&perf->lock);
	INIT_WORK(&perf->work, fm_perf_work);
	perf->cpus = kcalloc(nr_cpu_ids, sizeof(*perf->cpus), GFP_KERNEL);
	perf->stale = bitmap_zalloc(nr_cpu_ids, GFP_KERNEL);
	if (perf->cpus && perf->stale) {
		/* From here on CPUs that come and go are noted. */
		fm_perf_accept_work(perf, true);
		mutex_lock(&perf->lock);
		err = fm_perf_renew(perf);
		mutex_unlock(&perf->lock);
	}
	if (!err)
		return 0;
	if (perf->cpus && perf->stale) {
		fm_perf_detach(source);
	} else {
		kfree(perf->cpus);
		bitmap_free(perf->stale);
	}
	return fm_perf_refuse(&source->request, err, extack);
}

/* A pause lasts until the next tick, and may miss several: each counts as one. */
static u64 fm_perf_missed(const struct fm_source *source)
{
	return atomic64_read(&fm_perf_of(source)->pauses);
}
#else
struct fm_perf {
	struct fm_source source;
};

static int fm_perf_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	return -EOPNOTSUPP;
}

static void fm_perf_detach(struct fm_source *source)
{
}

static u64 fm_perf_missed(const struct fm_source *source)
{
	return 0;
}

static int fm_perf_cpu_online(struct fm_source *source, unsigned int cpu)
{
	return 0;
}

static void fm_perf_cpu_offline(struct fm_source *source, unsigned int cpu)
{
}
#endif

/* A processor would do nothing but interrupts. */
#define FM_PERF_PERIOD_MIN	1000

/* Software events whose handler is called where the task did it, in process context. */
static bool fm_perf_is_fault(u64 config)
{
	return config == PERF_COUNT_SW_PAGE_FAULTS ||
	       config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
	       config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
}

static int fm_perf_check(const struct fm_source_request *request,
			 struct netlink_ext_ack *extack)
{
	bool is_fault = request->perf_type == PERF_TYPE_SOFTWARE &&
			fm_perf_is_fault(request->perf_config);
	bool is_counter = request->perf_type == PERF_TYPE_HARDWARE &&
			  request->perf_config < PERF_COUNT_HW_MAX;

	if (!IS_ENABLED(CONFIG_PERF_EVENTS)) {
		fm_reason(extack, "%s: this kernel has no perf (CONFIG_PERF_EVENTS)",
			  request->name);
		return -EOPNOTSUPP;
	}
	if (!is_fault && !is_counter && request->perf_type != PERF_TYPE_TRACEPOINT) {
		fm_reason(extack,
			  "%s: perf-type and perf-config: only tracepoints, page faults and counters of the processor",
			  request->name);
		return -EOPNOTSUPP;
	}
	if ((is_fault || is_counter) && request->record_bytes) {
		fm_reason(extack, "%s: record-bytes: only tracepoints have a record",
			  request->name);
		return -EINVAL;
	}
	if (request->perf_type == PERF_TYPE_TRACEPOINT && request->perf_period != 1) {
		fm_reason(extack,
			  "%s: perf-period: %llu: it must be 1 for a tracepoint, of which perf reports each hit",
			  request->name, request->perf_period);
		return -EINVAL;
	}
	if (is_counter && request->perf_period < FM_PERF_PERIOD_MIN) {
		fm_reason(extack,
			  "%s: perf-period: %llu is below %u, which a counter of the processor needs",
			  request->name, request->perf_period, FM_PERF_PERIOD_MIN);
		return -ERANGE;
	}
	return 0;
}

const struct fm_source_ops fm_perf_ops = {
	.kind = FLAMEMOD_SOURCE_KIND_PERF,
	.bytes = sizeof(struct fm_perf),
	.unit = "events",
	.check = fm_perf_check,
	.attach = fm_perf_attach,
	.detach = fm_perf_detach,
	.missed = fm_perf_missed,
	.online = fm_perf_cpu_online,
	.offline = fm_perf_cpu_offline,
};
