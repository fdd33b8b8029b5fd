/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Advice about lost periods of the timer: names the module's parameter or the option to
 * change, and a larger value for it. Events have other parameters: see profile/advice.h.
 */
#ifndef FLAMECTL_REMEDY_H
#define FLAMECTL_REMEDY_H

#include <stddef.h>
#include <stdint.h>

#include "flamemod.h"

/* The module's parameters, in KiB; 0 if unknown. */
struct remedy_limits {
	uint64_t cpu_kb, aggregate_kb;
};

/** remedy_limits_read() - read the parameters of the module loaded here. */
void remedy_limits_read(struct remedy_limits *limits);

/**
 * remedy_lost() - advise what to do about periods lost for @reason.
 * @limits: of the module that lost them; for unknown ones, defaults are
 *       assumed.
 * @hz: the sampling rate.
 * @text: set to advice such as "load with cpu_kb=4096"; "" if nothing helps.
 */
void remedy_lost(enum flamemod_lost reason, const struct remedy_limits *limits,
		 uint32_t hz, char *text, size_t size);

#endif /* FLAMECTL_REMEDY_H */
