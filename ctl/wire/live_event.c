// SPDX-License-Identifier: GPL-2.0
/*
 * One event of the module that runs: see live_event.h.
 */
#include "wire/live_event.h"

#include <errno.h>
#include <string.h>

#include "base/wording.h"
#include "profile/events.h"

/* Take the event @name out of those that are attached. */
static int take(struct events *events, const char *name, struct profile **profile,
		struct error *error)
{
	const char *names[EVENTS_MAX + 1];
	unsigned int nr = events_names(events, names);
	struct error why;
	int place;

	if (!nr)
		return error_set(error, -EINVAL, "no event %.100s is attached to the module: %s",
				 name, WORDING(ATTACH_EVENT));
	names[nr] = profile_event_name(FLAMEMOD_EVENT_ON_CPU);
	place = events_find(names, nr + 1, name, &why);
	if (place < 0)
		return error_set(error, place, "the module: %.400s", why.text);
	*profile = events->list[place].profile;
	events->list[place].profile = NULL;
	return 0;
}

int live_event_dump(struct nl *nl, const char *name, struct profile **profile,
		    struct error *error)
{
	struct events events;
	int err;

	if (!name || !strcmp(name, profile_event_name(FLAMEMOD_EVENT_ON_CPU)))
		return nl_dump(nl, false, profile, error);
	err = nl_dump_events(nl, &events, error);
	if (err)
		return err;
	err = take(&events, name, profile, error);
	events_deinit(&events);
	return err;
}
