/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The capabilities of this process.
 */
#ifndef FLAMECTL_CAPABILITY_H
#define FLAMECTL_CAPABILITY_H

#include <stdbool.h>

/* linux/capability.h; CAP_PERFMON is not in every distribution's copy */
#define CAPABILITY_SYS_MODULE	16
#define CAPABILITY_SYS_ADMIN	21
#define CAPABILITY_PERFMON	38

/**
 * capability_has() - is a capability effective, by /proc/self/status?
 * @root: before that path; "" for this machine.
 *
 * Return: false where that cannot be read, too.
 */
bool capability_has(const char *root, unsigned int number);

#endif /* FLAMECTL_CAPABILITY_H */
