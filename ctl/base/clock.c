// SPDX-License-Identifier: GPL-2.0
/*
 * The clock that waits and intervals are measured by: see clock.h.
 */
#include "base/clock.h"

#include <time.h>

uint64_t clock_monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}
