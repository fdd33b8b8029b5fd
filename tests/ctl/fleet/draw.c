// SPDX-License-Identifier: GPL-2.0
/*
 * Draws numbers: see draw.h.
 */
#include "draw.h"

uint64_t draw_seed = 1;

uint64_t draw(void)
{
	/* xorshift64*, Vigna 2016 */
	draw_seed ^= draw_seed >> 12;
	draw_seed ^= draw_seed << 25;
	draw_seed ^= draw_seed >> 27;
	return draw_seed * 0x2545f4914f6cdd1dULL;
}
