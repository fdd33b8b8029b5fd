// SPDX-License-Identifier: GPL-2.0
/*
 * Parse and print the session's settings: see settings.h.
 */
#include "profile/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/number.h"

/* The highest pid of any kernel: PID_MAX_LIMIT. */
#define PID_MAX	(1U << 22)

static const char *const names[FLAMEMOD_A_SETTINGS_MAX + 1] = {
	[FLAMEMOD_A_SETTINGS_HZ] = "hz",
	[FLAMEMOD_A_SETTINGS_MAX_DEPTH] = "max-depth",
	[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE] = "exclude-idle",
	[FLAMEMOD_A_SETTINGS_KERNEL_ONLY] = "kernel-only",
	[FLAMEMOD_A_SETTINGS_PIDS] = "pids",
	[FLAMEMOD_A_SETTINGS_CPUS] = "cpus",
	[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY] = "followed-only",
	[FLAMEMOD_A_SETTINGS_USER_STACKS] = "user-stacks",
	[FLAMEMOD_A_SETTINGS_USER_PLACES] = "user-places",
};

const char *settings_name(unsigned int attribute)
{
	return attribute <= FLAMEMOD_A_SETTINGS_MAX ? names[attribute] : NULL;
}

int settings_pids(struct profile_settings *settings, const char *text,
		  struct error *error)
{
	uint32_t pids[FLAMEMOD_PIDS_MAX];
	unsigned int nr = 0;
	uint64_t pid;
	char one[16];
	int err;

	while (*text) {
		size_t length = strcspn(text, ",");

		if (nr == FLAMEMOD_PIDS_MAX)
			return error_set(error, -EINVAL, "at most %d processes or threads",
					 FLAMEMOD_PIDS_MAX);
		/* refuse: if cut to fit, it would be a different number */
		if (length >= sizeof(one))
			return error_set(error, -EINVAL, "%.32s...: a whole number from 1 to %u",
					 text, PID_MAX);
		memcpy(one, text, length);
		one[length] = '\0';
		err = number_parse(one, 1, PID_MAX, &pid, error);
		if (err)
			return err;
		pids[nr++] = (uint32_t)pid;
		text += length;
		if (*text == ',' && !*++text)
			return error_set(error, -EINVAL,
					 "a process or thread id is missing after the last comma");
	}
	memcpy(settings->pids, pids, nr * sizeof(pids[0]));
	settings->nr_pids = nr;
	return 0;
}

int settings_cpus(struct profile_settings *settings, const char *text,
		  struct error *error)
{
	struct error why;

	if (strlen(text) >= sizeof(settings->cpus))
		return error_set(error, -EINVAL, "at most %zu characters",
				 sizeof(settings->cpus) - 1);
	if (*text && strcmp(text, SETTINGS_ALL_CPUS) && cpulist_add(NULL, text)) {
		cpulist_refuse(text, &why);
		return error_set(error, -EINVAL, "%.200s, or all", why.text);
	}
	strcpy(settings->cpus, text);
	return 0;
}

static int assign_cpus(struct profile_settings *settings, const char *text,
		       struct error *error)
{
	struct error why;

	if (!settings_cpus(settings, text, &why))
		return 0;
	if (strlen(text) >= sizeof(settings->cpus))
		return error_set(error, -EINVAL, "cpus: %.200s", why.text);
	return error_set(error, -EINVAL, "cpus=%.300s, or nothing for all that are not isolated",
			 why.text);
}

int settings_hz(const char *text, uint64_t *hz, struct error *error)
{
	struct error ignored;

	if (!strcmp(text, SETTINGS_HIGHEST_RATE)) {
		*hz = FLAMEMOD_HZ_MAX;
		return 0;
	}
	if (!number_parse(text, FLAMEMOD_HZ_MAX + 1ULL, UINT64_MAX, hz, &ignored))
		return error_set(error, -EINVAL, "%.64s: at most %d: a period is then %d us, of which a sample with a deep stack can take a quarter",
				 text, FLAMEMOD_HZ_MAX, 1000000 / FLAMEMOD_HZ_MAX);
	return number_parse(text, 1, FLAMEMOD_HZ_MAX, hz, error);
}

static int assign_number(struct profile_settings *settings,
			 unsigned int attribute, const char *text,
			 struct error *error)
{
	static const struct { uint32_t min, max; } limits[] = {
		[FLAMEMOD_A_SETTINGS_HZ] = { 1, FLAMEMOD_HZ_MAX },
		[FLAMEMOD_A_SETTINGS_MAX_DEPTH] = { 1, FLAMEMOD_MAX_DEPTH_MAX },
		[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE] = { 0, 1 },
		[FLAMEMOD_A_SETTINGS_KERNEL_ONLY] = { 0, 1 },
		[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY] = { 0, 1 },
		[FLAMEMOD_A_SETTINGS_USER_STACKS] = { 0, 1 },
		[FLAMEMOD_A_SETTINGS_USER_PLACES] = { 0, 1 },
	};
	struct error inner;
	uint64_t number;
	int err;

	err = attribute == FLAMEMOD_A_SETTINGS_HZ ?
	      settings_hz(text, &number, &inner) :
	      number_parse(text, limits[attribute].min, limits[attribute].max,
			   &number, &inner);
	if (err)
		return error_set(error, err, "%s=%.400s", names[attribute],
				 inner.text);
	switch (attribute) {
	case FLAMEMOD_A_SETTINGS_HZ:
		settings->hz = (uint32_t)number;
		break;
	case FLAMEMOD_A_SETTINGS_MAX_DEPTH:
		settings->max_depth = (uint32_t)number;
		break;
	case FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE:
		settings->exclude_idle = number;
		break;
	case FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY:
		settings->followed_only = number;
		break;
	case FLAMEMOD_A_SETTINGS_USER_STACKS:
		settings->user_stacks = number;
		break;
	case FLAMEMOD_A_SETTINGS_USER_PLACES:
		settings->user_places = number;
		break;
	default:
		settings->kernel_only = number;
		break;
	}
	return 0;
}

int settings_assign(struct profile_settings *settings, unsigned int *mask,
		    const char *assignment, struct error *error)
{
	size_t length = strcspn(assignment, "=");
	const char *value = assignment + length + 1;
	unsigned int attribute;
	struct error inner;
	int err;

	if (!assignment[length])
		return error_set(error, -EINVAL, "%.64s: not of the form name=value",
				 assignment);
	for (attribute = 1; attribute <= FLAMEMOD_A_SETTINGS_MAX; attribute++)
		if (!strncmp(names[attribute], assignment, length) &&
		    !names[attribute][length])
			break;
	if (attribute == FLAMEMOD_A_SETTINGS_PIDS) {
		err = settings_pids(settings, value, &inner);
		if (err)
			error_set(error, err, "pids: %.400s", inner.text);
	} else if (attribute == FLAMEMOD_A_SETTINGS_CPUS) {
		err = assign_cpus(settings, value, error);
	} else if (attribute <= FLAMEMOD_A_SETTINGS_MAX) {
		err = assign_number(settings, attribute, value, error);
	} else {
		err = error_set(error, -EINVAL, "no setting %.*s: there are hz, "
				"max-depth, exclude-idle, kernel-only, user-stacks, user-places, pids and cpus",
				(int)(length > 64 ? 64 : length), assignment);
	}
	if (!err)
		*mask |= 1U << (attribute - 1);
	return err;
}

void settings_value(const struct profile_settings *settings,
		    unsigned int attribute, char *text, size_t size)
{
	size_t used = 0;
	unsigned int i;

	switch (attribute) {
	case FLAMEMOD_A_SETTINGS_HZ:
		snprintf(text, size, "%" PRIu32, settings->hz);
		break;
	case FLAMEMOD_A_SETTINGS_MAX_DEPTH:
		snprintf(text, size, "%" PRIu32, settings->max_depth);
		break;
	case FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE:
		snprintf(text, size, "%d", settings->exclude_idle);
		break;
	case FLAMEMOD_A_SETTINGS_KERNEL_ONLY:
		snprintf(text, size, "%d", settings->kernel_only);
		break;
	case FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY:
		snprintf(text, size, "%d", settings->followed_only);
		break;
	case FLAMEMOD_A_SETTINGS_USER_STACKS:
		snprintf(text, size, "%d", settings->user_stacks);
		break;
	case FLAMEMOD_A_SETTINGS_USER_PLACES:
		snprintf(text, size, "%d", settings->user_places);
		break;
	case FLAMEMOD_A_SETTINGS_PIDS:
		*text = '\0';
		for (i = 0; i < settings->nr_pids && used < size; i++)
			used += (size_t)snprintf(text + used, size - used,
						 "%s%" PRIu32, i ? "," : "",
						 settings->pids[i]);
		break;
	default:
		snprintf(text, size, "%s", settings->cpus);
		break;
	}
}
