/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A source: where an event comes from.
 *
 * A source asks the kernel to call a handler: at each switch of tasks (switch.c), when a
 * function is called (func.c) or returns (latency.c), when an event of perf happens
 * (perf.c), or when a task is woken up (waking.c). Each kind has its own struct that begins
 * with a struct fm_source, and its operations. All handlers end in hit.h, which stores the
 * hit with its stack.
 *
 * Adding a kind takes a member of enum flamemod_source_kind, a struct fm_source_ops, and
 * its line in source.c.
 *
 * Locking: created, attached, detached and destroyed under events->lock, outside the
 * session's lock, because the kernel takes cpus_read_lock() for it. A handler may run
 * from attach() on, and ignores its hits until events->on. When detach() returns, no CPU
 * is in the handler, and none will be. Members marked "constant" are set before.
 */
#ifndef _FLAMEMOD_SOURCE_H
#define _FLAMEMOD_SOURCE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/types.h>

#include "condition.h"

struct fm_events;
struct fm_source;
struct netlink_ext_ack;

/* What a request asks of one source. */
struct fm_source_request {
	u32 kind;			/* enum flamemod_source_kind */
	char name[FLAMEMOD_EVENT_NAME_BYTES_MAX];
	char unit[FLAMEMOD_UNIT_BYTES_MAX];	/* empty: the kind's */
	char function[FLAMEMOD_FUNCTION_BYTES_MAX];
	struct fm_operand weight;	/* size 0: none */
	struct fm_conditions conditions;
	u64 min_ns;
	u32 perf_type;
	u64 perf_config;
	u64 perf_period;
	u32 record_bytes;
};

/**
 * struct fm_source_ops - what a kind of source does
 * @kind: which
 * @bytes: size of its struct, which begins with a struct fm_source
 * @unit: what its weights are, unless the request says so
 * @check: refuse what the kind cannot do; nothing is allocated yet
 * @attach: let the handler be called, or say why not; 0 or -errno
 * @detach: stop the calls of the handler, and wait until no CPU is in it
 * @missed: how many hits the kernel could not report; or NULL: none
 * @online: a CPU came online while it is attached; or NULL
 * @offline: a CPU will go offline while it is attached; or NULL
 *
 * Context: Process context, may sleep; @check to @missed without the session's lock, but
 * @missed with or without it, attached or not. @online and @offline are called by
 * hotplug callbacks, on that CPU.
 */
struct fm_source_ops {
	u32 kind;
	size_t bytes;
	const char *unit;
	int (*check)(const struct fm_source_request *request,
		     struct netlink_ext_ack *extack);
	int (*attach)(struct fm_source *source, struct netlink_ext_ack *extack);
	void (*detach)(struct fm_source *source);
	u64 (*missed)(const struct fm_source *source);
	int (*online)(struct fm_source *source, unsigned int cpu);
	void (*offline)(struct fm_source *source, unsigned int cpu);
};

struct fm_source {
	/* constant */
	const struct fm_source_ops *ops;
	struct fm_events *events;
	struct fm_source_request request;
	u8 event;			/* its number in records */
	u8 number;			/* among the request's sources */
	u32 books_at, heat_at;		/* in a struct fm_event_cpu, in bytes */

	/* handler */
	bool hot;			/* it is about to be suspended: hits are only counted */
	struct irq_work suspend_work;
	atomic64_t homeless;		/* hits on CPUs without tables */

	/* events->lock */
	bool attached;
	u64 suspended_ns;		/* when it was; 0: never */
};

int fm_source_possible(const struct fm_source_request *request,
		       struct netlink_ext_ack *extack);
struct fm_source *fm_source_create(struct fm_events *events,
				   const struct fm_source_request *request,
				   u8 number);
int fm_source_attach(struct fm_source *source, struct netlink_ext_ack *extack);
void fm_source_detach(struct fm_source *source);
void fm_source_destroy(struct fm_source *source);
const char *fm_source_unit(const struct fm_source *source);
u64 fm_source_missed(const struct fm_source *source);

extern const struct fm_source_ops fm_switches_ops;
extern const struct fm_source_ops fm_func_ops;
extern const struct fm_source_ops fm_latency_ops;
extern const struct fm_source_ops fm_perf_ops;
extern const struct fm_source_ops fm_wakers_ops;

#endif /* _FLAMEMOD_SOURCE_H */
