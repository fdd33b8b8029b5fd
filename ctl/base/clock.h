/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clocks that waits, intervals and work are measured by.
 */
#ifndef FLAMECTL_CLOCK_H
#define FLAMECTL_CLOCK_H

#include <stdint.h>

#define NSEC_PER_USEC	UINT64_C(1000)
#define NSEC_PER_SEC	UINT64_C(1000000000)

/** clock_monotonic_ns() - return CLOCK_MONOTONIC, as the module's times are. */
uint64_t clock_monotonic_ns(void);

/** clock_thread_ns() - return the CPU time of the calling thread. */
uint64_t clock_thread_ns(void);

#endif /* FLAMECTL_CLOCK_H */
