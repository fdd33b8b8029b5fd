/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the modules chain and detour share.
 */
#ifndef _CHAIN_H
#define _CHAIN_H

#include <asm/processor.h>

#define CHAIN_SPINS	200

void chain_four(void);

/* Inlined, so that each caller is a leaf of its own. */
static __always_inline void chain_spin(void)
{
	unsigned int spin;

	for (spin = 0; spin < CHAIN_SPINS; spin++)
		cpu_relax();
}

#endif /* _CHAIN_H */
