// SPDX-License-Identifier: GPL-2.0
/*
 * Colours of frames. A scheme (paint_scheme.c) assigns each frame to a family;
 * in the family, a hash of the function's name chooses one of a few shades, so
 * that neighbours can be distinguished and a function looks the same in every
 * picture. The families of frame kinds have their shades in svg/flame.css;
 * those of other schemes are computed, with even lightness.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/percent.h"
#include "embed.h"
#include "tree/off_cpu.h"
#include "tree/wakers.h"
#include "view/paint_private.h"

/* Families below this are frame kinds; a scheme's own start here. */
#define FAMILY_OWN 16
#define FAMILY_MAX (FAMILY_OWN + 24)

/* A colour is FAMILY << 8 | SHADE, or COLOUR_RGB | 0xRRGGBB. */
#define COLOUR_RGB (1U << 31)

/*
 * Lightness of shades on a light page, and how much lower it is on a dark one:
 * labels have a contrast above 4.5:1 on all of them.
 */
#define LIGHT_MIN 0.76
#define LIGHT_STEP 0.015
#define DARK_LESS 0.09

/* The marks by shade, as in svg/flame.css; also their text in the legend. */
static const char *const marks[] = {
	"other marks", "[irqs-off]", "[interrupt]", "[injected idle]",
	"[incomplete]", "[truncated]", "[stalled]", "[steal]",
	"[waiting]", "[preempted]", "[uninterruptible]", "[sleeping]", "[on-cpu]",
};

#define NR_MARKS (sizeof(marks) / sizeof(marks[0]))

/*
 * Class letters and numbers of shades, as in svg/flame.css, and legend texts.
 */
static const struct {
	char letter;
	unsigned int nr_shades;		/* 0: the class is the letter alone */
	const char *key;		/* NULL: not in the legend */
} kinds[] = {
	[TREE_ROOT] = { 't', 4, NULL },
	[TREE_TASK] = { 't', 4, "tasks" },
	[TREE_KERNEL] = { 'k', 16, "kernel" },
	[TREE_MODULE] = { 'm', 12, "modules" },
	[TREE_USER] = { 'u', 12, "user" },
	[TREE_IDLE] = { 'i', 8, "idle" },
	[TREE_LOST] = { 'l', 0, "lost" },
	[TREE_MARK] = { 'x', NR_MARKS, NULL },	/* each mark has its own key */
	[PAINT_OFF_CPU] = { 'o', 8, "off-CPU" },
	[PAINT_WAKER] = { 'w', PAINT_SHADES, "waker" },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* ---- colours ---- */

const char *paint_mark_name(unsigned int shade)
{
	return shade < NR_MARKS ? marks[shade] : NULL;
}

static unsigned int mark_shade(const char *name)
{
	for (unsigned int i = 1; i < NR_MARKS; i++)
		if (!strcmp(name, marks[i]))
			return i;
	return 0;
}

/* These kinds look the same in every scheme, as they are not functions. */
static bool keeps_kind(enum tree_kind kind)
{
	return kind == TREE_ROOT || kind == TREE_LOST || kind == TREE_MARK;
}

/* @dark: on a dark page */
static uint32_t compute(const struct paint_family *family, unsigned int shade,
			bool dark)
{
	/* shades with neighbouring hues get different lightness */
	double lightness = LIGHT_MIN + LIGHT_STEP * (shade * 3 % PAINT_SHADES);
	double hue = family->hue_from + (family->hue_to - family->hue_from) *
		     shade / (PAINT_SHADES - 1);

	return colour_oklch(lightness - (dark ? DARK_LESS : 0), family->chroma,
			    hue);
}

/* What is known of a node by its place in the tree. */
struct place {
	bool off;			/* most of its time was spent off the CPU */
	bool waker;			/* it is of a waker, if the scheme shows that */
};

static int family_of(const struct paint_scheme *scheme, const struct tree_node *node,
		     const struct place *place)
{
	return scheme->family_by_waker ? scheme->family_by_waker(place->waker) :
	       scheme->family_of(node);
}

static uint32_t choose(const struct paint_scheme *scheme, const struct tree_node *node,
		       const char *name, const struct place *place)
{
	uint32_t hash = paint_hash(name, strlen(name));
	int family = -1;

	if (node && node->kind == TREE_MARK && (!place->waker || mark_shade(name)))
		return TREE_MARK << 8 | mark_shade(name);
	if (scheme && node && (place->waker || !keeps_kind(node->kind)) &&
	    node->kind != TREE_IDLE)
		family = family_of(scheme, node, place);
	if (family >= 0)
		return (FAMILY_OWN + family) << 8 | hash % PAINT_SHADES;
	family = node ? (int)node->kind : TREE_ROOT;
	if (place->off && !scheme && node && node->kind != TREE_TASK && !keeps_kind(node->kind))
		family = PAINT_OFF_CPU;
	return family << 8 |
	       (kinds[family].nr_shades ? hash % kinds[family].nr_shades : 0);
}

static void write_class(uint32_t colour, char class[PAINT_CLASS_MAX])
{
	unsigned int family = colour >> 8, shade = colour & 255;

	if (colour & COLOUR_RGB)
		snprintf(class, PAINT_CLASS_MAX, "p%06x", colour & 0xffffff);
	else if (family >= FAMILY_OWN)
		snprintf(class, PAINT_CLASS_MAX, "c%u",
			 (family - FAMILY_OWN) * PAINT_SHADES + shade);
	else if (kinds[family].nr_shades)
		snprintf(class, PAINT_CLASS_MAX, "%c%u", kinds[family].letter,
			 shade);
	else
		snprintf(class, PAINT_CLASS_MAX, "%c", kinds[family].letter);
}

/* Find a kind's colour in the style sheet. */
static uint32_t find_rgb(const char *class, const char *property, bool dark)
{
	const char *at = flame_css;
	char rule[48];

	if (dark)
		at = strstr(at, "@media");
	snprintf(rule, sizeof(rule), ".flame .%s{%s:#", class, property);
	at = strstr(at, rule);
	return at ? strtoul(at + strlen(rule), NULL, 16) : UINT32_MAX;
}

uint32_t paint_kind_shade(enum tree_kind kind, unsigned int shade, bool dark)
{
	char class[PAINT_CLASS_MAX];

	if (kind == TREE_LOST)
		return shade == 0 ? find_rgb("hatch1", "fill", dark) :
		       shade == 1 ? find_rgb("hatch2", "stroke", dark) : UINT32_MAX;
	if (shade >= kinds[kind].nr_shades)
		return UINT32_MAX;
	if (kind == PAINT_WAKER)
		return compute(paint_waker_family(), shade, dark);
	write_class(kind << 8 | shade, class);
	return find_rgb(class, "fill", dark);
}

char paint_kind_letter(enum tree_kind kind)
{
	return kinds[kind].letter;
}

/* Return a colour's value on a light page. */
static uint32_t light_rgb(const struct paint_scheme *scheme, uint32_t colour)
{
	if (colour >> 8 >= FAMILY_OWN)
		return compute(&scheme->families[(colour >> 8) - FAMILY_OWN],
			       colour & 255, false);
	return paint_kind_shade(colour >> 8, colour & 255, false);
}

static int fix(const struct paint *paint, struct palette *palette,
	       const char *name, uint32_t *colour)
{
	uint32_t rgb;
	int err = 0;

	if (!palette_find(palette, name, &rgb)) {
		rgb = light_rgb(paint->scheme, *colour);
		err = palette_add(palette, name, rgb);
	}
	*colour = COLOUR_RGB | rgb;
	return err;
}

/* ---- the legend ---- */

static void add_key(struct paint *paint, uint32_t colour, const char *text,
		    int length)
{
	struct paint_key *key = &paint->keys[paint->nr_keys++];

	write_class(colour, key->class);
	key->text = text;
	key->length = length;
}

/* Add a key for each mark in the picture. */
static void add_marks(struct paint *paint, const bool has_mark[NR_MARKS])
{
	/* "other marks" comes last */
	for (unsigned int i = 1; i <= NR_MARKS; i++) {
		const char *key = marks[i % NR_MARKS];

		if (has_mark[i % NR_MARKS])
			add_key(paint, TREE_MARK << 8 | i % NR_MARKS, key,
				(int)strlen(key));
	}
}

/* Add a key for each family, with the shade of its widest rectangle. */
static void make_keys(struct paint *paint, const struct tree *tree,
		      const struct layout *layout, bool with_palette)
{
	const struct layout_rect *widest[FAMILY_MAX] = { NULL };
	bool has_mark[NR_MARKS] = { false };

	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];
		uint32_t family = paint->colours[i] & COLOUR_RGB ?
				  tree->nodes[rect->node].kind :
				  paint->colours[i] >> 8;

		if (!widest[family] || widest[family]->weight < rect->weight)
			widest[family] = rect;
		if (family == TREE_MARK)
			has_mark[paint->colours[i] & 255] = true;
	}
	for (uint32_t i = 0; i < FAMILY_MAX; i++) {
		const char *key = i < NR_KINDS ? kinds[i].key : NULL;
		int length = key ? (int)strlen(key) : 0;

		if (!widest[i] || (with_palette && i != TREE_LOST))
			continue;
		if (i >= FAMILY_OWN)
			key = paint_scheme_key(paint->scheme, i - FAMILY_OWN,
					       tree->nodes[widest[i]->node].name,
					       &length);
		if (key)
			add_key(paint, i << 8 | 3, key, length);
	}
	add_marks(paint, has_mark);
}

static int compare_colours(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* Collect the palette's colours, each once, to write their rules. */
static int collect_fixed(struct paint *paint)
{
	uint32_t *fixed = malloc(paint->nr_colours * sizeof(*fixed)), nr = 0;

	if (!fixed)
		return -ENOMEM;
	memcpy(fixed, paint->colours, paint->nr_colours * sizeof(*fixed));
	qsort(fixed, paint->nr_colours, sizeof(*fixed), compare_colours);
	for (uint32_t i = 0; i < paint->nr_colours; i++)
		if ((fixed[i] & COLOUR_RGB) && (!nr || fixed[nr - 1] != fixed[i]))
			fixed[nr++] = fixed[i];
	paint->fixed = fixed;
	paint->nr_fixed = nr;
	return 0;
}

static int choose_all(struct paint *paint, const struct tree *tree,
		      const struct layout *layout, struct palette *palette)
{
	bool shows_wakers = paint->scheme && paint->scheme->family_by_waker;
	bool *wakers = shows_wakers ? wakers_nodes(tree) : NULL;
	bool *off = off_cpu_nodes(tree);
	char text[LAYOUT_NAME_MAX];
	int err = off && (wakers || !shows_wakers) ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < layout->nr_rects && !err; i++) {
		const struct layout_rect *rect = &layout->rects[i];
		const struct tree_node *node = &tree->nodes[rect->node];
		const char *name = layout_rect_name(rect, tree, text);
		const struct place place = {
			.off = off[rect->node], .waker = wakers && wakers[rect->node],
		};

		paint->colours[i] = choose(paint->scheme,
					   rect->collapsed ? NULL : node, name, &place);
		if (palette && !rect->collapsed && !keeps_kind(node->kind))
			err = fix(paint, palette, name, &paint->colours[i]);
	}
	free(wakers);
	free(off);
	return err;
}

int paint_create(struct paint **paint, const struct tree *tree,
		 const struct layout *layout, const struct paint_scheme *scheme,
		 struct palette *palette)
{
	struct paint *made = calloc(1, sizeof(*made));
	int err;

	if (!made)
		return -ENOMEM;
	made->scheme = scheme;
	made->nr_colours = layout->nr_rects;
	made->colours = calloc(layout->nr_rects, sizeof(*made->colours));
	err = made->colours ? choose_all(made, tree, layout, palette) : -ENOMEM;
	if (!err && palette)
		err = collect_fixed(made);
	if (err) {
		paint_destroy(made);
		return err;
	}
	make_keys(made, tree, layout, palette);
	*paint = made;
	return 0;
}

int paint_create_view(struct paint **paint, const struct tree *tree,
		      const struct layout *layout, const struct paint_view *view,
		      const void *data)
{
	int err = paint_create(paint, tree, layout, NULL, NULL);

	if (err)
		return err;
	(*paint)->view = view;
	(*paint)->data = data;
	(*paint)->layout = layout;
	(*paint)->nr_keys = view->nr_keys;
	memcpy((*paint)->keys, view->keys, view->nr_keys * sizeof(*view->keys));
	return 0;
}

void paint_destroy(struct paint *paint)
{
	if (!paint)
		return;
	free(paint->colours);
	free(paint->fixed);
	free(paint);
}

/* Merged rectangles are never coloured by a view. */
static bool is_viewed(const struct paint *paint, uint32_t rect)
{
	return paint->view && !paint->layout->rects[rect].collapsed;
}

void paint_class(const struct paint *paint, uint32_t rect,
		 char class[PAINT_CLASS_MAX])
{
	if (is_viewed(paint, rect))
		snprintf(class, PAINT_CLASS_MAX, "%s",
			 paint->view->class(paint->data,
					    paint->layout->rects[rect].node));
	else
		write_class(paint->colours[rect], class);
}

const char *paint_tell(const struct paint *paint, uint32_t rect, char *text,
		       size_t size)
{
	const struct layout_rect *of;
	char percent[PERCENT_TEXT];

	if (!paint->view)
		return NULL;
	of = &paint->layout->rects[rect];
	if (of->collapsed) {
		snprintf(text, size, "%s %%", percent_text(percent, of->weight,
							   paint->layout->total));
		return text;
	}
	paint->view->tell(paint->data, of->node, text, size);
	return text;
}

/* ---- rules ---- */

static void write_rule(uint32_t colour, uint32_t rgb, FILE *out)
{
	char class[PAINT_CLASS_MAX];

	write_class(colour, class);
	fprintf(out, ".flame .%s{fill:#%06x}\n", class, rgb);
}

void paint_rules(const struct paint *paint, bool dark, FILE *out)
{
	const struct paint_family *families =
		paint->scheme ? paint->scheme->families : NULL;

	for (uint32_t i = 0; families && families[i].chroma > 0; i++)
		for (uint32_t shade = 0; shade < PAINT_SHADES; shade++)
			write_rule((FAMILY_OWN + i) << 8 | shade,
				   compute(&families[i], shade, dark), out);
	/* a palette's colours are the same on light and dark pages */
	for (uint32_t i = 0; i < paint->nr_fixed && !dark; i++)
		write_rule(paint->fixed[i], paint->fixed[i] & 0xffffff, out);
}
