// SPDX-License-Identifier: GPL-2.0
/*
 * Handles CPUs that come and go: see hotplug.h.
 *
 * A CPU that comes online while sampling runs is sampled, too, if the settings select
 * it and there is memory for it. A CPU's timer is stopped before it goes offline.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/container_of.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "events.h"
#include "hotplug.h"
#include "session.h"

/* There is one session, and hotplug callbacks get no argument. */
static struct fm_session *fm_hotplug_session;
static int fm_hotplug_state;

/* Runs in interrupt context: the timer callback queues it as irq_work. */
static void fm_hotplug_ask_drain(struct irq_work *work)
{
	struct fm_session *session = fm_hotplug_session;

	mod_delayed_work(session->wq, &session->drain_work, 0);
}

static void fm_hotplug_online_events(struct fm_events *events, unsigned int cpu)
{
	if (events->attached && fm_events_equip(events, cpu, events->request.user_stacks))
		pr_warn("CPU %u: no memory for its tables of events, see cpu_kb\n", cpu);
	fm_events_cpu_online(events, cpu);
}

static int fm_hotplug_online(unsigned int cpu)
{
	struct fm_session *session = fm_hotplug_session;
	struct fm_events *events = NULL;

	mutex_lock(&session->lock);
	if (session->state == FLAMEMOD_STATE_RUNNING &&
	    fm_session_samples(session, session->settings, cpu)) {
		/* A failure here is no reason to keep the CPU offline. */
		if (fm_session_equip(session, session->settings, cpu))
			pr_warn("CPU %u is not sampled: no memory for its tables, see cpu_kb\n",
				cpu);
		else
			fm_session_arm(session, session->cpus[cpu]);
	}
	while ((events = fm_events_next(session, events)))
		fm_hotplug_online_events(events, cpu);
	mutex_unlock(&session->lock);
	return 0;
}

static int fm_hotplug_offline(unsigned int cpu)
{
	struct fm_session *session = fm_hotplug_session;
	struct fm_events *events = NULL;

	mutex_lock(&session->lock);
	fm_session_disarm(session, session->cpus[cpu]);
	while ((events = fm_events_next(session, events)))
		fm_events_cpu_offline(events, cpu);
	mutex_unlock(&session->lock);
	return 0;
}

/**
 * fm_hotplug_init() - start to handle CPUs that come and go.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno.
 */
int fm_hotplug_init(struct fm_session *session)
{
	int state;

	fm_hotplug_session = session;
	session->ask_drain = fm_hotplug_ask_drain;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "flamemod:online",
				  fm_hotplug_online, fm_hotplug_offline);
	if (state < 0)
		return state;
	fm_hotplug_state = state;
	return 0;
}

/**
 * fm_hotplug_deinit() - stop handling CPUs that come and go, and stop sampling.
 * @session: the session of fm_hotplug_init()
 *
 * Context: Process context, may sleep.
 */
void fm_hotplug_deinit(struct fm_session *session)
{
	cpuhp_remove_state(fm_hotplug_state);
}
