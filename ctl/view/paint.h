/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Colours of a layout's rectangles: each gets a class of a style sheet. Classes
 * that svg/flame.css does not have get rules of their own.
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

/*
 * A family of colours beside those of kinds: functions most of whose time was spent off
 * the CPU, blocked or waiting for one.
 */
#define PAINT_OFF_CPU	((enum tree_kind)(TREE_MARK + 1))

/* And one for functions of what woke a task. */
#define PAINT_WAKER	((enum tree_kind)(TREE_MARK + 2))

/* A key in the legend: a class of the style sheet, and what it stands for. */
struct paint_key {
	char class[PAINT_CLASS_MAX];
	const char *text;	/* not NUL-terminated */
	int length;
};

/* A view, which colours frames in its own way, instead of a scheme. */
struct paint_view {
	/* returns a class of svg/flame.css */
	const char *(*class)(const void *data, uint32_t node);
	/* writes the line below the name, instead of weight and share */
	void (*tell)(const void *data, uint32_t node, char *text, size_t size);
	const struct paint_key *keys;	/* the legend */
	unsigned int nr_keys;		/* up to PAINT_KEYS_MAX */
};

struct paint {
	uint32_t *colours;	/* of the layout's rectangles; private */
	uint32_t *fixed;	/* the palette's colours, each once; private */
	uint32_t nr_colours, nr_fixed;
	struct paint_key keys[PAINT_KEYS_MAX];	/* of colours in the picture */
	unsigned int nr_keys;
	const struct paint_scheme *scheme;
	const struct paint_view *view;	/* with the two below; or NULL */
	const void *data;
	const struct layout *layout;
};

/**
 * paint_scheme_usual() - return the scheme of a graph for which none was asked for.
 *
 * Return: "chain" if it has frames of wakers, else NULL, which is "kind".
 */
const struct paint_scheme *paint_scheme_usual(const struct tree *tree);

/**
 * paint_scheme_find() - find the scheme of this name; it is NULL for "kind".
 * @error: names all schemes if there is none of this name; else empty.
 *
 * Return: the scheme, or NULL.
 */
const struct paint_scheme *paint_scheme_find(const char *name,
					     struct error *error);

/**
 * paint_create() - choose a colour for every rectangle.
 * @paint: set on success, to be freed by paint_destroy(). Its keys point into
 *         @tree.
 * @scheme: from paint_scheme_find().
 * @palette: fixed colours of names, or NULL; colours of other names are added.
 *
 * A function has the same colour in every graph of a scheme.
 *
 * Return: 0 or -ENOMEM.
 */
int paint_create(struct paint **paint, const struct tree *tree,
		 const struct layout *layout, const struct paint_scheme *scheme,
		 struct palette *palette);

/**
 * paint_create_view() - let a view colour every rectangle except merged ones.
 * @paint: as above.
 * @layout: must live as long as @paint, and so must @view.
 * @data: the view's own; must live as long.
 *
 * Return: 0 or -ENOMEM.
 */
int paint_create_view(struct paint **paint, const struct tree *tree,
		      const struct layout *layout, const struct paint_view *view,
		      const void *data);

/** paint_destroy() - free @paint; may be NULL. */
void paint_destroy(struct paint *paint);

/**
 * paint_kind_shade() - return a colour that graphs use for frames of a kind.
 * The shade of a name is the 32-bit FNV-1a hash of its bytes, with the upper
 * half XORed into the lower one, modulo the number of shades.
 * @kind: or PAINT_OFF_CPU, or PAINT_WAKER, whose shades are those of the scheme "chain".
 * @shade: from 0
 *
 * Return: 0xRRGGBB, or UINT32_MAX if @shade is too large. TREE_LOST has two
 * shades, those of its hatching.
 */
uint32_t paint_kind_shade(enum tree_kind kind, unsigned int shade, bool dark);

/**
 * paint_mark_name() - return a mark that has its own colour and legend key in
 * every scheme, such as "[irqs-off]".
 * @shade: of TREE_MARK; 0 is for all other marks.
 *
 * Return: the legend's text, or NULL if @shade is too large.
 */
const char *paint_mark_name(unsigned int shade);

/**
 * paint_kind_letter() - return the letter of a kind's classes: "k" for kernel. @kind may
 * be PAINT_OFF_CPU or PAINT_WAKER, too.
 */
char paint_kind_letter(enum tree_kind kind);

/** paint_class() - write the class of rectangle @rect to @class. */
void paint_class(const struct paint *paint, uint32_t rect,
		 char class[PAINT_CLASS_MAX]);

/**
 * paint_tell() - write the view's text about rectangle @rect. For a merged one
 * this is its share, as a view's weights may differ from those sampled.
 *
 * Return: @text, or NULL to show weight and share as usual.
 */
const char *paint_tell(const struct paint *paint, uint32_t rect, char *text,
		       size_t size);

/**
 * paint_rules() - write the rules for the classes in use that svg/flame.css
 * does not have.
 * @dark: for a dark page.
 */
void paint_rules(const struct paint *paint, bool dark, FILE *out);

#endif /* FLAMECTL_PAINT_H */
