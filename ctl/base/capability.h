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
 * capability_has() - report whether /proc/self/status lists a capability as
 * effective.
 * @root: prefix of that path; "" for this machine.
 * @number: the capability's number, such as CAPABILITY_SYS_MODULE.
 *
 * Return: true if it is; false also if the file cannot be read.
 */
bool capability_has(const char *root, unsigned int number);

#endif /* FLAMECTL_CAPABILITY_H */
