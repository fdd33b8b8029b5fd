/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which windows of a fleet a question is about: "release=6.12,hour=14"; and which of their
 * events: samples, or one that is named.
 */
#ifndef FLAMECTL_CHOICE_H
#define FLAMECTL_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "fleet/labels.h"
#include "profile/profile.h"

#define CHOICE_TERMS_MAX	32

/* What a term is about. */
enum choice_what {
	CHOICE_HOST,
	CHOICE_RELEASE,
	CHOICE_MACHINE,
	CHOICE_LABEL,
	CHOICE_CGROUP,			/* of parts of windows; "*" is no pattern in it */
};

struct choice_term {
	enum choice_what what;
	char name[LABEL_NAME_MAX + 1];	/* of a label */
	char value[LABEL_VALUE_MAX + 1]; /* "*" in it matches any text */
};

struct choice {
	/* terms of one name are alternatives; all names must match */
	struct choice_term terms[CHOICE_TERMS_MAX];
	unsigned int nr;
	char event[PROFILE_UNIT_MAX];	/* a profile's weight_type; "": samples */
	/* windows that start in it, in seconds since 1970; to_s 0: no limit */
	int64_t from_s, to_s;
};

/**
 * choice_parse() - parse NAME=VALUE,...; "" chooses all windows.
 * @now_s: CLOCK_REALTIME, to which hours and "last" refer.
 *
 * Names are host, release, machine, cgroup, event, from, to, hour, day, last, and those of
 * labels. Weights of different events cannot be summed, so at most one is chosen.
 *
 * Return: 0, or -EINVAL with @error quoting the term.
 */
int choice_parse(struct choice *choice, const char *text, int64_t now_s,
		 struct error *error);

/**
 * choice_set_event() - choose the event that an option names.
 *
 * Return: 0, or -EINVAL with @error, to follow the option, if the choice names another one,
 * or @name is no name.
 */
int choice_set_event(struct choice *choice, const char *name, struct error *error);

/** choice_has_cgroups() - report whether only parts of windows are chosen. */
bool choice_has_cgroups(const struct choice *choice);

#endif /* FLAMECTL_CHOICE_H */
