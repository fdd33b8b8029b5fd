/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which part of the kernel a function belongs to, judged by its name alone.
 */
#ifndef FLAMECTL_SUBSYSTEM_H
#define FLAMECTL_SUBSYSTEM_H

enum subsystem {
	SUBSYSTEM_OTHER,
	SUBSYSTEM_ENTRY,	/* system calls and exceptions */
	SUBSYSTEM_SCHEDULER,
	SUBSYSTEM_INTERRUPTS,
	SUBSYSTEM_TIME,
	SUBSYSTEM_LOCKS,
	SUBSYSTEM_MEMORY,
	SUBSYSTEM_FILES,
	SUBSYSTEM_BLOCK,
	SUBSYSTEM_NETWORK,
	SUBSYSTEM_SECURITY,	/* crypto as well */
	SUBSYSTEM_TRACING,
	SUBSYSTEM_VIRTUAL,
	SUBSYSTEM_DRIVERS,	/* modules that are none of the above */
	SUBSYSTEM_MAX
};

/**
 * subsystem_of() - of "function" or "function [module]".
 *
 * A module's name decides before its functions' names, and leading underscores
 * say nothing. What no prefix is known of is SUBSYSTEM_OTHER in the core kernel
 * and SUBSYSTEM_DRIVERS in a module.
 */
enum subsystem subsystem_of(const char *name);

/** subsystem_name() - "network", for a legend. */
const char *subsystem_name(enum subsystem subsystem);

#endif /* FLAMECTL_SUBSYSTEM_H */
