/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws numbers for made-up profiles: from the same seed, the same in each run.
 */
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

/* From which the next number follows; not 0, from which only zeros follow. */
extern uint64_t draw_seed;

/** draw() - draw a number of 64 bits. */
uint64_t draw(void);

#endif /* DRAW_H */
