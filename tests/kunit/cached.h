/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of a limit that is cached, and what is left of it.
 */
#ifndef _FM_CACHED_H
#define _FM_CACHED_H

#include <linux/types.h>

struct fm_memory;

#define FM_CACHED_BYTES	128
#define FM_CACHED_NR	3

void fm_cached_begin(struct fm_memory *memory);
void fm_cached_end(struct fm_memory *memory);
unsigned int fm_cached_nr(void);

#endif /* _FM_CACHED_H */
