/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parse and print the session's settings: "hz=99", "cpus=0-3". The names are
 * those of common/flamemod.yaml.
 */
#ifndef FLAMECTL_SETTINGS_H
#define FLAMECTL_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

/* One bit per setting, bit N - 1 for attribute N of the settings nest. */
#define SETTING(name)		(1U << (FLAMEMOD_A_SETTINGS_##name - 1))

/* This list of CPUs means all CPUs, including those that are isolated. */
#define SETTINGS_ALL_CPUS	"all"

/* This rate means the highest, FLAMEMOD_HZ_MAX, as in perf. */
#define SETTINGS_HIGHEST_RATE	"max"

/**
 * settings_assign() - apply "name=value" to @settings.
 * @mask: the setting's bit is set.
 *
 * Return: 0, or -EINVAL with @error naming name, value and limits; then
 * nothing has changed.
 */
int settings_assign(struct profile_settings *settings, unsigned int *mask,
		    const char *assignment, struct error *error);

/** settings_pids() - parse the value of "pids=": "1,2", or "" for all. */
int settings_pids(struct profile_settings *settings, const char *text,
		  struct error *error);

/**
 * settings_cpus() - parse the value of "cpus=": a list of CPUs, "all", or "" for all
 * that are not isolated.
 *
 * Return: 0, or -EINVAL with @error quoting the list, without the setting's name;
 * then nothing has changed.
 */
int settings_cpus(struct profile_settings *settings, const char *text,
		  struct error *error);

/** settings_name() - return the name of attribute @attribute, or NULL. */
const char *settings_name(unsigned int attribute);

/**
 * settings_value() - print the value of attribute @attribute in the form that
 * settings_assign() parses; at most 1024 bytes.
 */
void settings_value(const struct profile_settings *settings,
		    unsigned int attribute, char *text, size_t size);

/**
 * settings_hz() - parse a rate of 1..FLAMEMOD_HZ_MAX, or "max".
 *
 * Return: 0, or -EINVAL with @error saying what is allowed and, for a higher
 * rate, why.
 */
int settings_hz(const char *text, uint64_t *hz, struct error *error);

#endif /* FLAMECTL_SETTINGS_H */
