/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Advice on what to change so that less is lost. It names a parameter of the module or an
 * option, and only one that the profile's event has: the timer has a rate, time off the
 * CPU has --min-block, all time of tasks has neither.
 */
#ifndef FLAMECTL_ADVICE_H
#define FLAMECTL_ADVICE_H

#include <stddef.h>

#include "profile/profile.h"

/* Room for the advice for one reason, and a NUL. */
#define ADVICE_MAX	192

/* Room for the advice for all reasons, and a NUL. */
#define ADVICE_ALL_MAX	640

/**
 * advice_lost() - write what to change so that fewer periods of the timer are lost.
 * @meta: the settings in force at that time.
 * @reason: why they were lost.
 * @text: at least ADVICE_MAX bytes.
 *
 * Return: @text, such as "load with cpu_kb=4096", or NULL if no change helps.
 */
const char *advice_lost(const struct profile_meta *meta, enum flamemod_lost reason,
			char *text, size_t size);

/**
 * advice_event_lost() - write what to change so that an event loses fewer intervals of
 * tasks, or fewer hits.
 * @meta: the event's name, and the settings in force at that time.
 * @reason: why they were lost.
 * @text: at least ADVICE_MAX bytes.
 *
 * Return: @text, such as "load with a larger events_kb", or NULL if no change helps.
 */
const char *advice_event_lost(const struct profile_meta *meta, enum flamemod_event_lost reason,
			      char *text, size_t size);

/**
 * advice_all() - write the advice for each reason why @profile lost something.
 *
 * Return: @text, such as "table-full: load with cpu_kb=4096; overload: lower the rate,
 * -F 498", or NULL if nothing was lost or nothing helps.
 */
const char *advice_all(const struct profile *profile, char text[ADVICE_ALL_MAX]);

#endif /* FLAMECTL_ADVICE_H */
