/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One ELF file and its symbols. There are two implementations: object.c by
 * elfutils, and object_none.c, which can read none, for the static flamectl.
 */
#ifndef FLAMECTL_SYMBOLS_OBJECT_H
#define FLAMECTL_SYMBOLS_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/symbols.h"

struct object;

/* Where to find an object's file and its debug file. */
struct object_source {
	const char *path, *build_id;	/* as in a symbols_place */
	const char *root;		/* as in a regular_root, and also ->any_fs */
	bool any_fs;
	int64_t not_after;		/* as in symbols_options */
	bool debuginfod;
};

/**
 * object_open() - find and open a file of ELF.
 * @state: set to what came of it.
 * @err: set to -errno if it is SYMBOLS_ABSENT.
 *
 * Return: the object, to be closed by object_close(), or NULL.
 */
struct object *object_open(const struct object_source *source,
			   enum symbols_state *state, int *err);

/** object_close() - free @object; NULL is fine. */
void object_close(struct object *object);

/**
 * object_symbol() - return the name of the function at @offset in the file, as
 * the linker knows it, or NULL. It is valid until the next call.
 */
const char *object_symbol(struct object *object, uint64_t offset);

/** object_bytes() - return how much memory @object has taken so far. */
uint64_t object_bytes(const struct object *object);

/**
 * object_inlined() - find the functions that are inlined at @offset in the file.
 * @nr: set to how many there are.
 *
 * Return: their names, as the linker would know them; the first is inlined into the
 * function of object_symbol(), each other one into the one before. They are valid until
 * the next call.
 */
char *const *object_inlined(struct object *object, uint64_t offset, size_t *nr);

#endif /* FLAMECTL_SYMBOLS_OBJECT_H */
