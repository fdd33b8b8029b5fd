// SPDX-License-Identifier: GPL-2.0
/*
 * An arena allocator: pieces are placed one after the other in large chunks,
 * see arena.h. A saved profile takes a million pieces; a malloc() for each took
 * a fifth of the time to read it.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES	(256 << 10)
#define ALIGN		alignof(max_align_t)

struct arena_chunk {
	struct arena_chunk *next;
	alignas(max_align_t) char bytes[];
};

/* A piece that would fill most of a chunk gets a chunk of its own. */
static void *take_chunk(struct arena *arena, size_t size)
{
	bool own = size > CHUNK_BYTES / 4;
	size_t room = own ? size : CHUNK_BYTES;
	struct arena_chunk *chunk = malloc(sizeof(*chunk) + room);

	if (!chunk) {
		arena->failed = true;
		return NULL;
	}
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	if (!own) {
		arena->free = chunk->bytes + size;
		arena->nr_free = room - size;
	}
	return chunk->bytes;
}

void *arena_take(struct arena *arena, size_t size)
{
	char *taken = arena->free;

	if (size > arena->left - arena->left % ALIGN) {
		arena->exceeded = true;
		return NULL;
	}
	size = (size + ALIGN - 1) / ALIGN * ALIGN;
	arena->left -= size;
	if (size > arena->nr_free)
		return take_chunk(arena, size);
	arena->free += size;
	arena->nr_free -= size;
	return taken;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
	char *copy = arena->free;

	if (length < arena->nr_free) {
		arena->free += length + 1;
		arena->nr_free -= length + 1;
	} else {
		copy = take_chunk(arena, length + 1);
		if (!copy)
			return NULL;
	}
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	return copy;
}

void arena_deinit(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	arena->free = NULL;
	arena->nr_free = 0;
}
