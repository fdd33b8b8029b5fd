// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that are idle: see idle.h.
 *
 * The tracepoint cpu_idle tells when a CPU goes to sleep and when it wakes up.
 * On a kernel without tracepoints all CPUs are sampled all the time.
 */
#include <linux/irqflags.h>
#include <linux/tick.h>
#include <linux/tracepoint.h>

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

static bool fm_idle_told;

static void fm_idle_allow(struct fm_session *session, bool may_nap)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		session->cpus[cpu]->may_nap = may_nap;
}

/**
 * fm_idle_init() - leave idle CPUs asleep from now on.
 * @session: stopped; the only one
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno.
 */
int fm_idle_init(struct fm_session *session)
{
	int err;

	/* Without dynamic ticks a CPU does not sleep for long, nor is it known. */
	if (get_cpu_idle_time_us(0, NULL) == -1ULL)
		return 0;
	err = register_trace_cpu_idle(fm_idle_tell, session);
	if (err)
		return err;
	fm_idle_told = true;
	fm_idle_allow(session, true);
	return 0;
}

/**
 * fm_idle_deinit() - nobody tells any more when a CPU wakes up.
 * @session: stopped for good
 *
 * Context: Process context, may sleep.
 */
void fm_idle_deinit(struct fm_session *session)
{
	if (!fm_idle_told)
		return;
	fm_idle_allow(session, false);
	unregister_trace_cpu_idle(fm_idle_tell, session);
	tracepoint_synchronize_unregister();
}
#else
int fm_idle_init(struct fm_session *session)
{
	return 0;
}

void fm_idle_deinit(struct fm_session *session)
{
}
#endif
