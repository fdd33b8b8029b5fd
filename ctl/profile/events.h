/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of one file: each has a name and a profile of its own.
 *
 * perf records several events at once, and a pprof file may have several sample
 * types. Their weights are of different units, so they are never summed. Views
 * show one of them, as if the file held nothing else; what keeps a file (import,
 * merge) has all of them. The first is the default.
 *
 * Most files hold one event, which may have no name; then a list has one entry.
 */
#ifndef FLAMECTL_EVENTS_H
#define FLAMECTL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/notes.h"
#include "profile/profile.h"

/* Events of a file that are told apart. */
#define EVENTS_MAX		16

/* The longest name that is kept, and a NUL. */
#define EVENTS_NAME		256

/* A list of all names, and a NUL; what does not fit is "...". */
#define EVENTS_TEXT		256

struct event {
	char name[EVENTS_NAME];		/* "" where nobody knows */
	struct profile *profile;
};

struct events {
	struct event list[EVENTS_MAX];
	unsigned int nr;
};

/* Which events of a file are wanted; zeroed, the default one. */
struct events_wanted {
	const char *name;		/* this one only, or NULL */
	bool all;			/* where no name is given */
	struct notes *notes;		/* gets the names of what is left out, or NULL */
};

/**
 * events_deinit() - free the profiles, but for those that were set to NULL.
 */
void events_deinit(struct events *events);

/**
 * events_add() - one event more, behind the others.
 * @name: cut where it is longer than EVENTS_NAME.
 * @profile: belongs to @events from then on, also on an error.
 *
 * Return: 0, or -E2BIG where there are EVENTS_MAX.
 */
int events_add(struct events *events, const char *name,
	       struct profile *profile);

/** events_take_first() - the first one's profile, now the caller's; frees the rest. */
struct profile *events_take_first(struct events *events);

/**
 * events_same() - are these two names of one event?
 *
 * "cycles:ppp" and "cycles" are; "cycles:u" and "cycles:k" are not.
 */
bool events_same(const char *a, const char *b);

/**
 * events_find() - the place of @name among @names.
 *
 * The same text is taken before what events_same() says.
 *
 * Return: the place, or -EINVAL with @error naming what there is: where none has
 * that name, or several have.
 */
int events_find(const char *const *names, unsigned int nr, const char *name,
		struct error *error);

/**
 * events_text() - "cycles, faults, sched:sched_switch" of the names from @first on.
 * Return: @text.
 */
const char *events_text(char text[EVENTS_TEXT], const char *const *names,
			unsigned int nr, unsigned int first);

/** events_names() - the names of @events in @names. Return: how many. */
unsigned int events_names(const struct events *events,
			  const char *names[EVENTS_MAX]);

#endif /* FLAMECTL_EVENTS_H */
