/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An arena: many small allocations, up to a limit, that are all freed at once.
 */
#ifndef FLAMECTL_ARENA_H
#define FLAMECTL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;		/* private to arena.c */

/* Empty when all is zero except @left. */
struct arena {
	size_t left;			/* bytes that may still be taken */
	bool exceeded;			/* more than @left was asked for */
	bool failed;			/* malloc() failed */
	struct arena_chunk *chunks;
	char *free;			/* in the newest chunk */
	size_t nr_free;
};

/**
 * arena_take() - allocate @size uninitialised bytes, aligned for any type.
 *
 * Return: the memory; NULL with arena->failed set when memory is short, or NULL
 * with arena->exceeded set when the limit is exceeded.
 */
void *arena_take(struct arena *arena, size_t size);

/**
 * arena_copy() - copy @length bytes, add a NUL, and align to nothing. @arena->left
 * is not looked at, and an arena of such copies holds nothing else.
 *
 * Return: the copy, or NULL when memory is short.
 */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

/** arena_deinit() - free all memory that was taken. */
void arena_deinit(struct arena *arena);

#endif /* FLAMECTL_ARENA_H */
