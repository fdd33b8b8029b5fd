/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find out before sampling whether the processes that were asked for can be seen:
 * one that may only run on CPUs that are not sampled would leave no sample.
 */
#ifndef FLAMECTL_REACH_H
#define FLAMECTL_REACH_H

#include <sys/types.h>

#include "base/error.h"
#include "profile/profile.h"

/**
 * reach_check() - refuse processes and threads that may not run on any CPU that is
 * sampled. A process is refused if none of its threads may. What cannot be read,
 * such as a process that has ended, is not refused.
 * @now: the module's session, from nl_status()
 * @wanted: the settings that are about to be changed
 * @mask: bits of SETTING(): those in @wanted; all others stay as they are
 *
 * Return: 0, or -EINVAL with @error naming the process and the CPUs.
 */
int reach_check(const struct profile_meta *now,
		const struct profile_settings *wanted, unsigned int mask,
		struct error *error);

/** reach_check_command() - the same for a process that is to run a command. */
int reach_check_command(const struct profile_meta *now,
			const struct profile_settings *wanted,
			unsigned int mask, pid_t pid, struct error *error);

#endif /* FLAMECTL_REACH_H */
