// SPDX-License-Identifier: GPL-2.0
/*
 * Colours of frames. A scheme puts each frame into a family; within it the hash
 * of the function's name chooses one of few shades, so that neighbours can be
 * told apart and a function looks the same in every picture. The families of
 * kinds have their shades in svg/flame.css, those of other schemes are computed,
 * of even lightness.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "colour.h"
#include "embed.h"
#include "paint.h"
#include "subsystem.h"

/* Of computed families. */
#define SHADES 8

/* Families of kinds have their numbers from 0, others from here. */
#define FAMILY_OWN 16
#define FAMILY_MAX (FAMILY_OWN + 24)

/* A colour is FAMILY << 8 | SHADE, or this and 0xRRGGBB. */
#define COLOUR_RGB (1U << 31)

/*
 * Lightness of shades on a light page, and how much less it is on a dark one:
 * the ink of labels has a contrast above 4.5:1 on all.
 */
#define LIGHT_MIN 0.76
#define LIGHT_STEP 0.015
#define DARK_LESS 0.09

struct family {
	const char *key;
	double hue_from, hue_to;	/* degrees of OKLCH */
	double chroma;
};

struct paint_scheme {
	const char *name;
	const struct family *families;	/* from FAMILY_OWN on; the last has no chroma */
	/* Return: a family, or -1 for that of the frame's kind. */
	int (*family_of)(const struct tree_node *node);
};

/* Class letters and shades, as in svg/flame.css, and the legend's words. */
static const struct {
	char letter;
	unsigned int nr_shades;		/* 0: the letter alone */
	const char *key;		/* NULL: not in the legend */
} kinds[] = {
	[TREE_ROOT] = { 't', 4, NULL },
	[TREE_TASK] = { 't', 4, "tasks" },
	[TREE_KERNEL] = { 'k', 16, "kernel" },
	[TREE_MODULE] = { 'm', 12, "modules" },
	[TREE_USER] = { 'u', 12, "user" },
	[TREE_IDLE] = { 'i', 8, "idle" },
	[TREE_LOST] = { 'l', 0, "lost" },
	[TREE_MARK] = { 'x', 1, NULL },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* FNV-1a, of 32 bits */
static uint32_t hash_bytes_of(const char *bytes, size_t length)
{
	uint32_t hash = 0x811c9dc5;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x01000193;
	return hash ^ hash >> 16;
}

/* ---- schemes ---- */

static bool is_function(const struct tree_node *node)
{
	return node->kind == TREE_KERNEL || node->kind == TREE_MODULE;
}

static int by_subsystem(const struct tree_node *node)
{
	return is_function(node) ? (int)subsystem_of(node->name) : -1;
}

/* Hues a golden angle apart, so that neighbours in the legend differ. */
static const struct family subsystems[] = {
	[SUBSYSTEM_OTHER] = { NULL, 75, 85, 0.04 },
	[SUBSYSTEM_ENTRY] = { NULL, 92, 100, 0.10 },
	[SUBSYSTEM_SCHEDULER] = { NULL, 298, 306, 0.11 },
	[SUBSYSTEM_INTERRUPTS] = { NULL, 350, 358, 0.11 },
	[SUBSYSTEM_TIME] = { NULL, 322, 330, 0.11 },
	[SUBSYSTEM_LOCKS] = { NULL, 20, 28, 0.13 },
	[SUBSYSTEM_MEMORY] = { NULL, 142, 150, 0.13 },
	[SUBSYSTEM_FILES] = { NULL, 50, 58, 0.13 },
	[SUBSYSTEM_BLOCK] = { NULL, 72, 80, 0.13 },
	[SUBSYSTEM_NETWORK] = { NULL, 244, 252, 0.11 },
	[SUBSYSTEM_SECURITY] = { NULL, 168, 176, 0.11 },
	[SUBSYSTEM_TRACING] = { NULL, 192, 200, 0.09 },
	[SUBSYSTEM_VIRTUAL] = { NULL, 272, 280, 0.11 },
	[SUBSYSTEM_DRIVERS] = { NULL, 116, 124, 0.12 },
	{ 0 }
};

/* "ext4" of "ext4_readdir [ext4]" */
static const char *module_of(const char *name, int *length)
{
	const char *module = strstr(name, " [");

	if (!module)
		return NULL;
	module += 2;
	*length = (int)strcspn(module, "]");
	return module;
}

/* Each takes one of these by the hash of its name; a few may share one. */
static const struct family modules[] = {
	{ NULL, 0, 8, 0.11 }, { NULL, 15, 23, 0.12 }, { NULL, 90, 98, 0.11 },
	{ NULL, 105, 113, 0.12 }, { NULL, 120, 128, 0.12 },
	{ NULL, 135, 143, 0.13 }, { NULL, 150, 158, 0.12 },
	{ NULL, 165, 173, 0.10 }, { NULL, 180, 188, 0.09 },
	{ NULL, 195, 203, 0.09 }, { NULL, 210, 218, 0.09 },
	{ NULL, 225, 233, 0.10 }, { NULL, 240, 248, 0.11 },
	{ NULL, 255, 263, 0.11 }, { NULL, 270, 278, 0.11 },
	{ NULL, 285, 293, 0.11 }, { NULL, 300, 308, 0.11 },
	{ NULL, 315, 323, 0.11 }, { NULL, 330, 338, 0.11 },
	{ NULL, 345, 353, 0.11 }, { 0 }
};

#define NR_MODULES (sizeof(modules) / sizeof(modules[0]) - 1)

static int by_module(const struct tree_node *node)
{
	const char *module;
	int length;

	if (node->kind != TREE_MODULE)
		return -1;
	module = module_of(node->name, &length);
	return module ? (int)(hash_bytes_of(module, length) % NR_MODULES) : -1;
}

static bool ends_with(const char *name, const char *suffix)
{
	size_t length = strlen(name), tail = strlen(suffix);

	return length >= tail && !strcmp(name + length - tail, suffix);
}

static const struct family languages[] = {
	{ "compiled just in time", 138, 150, 0.13 },
	{ "inlined", 190, 202, 0.09 }, { "C++", 92, 102, 0.12 },
	{ "native", 18, 30, 0.12 }, { 0 }
};

/* By the marks that other tools leave on names. */
static int by_language(const struct tree_node *node)
{
	const char *name = node->name;

	if (ends_with(name, "_[j]"))
		return 0;
	if (ends_with(name, "_[i]"))
		return 1;
	if (strstr(name, "::"))
		return 2;
	return node->kind == TREE_USER ? 3 : -1;
}

static const struct family chains[] = {
	{ "waker", 190, 206, 0.09 }, { "blocked", 240, 264, 0.11 }, { 0 }
};

static int by_chain(const struct tree_node *node)
{
	return ends_with(node->name, "_[w]") ? 0 : 1;
}

static int by_hue(const struct tree_node *node)
{
	return (int)(hash_bytes_of(node->name, strlen(node->name)) >> 8) %
	       (int)NR_MODULES;
}

static int one_family(const struct tree_node *node)
{
	(void)node;
	return 0;
}

#define RAMP(name, from, to, chroma) \
	{ name, (const struct family []) { { NULL, from, to, chroma }, { 0 } }, \
	  one_family }

static const struct paint_scheme schemes[] = {
	{ "subsystem", subsystems, by_subsystem },
	{ "module", modules, by_module },
	{ "language", languages, by_language },
	{ "chain", chains, by_chain },
	{ "hash", modules, by_hue },
	RAMP("hot", 22, 92, 0.14),
	RAMP("mem", 138, 172, 0.12),
	RAMP("io", 222, 274, 0.11),
	RAMP("wakeup", 180, 214, 0.09),
	RAMP("red", 12, 28, 0.13),
	RAMP("orange", 48, 68, 0.14),
	RAMP("yellow", 88, 104, 0.14),
	RAMP("green", 134, 152, 0.14),
	RAMP("aqua", 186, 204, 0.09),
	RAMP("blue", 238, 264, 0.11),
	RAMP("purple", 298, 324, 0.11),
};

#define NR_SCHEMES (sizeof(schemes) / sizeof(schemes[0]))

const struct paint_scheme *paint_scheme_find(const char *name,
					     struct error *error)
{
	char list[256] = "kind";

	error->text[0] = '\0';
	if (!strcmp(name, "kind"))
		return NULL;
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		if (!strcmp(schemes[i].name, name))
			return &schemes[i];
		strcat(strcat(list, i + 1 < NR_SCHEMES ? ", " : " and "),
		       schemes[i].name);
	}
	error_set(error, -EINVAL, "%.40s: the schemes are %s",
		  *name ? name : "nothing", list);
	return NULL;
}

/* ---- colours ---- */

/* @dark: on a dark page */
static uint32_t compute(const struct family *family, unsigned int shade,
			bool dark)
{
	/* shades apart in hue are apart in lightness as well */
	double lightness = LIGHT_MIN + LIGHT_STEP * (shade * 3 % SHADES);
	double hue = family->hue_from + (family->hue_to - family->hue_from) *
		     shade / (SHADES - 1);

	return colour_oklch(lightness - (dark ? DARK_LESS : 0), family->chroma,
			    hue);
}

static uint32_t choose(const struct paint_scheme *scheme,
		       const struct tree_node *node, const char *name)
{
	uint32_t hash = hash_bytes_of(name, strlen(name));
	int family = -1;

	if (scheme && node && node->kind != TREE_LOST && node->kind != TREE_ROOT)
		family = scheme->family_of(node);
	if (family >= 0)
		return (FAMILY_OWN + family) << 8 | hash % SHADES;
	family = node ? (int)node->kind : TREE_ROOT;
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
			 (family - FAMILY_OWN) * SHADES + shade);
	else if (kinds[family].nr_shades)
		snprintf(class, PAINT_CLASS_MAX, "%c%u", kinds[family].letter,
			 shade);
	else
		snprintf(class, PAINT_CLASS_MAX, "%c", kinds[family].letter);
}

/* Style sheets have the colours of kinds. */
static uint32_t find_rgb(const char *class, const char *property, bool dark)
{
	const char *at = svg_flame_css;
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
	write_class(kind << 8 | shade, class);
	return find_rgb(class, "fill", dark);
}

char paint_kind_letter(enum tree_kind kind)
{
	return kinds[kind].letter;
}

/* What it is on a light page. */
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

/* What is widest speaks for its family. */
static void make_keys(struct paint *paint, const struct tree *tree,
		      const struct layout *layout, bool with_palette)
{
	const struct layout_rect *widest[FAMILY_MAX] = { NULL };

	for (uint32_t i = 0; i < layout->nr_rects; i++) {
		const struct layout_rect *rect = &layout->rects[i];
		uint32_t family = tree->nodes[rect->node].kind;

		if (!rect->collapsed && !(paint->colours[i] & COLOUR_RGB))
			family = paint->colours[i] >> 8;
		if (!widest[family] || widest[family]->weight < rect->weight)
			widest[family] = rect;
	}
	for (uint32_t i = 0; i < FAMILY_MAX; i++) {
		const char *key = i < NR_KINDS ? kinds[i].key : NULL;
		int length;

		if (!widest[i] || (with_palette && i != TREE_LOST))
			continue;
		if (i >= FAMILY_OWN && paint->scheme->families == subsystems)
			key = subsystem_name(i - FAMILY_OWN);
		else if (i >= FAMILY_OWN)
			key = paint->scheme->families[i - FAMILY_OWN].key;
		length = key ? (int)strlen(key) : 0;
		if (i >= FAMILY_OWN && paint->scheme->family_of == by_module)
			key = module_of(tree->nodes[widest[i]->node].name, &length);
		if (key)
			add_key(paint, i << 8 | 3, key, length);
	}
}

static int compare_colours(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

/* Keep each colour of the palette once, for its rule. */
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
	char text[LAYOUT_NAME_MAX];
	int err = 0;

	for (uint32_t i = 0; i < layout->nr_rects && !err; i++) {
		const struct layout_rect *rect = &layout->rects[i];
		const struct tree_node *node = &tree->nodes[rect->node];
		const char *name = layout_rect_name(rect, tree, text);

		paint->colours[i] = choose(paint->scheme,
					   rect->collapsed ? NULL : node, name);
		if (palette && !rect->collapsed && node->kind != TREE_ROOT &&
		    node->kind != TREE_LOST)
			err = fix(paint, palette, name, &paint->colours[i]);
	}
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

/* What stands for many is no view's. */
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
	if (!is_viewed(paint, rect))
		return NULL;
	paint->view->tell(paint->data, paint->layout->rects[rect].node, text,
			  size);
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
	const struct family *families =
		paint->scheme ? paint->scheme->families : NULL;

	for (uint32_t i = 0; families && families[i].chroma > 0; i++)
		for (uint32_t shade = 0; shade < SHADES; shade++)
			write_rule((FAMILY_OWN + i) << 8 | shade,
				   compute(&families[i], shade, dark), out);
	/* a palette's colours are the same on any page */
	for (uint32_t i = 0; i < paint->nr_fixed && !dark; i++)
		write_rule(paint->fixed[i], paint->fixed[i] & 0xffffff, out);
}
