// SPDX-License-Identifier: GPL-2.0
/*
 * Lets idle CPUs sleep: see idle.h.
 *
 * The tracepoint sched_switch reports when a CPU switches to its idle task, which may
 * start a nap (sampler.h), and when it switches away, which ends the nap. The probe
 * costs something on CPUs that switch very often, so it is registered only while
 * some CPU was recently idle. Registering and unregistering interrupt all CPUs, so it
 * is removed only after FM_IDLE_LOOKS runs of the worker without an idle CPU, or when
 * sampling has stopped. Without this tracepoint all CPUs are sampled all the time.
 */
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "context.h"
#include "idle.h"
#include "session.h"

#ifdef FM_HAVE_SCHED_SWITCH

/* Runs in the scheduler on the switching CPU, interrupts off, with its lock held. */
static void fm_idle_switch(void *data, bool preempt, struct task_struct *prev,
			   fm_compat_switched)
{
	struct fm_session *session = data;

	if (fm_context_idles(next))
		fm_sampler_sleep(session->cpus[smp_processor_id()]);
	else if (fm_context_idles(prev))
		fm_sampler_wake(session->cpus[smp_processor_id()]);
}

/* The tracepoint is not exported, so look for it by name. */
static struct tracepoint *fm_idle_tracepoint;

static void fm_idle_match(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		fm_idle_tracepoint = tracepoint;
}

/* Used by the worker only, and by fm_idle_deinit() after it has ended. */
static bool fm_idle_told;
static unsigned int fm_idle_none;	/* runs in a row that found no CPU idle */

static void fm_idle_allow(struct fm_session *session, bool may_nap)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		/* Pairs with fm_sampler_may_nap(): a CPU naps only with the probe in place. */
		smp_store_release(&session->cpus[cpu]->may_nap, may_nap);
}

static void fm_idle_end_nap(void *data)
{
	struct fm_session *session = data;

	fm_sampler_wake(session->cpus[smp_processor_id()]);
}

static void fm_idle_listen(struct fm_session *session)
{
	/* If this fails for lack of memory, CPUs just do not nap. */
	if (tracepoint_probe_register(fm_idle_tracepoint, fm_idle_switch,
				      session))
		return;
	fm_idle_told = true;
	fm_idle_allow(session, true);
}

static void fm_idle_ignore(struct fm_session *session)
{
	fm_idle_allow(session, false);
	/* End all naps now: without the probe nothing else would. */
	on_each_cpu(fm_idle_end_nap, session, 1);
	tracepoint_probe_unregister(fm_idle_tracepoint, fm_idle_switch, session);
	fm_idle_told = false;
}

static void fm_idle_watch(struct fm_session *session, bool any)
{
	bool running = READ_ONCE(session->state) == FLAMEMOD_STATE_RUNNING;

	fm_idle_none = any ? 0 : fm_idle_none + 1;
	if (any && !fm_idle_told)
		fm_idle_listen(session);
	else if (fm_idle_told && (!running || fm_idle_none >= FM_IDLE_LOOKS))
		fm_idle_ignore(session);
}

/**
 * fm_idle_init() - let idle CPUs sleep from now on.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 */
void fm_idle_init(struct fm_session *session)
{
	for_each_kernel_tracepoint(fm_idle_match, NULL);
	/* Without dynamic ticks CPUs do not sleep for long, and idle time is not known. */
	if (fm_idle_tracepoint && get_cpu_idle_time_us(0, NULL) != -1ULL)
		session->watch_idle = fm_idle_watch;
}

/**
 * fm_idle_deinit() - end all naps and stop listening to the tracepoint.
 * @session: stopped for good
 *
 * Context: Process context, may sleep.
 */
void fm_idle_deinit(struct fm_session *session)
{
	fm_session_lock(session);
	session->watch_idle = NULL;
	fm_session_unlock(session);
	/* A worker that is running may still call it. */
	cancel_delayed_work_sync(&session->drain_work);
	if (fm_idle_told)
		fm_idle_ignore(session);
	tracepoint_synchronize_unregister();
}
#else
void fm_idle_init(struct fm_session *session)
{
}

void fm_idle_deinit(struct fm_session *session)
{
}
#endif
