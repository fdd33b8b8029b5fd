/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is taken in many small pieces, up to a limit, and given back at
 * once.
 */
#ifndef FLAMECTL_ARENA_H
#define FLAMECTL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;		/* private to arena.c */

/* Zeroed but for @left, it is empty. */
struct arena {
	size_t left;			/* bytes that may still be taken */
	bool exceeded;			/* were more asked for? */
	bool failed;			/* was memory short? */
	struct arena_chunk *chunks;
	char *free;			/* in the newest chunk */
	size_t nr_free;
};

/**
 * arena_take() - @size bytes, aligned for anything and not set to anything.
 *
 * Return: NULL when memory is short, with arena->failed set, or past the limit,
 * with arena->exceeded.
 */
void *arena_take(struct arena *arena, size_t size);

/** arena_deinit() - free all that was taken. */
void arena_deinit(struct arena *arena);

#endif /* FLAMECTL_ARENA_H */
