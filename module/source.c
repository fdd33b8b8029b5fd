// SPDX-License-Identifier: GPL-2.0
/*
 * Sources of events, whatever their kind: see source.h.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "events.h"
#include "reason.h"
#include "session.h"
#include "source.h"

static const struct fm_source_ops *const fm_source_kinds[] = {
	[FLAMEMOD_SOURCE_KIND_SWITCHES] = &fm_switches_ops,
	[FLAMEMOD_SOURCE_KIND_FUNC] = &fm_func_ops,
	[FLAMEMOD_SOURCE_KIND_LATENCY] = &fm_latency_ops,
	[FLAMEMOD_SOURCE_KIND_PERF] = &fm_perf_ops,
	[FLAMEMOD_SOURCE_KIND_WAKERS] = &fm_wakers_ops,
};

static const struct fm_source_ops *fm_source_ops_of(u32 kind)
{
	return kind < ARRAY_SIZE(fm_source_kinds) ? fm_source_kinds[kind] : NULL;
}

/**
 * fm_source_possible() - check that a source can be attached.
 * @request: what is asked for
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EINVAL, or -EOPNOTSUPP where the kernel or the machine lacks what it needs.
 */
int fm_source_possible(const struct fm_source_request *request,
		       struct netlink_ext_ack *extack)
{
	const struct fm_source_ops *ops = fm_source_ops_of(request->kind);

	if (!ops) {
		NL_SET_ERR_MSG(extack, "kind: this module does not have it");
		return -EOPNOTSUPP;
	}
	return ops->check(request, extack);
}

/* The source became hot: let the worker detach it, which may sleep. */
static void fm_source_ask_suspend(struct irq_work *work)
{
	struct fm_source *source = container_of(work, struct fm_source, suspend_work);

	queue_work(source->events->session->wq, &source->events->suspend_work);
}

/**
 * fm_source_create() - allocate a source, not attached.
 * @events: the events that it is of
 * @request: what is asked for, checked
 * @number: its number among the request's sources
 *
 * Context: Process context, may sleep.
 * Return: the source, or NULL without memory.
 */
struct fm_source *fm_source_create(struct fm_events *events,
				   const struct fm_source_request *request,
				   u8 number)
{
	const struct fm_source_ops *ops = fm_source_ops_of(request->kind);
	struct fm_source *source = kzalloc(ops->bytes, GFP_KERNEL);

	if (!source)
		return NULL;
	source->ops = ops;
	source->events = events;
	source->request = *request;
	source->number = number;
	source->event = FLAMEMOD_SOURCE_FIRST + number;
	source->books_at = offsetof(struct fm_event_cpu, books[source->event]);
	source->heat_at = offsetof(struct fm_event_cpu, heat[number]);
	init_irq_work(&source->suspend_work, fm_source_ask_suspend);
	return source;
}

/**
 * fm_source_attach() - let a source's handler be called.
 * @source: the source
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; with events->lock, outside cpus_read_lock().
 * Return: 0 or -errno.
 */
int fm_source_attach(struct fm_source *source, struct netlink_ext_ack *extack)
{
	int err = source->ops->attach(source, extack);

	source->attached = !err;
	return err;
}

/**
 * fm_source_detach() - stop the calls of a source's handler, and wait until no CPU is in it.
 * @source: attached or not
 *
 * Context: As fm_source_attach().
 */
void fm_source_detach(struct fm_source *source)
{
	if (source->attached)
		source->ops->detach(source);
	source->attached = false;
	irq_work_sync(&source->suspend_work);
}

/**
 * fm_source_destroy() - free a source.
 * @source: not attached; or NULL
 *
 * Context: Process context, may sleep.
 */
void fm_source_destroy(struct fm_source *source)
{
	kfree(source);
}

/**
 * fm_source_unit() - return what a source's weights are.
 * @source: the source
 *
 * Context: Any.
 * Return: a text that lives as long as the source.
 */
const char *fm_source_unit(const struct fm_source *source)
{
	return *source->request.unit ? source->request.unit : source->ops->unit;
}

/**
 * fm_source_missed() - return how many hits the kernel could not report.
 * @source: attached, or suspended
 *
 * Context: Any.
 * Return: the number since it was attached.
 */
u64 fm_source_missed(const struct fm_source *source)
{
	return source->ops->missed ? source->ops->missed(source) : 0;
}
