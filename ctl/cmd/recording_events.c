// SPDX-License-Identifier: GPL-2.0
/*
 * Record events besides the samples: time off the CPU, all time, or what -e names. See
 * recording.h.
 *
 * The module counts them for the one who asks, from that moment on, so there is nothing to
 * subtract at the end, and others' recordings do not see them.
 */
#include "cmd/recording.h"

#include <errno.h>
#include <string.h>

#include "cmd/command.h"
#include "profile/origin.h"
#include "profile/settings.h"
#include "profile/slices.h"
#include "profile/task_state.h"
#include "profile/wall.h"

#define OFF_CPU		(1U << FLAMEMOD_EVENT_OFF_CPU)
#define WAITING		(1U << FLAMEMOD_EVENT_WAITING)
#define RAN		(1U << FLAMEMOD_EVENT_RAN)

/* Return: the module's mask of states; what waited for a CPU may have been in any. */
static uint32_t states_of(const struct recording_tasks *tasks)
{
	if (!tasks->states || tasks->states & 1U << TASK_WAITING)
		return 0;
	return tasks->states;
}

int recording_attach(struct recording *r, struct error *error)
{
	const struct recording_tasks *tasks = &r->tasks;
	struct nl_source source = {
		.events = (tasks->off_cpu || tasks->wall ? OFF_CPU | WAITING : 0) |
			  (tasks->wall ? RAN : 0),
		.probes = r->probes.list, .nr_probes = r->probes.nr,
		.min_us = (uint32_t)(tasks->min_ns / NSEC_PER_USEC), .states = states_of(tasks),
		.followed = r->only, .user_stacks = recording_takes_user_stacks(r),
	};
	int err;

	if (!recording_counts(r))
		return 0;
	if (r->mask & SETTING(PIDS)) {
		source.pids = r->settings.pids;
		source.nr_pids = r->settings.nr_pids;
	}
	err = nl_attach(r->nl, &source, error);
	if (err == -EOPNOTSUPP && source.events & WAITING) {
		/* a kernel without CONFIG_SCHED_INFO: the wait is then a part of off-cpu */
		source.events &= ~WAITING;
		err = nl_attach(r->nl, &source, error);
	}
	r->attached = !err;
	return err;
}

int recording_dump_events(struct recording *r, struct error *error)
{
	if (!recording_counts(r))
		return 0;
	/* the last slice ends with what they are now */
	r->slicer.last = &r->dumped;
	return nl_dump_events(r->nl, &r->dumped, error);
}

/* Take the events in slices, if there are some, in place of the dump. */
static void take_slices(struct recording *r)
{
	if (!r->slicer.events.cut.nr)
		return;
	events_deinit(&r->dumped);
	r->dumped = r->slicer.events.cut;
	r->slicer.events.cut.nr = 0;
}

/* Check the books, and that slices sum to them. */
static int check(const struct profile *profile, struct error *error)
{
	return profile_check(profile, error) ?: slices_check(profile, error);
}

/* Return: a profile of the dump, NULL if there is none. */
static struct profile *dumped(const struct recording *r, const char *name)
{
	for (unsigned int i = 0; i < r->dumped.nr; i++)
		if (!strcmp(r->dumped.list[i].name, name))
			return r->dumped.list[i].profile;
	return NULL;
}

/* Complete what the module said of an event by what is known of the recording. */
static int finish(struct recording *r, const struct profile *sampled, struct profile *off,
		  struct error *error)
{
	int err = live_names_give(&r->names, off, error);

	if (!err && r->tasks.states && !off->slices)
		err = profile_keep_states(off, r->tasks.states, error);
	if (err)
		return err;
	off->meta.time_ns = sampled->meta.time_ns;
	off->meta.origin = sampled->meta.origin;
	if (off->meta.attached[FLAMEMOD_EVENT_OFF_CPU].broken)
		command_fail(EXIT_FAILED, "warning: the module found an inconsistency in the event off-cpu and stopped counting it: see the kernel log");
	return check(off, error);
}

static int add_wall(struct recording *r, const struct profile *sampled,
		    const struct profile *off, struct events *events, struct error *error)
{
	struct profile *ran = dumped(r, "ran"), *wall;
	int err;

	if (!ran)
		return error_set(error, -EBADMSG, "the module sent no exact time on the CPU");
	/* A task is known by its cgroup, too, which has its name in all three. */
	err = live_names_give(&r->names, ran, error);
	if (err)
		return err;
	err = wall_make(sampled, off, ran, &wall) ?: events_add(events, "wall", wall);
	return err ? error_set(error, err, "cannot add up all time: %s", strerror(-err)) :
		     profile_check(wall, error);
}

/*
 * The command's process waits before its first instruction until sampling has started. That
 * is flamectl's time, and may be longer than the command's.
 */
static int leave_out_start(struct recording *r, struct error *error)
{
	int err = 0;

	for (unsigned int i = 0; r->child.forked && i < r->dumped.nr && !err; i++)
		err = profile_leave_out_task(r->dumped.list[i].profile, recording_child(r),
					     CHILD_COMM, error);
	return err;
}

int recording_make_events(struct recording *r, struct profile *sampled,
			  struct events *events, struct error *error)
{
	struct profile *off = NULL;
	int err = 0;

	events->nr = 0;
	take_slices(r);
	/* slices are without it already */
	if (!r->slicer.slice_ns)
		err = leave_out_start(r, error);
	if (!err && (r->tasks.off_cpu || r->tasks.wall)) {
		off = events_take(&r->dumped, "off-cpu");
		err = off ? finish(r, sampled, off, error) :
			    error_set(error, -EBADMSG, "the module sent no event off-cpu");
		if (!err && r->tasks.wall)
			err = add_wall(r, sampled, off, events, error);
	}
	if (off && events_add(events, "off-cpu", off))
		err = -E2BIG;
	err = err ?: recording_add_probes(r, sampled, events, error);
	/* the last, as the others were asked for */
	if (events_add(events, recording_counts(r) ? "on-cpu" : "", sampled))
		err = -E2BIG;
	return err;
}
