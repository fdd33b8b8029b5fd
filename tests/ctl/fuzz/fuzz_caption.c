// SPDX-License-Identifier: GPL-2.0
/*
 * Texts that a user gives a graph: ctl/view/svg/svg.c and ctl/view/svg/text.c, and what
 * ctl/view/look.c takes of a font, of sizes and of colours. Whatever they are, the
 * picture is XML of one script. The input is texts with a NUL between.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/look.h"
#include "view/svg/svg.h"

enum { TITLE, SUBTITLE, NOTES, NOTE, UNIT, NAME_TYPE, FONT, FONT_SIZE, WIDTH,
       HEIGHT, THEME, BACKGROUND, TEXTS };

/* Texts by number; "" where the input has no more of them. */
static void split(char *bytes, size_t size, char *texts[TEXTS])
{
	char *end = bytes + size;

	for (int i = 0; i < TEXTS; i++) {
		texts[i] = bytes;
		bytes += strlen(bytes);
		bytes += bytes < end;
	}
}

typedef int (*look_fn)(struct svg_options *, const char *, struct error *);

/* A value is taken, or is refused with a word on why. */
static void look(look_fn take, struct svg_options *svg, const char *text)
{
	struct svg_options before = *svg;
	struct error error = { "" };

	if (!take(svg, text, &error))
		return;
	must(*error.text);
	must(!memcmp(&before, svg, sizeof(before)));
}

static struct tree *small_tree(void)
{
	struct tree *tree = tree_create();
	uint32_t id;

	must(tree && !tree_add(tree, 0, "a", TREE_TASK, &id) &&
	     !tree_add(tree, id, "b", TREE_KERNEL, &id));
	tree->nodes[id].self = 7;
	tree_sum(tree);
	return tree;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct svg_options svg = { .width = 1200 };
	struct tree *tree = small_tree();
	char *bytes = calloc(1, size + 1), *texts[TEXTS];

	must(bytes);
	memcpy(bytes, data, size);
	split(bytes, size, texts);
	svg.title = texts[TITLE];
	svg.subtitle = texts[SUBTITLE];
	svg.notes = texts[NOTES];
	svg.note = texts[NOTE];
	svg.unit = texts[UNIT];
	svg.name_type = texts[NAME_TYPE];
	look(look_font, &svg, texts[FONT]);
	look(look_font_size, &svg, texts[FONT_SIZE]);
	look(look_width, &svg, texts[WIDTH]);
	look(look_height, &svg, texts[HEIGHT]);
	look(look_theme, &svg, texts[THEME]);
	look(look_background, &svg, texts[BACKGROUND]);
	look_complete(&svg);
	fuzz_svg_of(tree, &svg);
	tree_destroy(tree);
	free(bytes);
	return 0;
}
