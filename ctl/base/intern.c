// SPDX-License-Identifier: GPL-2.0
/*
 * Give texts numbers: see intern.h.
 */
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

/* Not inlined: texts that are known, as most are, would save registers for it. */
__attribute__((noinline))
static int append(struct intern *intern, const char *text, size_t length,
		  uint64_t hash)
{
	char *copy;
	int err;

	if (intern->nr == UINT32_MAX - 1)
		return -EOVERFLOW;
	err = vec_reserve(intern->texts, intern->room, (size_t)intern->nr + 1) ?:
	      map_reserve(&intern->map, 1);
	if (err)
		return err;
	copy = arena_copy(&intern->arena, text, length);
	if (!copy)
		return -ENOMEM;
	intern->texts[intern->nr] = (struct intern_text){ copy, length };
	map_put(&intern->map, hash, intern->nr++);
	return 0;
}

int intern_add(struct intern *intern, const char *text, size_t length,
	       uint32_t *number)
{
	uint64_t hash = hash_bytes(text, length);
	const struct map_slot *slot = map_first(&intern->map, hash);
	int err;

	for (; slot; slot = map_next(&intern->map, hash, slot))
		if (intern_is(intern, slot->number - 1, text, length)) {
			*number = slot->number - 1;
			return 0;
		}
	err = append(intern, text, length, hash);
	if (!err)
		*number = intern->nr - 1;
	return err;
}

void intern_deinit(struct intern *intern)
{
	arena_deinit(&intern->arena);
	map_deinit(&intern->map);
	free(intern->texts);
	*intern = (struct intern){ 0 };
}
