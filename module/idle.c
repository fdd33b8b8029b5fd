// SPDX-License-Identifier: GPL-2.0
/*
 * Lets idle CPUs sleep: see idle.h.
 *
 * The tracepoint sched_switch reports when a CPU switches to its idle task, which may
 * start a nap (nap.h), and when it switches away, which ends the nap. Registering
 * and unregistering a probe patches the kernel's text, which interrupts all CPUs, also
 * those that are not sampled. So the probe stays registered for as long as sampling
 * runs, and nothing is patched in between. Without this tracepoint, or an account of
 * idle time alone, all CPUs are sampled all the time.
 *
 * Locking: fm_idle_lock serialises registering and unregistering. It is taken
 * outside the session's lock, because registering takes cpus_read_lock().
 */
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/tick.h>

#include "compat/compat.h"
#include "context.h"
#include "guard.h"
#include "idle.h"
#include "nap.h"
#include "session.h"
#include "tracepoints.h"

#ifdef FM_HAVE_SCHED_SWITCH

/*
 * A switch that may start or end a nap. This takes the arguments of the probe, so that
 * the probe need not move any before it knows whether it calls this.
 */
static noinline __noclone void fm_idle_attend(void *data, bool preempt,
					      struct task_struct *prev,
					      struct task_struct *next)
{
	struct fm_session *session = data;
	bool guards = fm_guard_enter();

	if (fm_context_idles(next))
		fm_nap_sleep(session->cpus[smp_processor_id()]);
	else if (fm_context_idles(prev))
		fm_nap_wake(session->cpus[smp_processor_id()]);
	if (guards)
		fm_guard_leave();
}

/*
 * Runs in the scheduler on the switching CPU, interrupts off, with its lock held; at
 * every switch of tasks, so the common case is one test. See nap.h.
 */
static notrace void fm_idle_switch(void *data, bool preempt,
				   struct task_struct *prev, fm_compat_switched)
{
	if (unlikely(this_cpu_read(fm_nap_attends)))
		fm_idle_attend(data, preempt, prev, next);
}

static struct tracepoint *fm_idle_tracepoint;

static DEFINE_MUTEX(fm_idle_lock);
static bool fm_idle_listens;		/* the probe is registered */

static void fm_idle_allow(struct fm_session *session, bool may_nap)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		/* Pairs with fm_nap_may_start(): a CPU naps only with the probe in place. */
		smp_store_release(&session->cpus[cpu]->may_nap, may_nap);
}

/* Forbid naps unless sampling runs. A stop has ended them all. Return: does it run? */
static bool fm_idle_runs(struct fm_session *session)
{
	bool runs;

	fm_session_lock(session);
	runs = session->state == FLAMEMOD_STATE_RUNNING;
	if (!runs)
		fm_idle_allow(session, false);
	fm_session_unlock(session);
	return runs;
}

static void fm_idle_listen(struct fm_session *session)
{
	/* If this fails for lack of memory, CPUs just do not nap. */
	if (tracepoint_probe_register(fm_idle_tracepoint, fm_idle_switch,
				      session))
		return;
	fm_idle_listens = true;
	fm_idle_allow(session, true);
}

static void fm_idle_ignore(struct fm_session *session)
{
	tracepoint_probe_unregister(fm_idle_tracepoint, fm_idle_switch, session);
	fm_idle_listens = false;
}

/*
 * Register the probe if sampling runs, or unregister it. This is called after every
 * start and stop, so the last of several concurrent calls sees the last change.
 */
static void fm_idle_watch(struct fm_session *session)
{
	bool runs;

	mutex_lock(&fm_idle_lock);
	runs = fm_idle_runs(session);
	if (runs && !fm_idle_listens)
		fm_idle_listen(session);
	else if (!runs && fm_idle_listens)
		fm_idle_ignore(session);
	mutex_unlock(&fm_idle_lock);
}

/*
 * Does the kernel keep an account of idle time without that of interrupts? Without dynamic
 * ticks it keeps none, and no CPU sleeps for long.
 */
static bool fm_idle_is_known(void)
{
	return !FM_COMPAT_IDLE_DYNTICK && get_cpu_idle_time_us(0, NULL) != -1ULL;
}

/**
 * fm_idle_init() - let idle CPUs sleep from now on, if their idle time is known.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 */
void fm_idle_init(struct fm_session *session)
{
	fm_idle_tracepoint = fm_tracepoint_find("sched_switch");
	if (fm_idle_tracepoint && fm_idle_is_known())
		session->watch_idle = fm_idle_watch;
}

/**
 * fm_idle_deinit() - stop listening to the tracepoint.
 * @session: stopped for good
 *
 * Context: Process context, may sleep.
 */
void fm_idle_deinit(struct fm_session *session)
{
	fm_session_watch(session);
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
