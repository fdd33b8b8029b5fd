// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that are idle: see idle.h.
 *
 * The tracepoint cpu_idle tells when a CPU goes to sleep and when it wakes up. On
 * a CPU that does so very often this costs more than it saves. So it is listened to
 * only while there is a CPU that was idle of late; and not any more when there was
 * none at FM_IDLE_LOOKS looks of the worker, as it takes interrupts on all CPUs to
 * begin and to end, or when sampling has stopped. On a kernel without tracepoints
 * all CPUs are sampled all the time.
 */
#include <linux/irqflags.h>
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "idle.h"
#include "session.h"

#ifdef CONFIG_TRACEPOINTS
#include <trace/events/power.h>

static void fm_idle_tell(void *data, unsigned int state, unsigned int cpu)
{
	struct fm_session *session = data;
	struct fm_cpu *c = session->cpus[cpu];
	unsigned long flags;

	if (state != PWR_EVENT_EXIT) {
		fm_sampler_sleep(c);
	} else if (READ_ONCE(c->napping)) {
		/* A kernel's idle loop may wake up with interrupts on. */
		local_irq_save(flags);
		fm_sampler_wake(c);
		local_irq_restore(flags);
	}
}

/* The worker's, and once it cannot come any more fm_idle_deinit()'s. */
static bool fm_idle_told;
static unsigned int fm_idle_none;	/* looks in a row that found no CPU idle */

static void fm_idle_allow(struct fm_session *session, bool may_nap)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(session->cpus[cpu]->may_nap, may_nap);
}

static void fm_idle_end_nap(void *data)
{
	struct fm_session *session = data;

	fm_sampler_wake(session->cpus[smp_processor_id()]);
}

static void fm_idle_listen(struct fm_session *session)
{
	/* Without memory for it no CPU naps, and that is all. */
	if (register_trace_cpu_idle(fm_idle_tell, session))
		return;
	fm_idle_told = true;
	fm_idle_allow(session, true);
}

static void fm_idle_ignore(struct fm_session *session)
{
	fm_idle_allow(session, false);
	/* Who would end them, from here on? */
	on_each_cpu(fm_idle_end_nap, session, 1);
	unregister_trace_cpu_idle(fm_idle_tell, session);
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
 * fm_idle_init() - leave idle CPUs asleep from now on.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 */
void fm_idle_init(struct fm_session *session)
{
	/* Without dynamic ticks a CPU does not sleep for long, nor is it known. */
	if (get_cpu_idle_time_us(0, NULL) != -1ULL)
		session->watch_idle = fm_idle_watch;
}

/**
 * fm_idle_deinit() - nobody tells any more when a CPU wakes up.
 * @session: stopped for good
 *
 * Context: Process context, may sleep.
 */
void fm_idle_deinit(struct fm_session *session)
{
	fm_session_lock(session);
	session->watch_idle = NULL;
	fm_session_unlock(session);
	/* It may still be told by a worker that comes from there. */
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
