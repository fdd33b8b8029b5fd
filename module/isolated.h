/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the CPUs that the administrator keeps free of the kernel's own work.
 */
#ifndef _FLAMEMOD_ISOLATED_H
#define _FLAMEMOD_ISOLATED_H

struct cpumask;

void fm_isolated_find(struct cpumask *cpus);

#endif /* _FLAMEMOD_ISOLATED_H */
