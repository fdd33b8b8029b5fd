// SPDX-License-Identifier: GPL-2.0
/*
 * Creates and destroys a session: see session.h.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "drain.h"
#include "events.h"
#include "follow.h"
#include "session.h"

/**
 * fm_session_create() - create a stopped session without samples.
 * @limits: memory and the way stacks are taken
 * @hz: samples per second and CPU, 1..FLAMEMOD_HZ_MAX
 * @max_depth: frames kept of a stack, 1..FLAMEMOD_MAX_DEPTH_MAX
 *
 * Context: Process context, may sleep.
 * Return: the session, or NULL when memory is short.
 */
struct fm_session *fm_session_create(const struct fm_limits *limits, u32 hz,
				     u32 max_depth)
{
	size_t readers = limits->aggregate_bytes / FM_READERS_SHARE;
	struct fm_session *session;
	unsigned int i;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return NULL;
	mutex_init(&session->lock);
	mutex_init(&session->places_lock);
	INIT_DELAYED_WORK(&session->drain_work, fm_drain_work);
	INIT_WORK(&session->undo_work, fm_session_undo_work);
	session->limits = *limits;
	session->period_ns = NSEC_PER_SEC / hz;
	session->epoch = 1;
	session->since_ns = ktime_get_ns();
	fm_memory_init(&session->memory, limits->aggregate_bytes - readers);
	fm_memory_init(&session->readers, readers);
	fm_kept_init(session);
	session->cpus = kcalloc(nr_cpu_ids, sizeof(*session->cpus),
				GFP_KERNEL);
	session->settings = kzalloc(sizeof(*session->settings), GFP_KERNEL);
	session->aggregate = fm_aggregate_create(&session->memory);
	session->spare_bytes = fm_memory_used(&session->memory);
	session->spare = fm_aggregate_create(&session->memory);
	/* If drains waited for other work, tables would fill up meanwhile. */
	session->wq = alloc_workqueue("flamemod", WQ_UNBOUND | WQ_HIGHPRI, 0);
	if (fm_owner_init(&session->owner))
		goto destroy;
	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++)
		if (fm_events_create(session, i, limits->events_bytes,
				     fm_events_suspend_work))
			goto destroy;
	if (!session->cpus || !session->settings || !session->aggregate ||
	    !session->spare || !session->wq || fm_symbols_init(&session->symbols, &session->memory))
		goto destroy;
	session->settings->hz = hz;
	session->settings->max_depth = max_depth;
	session->settings->usual_cpus = true;
	fm_session_find_isolated(session);
	for_each_possible_cpu(i) {
		session->cpus[i] = kzalloc_node(sizeof(*session->cpus[i]),
						GFP_KERNEL, cpu_to_node(i));
		if (!session->cpus[i])
			goto destroy;
	}
	return session;

destroy:
	fm_session_destroy(session);
	return NULL;
}

/**
 * fm_session_destroy() - free a session.
 * @session: stopped, without events, and out of reach of readers, hotplug and modules
 *
 * Context: Process context, may sleep.
 */
void fm_session_destroy(struct fm_session *session)
{
	struct fm_cpu *c = NULL;
	unsigned int i;

	/* Timers queue drains, and drains read tables, so end them in this order. */
	while ((c = fm_session_next_cpu(session, c)))
		fm_sampler_quiesce(c);
	cancel_work_sync(&session->undo_work);
	cancel_delayed_work_sync(&session->drain_work);
	fm_kept_deinit(session);
	if (session->wq)
		destroy_workqueue(session->wq);
	for (i = 0; i < FLAMEMOD_EVENT_CLIENTS_MAX; i++)
		fm_events_destroy(session->events[i]);
	for (i = 0; session->cpus && i < nr_cpu_ids; i++) {
		if (session->cpus[i])
			fm_sampler_deinit(session->cpus[i]);
		kfree(session->cpus[i]);
	}
	if (session->objects)
		fm_objects_destroy(session->objects);
	fm_follow_destroy(session->follow);
	fm_symbols_deinit(&session->symbols);
	fm_pool_deinit(&session->drained.callees);
	if (session->aggregate)
		fm_aggregate_put(session->aggregate);
	if (session->spare)
		fm_aggregate_put(session->spare);
	fm_owner_deinit(&session->owner);
	kfree(session->settings);
	kfree(session->cpus);
	mutex_destroy(&session->places_lock);
	mutex_destroy(&session->lock);
	kfree(session);
}
