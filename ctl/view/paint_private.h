/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that paint.c and paint_scheme.c share: the families of colours,
 * and which of them a frame belongs to.
 */
#ifndef FLAMECTL_PAINT_PRIVATE_H
#define FLAMECTL_PAINT_PRIVATE_H

#include "view/paint.h"

/* Number of shades in a family whose colours are computed. */
#define PAINT_SHADES 8

struct paint_family {
	const char *key;		/* legend; NULL: paint_scheme_key() */
	double hue_from, hue_to;	/* degrees of OKLCH */
	double chroma;
};

struct paint_scheme {
	const char *name;
	const struct paint_family *families;	/* ends at chroma 0 */
	/* Return: a family, or -1 for the family of the frame's kind. */
	int (*family_of)(const struct tree_node *node);
	/* instead, if it depends on who the stack is of; marks of wakers have it, too */
	int (*family_by_waker)(bool is_waker);
};

/** paint_waker_family() - return the colours of wakers: see PAINT_WAKER. */
const struct paint_family *paint_waker_family(void);

/** paint_hash() - return the 32-bit FNV-1a, upper half XORed into the lower. */
uint32_t paint_hash(const char *bytes, size_t length);

/**
 * paint_scheme_key() - return the legend's text for a family.
 * @name: of a frame in that family.
 * @length: set to the length of the text, which may be a part of @name.
 *
 * Return: NULL if there is none.
 */
const char *paint_scheme_key(const struct paint_scheme *scheme, int family,
			     const char *name, int *length);

#endif /* FLAMECTL_PAINT_PRIVATE_H */
