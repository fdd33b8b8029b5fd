// SPDX-License-Identifier: GPL-2.0
/*
 * The time by which an agent knows its hours: see agent.h.
 *
 * It is in a file of its own, so that a test can put another time in its place.
 */
#include "cmd/agent.h"

#include <time.h>

#include "base/clock.h"

int64_t agent_real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * (int64_t)NSEC_PER_SEC + now.tv_nsec;
}
