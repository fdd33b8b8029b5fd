// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that come and go: see hotplug.h.
 *
 * A CPU gets its memory when it first comes online, and keeps it and its
 * books until unload. Its timer is gone before the CPU is.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/container_of.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "hotplug.h"
#include "session.h"

/* There is one session, and hotplug callbacks get no argument. */
static struct fm_session *fm_hotplug_session;
static int fm_hotplug_state;

/* In interrupt context, from the timer callback by way of irq_work. */
static void fm_hotplug_ask_drain(struct irq_work *work)
{
	struct fm_session *session = fm_hotplug_session;

	mod_delayed_work(session->wq, &session->drain_work, 0);
}

static int fm_hotplug_online(unsigned int cpu)
{
	struct fm_session *session = fm_hotplug_session;
	struct fm_cpu *c = session->cpus[cpu];
	size_t steps_bytes = fm_session_steps_bytes(session);
	int err;

	mutex_lock(&session->lock);
	err = fm_learned_init(&c->learned, steps_bytes, cpu_to_node(cpu)) ?:
	      fm_sampler_init(c, cpu, session->limits.cpu_bytes - steps_bytes,
			      fm_hotplug_ask_drain);
	if (err) {
		fm_sampler_deinit(c);
		/* Not worth refusing the CPU once the machine is running. */
		if (!session->loading) {
			pr_warn("CPU %u is not sampled: no memory\n", cpu);
			err = 0;
		}
		goto unlock;
	}
	if (!c->ticks.period_ns)
		fm_sampler_set_period(c, session->period_ns);
	if (session->state == FLAMEMOD_STATE_RUNNING)
		fm_session_arm(session, c);
unlock:
	mutex_unlock(&session->lock);
	return err;
}

static int fm_hotplug_offline(unsigned int cpu)
{
	struct fm_session *session = fm_hotplug_session;

	mutex_lock(&session->lock);
	fm_session_disarm(session, session->cpus[cpu]);
	mutex_unlock(&session->lock);
	return 0;
}

/**
 * fm_hotplug_init() - give every online CPU its sampler, and watch for more.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno.
 */
int fm_hotplug_init(struct fm_session *session)
{
	int state;

	fm_hotplug_session = session;
	session->loading = true;
	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "flamemod:online",
				  fm_hotplug_online, fm_hotplug_offline);
	session->loading = false;
	if (state < 0)
		return state;
	fm_hotplug_state = state;
	return 0;
}

/**
 * fm_hotplug_deinit() - stop watching, and sampling.
 * @session: the session of fm_hotplug_init()
 *
 * Context: Process context, may sleep.
 */
void fm_hotplug_deinit(struct fm_session *session)
{
	cpuhp_remove_state(fm_hotplug_state);
}
