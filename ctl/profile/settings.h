/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's settings as text: "hz=99", "cpus=0-3". Names are those of
 * common/flamemod.yaml.
 */
#ifndef FLAMECTL_SETTINGS_H
#define FLAMECTL_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

/* One bit per setting, bit N - 1 for attribute N of the settings nest. */
#define SETTING(name)		(1U << (FLAMEMOD_A_SETTINGS_##name - 1))

/**
 * settings_assign() - apply "name=value" to @settings.
 * @mask: the setting's bit is added.
 *
 * Return: 0, or -EINVAL with @error naming name, value and limits; then
 * nothing has changed.
 */
int settings_assign(struct profile_settings *settings, unsigned int *mask,
		    const char *assignment, struct error *error);

/** settings_pids() - the value of "pids=": "1,2", or "" for all. */
int settings_pids(struct profile_settings *settings, const char *text,
		  struct error *error);

/** settings_name() - the name of attribute @attribute, or NULL. */
const char *settings_name(unsigned int attribute);

/**
 * settings_value() - the value of attribute @attribute as settings_assign()
 * takes it; at most 1024 bytes.
 */
void settings_value(const struct profile_settings *settings,
		    unsigned int attribute, char *text, size_t size);

/**
 * settings_hz() - a rate of 1..FLAMEMOD_HZ_MAX.
 *
 * Return: 0, or -EINVAL with @error saying what is allowed, and, of a higher
 * one, why.
 */
int settings_hz(const char *text, uint64_t *hz, struct error *error);

#endif /* FLAMECTL_SETTINGS_H */
