/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One event of the module that runs: samples, or an event that a program has attached.
 */
#ifndef FLAMECTL_LIVE_EVENT_H
#define FLAMECTL_LIVE_EVENT_H

#include "base/error.h"
#include "profile/profile.h"
#include "wire/nl.h"

/**
 * live_event_dump() - get the module's profile of one event.
 * @name: the event; NULL for the samples. If several programs have attached it, one of them
 *	  is chosen by its process: NAME@PID.
 *
 * Return: 0 with @profile set, to be freed by profile_destroy(); -EINVAL with @error naming
 * the events if there is no such one, or the processes that have it if it is not certain
 * which is meant; or as nl_dump().
 */
int live_event_dump(struct nl *nl, const char *name, struct profile **profile,
		    struct error *error);

#endif /* FLAMECTL_LIVE_EVENT_H */
