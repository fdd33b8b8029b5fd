// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that is cached: see cached.h.
 */
#include "../../module/memory.h"
#include "cached.h"

static void *fm_cached[FM_CACHED_NR];
static unsigned int fm_nr_cached;

static bool fm_cached_give(struct fm_memory *memory)
{
	if (!fm_nr_cached)
		return false;
	memory->cached_bytes -= FM_CACHED_BYTES;
	fm_memory_free(memory, fm_cached[--fm_nr_cached], FM_CACHED_BYTES);
	return true;
}

/* Allocate blocks that are cached from now on. */
void fm_cached_begin(struct fm_memory *memory)
{
	for (fm_nr_cached = 0; fm_nr_cached < FM_CACHED_NR; fm_nr_cached++)
		fm_cached[fm_nr_cached] = fm_memory_alloc(memory, FM_CACHED_BYTES);
	memory->cached_bytes = FM_CACHED_NR * FM_CACHED_BYTES;
	memory->reclaim = fm_cached_give;
}

/* Free those that are left. */
void fm_cached_end(struct fm_memory *memory)
{
	while (fm_cached_give(memory))
		;
}

/* Return: how many are left. */
unsigned int fm_cached_nr(void)
{
	return fm_nr_cached;
}
