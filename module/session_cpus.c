// SPDX-License-Identifier: GPL-2.0
/*
 * Arms and disarms the CPUs of a session, and passes changes on to them.
 */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/smp.h>

#include "follow.h"
#include "session.h"

/* How long a stop waits for a fire that is already due: at least 0.1 s. */
#define FM_DISARM_WAITS		200
#define FM_DISARM_WAIT_US	500

/**
 * fm_session_filter() - apply the session's filter to one CPU's sampler.
 * @session: locked
 * @c: the CPU's sampler
 *
 * Context: Process context, may sleep.
 */
void fm_session_filter(struct fm_session *session, struct fm_cpu *c)
{
	struct fm_filter filter = session->settings->filter;
	struct fm_refilter refilter = { .c = c, .filter = &filter };

	filter.follow = session->follow;
	fm_filter_begin(&filter);
	if (c->armed)
		smp_call_function_single(c->cpu, fm_sampler_refilter, &refilter,
					 1);
	else
		fm_sampler_refilter(&refilter);
}

/**
 * fm_session_filter_all() - apply the session's filter to all CPUs.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_filter_all(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		fm_session_filter(session, c);
}

/**
 * fm_session_find_clock() - find out whether the machine has a steal clock.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_find_clock(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while (!session->steal_clock && (c = fm_session_next_cpu(session, c)))
		session->steal_clock = fm_late_found_clock(c->cpu);
}

/**
 * fm_session_arm() - start to sample a CPU, if the settings select it.
 * @session: running, locked
 * @c: an online CPU's sampler, with tables, not armed
 *
 * Context: Process context, may sleep.
 */
void fm_session_arm(struct fm_session *session, struct fm_cpu *c)
{
	if (!fm_session_samples(session, session->settings, c->cpu))
		return;
	c->max_depth = session->settings->max_depth;
	c->user_stacks = session->settings->user_stacks;
	/* While they are off, the timer does not write these. */
	c->sample.key.user = 0;
	c->sample.key.side = 0;
	fm_session_filter(session, c);
	c->take_stack = session->limits.take_stack;
	c->learns = fm_stack_learns(session->limits.take_stack);
	c->learned.text = &session->symbols.text;
	c->learned.verify = session->limits.verify;
	c->learned.verify_in = session->limits.verify;
	c->late.has_clock = session->steal_clock;
	smp_call_function_single(c->cpu, fm_sampler_arm, c, 1);
}

/* Disarm a CPU now; if a fire is due, let that fire do it as the last one. */
static void fm_session_ask_disarm(struct fm_cpu *c)
{
	if (!READ_ONCE(c->armed))
		return;
	c->hurried = false;
	smp_call_function_single(c->cpu, fm_sampler_disarm, c, 1);
}

/* Finish disarming: the last fire came, or we no longer wait for it. */
static void fm_session_end_disarm(struct fm_cpu *c)
{
	if (READ_ONCE(c->armed)) {
		c->hurried = true;
		smp_call_function_single(c->cpu, fm_sampler_disarm, c, 1);
	}
	/* A timer that was used is cancelled in process context here, and nowhere else. */
	hrtimer_cancel(&c->timer);
}

/**
 * fm_session_disarm() - stop sampling a CPU and keep its books and tables.
 * @session: locked
 * @c: an online CPU's sampler
 *
 * Context: Process context, may sleep; for at most 0.2 s if a fire does not come.
 */
void fm_session_disarm(struct fm_session *session, struct fm_cpu *c)
{
	unsigned int i;

	if (!c->armed)
		return;
	fm_session_ask_disarm(c);
	for (i = 0; READ_ONCE(c->armed) && i < FM_DISARM_WAITS; i++)
		usleep_range(FM_DISARM_WAIT_US, 2 * FM_DISARM_WAIT_US);
	fm_session_end_disarm(c);
}

static bool fm_session_any_armed(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c)))
		if (READ_ONCE(c->armed))
			return true;
	return false;
}

/**
 * fm_session_disarm_all() - stop sampling all CPUs.
 * @session: locked
 *
 * Like fm_session_disarm(), but waits for all CPUs together, so that the session and
 * CPU hotplug are not blocked for longer than by a single CPU.
 *
 * Context: Process context, may sleep; for at most 0.2 s if fires do not come.
 */
void fm_session_disarm_all(struct fm_session *session)
{
	struct fm_cpu *c = NULL;
	unsigned int i;

	while ((c = fm_session_next_cpu(session, c)))
		fm_session_ask_disarm(c);
	for (i = 0; fm_session_any_armed(session) && i < FM_DISARM_WAITS; i++)
		usleep_range(FM_DISARM_WAIT_US, 2 * FM_DISARM_WAIT_US);
	while ((c = fm_session_next_cpu(session, c)))
		fm_session_end_disarm(c);
}

/**
 * fm_session_forget_modules() - forget the steps that CPUs learned from modules.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_forget_modules(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c))) {
		struct fm_forgetting forgetting = { .c = c };

		while (!forgetting.done)
			if (c->armed)
				smp_call_function_single(c->cpu,
							 fm_sampler_forget_modules,
							 &forgetting, 1);
			else
				fm_sampler_forget_modules(&forgetting);
	}
}

/**
 * fm_session_break() - stop for good, because an invariant failed.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_break(struct fm_session *session)
{
	session->state = FLAMEMOD_STATE_BROKEN;
	fm_session_disarm_all(session);
}
