/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of one file: each has a name and a profile of its own.
 *
 * perf records several events at once, and a pprof file may have several sample
 * types. Their weights have different units, so they are never summed. Views
 * show one event, as if the file held nothing else; commands that write a file
 * (import, merge) keep all events. The first one is the default.
 *
 * Most files hold one event, which may have no name; the list has one entry
 * then.
 */
#ifndef FLAMECTL_EVENTS_H
#define FLAMECTL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/notes.h"
#include "profile/profile.h"

/* The most events of a file. */
#define EVENTS_MAX		16

/* Room for the longest name that is kept, and a NUL. */
#define EVENTS_NAME		PROFILE_EVENT_MAX

/* Room for a list of all names, and a NUL; a longer list ends in "...". */
#define EVENTS_TEXT		256

struct event {
	char name[EVENTS_NAME];		/* "" if not known */
	struct profile *profile;
};

struct events {
	struct event list[EVENTS_MAX];
	unsigned int nr;
};

/* Which events of a file are wanted; all zero means the default one. */
struct events_wanted {
	const char *name;		/* this one only, or NULL */
	bool all;			/* all events, if @name is NULL */
	struct notes *notes;		/* gets names of events left out */
};

/**
 * events_deinit() - free the profiles, except those that were set to NULL.
 */
void events_deinit(struct events *events);

/**
 * events_add() - append an event.
 * @name: cut if it is longer than EVENTS_NAME.
 * @profile: belongs to @events from then on, also on an error.
 *
 * Return: 0, or -E2BIG if there are EVENTS_MAX already.
 */
int events_add(struct events *events, const char *name,
	       struct profile *profile);

/**
 * events_take_first() - return the first event's profile, now the caller's;
 * free the rest.
 */
struct profile *events_take_first(struct events *events);

/** events_take() - take the profile of an event out. Return: NULL if there is none. */
struct profile *events_take(struct events *events, const char *name);

/**
 * events_same() - report whether two names mean the same event.
 *
 * "cycles:ppp" and "cycles" are; "cycles:u" and "cycles:k" are not.
 */
bool events_same(const char *a, const char *b);

/**
 * events_find() - find @name among @names.
 *
 * An identical name is preferred to one that is only the same by events_same().
 *
 * Return: the index, or -EINVAL if none or several match, with @error listing
 * the names.
 */
int events_find(const char *const *names, unsigned int nr, const char *name,
		struct error *error);

/**
 * events_text() - list the names from @first on: "cycles, faults,
 * sched:sched_switch".
 * Return: @text.
 */
const char *events_text(char text[EVENTS_TEXT], const char *const *names,
			unsigned int nr, unsigned int first);

/** events_names() - put the names of @events in @names. Return: how many. */
unsigned int events_names(const struct events *events,
			  const char *names[EVENTS_MAX]);

#endif /* FLAMECTL_EVENTS_H */
