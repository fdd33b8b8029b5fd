// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches and detaches events of tasks: see events.h.
 *
 * Attaching has two phases. The probe is registered first, outside the session's lock,
 * and ignores all switches; then all tasks get their slots, and the handler starts to
 * count. So a task that does not switch for a long time has a slot as well. Until its
 * first switch it is not known whether it was on or off its CPU, and that switch tells.
 *
 * Detaching is the reverse: the handler stops to count, the probe is unregistered, and
 * only when no CPU can be in it any more is what it uses given back.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/netlink.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "aggregate.h"
#include "drain.h"
#include "events.h"
#include "session.h"
#include "stack.h"
#include "switch.h"

static int fm_events_check(const struct fm_session *session,
			   const struct fm_source *source,
			   struct netlink_ext_ack *extack)
{
	if (!(source->events & FM_EVENTS_ALL) || source->events & ~FM_EVENTS_ALL) {
		NL_SET_ERR_MSG(extack, "events: must be bits of off-cpu, waiting and ran");
		return -EINVAL;
	}
	if (source->followed && source->nr_pids) {
		NL_SET_ERR_MSG(extack, "source: either pids or followed");
		return -EINVAL;
	}
	if (!fm_switch_exists()) {
		NL_SET_ERR_MSG(extack,
			       "off-cpu: this kernel has no tracepoint sched_switch");
		return -EOPNOTSUPP;
	}
	if (!fm_stack_has_tasks()) {
		NL_SET_ERR_MSG(extack,
			       "off-cpu: not on this architecture: it needs x86-64 or arm64");
		return -EOPNOTSUPP;
	}
	if (source->events & FM_EVENT(WAITING) && !fm_switch_accounts_wait()) {
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
	c->sample.paths = c->tables[c->table].paths;
	c->drain_asked = false;
	c->renew = false;
	c->busy = false;
	memset(c->books, 0, sizeof(c->books));
	memset(c->swapped, 0, sizeof(c->swapped));
	memset(c->refused, 0, sizeof(c->refused));
}

static int fm_events_equip_all(struct fm_events *events)
{
	unsigned int cpu;

	for_each_online_cpu(cpu)
		if (fm_events_equip(events, cpu))
			return -ENOMEM;
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
	fm_pool_deinit(&events->tasks);
	kfree(events->sample);
	events->sample = NULL;
}

/* Locked. Return: 0, or -ENOMEM with nothing allocated but tables. */
static int fm_events_alloc(struct fm_events *events)
{
	struct fm_memory *memory = &events->memory;
	u32 bits;

	if (events->slots_bytes < 2 * sizeof(struct fm_slot_set))
		return -ENOMEM;
	bits = ilog2(events->slots_bytes / sizeof(struct fm_slot_set));
	events->sample = kzalloc(sizeof(*events->sample), GFP_KERNEL);
	if (!events->sample || fm_events_equip_all(events) ||
	    fm_slots_init(&events->slots, bits) ||
	    fm_pool_init_fixed(&events->tasks, memory, sizeof(struct task_struct *),
			       BIT(bits) * FM_SLOT_WAYS))
		goto free;
	events->aggregate = fm_aggregate_create(memory);
	if (events->aggregate)
		return 0;
free:
	fm_events_free(events);
	return -ENOMEM;
}

/**
 * fm_events_prepare() - allocate all, and set what the handler reads.
 * @session: the session, with nothing attached
 * @source: what to attach
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep; with events->lock.
 * Return: 0, -EINVAL or -ENOMEM; nothing has changed on an error.
 */
int fm_events_prepare(struct fm_session *session, const struct fm_source *source,
		      struct netlink_ext_ack *extack)
{
	struct fm_events *events = session->events;
	int err = 0;

	fm_session_lock(session);
	if (source->followed && !session->follow) {
		NL_SET_ERR_MSG(extack, "followed: no process is followed: see follow");
		err = -EINVAL;
	} else if (fm_events_alloc(events)) {
		NL_SET_ERR_MSG(extack,
			       "no memory for events: load with a larger events_kb or a smaller cpu_kb");
		err = -ENOMEM;
	}
	if (!err) {
		events->source = *source;
		events->selects = source->nr_pids || source->followed;
		events->follow = source->followed ? session->follow : NULL;
		events->max_depth = session->settings->max_depth;
		events->learns = fm_stack_learns(session->limits.take_stack);
		events->broken = false;
		events->instant_ns = 0;
		memset(events->cut, 0, sizeof(events->cut));
		events->epoch++;
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
 * Give all tasks their slots, before anything is counted. A task that ends, and may
 * have left its CPU for good, would leave its slot to another one.
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

/* Count from now on. */
static void fm_events_begin(struct fm_session *session)
{
	struct fm_events *events = session->events;

	fm_session_lock(session);
	events->begin_ns = ktime_get_mono_fast_ns();
	/* Pairs with fm_switch_probe(): it finds all of the above. */
	smp_store_release(&events->on, true);
	queue_delayed_work(session->wq, &session->drain_work, FM_DRAIN_INTERVAL);
	fm_session_unlock(session);
}

/* With events->lock. Undo fm_events_prepare(). */
static void fm_events_end_attached(struct fm_session *session)
{
	struct fm_events *events = session->events;
	unsigned int cpu;

	WRITE_ONCE(events->on, false);
	if (events->listens)
		fm_switch_ignore(events);
	events->listens = false;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (READ_ONCE(events->cpus[cpu]))
			irq_work_sync(&events->cpus[cpu]->drain_work);
	fm_session_lock(session);
	events->attached = false;
	events->follow = NULL;
	fm_events_free(events);
	fm_session_unlock(session);
	fm_claim_set(&events->claim, 0);
}

/**
 * fm_events_attach() - count events of tasks from now on.
 * @session: the session, sampling or not
 * @source: which events, and of which tasks
 * @port: the socket that they end with; 0: not before fm_events_end()
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0; -EBUSY if another socket has events attached; -EOPNOTSUPP where the
 * kernel lacks what they need; -EINVAL, -ENOMEM. Nothing has changed on an error.
 */
int fm_events_attach(struct fm_session *session, const struct fm_source *source,
		     u32 port, struct netlink_ext_ack *extack)
{
	struct fm_events *events = session->events;
	int err = fm_events_check(session, source, extack);

	if (err)
		return err;
	mutex_lock(&events->lock);
	if (events->attached && fm_claim_is_closed(&events->claim))
		fm_events_end_attached(session);
	if (events->attached) {
		NL_SET_ERR_MSG(extack,
			       "attach: another program has events attached, one at a time: wait for it to end");
		err = -EBUSY;
		goto unlock;
	}
	err = fm_events_prepare(session, source, extack);
	if (err)
		goto unlock;
	err = fm_switch_listen(events);
	if (err) {
		NL_SET_ERR_MSG(extack, "attach: the kernel refused to report switches of tasks");
		fm_events_end_attached(session);
		goto unlock;
	}
	events->listens = true;
	fm_claim_set(&events->claim, port);
	fm_events_fill(events);
	fm_events_begin(session);
unlock:
	mutex_unlock(&events->lock);
	return err;
}

/**
 * fm_events_detach() - end what a socket has attached.
 * @session: the session
 * @port: the socket
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, or -ENOENT if it has nothing attached.
 */
int fm_events_detach(struct fm_session *session, u32 port,
		     struct netlink_ext_ack *extack)
{
	struct fm_events *events = session->events;
	int err = 0;

	mutex_lock(&events->lock);
	if (events->attached && fm_claim_is(&events->claim, port)) {
		fm_events_end_attached(session);
	} else {
		NL_SET_ERR_MSG(extack, "detach: this socket has no events attached");
		err = -ENOENT;
	}
	mutex_unlock(&events->lock);
	return err;
}

/**
 * fm_events_close() - end what a socket had attached that was closed, if one was.
 * @session: the session
 *
 * Context: Process context, may sleep.
 */
void fm_events_close(struct fm_session *session)
{
	struct fm_events *events = session->events;

	mutex_lock(&events->lock);
	if (events->attached && fm_claim_is_closed(&events->claim))
		fm_events_end_attached(session);
	mutex_unlock(&events->lock);
}

/**
 * fm_events_end() - end all events, whoever attached them.
 * @session: the session, out of reach of requests
 *
 * Context: Process context, may sleep.
 */
void fm_events_end(struct fm_session *session)
{
	struct fm_events *events = session->events;

	mutex_lock(&events->lock);
	if (events->attached)
		fm_events_end_attached(session);
	mutex_unlock(&events->lock);
}
