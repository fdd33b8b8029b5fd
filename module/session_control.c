// SPDX-License-Identifier: GPL-2.0
/*
 * The operations on a session: change settings, start, stop, reset; and undo what
 * an owner did whose socket was closed. See session.h and owner.h.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/netlink.h>

#include "drain.h"
#include "reason.h"
#include "session.h"

static bool fm_session_holds(struct fm_session *session)
{
	struct fm_cpu *c = NULL;

	while ((c = fm_session_next_cpu(session, c))) {
		struct fm_books books = fm_session_books(c);

		if (books.fires || books.missed)
			return true;
	}
	return false;
}

static int fm_session_check_cpus(struct fm_session *session,
				 const struct fm_settings *settings,
				 struct netlink_ext_ack *extack)
{
	unsigned int cpu;

	fm_session_find_isolated(session);
	for_each_online_cpu(cpu)
		if (fm_session_samples(session, settings, cpu))
			return 0;
	if (settings->usual_cpus)
		NL_SET_ERR_MSG(extack,
			       "cpus: all that are online are isolated (isolcpus=, nohz_full=): name those to sample, or all of them: cpus=all");
	else
		fm_reason(extack, "cpus: none of %*pbl is online, but CPUs %*pbl are",
			  cpumask_pr_args(&settings->cpus), cpumask_pr_args(cpu_online_mask));
	return -EINVAL;
}

static int fm_session_check(struct fm_session *session,
			    const struct fm_settings *settings,
			    struct netlink_ext_ack *extack)
{
	int err;

	if (session->state == FLAMEMOD_STATE_BROKEN) {
		NL_SET_ERR_MSG(extack,
			       "the sampler found itself inconsistent and stopped: see the kernel log, then load the module anew");
		return -EIO;
	}
	if (session->state == FLAMEMOD_STATE_RUNNING) {
		NL_SET_ERR_MSG(extack, "already sampling: stop it first");
		return -EBUSY;
	}
	if (settings->hz != session->settings->hz &&
	    fm_session_holds(session)) {
		NL_SET_ERR_MSG(extack,
			       "hz: samples taken at another rate are held: dump what you need, then reset");
		return -EBUSY;
	}
	err = fm_session_check_cpus(session, settings, extack);
	if (err)
		return err;
	if (settings->filter.followed_only && !session->follow) {
		NL_SET_ERR_MSG(extack,
			       "followed-only: no process is followed: flamectl record --only -- COMMAND follows one");
		return -EINVAL;
	}
	if (settings->user_stacks && !fm_user_stacks_exist()) {
		NL_SET_ERR_MSG(extack,
			       "user-stacks: not on this machine: they need arm64, or x86-64 with a local APIC");
		return -EOPNOTSUPP;
	}
	/* A coarser clock would change the rate without notice. */
	if (NSEC_PER_SEC / settings->hz < hrtimer_resolution) {
		NL_SET_ERR_MSG(extack,
			       "hz: the timers' clock ticks more slowly (see resolution-ns in status): a lower rate, or boot with highres=on");
		return -ERANGE;
	}
	return 0;
}

/* Apply the current rate. If it changed, no samples are held: see fm_session_check(). */
static void fm_session_set_period(struct fm_session *session)
{
	u64 period_ns = NSEC_PER_SEC / session->settings->hz;
	struct fm_cpu *c = NULL;

	if (session->period_ns == period_ns)
		return;
	session->period_ns = period_ns;
	while ((c = fm_session_next_cpu(session, c)))
		fm_sampler_set_period(c, period_ns);
}

/* Fill in the settings that a change does not name. Return: 0 or -errno if refused. */
static int fm_session_complete(struct fm_session *session,
			       struct fm_change *change,
			       struct netlink_ext_ack *extack)
{
	fm_settings_copy(change->settings, session->settings, ~change->named);
	return fm_session_check(session, change->settings, extack);
}

static void fm_session_apply(struct fm_session *session,
			     struct fm_change *change)
{
	swap(session->settings, change->settings);
	fm_owner_changed(&session->owner, change, change->settings);
	fm_session_set_period(session);
}

/* Do all that can fail in a start: check the settings, allocate tables. */
static int fm_session_prepare_start(struct fm_session *session,
				    struct fm_change *change,
				    struct netlink_ext_ack *extack)
{
	const struct fm_settings *settings = change ? change->settings :
						      session->settings;
	int err;

	err = change ? fm_session_complete(session, change, extack) :
		       fm_session_check(session, settings, extack);
	if (err)
		return err;
	err = fm_session_equip_all(session, settings);
	if (err)
		NL_SET_ERR_MSG(extack,
			       "no memory for the tables of the CPUs: load with a smaller cpu_kb or user_kb, or sample without user stacks (user-stacks=0) or fewer CPUs (cpus=LIST)");
	return err;
}

/* Locked, running. */
static void fm_session_halt(struct fm_session *session)
{
	session->state = FLAMEMOD_STATE_STOPPED;
	fm_session_disarm_all(session);
	fm_drain(session, true);
	fm_owner_stopped(&session->owner);
}

/**
 * fm_session_undo() - undo what an owner started or changed, if its socket was closed.
 * @session: locked
 *
 * Context: Process context, may sleep.
 */
void fm_session_undo(struct fm_session *session)
{
	struct fm_owner *owner = &session->owner;
	unsigned long named = owner->named;

	if (!fm_claim_is_closed(&owner->claim))
		return;
	if (owner->started && session->state == FLAMEMOD_STATE_RUNNING)
		fm_session_halt(session);
	if (session->state == FLAMEMOD_STATE_STOPPED) {
		/* All samples that are held must have the same rate. */
		if (fm_session_holds(session))
			named &= ~FM_SETTING(HZ);
		fm_settings_copy(session->settings, owner->before, named);
		/* This setting needs a followed process, and there may be none now. */
		session->settings->filter.followed_only &= !!session->follow;
		fm_session_set_period(session);
	}
	fm_owner_forget(owner);
}

/**
 * fm_session_set() - change the settings.
 * @session: the session
 * @change: what to change; on return it holds the old settings, which the caller
 *          still has to free
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno; nothing has changed on an error.
 */
int fm_session_set(struct fm_session *session, struct fm_change *change,
		   struct netlink_ext_ack *extack)
{
	int err;

	fm_session_lock(session);
	fm_session_undo(session);
	err = fm_session_complete(session, change, extack);
	if (!err)
		fm_session_apply(session, change);
	fm_session_unlock(session);
	return err;
}

/**
 * fm_session_start() - start sampling.
 * @session: the session
 * @change: settings to change first, as in fm_session_set(), or NULL
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -errno; nothing has changed on an error.
 */
int fm_session_start(struct fm_session *session, struct fm_change *change,
		     struct netlink_ext_ack *extack)
{
	struct fm_cpu *c = NULL;
	int err;

	fm_session_lock(session);
	fm_session_undo(session);
	err = fm_session_prepare_start(session, change, extack);
	if (err)
		goto unlock;
	if (change)
		fm_session_apply(session, change);
	session->state = FLAMEMOD_STATE_RUNNING;
	fm_owner_started(&session->owner, change ? change->owner : 0);
	fm_session_find_clock(session);
	while ((c = fm_session_next_cpu(session, c)))
		if (cpu_online(c->cpu))
			fm_session_arm(session, c);
	queue_delayed_work(session->wq, &session->drain_work,
			   FM_DRAIN_INTERVAL);
unlock:
	fm_session_unlock(session);
	fm_session_watch(session);
	return err;
}

/**
 * fm_session_stop_by() - stop sampling and keep what was sampled.
 * @session: the session
 * @owner: the port of the socket that must have started it as its owner; 0: anybody may have
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0, -EALREADY, or -EBUSY if others have started it.
 */
int fm_session_stop_by(struct fm_session *session, u32 owner, struct netlink_ext_ack *extack)
{
	int err = 0;

	fm_session_lock(session);
	fm_session_undo(session);
	if (session->state != FLAMEMOD_STATE_RUNNING) {
		NL_SET_ERR_MSG(extack, "not sampling");
		err = -EALREADY;
	} else if (owner && !fm_claim_is(&session->owner.claim, owner)) {
		NL_SET_ERR_MSG(extack,
			       "owner: others have started sampling: a stop without owner stops it");
		err = -EBUSY;
	} else {
		fm_session_halt(session);
	}
	fm_session_unlock(session);
	fm_session_watch(session);
	return err;
}

/**
 * fm_session_stop() - do so whoever started it.
 * @session: the session
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -EALREADY.
 */
int fm_session_stop(struct fm_session *session, struct netlink_ext_ack *extack)
{
	return fm_session_stop_by(session, 0, extack);
}

/**
 * fm_session_reset() - discard what was sampled; sampling continues if it was running.
 * @session: the session
 * @extack: for the reason of a refusal
 *
 * Context: Process context, may sleep.
 * Return: 0 or -ENOMEM; nothing has changed on an error.
 */
int fm_session_reset(struct fm_session *session,
		     struct netlink_ext_ack *extack)
{
	int err;

	fm_session_lock(session);
	fm_drain(session, true);
	err = fm_kept_end_epoch(session, 0);
	if (err)
		NL_SET_ERR_MSG(extack,
			       "no memory for a new epoch: readers hold the old ones");
	fm_session_unlock(session);
	return err;
}
