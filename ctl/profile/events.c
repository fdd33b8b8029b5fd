// SPDX-License-Identifier: GPL-2.0
/*
 * The events of one file: see events.h.
 */
#include "profile/events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/wording.h"

void events_deinit(struct events *events)
{
	for (unsigned int i = 0; i < events->nr; i++)
		profile_destroy(events->list[i].profile);
	events->nr = 0;
}

int events_add(struct events *events, const char *name, struct profile *profile)
{
	struct event *event = &events->list[events->nr];

	if (events->nr == EVENTS_MAX) {
		profile_destroy(profile);
		return -E2BIG;
	}
	snprintf(event->name, sizeof(event->name), "%s", name);
	if (strlen(name) >= sizeof(event->name))
		utf8_cut(event->name, sizeof(event->name) - 4);
	event->profile = profile;
	events->nr++;
	return 0;
}

struct profile *events_take_first(struct events *events)
{
	struct profile *profile = events->list[0].profile;

	events->list[0].profile = NULL;
	events_deinit(events);
	return profile;
}

struct profile *events_take(struct events *events, const char *name)
{
	for (unsigned int i = 0; i < events->nr; i++)
		if (!strcmp(events->list[i].name, name)) {
			struct profile *profile = events->list[i].profile;

			events->list[i].profile = NULL;
			return profile;
		}
	return NULL;
}

bool events_same(const char *a, const char *b)
{
	size_t length = strcspn(a, ":");

	if (!strcmp(a, b))
		return true;
	/* in "sched:sched_switch" the ':' is a part of the name */
	return length == strcspn(b, ":") && !strncmp(a, b, length) &&
	       (!a[length] || !b[length]);
}

const char *events_text(char text[EVENTS_TEXT], const char *const *names,
			unsigned int nr, unsigned int first)
{
	static const char more[] = ", ...";
	size_t used = 0, length;
	unsigned int i;

	*text = '\0';
	for (i = first; i < nr; i++) {
		length = strlen(i > first ? ", " : "") + strnlen(names[i], 80);
		if (used + length + sizeof(more) > EVENTS_TEXT) {
			strcpy(text + used, more);
			break;
		}
		used += (size_t)snprintf(text + used, EVENTS_TEXT - used,
					 "%s%.80s", i > first ? ", " : "",
					 names[i]);
	}
	return text;
}

int events_find(const char *const *names, unsigned int nr, const char *name,
		struct error *error)
{
	char text[EVENTS_TEXT];
	unsigned int found = 0, i;
	int place = -EINVAL;

	for (i = 0; i < nr; i++) {
		if (!strcmp(names[i], name))
			return (int)i;
		if (!events_same(names[i], name))
			continue;
		place = (int)i;
		found++;
	}
	if (found == 1)
		return place;
	events_text(text, names, nr, 0);
	if (found)
		return error_set(error, -EINVAL, "%.100s is the name of %u events: name one of %s",
				 name, found, text);
	if (nr == 1 && !*names[0])
		return error_set(error, -EINVAL, "it has no event %.100s, but one that has no name: %s",
				 name, WORDING(NO_EVENT));
	return error_set(error, -EINVAL, "it has no event %.100s: there %s %s",
			 name, nr == 1 ? "is" : "are", text);
}

unsigned int events_names(const struct events *events,
			  const char *names[EVENTS_MAX])
{
	for (unsigned int i = 0; i < events->nr; i++)
		names[i] = events->list[i].name;
	return events->nr;
}
