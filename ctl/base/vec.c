// SPDX-License-Identifier: GPL-2.0
/*
 * Grow an array: see vec.h.
 */
#include "base/vec.h"

#include <stdlib.h>

#define FIRST	32

void *vec_grow(void *elements, size_t size, size_t nr, size_t *room)
{
	size_t bigger = *room > FIRST / 2 ? *room * 2 : FIRST;
	void *moved;

	if (bigger < nr)
		bigger = nr;
	moved = reallocarray(elements, bigger, size);
	if (moved)
		*room = bigger;
	return moved;
}
