// SPDX-License-Identifier: GPL-2.0
/*
 * Read no symbols, in builds without elfutils: see object.h.
 */
#include "symbols/object.h"

#include <stddef.h>

struct object *object_open(const struct object_source *source,
			   enum symbols_state *state, int *err)
{
	(void)source;
	*state = SYMBOLS_UNSUPPORTED;
	*err = 0;
	return NULL;
}

void object_close(struct object *object)
{
	(void)object;
}

const char *object_symbol(struct object *object, uint64_t offset)
{
	(void)object;
	(void)offset;
	return NULL;
}

char *const *object_inlined(struct object *object, uint64_t offset, size_t *nr)
{
	(void)object;
	(void)offset;
	*nr = 0;
	return NULL;
}

uint64_t object_bytes(const struct object *object)
{
	(void)object;
	return 0;
}
