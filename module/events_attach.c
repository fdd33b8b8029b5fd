// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches and detaches the events of a client: see events.h. events_clients.c finds the
 * client of a socket.
 *
 * Attaching has two phases. The sources are attached first, outside the session's lock,
 * and their handlers ignore all hits. Then, under that lock, all tasks get their slots, and
 * the handlers start to count. So a task that does not switch for a long time has a slot as
 * well. Until its first switch it is not known whether it was on or off its CPU, and that
 * switch tells. Readers do not find the events before they begin: see fm_events_begun().
 *
 * Detaching is the reverse: the handlers stop to count, the sources are detached, and
 * only when no CPU can be in a handler any more is what they use given back.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/netlink.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "aggregate.h"
#include "drain.h"
#include "events.h"
#include "reason.h"
#include "session.h"
#include "switch.h"
#include "user/walk.h"

/* What is asked of the source of enum flamemod_event. */
static const struct fm_source_request fm_events_switches = {
	.kind = FLAMEMOD_SOURCE_KIND_SWITCHES,
};

/**
 * fm_events_check_request() - check that a request asks for what can be attached.
 * @request: what to attach
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EINVAL, or -EOPNOTSUPP where the kernel lacks what is asked for.
 */
int fm_events_check_request(const struct fm_attach *request, struct netlink_ext_ack *extack)
{
	int err = 0;
	u32 i;

	if (!(request->events || request->nr_sources) ||
	    request->events & ~FM_EVENTS_ALL) {
		NL_SET_ERR_MSG(extack,
			       "events: must be bits of off-cpu, waiting and ran, or there must be a source");
		return -EINVAL;
	}
	if (request->user_stacks && !fm_user_stacks_exist()) {
		NL_SET_ERR_MSG(extack,
			       "user-stacks: not on this machine: they need arm64, or x86-64 with a local APIC");
		return -EOPNOTSUPP;
	}
	if (request->followed && request->nr_pids) {
		NL_SET_ERR_MSG(extack, "attach: give pids or followed, not both");
		return -EINVAL;
	}
	if (request->events)
		err = fm_source_possible(&fm_events_switches, extack);
	for (i = 0; i < request->nr_sources && !err; i++)
		err = fm_source_possible(&request->sources[i], extack);
	if (err)
		return err;
	if (request->events & FM_EVENT(WAITING) && !fm_switch_accounts_wait()) {
		NL_SET_ERR_MSG(extack,
			       "waiting: this kernel does not account the wait for a CPU (CONFIG_SCHED_INFO, or delayacct at boot): attach without it");
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Locked. Forget what a CPU counted before. */
static void fm_events_clear_cpu(struct fm_event_cpu *c)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(c->tables); i++) {
		c->tables[i].paths = &c->tables[i].own;
		fm_table_clear(&c->tables[i]);
	}
	c->sample.paths = c->table->paths;
	c->nr_pending = 0;
	c->drain_asked = false;
	c->renew = false;
	/* No stack refers to them any more. */
	if (c->maps)
		fm_copies_release(c->maps->copies, c->maps->copies->next);
	memset(c->outside, 0, sizeof(c->outside));
	memset(c->heat, 0, sizeof(c->heat));
	memset(c->books, 0, sizeof(c->books));
	memset(c->swapped, 0, sizeof(c->swapped));
	memset(c->refused, 0, sizeof(c->refused));
}

static int fm_events_equip_all(struct fm_events *events, bool user_stacks)
{
	unsigned int cpu;

	/* Also those that are offline now, so that nothing is added to tables in use. */
	for_each_possible_cpu(cpu)
		if ((cpu_online(cpu) || events->cpus[cpu]) &&
		    fm_events_equip(events, cpu, user_stacks))
			return -ENOMEM;
	return 0;
}

/* Locked. */
static void fm_events_free_sources(struct fm_events *events)
{
	u32 i;

	fm_source_destroy(events->switches);
	events->switches = NULL;
	for (i = 0; i < events->nr_sources; i++)
		fm_source_destroy(events->sources[i]);
	events->nr_sources = 0;
}

/* Return: whether a request names a source of wakers, which needs slots as well. */
static bool fm_events_wakes(const struct fm_attach *request)
{
	u32 i;

	for (i = 0; i < request->nr_sources; i++)
		if (request->sources[i].kind == FLAMEMOD_SOURCE_KIND_WAKERS)
			return true;
	return false;
}

/* Locked. Return: 0, or -ENOMEM with some of them allocated. */
static int fm_events_alloc_sources(struct fm_events *events,
				   const struct fm_attach *request)
{
	u32 i;

	if (request->events || events->wakers) {
		events->switches = fm_source_create(events, &fm_events_switches, 0);
		if (!events->switches)
			return -ENOMEM;
	}
	for (i = 0; i < request->nr_sources; i++) {
		events->sources[i] = fm_source_create(events, &request->sources[i], i);
		if (!events->sources[i])
			return -ENOMEM;
		events->nr_sources++;
	}
	return 0;
}

/* Locked. Free what only attached events have. */
static void fm_events_free(struct fm_events *events)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (events->cpus[cpu])
			fm_events_clear_cpu(events->cpus[cpu]);
	if (events->aggregate)
		fm_aggregate_put(events->aggregate);
	events->aggregate = NULL;
	fm_events_free_sources(events);
	fm_pool_deinit(&events->tasks);
	kfree(events->sample);
	events->sample = NULL;
}

/* Locked. Allocate what events of tasks need. Return: 0 or -ENOMEM. */
static int fm_events_alloc_tasks(struct fm_events *events)
{
	u32 bits;

	if (events->slots_bytes < 2 * sizeof(struct fm_slot_set))
		return -ENOMEM;
	bits = ilog2(events->slots_bytes / sizeof(struct fm_slot_set));
	events->sample = kzalloc(sizeof(*events->sample), GFP_KERNEL);
	if (!events->sample || fm_slots_init(&events->slots, bits))
		return -ENOMEM;
	return fm_pool_init_fixed(&events->tasks, &events->memory,
				  sizeof(struct task_struct *),
				  BIT(bits) * FM_SLOT_WAYS);
}

/* Locked. Return: 0, or -ENOMEM with nothing allocated but tables. */
static int fm_events_alloc(struct fm_events *events, const struct fm_attach *request)
{
	if (request->user_stacks && fm_session_equip_objects(events->session))
		return -ENOMEM;
	events->wakers = fm_events_wakes(request);
	if (fm_events_alloc_sources(events, request) ||
	    fm_events_equip_all(events, request->user_stacks) ||
	    (events->switches && fm_events_alloc_tasks(events)))
		goto free;
	events->aggregate = fm_aggregate_create(&events->memory);
	if (events->aggregate)
		return 0;
free:
	fm_events_free(events);
	return -ENOMEM;
}

/**
 * fm_events_prepare() - allocate all, and set what the handler reads.
 * @events: not attached
 * @request: what to attach
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; with events->lock.
 * Return: 0, -EINVAL or -ENOMEM; nothing has changed on an error.
 */
int fm_events_prepare(struct fm_events *events, const struct fm_attach *request,
		      struct netlink_ext_ack *extack)
{
	struct fm_session *session = events->session;
	int err = 0;

	fm_session_lock(session);
	if (request->followed && !session->follow) {
		NL_SET_ERR_MSG(extack, "followed: no process is followed: see follow");
		err = -EINVAL;
	} else if (fm_events_alloc(events, request)) {
		NL_SET_ERR_MSG(extack,
			       "no memory for events: load with a larger events_kb or a smaller cpu_kb");
		err = -ENOMEM;
	}
	if (!err) {
		events->request = *request;
		events->request.sources = NULL;
		events->numbers = request->events |
			(BIT(request->nr_sources) - 1) << FLAMEMOD_SOURCE_FIRST;
		events->selects = request->nr_pids || request->followed;
		events->follow = request->followed ? session->follow : NULL;
		events->max_depth = session->settings->max_depth;
		events->learns = fm_stack_learns(session->limits.take_stack);
		events->places = session->settings->user_places;
		memset(events->sides, 0, sizeof(events->sides));
		events->broken = false;
		events->begin_ns = 0;
		events->instant_ns = 0;
		memset(events->cut, 0, sizeof(events->cut));
		events->epoch = ++session->events_epoch;
		WRITE_ONCE(events->pid, task_tgid_nr(current));
		events->attached = true;
	}
	fm_session_unlock(session);
	return err;
}

/* Give a task its slot. If the set is full, that is remembered there. */
static void fm_events_fill_task(struct fm_events *events, struct task_struct *task)
{
	struct fm_slot *slot;
	bool unseen;

	slot = fm_slots_claim(&events->slots, task, &unseen);
	if (!slot)
		return;
	slot->state = fm_switch_state(false, fm_compat_task_state(task));
	/* It runs, or waits to: that it was preempted is not known. */
	if (slot->state == FLAMEMOD_TASK_STATE_PREEMPTED)
		slot->state = FLAMEMOD_TASK_STATE_OTHER;
	slot->run_delay = fm_switch_run_delay(task);
	WRITE_ONCE(slot->since, FM_SINCE_UNSEEN);
}

/*
 * Locked. Give all tasks their slots, before anything is counted. A task that has ended gets
 * none: it may have left its CPU for good, and nobody would free its slot. If a task ends
 * while this runs, its slot stays in use until events are attached anew.
 */
static void fm_events_fill(struct fm_events *events)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task)
		if (!READ_ONCE(task->exit_state) && fm_switch_wants(events, task))
			fm_events_fill_task(events, task);
	rcu_read_unlock();
}

/* Give tasks their slots, and count from now on. */
static void fm_events_begin(struct fm_events *events)
{
	struct fm_session *session = events->session;

	fm_session_lock(session);
	if (events->switches)
		fm_events_fill(events);
	events->begin_ns = ktime_get_mono_fast_ns();
	/* Pairs with fm_switch_probe(): it finds all of the above. */
	smp_store_release(&events->on, true);
	queue_delayed_work(session->wq, &session->drain_work, FM_DRAIN_INTERVAL);
	fm_session_unlock(session);
}

/* Wait for the interrupts that a CPU's handlers asked for. */
static void fm_events_sync(struct fm_event_cpu *c)
{
	irq_work_sync(&c->user_work);
	irq_work_sync(&c->drain_work);
}

/**
 * fm_events_stop() - detach all sources, and forget what was counted.
 * @events: attached, or only prepared
 *
 * Context: Process context, may sleep; with events->lock.
 */
void fm_events_stop(struct fm_events *events)
{
	struct fm_session *session = events->session;
	unsigned int cpu;
	u32 i;

	fm_session_lock(session);
	WRITE_ONCE(events->on, false);
	fm_session_unlock(session);
	if (events->switches)
		fm_source_detach(events->switches);
	for (i = 0; i < events->nr_sources; i++)
		fm_source_detach(events->sources[i]);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (READ_ONCE(events->cpus[cpu]))
			fm_events_sync(events->cpus[cpu]);
	fm_session_lock(session);
	events->attached = false;
	events->follow = NULL;
	fm_events_free(events);
	fm_session_unlock(session);
	fm_claim_set(&events->claim, 0);
}

/* With events->lock. Attach all sources; their handlers ignore their hits. */
static int fm_events_attach_sources(struct fm_events *events,
				    struct netlink_ext_ack *extack)
{
	int err = 0;
	u32 i;

	if (events->switches)
		err = fm_source_attach(events->switches, extack);
	for (i = 0; i < events->nr_sources && !err; i++)
		err = fm_source_attach(events->sources[i], extack);
	return err;
}

/**
 * fm_events_suspend_work() - detach the sources that take too much of a CPU.
 * @work: the events'
 *
 * Context: Process context, may sleep.
 */
void fm_events_suspend_work(struct work_struct *work)
{
	struct fm_events *events = container_of(work, struct fm_events, suspend_work);
	u32 i;

	mutex_lock(&events->lock);
	for (i = 0; i < events->nr_sources; i++) {
		struct fm_source *source = events->sources[i];

		if (!source->attached || !READ_ONCE(source->hot))
			continue;
		WRITE_ONCE(source->suspended_ns, ktime_get_ns());
		fm_source_detach(source);
		pr_notice("%.*s is suspended: its hits take more than a quarter of a CPU\n",
			  (int)sizeof(source->request.name), source->request.name);
	}
	mutex_unlock(&events->lock);
}

/**
 * fm_events_start() - attach a client's events, and count from now on.
 * @events: not attached, claimed for the socket that they end with
 * @request: which events and sources, and of which tasks; checked
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; with events->lock.
 * Return: 0; what the kernel says of a function; -EINVAL, -ENOMEM. Nothing has changed
 * on an error.
 */
int fm_events_start(struct fm_events *events, const struct fm_attach *request,
		    struct netlink_ext_ack *extack)
{
	int err = fm_events_prepare(events, request, extack);

	if (err)
		return err;
	err = fm_events_attach_sources(events, extack);
	if (err) {
		fm_events_stop(events);
		return err;
	}
	fm_events_begin(events);
	return 0;
}
