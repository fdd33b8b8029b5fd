// SPDX-License-Identifier: GPL-2.0
/*
 * The source perf: tracepoints and page faults, which the kernel's perf reports. The
 * weight is a field of a tracepoint's record, or how often it happened.
 *
 * perf counts an event by CPU, so each CPU has a counter of its own, which calls the
 * handler at each hit. A tracepoint is called by a function of the kernel, and perf
 * gives the registers of that function's frame: the stack starts there, and nothing of
 * the tracer is on it. A page fault in user mode has no kernel stack.
 *
 * Counters are created and released in a worker when CPUs come and go. perf takes
 * cpus_read_lock() for that, which a hotplug callback must not. perf removes the counter
 * of a CPU that goes offline, so each that comes online gets a new one; what happens
 * there until the worker ran is not seen.
 *
 * Locking: perf->lock protects the counters. The worker takes it, and nothing in it.
 * Hotplug callbacks hold the session's lock, and so does who sets perf->comes, so that
 * they queue no work after that.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
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

struct fm_perf {
	struct fm_source source;
	struct mutex lock;		/* see above */
	struct perf_event **counters;	/* by CPU number; NULL: none */
	unsigned long *gone;		/* bits of CPUs that went offline since */
	struct work_struct work;

	/* session */
	bool comes;			/* the worker can run */
};

static struct fm_perf *fm_perf_of(const struct fm_source *source)
{
	return container_of(source, struct fm_perf, source);
}

/* ---- hits ---- */

/* Count a hit, by the record of a tracepoint; NULL for an event without one. */
static void fm_perf_count(struct fm_turn *turn, struct fm_perf *perf,
			  const void *record, struct pt_regs *regs)
{
	const struct fm_source_request *request = &perf->source.request;
	struct fm_spot spot = { .regs = regs, .inside = true };
	struct pt_regs caller;
	u64 weight = request->perf_period;

	if (request->weight.size)
		weight = fm_operand_field(&request->weight, record);
	if (unlikely(request->conditions.nr) &&
	    !fm_conditions_hold_record(&request->conditions, record)) {
		fm_hit_filter(turn, &perf->source, min(weight, FM_HIT_WEIGHT_MAX));
		return;
	}
	if (user_mode(regs)) {
		fm_hit(turn, &perf->source, NULL, 0, weight, 0);
		return;
	}
	spot.leaf = instruction_pointer(regs);
	if (fm_caller_regs(&caller, regs)) {
		spot.regs = &caller;
		spot.leaf--;
	}
	fm_hit(turn, &perf->source, &spot, preempt_count(), weight, 0);
}

static void fm_perf_overflow(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	struct fm_perf *perf = event->overflow_handler_context;
	const struct fm_source_request *request = &perf->source.request;
	const struct perf_raw_frag *frag;
	const void *record = NULL;
	struct fm_turn turn;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (!fm_hit_begin(&turn, &perf->source, in_nmi()))
		goto restore;
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
restore:
	raw_local_irq_restore(flags);
}

NOKPROBE_SYMBOL(fm_perf_overflow);

/* ---- counters ---- */

static struct perf_event *fm_perf_create(struct fm_perf *perf, unsigned int cpu)
{
	const struct fm_source_request *request = &perf->source.request;
	struct perf_event_attr attr = {
		.type = request->perf_type,
		.size = sizeof(attr),
		.config = request->perf_config,
		.sample_period = request->perf_period,
		/* Without it newer kernels do not give the record. */
		.sample_type = request->perf_type == PERF_TYPE_TRACEPOINT ?
			       PERF_SAMPLE_RAW : 0,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, fm_perf_overflow, perf);
}

/* With perf->lock. Release the counter of a CPU, if it has one. */
static void fm_perf_release(struct fm_perf *perf, unsigned int cpu)
{
	if (perf->counters[cpu])
		perf_event_release_kernel(perf->counters[cpu]);
	perf->counters[cpu] = NULL;
}

/*
 * With perf->lock. Give each CPU that is online a counter, and take it from those that
 * went offline. Return: 0, or -errno if a CPU got none that is not on its way.
 */
static int fm_perf_renew(struct fm_perf *perf)
{
	struct perf_event *counter;
	unsigned int cpu;
	int err = 0;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (test_and_clear_bit(cpu, perf->gone))
			fm_perf_release(perf, cpu);
	for_each_online_cpu(cpu) {
		if (perf->counters[cpu])
			continue;
		counter = fm_perf_create(perf, cpu);
		if (!IS_ERR(counter))
			perf->counters[cpu] = counter;
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
static int fm_perf_cpu_online(struct fm_source *source, unsigned int cpu)
{
	struct fm_perf *perf = fm_perf_of(source);

	if (perf->comes)
		queue_work(source->events->session->wq, &perf->work);
	return 0;
}

static void fm_perf_cpu_offline(struct fm_source *source, unsigned int cpu)
{
	struct fm_perf *perf = fm_perf_of(source);

	if (!perf->comes)
		return;
	set_bit(cpu, perf->gone);
	queue_work(source->events->session->wq, &perf->work);
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
		fm_reason(extack, "%s: this kernel has no such event of perf",
			  request->name);
		return -EOPNOTSUPP;
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

static void fm_perf_let_come(struct fm_perf *perf, bool comes)
{
	struct fm_session *session = perf->source.events->session;

	/* As hotplug callbacks do, inside of cpus_read_lock(), which is not needed here. */
	mutex_lock(&session->lock);
	perf->comes = comes;
	mutex_unlock(&session->lock);
}

static void fm_perf_detach(struct fm_source *source)
{
	struct fm_perf *perf = fm_perf_of(source);
	unsigned int cpu;

	fm_perf_let_come(perf, false);
	cancel_work_sync(&perf->work);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		fm_perf_release(perf, cpu);
	/* Until no CPU is in the handler any more. */
	tracepoint_synchronize_unregister();
	synchronize_rcu();
	kfree(perf->counters);
	bitmap_free(perf->gone);
	perf->counters = NULL;
	perf->gone = NULL;
	mutex_destroy(&perf->lock);
}

static int fm_perf_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	struct fm_perf *perf = fm_perf_of(source);
	int err = -ENOMEM;

	mutex_init(&perf->lock);
	INIT_WORK(&perf->work, fm_perf_work);
	perf->counters = kcalloc(nr_cpu_ids, sizeof(*perf->counters), GFP_KERNEL);
	perf->gone = bitmap_zalloc(nr_cpu_ids, GFP_KERNEL);
	if (perf->counters && perf->gone) {
		/* From here on CPUs that come and go are noted. */
		fm_perf_let_come(perf, true);
		mutex_lock(&perf->lock);
		err = fm_perf_renew(perf);
		mutex_unlock(&perf->lock);
	}
	if (!err)
		return 0;
	if (perf->counters && perf->gone) {
		fm_perf_detach(source);
	} else {
		kfree(perf->counters);
		bitmap_free(perf->gone);
	}
	return fm_perf_refuse(&source->request, err, extack);
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

static int fm_perf_cpu_online(struct fm_source *source, unsigned int cpu)
{
	return 0;
}

static void fm_perf_cpu_offline(struct fm_source *source, unsigned int cpu)
{
}
#endif

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

	if (!IS_ENABLED(CONFIG_PERF_EVENTS)) {
		fm_reason(extack, "%s: this kernel has no perf (CONFIG_PERF_EVENTS)",
			  request->name);
		return -EOPNOTSUPP;
	}
	if (!is_fault && request->perf_type != PERF_TYPE_TRACEPOINT) {
		fm_reason(extack, "%s: perf-type and perf-config: only tracepoints and page faults",
			  request->name);
		return -EOPNOTSUPP;
	}
	if (is_fault && request->record_bytes) {
		fm_reason(extack, "%s: record-bytes: page faults have no record",
			  request->name);
		return -EINVAL;
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
	.online = fm_perf_cpu_online,
	.offline = fm_perf_cpu_offline,
};
