/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A text that is put together from parts, and is cut at its room.
 */
#ifndef FLAMECTL_GROWING_H
#define FLAMECTL_GROWING_H

#include <stddef.h>

struct growing {
	char *text;			/* ends in a NUL if anything was added */
	size_t room;			/* bytes, the NUL included; at least 1 */
	size_t used;			/* without the NUL */
};

/** growing_add() - append what printf() would print; what has no room is left out. */
void growing_add(struct growing *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* FLAMECTL_GROWING_H */
