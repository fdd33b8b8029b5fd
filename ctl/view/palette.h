/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Palette files keep the colours of functions, so that these stay the same from
 * graph to graph: one "name->rgb(R,G,B)" per line, as flamegraph.pl writes
 * them. Bytes in names that are not text are written as by utf8_escape().
 */
#ifndef FLAMECTL_PALETTE_H
#define FLAMECTL_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct palette_entry {
	char *name;		/* any bytes except NUL */
	uint32_t rgb;		/* 0xRRGGBB */
	size_t number;		/* in order of arrival */
};

struct palette {
	struct palette_entry *entries;	/* nr_sorted by name, then new ones */
	size_t nr, nr_sorted, max;
};

/**
 * palette_read() - read the file at @path; a missing file is an empty palette.
 * @palette: set on success, to be freed by palette_deinit().
 *
 * If a name occurs twice, its first colour is used.
 *
 * Return: 0, -EBADMSG with @error naming the malformed line, or -errno.
 */
int palette_read(struct palette *palette, const char *path,
		 struct error *error);

/** palette_deinit() - free what @palette holds; it may be zeroed. */
void palette_deinit(struct palette *palette);

/**
 * palette_find() - find the colour of @name among those read. Return: true if
 * there is one.
 */
bool palette_find(const struct palette *palette, const char *name,
		  uint32_t *rgb);

/**
 * palette_add() - remember the colour of a name that was not found.
 *
 * palette_find() will not find it; adding it twice is harmless.
 *
 * Return: 0 or -ENOMEM.
 */
int palette_add(struct palette *palette, const char *name, uint32_t rgb);

/**
 * palette_write() - rewrite the file, sorted by name, if names were added.
 *
 * Return: 0, or -errno with @error; the file is then unchanged.
 */
int palette_write(struct palette *palette, const char *path,
		  struct error *error);

#endif /* FLAMECTL_PALETTE_H */
