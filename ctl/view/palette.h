/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours of functions that are kept in a file, so that they stay the same from
 * graph to graph: one "name->rgb(R,G,B)" a line, as flamegraph.pl keeps them,
 * and what is no text in names as utf8_escape() writes it.
 */
#ifndef FLAMECTL_PALETTE_H
#define FLAMECTL_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct palette_entry {
	char *name;		/* any bytes but NUL */
	uint32_t rgb;		/* 0xRRGGBB */
	size_t number;		/* the order of arrival */
};

struct palette {
	struct palette_entry *entries;	/* the first nr_sorted by name */
	size_t nr, nr_sorted, max;
};

/**
 * palette_read() - read the file at @path; none there is an empty palette.
 * @palette: set on success, to be freed by palette_deinit().
 *
 * Of a name that stands there twice the first colour counts.
 *
 * Return: 0, -EBADMSG with @error naming the line that is none, or -errno.
 */
int palette_read(struct palette *palette, const char *path,
		 struct error *error);

/** palette_deinit() - free what it holds; fine for a zeroed one. */
void palette_deinit(struct palette *palette);

/** palette_find() - the colour of @name among those read. Return: is it one? */
bool palette_find(const struct palette *palette, const char *name,
		  uint32_t *rgb);

/**
 * palette_add() - remember the colour of a name that is not there.
 *
 * palette_find() does not find it, and adding it again does no harm.
 *
 * Return: 0 or -ENOMEM.
 */
int palette_add(struct palette *palette, const char *name, uint32_t rgb);

/**
 * palette_write() - write the file anew, by name, if names were added.
 *
 * Return: 0 or -errno with @error; what stood there is then as it was.
 */
int palette_write(struct palette *palette, const char *path,
		  struct error *error);

#endif /* FLAMECTL_PALETTE_H */
