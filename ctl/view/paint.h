/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which colour each rectangle of a layout has: a class of a style sheet, and
 * the rules of classes that svg/flame.css does not have.
 */
#ifndef FLAMECTL_PAINT_H
#define FLAMECTL_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "tree/tree.h"
#include "view/layout.h"
#include "view/palette.h"

#define PAINT_CLASS_MAX	12
#define PAINT_KEYS_MAX	40

/* A colour in the legend: a class of the style sheet, and what it tells. */
struct paint_key {
	char class[PAINT_CLASS_MAX];
	const char *text;	/* not ended by a NUL */
	int length;
};

/* A view with an idea of its own of frames, in the place of a scheme. */
struct paint_view {
	/* a class of svg/flame.css */
	const char *(*class)(const void *data, uint32_t node);
	/* the line below the name, instead of weight and share */
	void (*tell)(const void *data, uint32_t node, char *text, size_t size);
	const struct paint_key *keys;	/* the legend */
	unsigned int nr_keys;		/* up to PAINT_KEYS_MAX */
};

struct paint {
	uint32_t *colours;	/* of the layout's rectangles; private */
	uint32_t *fixed;	/* those of the palette, each once; private */
	uint32_t nr_colours, nr_fixed;
	struct paint_key keys[PAINT_KEYS_MAX];	/* of what the picture has */
	unsigned int nr_keys;
	const struct paint_scheme *scheme;
	const struct paint_view *view;	/* with the two below; NULL: none */
	const void *data;
	const struct layout *layout;
};

/**
 * paint_scheme_find() - the scheme of this name; NULL for "kind".
 *
 * Return: NULL with @error naming all there are, or the scheme.
 */
const struct paint_scheme *paint_scheme_find(const char *name,
					     struct error *error);

/**
 * paint_create() - choose a colour for every rectangle.
 * @paint: set on success, to be freed by paint_destroy(). Its keys point into
 *         @tree.
 * @scheme: of paint_scheme_find().
 * @palette: colours of names that are fixed, or NULL; the others are added.
 *
 * A function has the same colour in every graph of a scheme.
 *
 * Return: 0 or -ENOMEM.
 */
int paint_create(struct paint **paint, const struct tree *tree,
		 const struct layout *layout, const struct paint_scheme *scheme,
		 struct palette *palette);

/**
 * paint_create_view() - let a view paint every rectangle but those that stand
 * for many.
 * @paint: as above.
 * @layout: lives as @paint does, and so does @view.
 * @data: the view's own, to live as long.
 *
 * Return: 0 or -ENOMEM.
 */
int paint_create_view(struct paint **paint, const struct tree *tree,
		      const struct layout *layout, const struct paint_view *view,
		      const void *data);

/** paint_destroy() - NULL is fine. */
void paint_destroy(struct paint *paint);

/**
 * paint_kind_shade() - a colour that graphs give frames of a kind; the shade of
 * a name is the 32-bit FNV-1a of its bytes, its halves XORed into the lower one,
 * modulo their number.
 * @shade: from 0
 *
 * Return: 0xRRGGBB, or UINT32_MAX for a shade too many. What was lost has two,
 * of the hatching.
 */
uint32_t paint_kind_shade(enum tree_kind kind, unsigned int shade, bool dark);

/**
 * paint_mark_name() - a mark that has a colour and a place in legends of its own,
 * in every scheme: "[irqs-off]".
 * @shade: of TREE_MARK; 0 is that of all other marks.
 *
 * Return: what a legend says, or NULL for a shade too many.
 */
const char *paint_mark_name(unsigned int shade);

/** paint_kind_letter() - "k" for kernel: of its classes. */
char paint_kind_letter(enum tree_kind kind);

/** paint_class() - the class of the layout's rectangle of this number. */
void paint_class(const struct paint *paint, uint32_t rect,
		 char class[PAINT_CLASS_MAX]);

/**
 * paint_tell() - what the view has to tell of the layout's rectangle of this
 * number; of what stands for many its share, as a view's weights need not be
 * those that were sampled.
 *
 * Return: @text, or NULL for nothing but weight and share.
 */
const char *paint_tell(const struct paint *paint, uint32_t rect, char *text,
		       size_t size);

/**
 * paint_rules() - write the rules for the classes in use that are not in
 * svg/flame.css.
 * @dark: for a dark page.
 */
void paint_rules(const struct paint *paint, bool dark, FILE *out);

#endif /* FLAMECTL_PAINT_H */
