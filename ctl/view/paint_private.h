/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What paint.c and paint_scheme.c share: which families of colours there are,
 * and which of them a frame is of.
 */
#ifndef FLAMECTL_PAINT_PRIVATE_H
#define FLAMECTL_PAINT_PRIVATE_H

#include "view/paint.h"

/* Shades of a family whose colours are computed. */
#define PAINT_SHADES 8

struct paint_family {
	const char *key;		/* in the legend; NULL: paint_scheme_key() knows */
	double hue_from, hue_to;	/* degrees of OKLCH */
	double chroma;
};

struct paint_scheme {
	const char *name;
	const struct paint_family *families;	/* the last has no chroma */
	/* Return: a family, or -1 for that of the frame's kind. */
	int (*family_of)(const struct tree_node *node);
};

/** paint_hash() - FNV-1a of 32 bits, its halves XORed into the lower one. */
uint32_t paint_hash(const char *bytes, size_t length);

/**
 * paint_scheme_key() - what a legend calls a family.
 * @name: of a frame of it.
 * @length: set to that of what is returned, which may be a part of @name.
 *
 * Return: NULL for none.
 */
const char *paint_scheme_key(const struct paint_scheme *scheme, int family,
			     const char *name, int *length);

#endif /* FLAMECTL_PAINT_PRIVATE_H */
