/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derive which part of the kernel a function belongs to from its name only.
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
	SUBSYSTEM_SECURITY,	/* includes crypto */
	SUBSYSTEM_TRACING,
	SUBSYSTEM_VIRTUAL,
	SUBSYSTEM_DRIVERS,	/* modules that are none of the above */
	SUBSYSTEM_MAX
};

/**
 * subsystem_of() - get the subsystem of "function" or "function [module]".
 *
 * A module's name takes precedence over the function's, and leading underscores
 * are ignored. Without a known prefix the result is SUBSYSTEM_OTHER for the
 * core kernel and SUBSYSTEM_DRIVERS for a module.
 */
enum subsystem subsystem_of(const char *name);

/** subsystem_name() - return its name for a legend, such as "network". */
const char *subsystem_name(enum subsystem subsystem);

#endif /* FLAMECTL_SUBSYSTEM_H */
