/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A recording in progress, of flamectl record: its options, what must be
 * undone, and the steps to do so. These functions print warnings, like the
 * command itself.
 */
#ifndef FLAMECTL_RECORDING_H
#define FLAMECTL_RECORDING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/output.h"
#include "cmd/live_names.h"
#include "cmd/name_search.h"
#include "probe/probe.h"
#include "profile/events.h"
#include "profile/profile.h"
#include "profile/settings.h"
#include "wire/nl.h"
#include "wire/slicer.h"

/* Which events of tasks to record besides the samples. */
struct recording_tasks {
	bool off_cpu, wall;
	uint64_t min_ns;			/* leave out what is shorter; 0: nothing */
	uint32_t states;			/* as task_states_parse() has them; 0: all */
};

struct recording {
	/* the options */
	struct profile_settings settings;
	unsigned int mask;			/* of SETTING() */
	/* settings of mask that are optional: left out if the module refuses them */
	unsigned int wished;
	uint64_t duration_ns;			/* 0: until a signal */
	const char *path;			/* NULL: default, its file is kept */
	char **argv;				/* NULL: no command */
	bool only;				/* record only the command */
	bool all;				/* -a was given */
	struct recording_tasks tasks;
	struct probes probes;			/* what else to count */
	bool shows_progress, tells_result;
	bool no_load, quiet;
	struct live_names names;
	/* what must be undone */
	struct nl *nl;
	struct output output;
	struct child child;
	struct profile *status;			/* the status before */
	struct slicer slicer;
	bool running;				/* others started sampling */
	bool started;				/* started here, not yet stopped */
	/* what others did to sampling that was started here */
	bool was_stopped, was_restarted;
	struct name_search search;		/* of recording_name() */
	bool follows;				/* the module follows the command */
	bool attached;				/* it counts events of tasks for us */
	struct events dumped;			/* of recording_dump_events() */
	int code;				/* the exit code on an error */
	struct timespec began;			/* of CLOCK_REALTIME */
};

/* Set by the second signal that ends a recording: give it up. */
extern volatile sig_atomic_t recording_aborted;

/**
 * recording_hurried() - report whether a signal came after the time was over, or the recording
 * was given up: then no more names are looked for.
 */
bool recording_hurried(void *context);

/**
 * recording_plan() - decide whether to start sampling or to share what runs.
 *
 * Return: 0, or -errno with @error saying why neither is possible.
 */
int recording_plan(struct recording *r, struct error *error);

/**
 * recording_start() - start sampling, then the command.
 *
 * Return: 0 or -errno.
 */
int recording_start(struct recording *r, struct error *error);

/**
 * recording_stop() - stop what was started here, but not what others have started since;
 * may be repeated.
 *
 * Return: 0 or -errno.
 */
int recording_stop(struct recording *r, struct error *error);

/**
 * recording_add_event() - parse an event to record besides the samples.
 *
 * Return: 0, or -EINVAL with @error naming the value and what is possible.
 */
int recording_add_event(struct recording *r, const char *text, struct error *error);

/**
 * recording_resolve() - look up the tracepoints of events.
 *
 * Return: 0 or -errno, as probe_resolve().
 */
int recording_resolve(struct recording *r, struct error *error);

/** recording_counts() - report whether events are recorded besides the samples. */
static inline bool recording_counts(const struct recording *r)
{
	return r->tasks.off_cpu || r->tasks.wall || r->probes.nr;
}

/** recording_wakers() - return the probe for wakers, or NULL if there is none. */
static inline struct probe *recording_wakers(struct recording *r)
{
	for (unsigned int i = 0; i < r->probes.nr; i++)
		if (r->probes.list[i].kind == PROBE_WAKERS)
			return &r->probes.list[i];
	return NULL;
}

/** recording_takes_user_stacks() - report whether user stacks will be taken. */
static inline bool recording_takes_user_stacks(const struct recording *r)
{
	if (r->mask & SETTING(USER_STACKS))
		return r->settings.user_stacks;
	return r->status->meta.settings.user_stacks;
}

/**
 * recording_add_probes() - add what recording_add_event() parsed to what is saved.
 * @sampled: the samples of the same time.
 *
 * Return: 0 or -errno.
 */
int recording_add_probes(struct recording *r, const struct profile *sampled,
			 struct events *events, struct error *error);

/**
 * recording_attach() - let the module count the events that were asked for.
 *
 * Return: 0 or -errno, as nl_attach().
 */
int recording_attach(struct recording *r, struct error *error);

/**
 * recording_dump_events() - get the events that recording_attach() asked for, until now.
 *
 * Return: 0 or -errno.
 */
int recording_dump_events(struct recording *r, struct error *error);

/**
 * recording_make_events() - make what is to be saved: all time if it was asked for, time
 * off the CPU if it was, other events that were, and the samples, the default first.
 * @sampled: from recording_finish(); belongs to @events from then on, also on an error.
 * @events: to be freed by events_deinit(), also on an error. A single one has no name.
 *
 * Return: 0, or -EBADMSG if books do not balance, or another -errno.
 */
int recording_make_events(struct recording *r, struct profile *sampled,
			  struct events *events, struct error *error);

/**
 * recording_release() - follow the command no longer, count no events, and restore the
 * settings, except those that others have set or sample with.
 */
void recording_release(struct recording *r);

/**
 * recording_names_due_ns() - compute when to call recording_name() next.
 *
 * Return: the time in CLOCK_MONOTONIC, or UINT64_MAX for never.
 */
uint64_t recording_names_due_ns(const struct recording *r);

/**
 * recording_name() - look for names of user functions that are new, while their files
 * are there. To read the symbols of a large program takes long, so this stops, and is due
 * again, when @is_late says that something else is due.
 *
 * Return: 0 or -ENOMEM.
 */
int recording_name(struct recording *r, uint64_t now_ns, bool (*is_late)(void *context),
		   void *context, struct error *error);

/**
 * recording_reduce() - reduce what the module holds now to what was sampled since the
 * slicer's last look, of the processes that were asked for.
 *
 * Return: 0 or -errno.
 */
int recording_reduce(const struct recording *r, struct profile *profile,
		     struct error *error);

/**
 * recording_child() - return the thread that has CHILD_COMM before it runs the command; 0 if
 * no other can be in the profile, since in a pid namespace the module knows it by another
 * number.
 */
static inline uint32_t recording_child(const struct recording *r)
{
	return r->only ? 0 : (uint32_t)r->child.forked;
}

/**
 * recording_finish() - store in @profile what was recorded and when, and warn
 * of what others did meanwhile.
 *
 * Return: 0, or -EBADMSG if its books (the counts of what became of each timer
 * period) do not balance.
 */
int recording_finish(struct recording *r, struct profile *profile,
		     struct error *error);

/**
 * recording_catch() - let signals end the recording from now on.
 * @caught: set to these signals.
 */
void recording_catch(const struct recording *r, sigset_t *caught);

/**
 * recording_wait() - wait until the command ends, the time is over, or a signal
 * comes; take slices meanwhile.
 *
 * Return: 0 or -errno.
 */
int recording_wait(struct recording *r, const sigset_t *caught,
		   struct error *error);

/**
 * recording_await() - wait until the command ends.
 *
 * Return: its exit code, to use as ours.
 */
int recording_await(struct recording *r, const sigset_t *caught);

#endif /* FLAMECTL_RECORDING_H */
