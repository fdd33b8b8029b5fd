// SPDX-License-Identifier: GPL-2.0
/*
 * Record what -e names besides the samples: see recording.h.
 */
#include "cmd/recording.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cmd/command.h"
#include "cmd/module.h"
#include "profile/advice.h"
#include "profile/slices.h"
#include "tree/wakers.h"

/* Report whether @text is what the timer samples, as flamectl or perf calls it. */
static bool is_timer(const char *text)
{
	return !strcmp(text, "on-cpu") || !fnmatch("cpu-clock*", text, 0) ||
	       !fnmatch("task-clock*", text, 0);
}

int recording_add_event(struct recording *r, const char *text, struct error *error)
{
	if (is_timer(text))
		return 0;
	if (!strcmp(text, "off-cpu"))
		r->tasks.off_cpu = true;
	else if (!strcmp(text, "wall"))
		r->tasks.wall = true;
	else
		return probes_add(&r->probes, text, error);
	return 0;
}

int recording_resolve(struct recording *r, struct error *error)
{
	int err = 0;

	for (unsigned int i = 0; i < r->probes.nr && !err; i++)
		err = probe_resolve(&r->probes.list[i], module_root(), error);
	return err;
}

/* Say what the module did not count, and why. */
static void warn(const struct profile *profile, const struct profile_attached *attached)
{
	char text[DURATION_TEXT], advice[ADVICE_MAX];

	if (attached->broken)
		command_fail(EXIT_FAILED, "warning: the module found an inconsistency in the event %.100s and stopped counting it: see the kernel log",
			     attached->name);
	if (attached->suspended_ns)
		command_fail(EXIT_FAILED, "warning: %.100s took more than a quarter of a CPU, so the module stopped counting it after %s: the rest is missing; %s",
			     attached->name,
			     duration_text(text, attached->suspended_ns > attached->since_ns ?
					   attached->suspended_ns - attached->since_ns : 0),
			     advice_event_lost(&profile->meta, FLAMEMOD_EVENT_LOST_SUSPENDED,
					       advice, sizeof(advice)));
}

static const struct profile_attached *find(const struct profile *profile, const char *name)
{
	for (unsigned int i = FLAMEMOD_SOURCE_FIRST; i < ATTACHED_MAX; i++)
		if (profile->meta.attached[i].known &&
		    !strcmp(profile->meta.attached[i].name, name))
			return &profile->meta.attached[i];
	return NULL;
}

int recording_add_probes(struct recording *r, const struct profile *sampled,
			 struct events *events, struct error *error)
{
	int err = 0;

	for (unsigned int i = 0; i < r->probes.nr && !err; i++) {
		const char *name = r->probes.list[i].name;
		struct profile *profile = events_take(&r->dumped, name);
		const struct profile_attached *attached = profile ? find(profile, name) : NULL;

		if (!attached) {
			profile_destroy(profile);
			return error_set(error, -EBADMSG, "the module sent no event %s", name);
		}
		warn(profile, attached);
		profile->meta.intervals.min_ns = r->probes.list[i].min_ns;
		profile->meta.time_ns = sampled->meta.time_ns;
		profile->meta.origin = sampled->meta.origin;
		err = live_names_give(&r->names, profile, error) ?:
		      wakers_turn(profile, error) ?:
		      profile_check(profile, error) ?: slices_check(profile, error);
		if (events_add(events, name, profile) && !err)
			err = error_set(error, -E2BIG, "a file has at most %d events", EVENTS_MAX);
	}
	return err;
}
