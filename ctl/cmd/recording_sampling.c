// SPDX-License-Identifier: GPL-2.0
/*
 * Starts, shares and ends the sampling of a recording: see recording.h.
 *
 * If sampling already runs, or the module holds samples, the profile is the
 * difference of two instants, so that other users are not affected. Sampling
 * that is started here is stopped here.
 */
#include "cmd/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cmd/agent_runs.h"
#include "cmd/command.h"
#include "cmd/reach.h"
#include "profile/origin.h"
#include "profile/settings.h"
#include "profile/slices.h"

/* Decide whether the CPUs that are sampled are those that were asked for. */
static int plan_cpus(const struct recording *r, struct error *error)
{
	const struct profile_meta *now = &r->status->meta;

	if (r->running && r->mask & SETTING(CPUS) &&
	    strcmp(r->settings.cpus, now->settings.cpus))
		return error_set(error, -EBUSY,
				 "sampling already runs on %.200s: %sleave out -C and draw with --cpu LIST, or flamectl stop first",
				 *now->settings.cpus ? now->settings.cpus :
				 "all CPUs that are not isolated", agent_runs_advice());
	if (r->mask & SETTING(PIDS))
		return reach_check(now, &r->settings, r->mask, error);
	if (r->only)
		return reach_check_command(now, &r->settings, r->mask,
					   r->child.pid, error);
	return 0;
}

int recording_plan(struct recording *r, struct error *error)
{
	const struct profile *status = r->status;
	uint32_t hz = status->meta.settings.hz;
	bool other_rate = r->mask & SETTING(HZ) && r->settings.hz != hz;
	bool other_stacks = r->mask & ~r->wished & SETTING(USER_STACKS) &&
			    r->settings.user_stacks != status->meta.settings.user_stacks;
	bool other_places = r->mask & SETTING(USER_PLACES) &&
			    !status->meta.settings.user_places;
	bool held = status->books.fires || status->books.missed;
	int err;

	r->running = status->meta.state == FLAMEMOD_STATE_RUNNING;
	if (status->meta.state == FLAMEMOD_STATE_BROKEN)
		return error_set(error, -EIO,
				 "the sampler found an inconsistency in itself and stopped: see the kernel log, then load the module again");
	if (r->running && other_rate)
		return error_set(error, -EBUSY, "sampling already runs at %"
				 PRIu32 " Hz: %sleave out -F to record at that rate, or flamectl stop and flamectl reset first",
				 hz, agent_runs_advice());
	if (r->running && other_stacks)
		return error_set(error, -EBUSY, "sampling already runs %s user stacks: %sleave out --%suser-stacks to record as it runs, or flamectl stop first",
				 status->meta.settings.user_stacks ? "with" : "without",
				 agent_runs_advice(), r->settings.user_stacks ? "" : "no-");
	if (r->running && other_places)
		return error_set(error, -EBUSY, "sampling already runs without the setting user-places, which --inlines needs: %sleave out --inlines, or flamectl stop first",
				 agent_runs_advice());
	if (held && other_rate)
		return error_set(error, -EBUSY, "the module holds samples at %"
				 PRIu32 " Hz: flamectl dump what you need, then flamectl reset first",
				 hz);
	err = plan_cpus(r, error);
	if (err)
		return err;
	if (r->running)
		r->mask &= ~r->wished;
	return slicer_start(&r->slicer, error);
}

/* Start sampling; leave out optional settings that the module refuses. */
static int start(struct recording *r, struct error *error)
{
	int err = nl_start(r->nl, &r->settings, r->mask, error);

	if (!(r->mask & r->wished) || (err != -EOPNOTSUPP && err != -EPROTONOSUPPORT))
		return err;
	r->mask &= ~r->wished;
	return nl_start(r->nl, &r->settings, r->mask, error);
}

static int start_as_planned(struct recording *r, struct error *error)
{
	int err;

	clock_gettime(CLOCK_REALTIME, &r->began);
	r->slicer.since_ns = r->running ? r->slicer.deltas.seen->meta.instant_ns :
					  clock_monotonic_ns();
	r->slicer.only = r->running && r->mask & SETTING(PIDS) ? &r->settings :
								 NULL;
	r->slicer.has_child = r->child.forked;
	r->slicer.child = recording_child(r);
	r->slicer.counts = recording_counts(r);
	r->slicer.events.has_child = r->child.forked;
	r->slicer.events.child = recording_child(r);
	r->slicer.events.states = r->tasks.states;
	if (!r->running)
		nl_own(r->nl);
	if (r->only) {
		err = nl_follow(r->nl, r->child.pid, error);
		if (err)
			return err;
		r->follows = true;
		r->slicer.only_followed = true;
		r->settings.followed_only = true;
		r->mask |= SETTING(FOLLOWED_ONLY);
	}
	err = recording_attach(r, error);
	if (err)
		return err;
	if (!r->running) {
		err = start(r, error);
		if (err)
			return err;
		r->started = true;
	}
	return r->argv ? child_go(&r->child, r->argv, error) : 0;
}

/* Plan anew if sampling runs now. Return: 0; or -errno with @error unchanged if it does not. */
static int plan_to_share(struct recording *r, struct error *error)
{
	struct profile *status;
	struct error ignored;

	if (nl_status(r->nl, &status, &ignored))
		return -EBUSY;
	if (status->meta.state != FLAMEMOD_STATE_RUNNING) {
		profile_destroy(status);
		return -EBUSY;
	}
	profile_destroy(r->status);
	r->status = status;
	return recording_plan(r, error);
}

/* Take back what was asked for before a start was refused. */
static int take_back(struct recording *r, struct error *error)
{
	int err = r->follows ? nl_follow(r->nl, 0, error) : 0;

	r->follows = false;
	if (!err && r->attached)
		err = nl_detach(r->nl, error);
	r->attached = false;
	return err;
}

int recording_start(struct recording *r, struct error *error)
{
	int err = start_as_planned(r, error);

	if (err != -EBUSY || r->running)
		return err;
	/* Another program, such as the agent, may have started it since the plan was made. */
	return plan_to_share(r, error) ?: take_back(r, error) ?: start_as_planned(r, error);
}

int recording_stop(struct recording *r, struct error *error)
{
	int err;

	if (!r->started)
		return 0;
	nl_interrupt(r->nl, NULL);
	err = nl_stop(r->nl, error);
	nl_interrupt(r->nl, &recording_aborted);
	if (err && err != -EALREADY && err != -EBUSY)
		return err;
	r->was_stopped = err == -EALREADY;
	r->was_restarted = err == -EBUSY;
	r->started = false;
	return 0;
}

void recording_release(struct recording *r)
{
	struct error error;
	int err;

	err = r->follows ? nl_follow(r->nl, 0, &error) : 0;
	if (err && err != -ENODEV)
		command_fail(EXIT_FAILED, "warning: the module still follows the command: %s",
			     error.text);
	r->follows = false;
	err = r->attached ? nl_detach(r->nl, &error) : 0;
	if (err && err != -ENODEV)
		command_fail(EXIT_FAILED, "warning: the module still counts events of tasks: %s",
			     error.text);
	r->attached = false;
	if (nl_end(r->nl, &error))
		command_fail(EXIT_FAILED, "warning: the module restores its settings, but a little later: %s",
			     error.text);
}

static void warn(const struct recording *r, const struct profile_meta *meta)
{
	if (r->slicer.deltas.missed)
		command_fail(EXIT_FAILED, "warning: the module was reset during the recording, and could not keep all that it had: some samples from before the reset are missing");
	if (r->slicer.deltas.restarted)
		command_fail(EXIT_FAILED, "warning: sampling was started at another rate during the recording: only samples%s from then on are saved",
			     r->slicer.slice_ns && r->slicer.counts ? " and events" : "");
	if (meta->state == FLAMEMOD_STATE_BROKEN)
		command_fail(EXIT_FAILED, "warning: the sampler found an inconsistency in itself and stopped: see the kernel log");
	else if (r->was_restarted)
		command_fail(EXIT_FAILED, "warning: somebody else stopped sampling during the recording and started it again: samples from between are missing, and it goes on as they want it");
	else if (r->was_stopped || (r->running && meta->state != FLAMEMOD_STATE_RUNNING))
		command_fail(EXIT_FAILED, "warning: sampling was stopped during the recording, by flamectl stop or at the end of the recording that had started it: samples from then on are missing");
}

int recording_finish(struct recording *r, struct profile *profile,
		     struct error *error)
{
	struct profile_meta *meta = &profile->meta;

	int err = live_names_give(&r->names, profile, error);

	if (err)
		return err;
	warn(r, meta);
	if (r->slicer.only) {
		memcpy(meta->settings.pids, r->settings.pids,
		       sizeof(meta->settings.pids));
		meta->settings.nr_pids = r->settings.nr_pids;
	}
	if (r->argv)
		origin_command(meta->origin.command, r->argv);
	if (r->only)
		meta->settings.followed_only = true;
	/* the epoch may have started long before the recording */
	meta->time_ns = r->began.tv_sec * (int64_t)NSEC_PER_SEC + r->began.tv_nsec;
	return profile_check(profile, error) ?: slices_check(profile, error);
}
