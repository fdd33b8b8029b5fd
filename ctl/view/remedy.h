/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What to do about lost periods: the module's parameter, or the option, and a
 * value that is larger than today's.
 */
#ifndef FLAMECTL_REMEDY_H
#define FLAMECTL_REMEDY_H

#include <stddef.h>
#include <stdint.h>

#include "flamemod.h"

/* The loaded module's parameters, in KiB; 0 where that is not known. */
struct remedy_limits {
	uint64_t cpu_kb, aggregate_kb;
};

/** remedy_limits_read() - those of the module that is loaded here. */
void remedy_limits_read(struct remedy_limits *limits);

/**
 * remedy_lost() - what helps against periods lost for @reason.
 * @limits: of the module that lost them; of unknown ones the defaults are taken.
 * @hz: the rate that was sampled at.
 * @text: set to it, such as "load with cpu_kb=4096"; to "" where nothing helps.
 */
void remedy_lost(enum flamemod_lost reason, const struct remedy_limits *limits,
		 uint32_t hz, char *text, size_t size);

#endif /* FLAMECTL_REMEDY_H */
