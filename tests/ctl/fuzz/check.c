// SPDX-License-Identifier: GPL-2.0
/*
 * Checks properties of trees and profiles, however they were made: see fuzz.h.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>
#include <jansson.h>

#include "embed.h"
#include "format/pprof/pprof.h"
#include "format/status_json.h"
#include "view/layout.h"
#include "view/svg/svg.h"

/* Stand-ins for the real ones, which are long and the same in each picture. */
const char flame_css[] = ".flame{}\n@media (prefers-color-scheme:dark){}\n";
const char flame_js[] = "start();\n";

FILE *fuzz_open(const void *bytes, size_t size)
{
	FILE *in = fmemopen((void *)bytes, size, "r");

	must(in);
	return in;
}

uint64_t fuzz_tree(const struct tree *tree)
{
	const struct tree_node *nodes = tree->nodes;
	uint64_t *totals = calloc(tree->nr_nodes, sizeof(*totals));
	uint64_t sum = 0;

	must(totals);
	for (uint32_t i = tree->nr_nodes; i-- > 0;) {
		sum = tree_weight_add(sum, nodes[i].self);
		totals[i] = tree_weight_add(totals[i], nodes[i].self);
		must(totals[i] == nodes[i].total);
		must(i == 0 || nodes[i].parent < i);
		if (i)
			totals[nodes[i].parent] = tree_weight_add(
				totals[nodes[i].parent], totals[i]);
		for (uint32_t id = nodes[i].child; id; id = nodes[id].sibling) {
			uint32_t next = nodes[id].sibling;

			must(nodes[id].parent == i);
			must(!next || strcmp(nodes[id].name, nodes[next].name) < 0 ||
			     (!strcmp(nodes[id].name, nodes[next].name) &&
			      nodes[id].kind < nodes[next].kind));
		}
	}
	must(nodes[0].total == sum);
	free(totals);
	return sum;
}

static struct fuzz_bytes folded_of(const struct tree *tree)
{
	struct fuzz_bytes text;
	FILE *out = open_memstream(&text.bytes, &text.size);

	must(out && !fold_write(tree, out) && !fclose(out));
	fuzz_terminal(text.bytes, text.size);
	return text;
}

static struct tree *read_again(const struct fuzz_bytes *text)
{
	struct tree *tree = tree_create();
	FILE *in = fuzz_open(text->bytes, text->size);
	struct error error;

	must(tree);
	if (fold_read(tree, in, &error))
		fuzz_broken("written", 0, error.text);
	fclose(in);
	tree_sum(tree);
	return tree;
}

/* Check that each line is a stack: "frame;...;frame COUNT". Return: how many there are. */
static size_t count_lines(const struct fuzz_bytes *text)
{
	size_t lines = 0;

	for (const char *at = text->bytes; *at; lines++) {
		const char *end = strchr(at, '\n');

		must(end && end - at >= 3);
		must(end[-1] >= '0' && end[-1] <= '9');
		at = end + 1;
	}
	return lines;
}

void fuzz_folded(const struct tree *tree)
{
	struct fuzz_bytes first = folded_of(tree), second, third;
	struct tree *once, *twice;
	uint64_t sum = fuzz_tree(tree);
	size_t stacks = 0;

	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		stacks += tree->nodes[i].self > 0;
	must(count_lines(&first) == stacks);
	/* larger values are refused when drawing, not when writing */
	if (sum == UINT64_MAX) {
		free(first.bytes);
		return;
	}
	/* names that differ only in characters that folded text cannot hold become one */
	once = read_again(&first);
	must(fuzz_tree(once) == sum);
	second = folded_of(once);
	twice = read_again(&second);
	must(fuzz_tree(twice) == sum);
	must(twice->nr_nodes == once->nr_nodes);
	third = folded_of(twice);
	must(second.size == third.size &&
	     !memcmp(second.bytes, third.bytes, second.size));
	tree_destroy(once);
	tree_destroy(twice);
	free(first.bytes);
	free(second.bytes);
	free(third.bytes);
}

/* Counts from a picture. */
struct picture {
	unsigned int nr_scripts, nr_frames;
	uint64_t total, root;		/* as in its caption, and of its first frame */
};

static void XMLCALL on_element(void *data, const XML_Char *name,
			       const XML_Char **attributes)
{
	static const char *const names[] = {
		"svg", "title", "style", "defs", "pattern", "rect", "path", "g",
		"text", "script",
	};
	struct picture *picture = data;
	size_t i;

	for (i = 0; strcmp(names[i], name); i++)
		must(i + 1 < sizeof(names) / sizeof(names[0]));
	picture->nr_scripts += !strcmp(name, "script");
	for (; *attributes; attributes += 2) {
		must(strncmp(attributes[0], "on", 2));
		must(!strstr(attributes[0], "href"));
		if (!strcmp(attributes[0], "data-total"))
			picture->total = strtoull(attributes[1], NULL, 10);
		if (!strcmp(attributes[0], "data-w") && !picture->nr_frames++)
			picture->root = strtoull(attributes[1], NULL, 10);
	}
}

static void check_xml(const struct fuzz_bytes *text, uint64_t sum)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	struct picture picture = { 0 };

	must(parser);
	XML_SetUserData(parser, &picture);
	XML_SetStartElementHandler(parser, on_element);
	must(XML_Parse(parser, text->bytes, (int)text->size, 1) ==
	     XML_STATUS_OK);
	XML_ParserFree(parser);
	must(picture.nr_scripts == 1);
	must(picture.nr_frames >= 1);
	must(picture.total == sum && picture.root == sum);
}

void fuzz_svg_of(const struct tree *tree, const struct svg_options *options)
{
	struct layout_options layout_options = {
		.width_px = options->width - 2.0 * SVG_PAD,
		.min_width_px = 0.1,
	};
	struct fuzz_bytes text;
	struct layout *layout;
	struct error error;
	uint64_t sum = 0;
	FILE *out;

	for (uint32_t i = 0; i < tree->nr_nodes; i++)
		sum += tree->nodes[i].self;
	/* nothing to draw, or too much */
	if (layout_create(&layout, tree, &layout_options, &error)) {
		must(*error.text);
		return;
	}
	out = open_memstream(&text.bytes, &text.size);
	must(out && !svg_write(tree, layout, options, out) && !fclose(out));
	layout_destroy(layout);
	fuzz_terminal(text.bytes, text.size);
	check_xml(&text, sum);
	free(text.bytes);
}

void fuzz_svg(const struct tree *tree, const struct profile *profile)
{
	struct svg_options options = {
		.unit = "samples", .width = 1000 + 2 * SVG_PAD,
		.profile = profile,
	};

	/* use hostile names as titles as well */
	options.title = tree->nodes[tree->nr_nodes - 1].name;
	options.subtitle = options.title;
	fuzz_svg_of(tree, &options);
}

/* Return: whether it was written; weights above 2^63 ns cannot be. */
static bool save(const struct profile *profile, struct fuzz_bytes *file)
{
	FILE *out = open_memstream(&file->bytes, &file->size);
	struct error error;
	int err;

	must(out);
	err = pprof_write(profile, out, &error);
	must(!fclose(out));
	must(!err || err == -EOVERFLOW);
	if (err)
		free(file->bytes);
	return !err;
}

static struct profile *load(const struct fuzz_bytes *file)
{
	FILE *in = fuzz_open(file->bytes, file->size);
	struct profile *profile;
	struct error error;

	if (pprof_read(in, "saved", &profile, &error))
		fuzz_broken("saved", 0, error.text);
	fclose(in);
	return profile;
}

void fuzz_saved(const struct profile *profile)
{
	struct fuzz_bytes first, second;
	struct profile *again;

	if (!save(profile, &first))
		return;
	again = load(&first);
	must(again->nr_frames == profile->nr_frames);
	must(again->nr_records == profile->nr_records);
	must(again->nr_cpus == profile->nr_cpus);
	must(!memcmp(&again->books, &profile->books, sizeof(again->books)));
	/* names, kinds, figures, settings: everything in a file */
	must(save(again, &second));
	must(first.size == second.size &&
	     !memcmp(first.bytes, second.bytes, first.size));
	profile_destroy(again);
	free(first.bytes);
	free(second.bytes);
}

static void check_json(const struct profile *profile)
{
	/* no check changes the profile */
	const struct events events = {
		.list = { { "", (struct profile *)profile } }, .nr = 1,
	};
	struct fuzz_bytes text;
	FILE *out = open_memstream(&text.bytes, &text.size);
	json_t *json;

	must(out != NULL);
	status_json_write(&events, NULL, out);
	must(!fclose(out));
	fuzz_terminal(text.bytes, text.size);
	json = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, NULL);
	must(json && json_object_size(json) > 10);
	json_decref(json);
	free(text.bytes);
}

static void check_fold(const struct profile *profile, const char *by,
		       bool by_count)
{
	struct fold_options options = { .by_count = by_count };
	struct error error;
	struct tree *tree;
	uint64_t sum = 0, lost[PROFILE_LOST_MAX];

	memcpy(lost, profile->books.lost, sizeof(lost));
	must(!fold_options_by(&options, by, &error));
	if (fold_check(profile, &options, &error))
		return;
	tree = fold_profile(profile, &options, &error);
	if (!tree) {
		must(*error.text);
		return;
	}
	for (uint32_t i = 0; i < profile->nr_records; i++)
		sum = tree_weight_add(sum, by_count ?
				      profile->records[i].count :
				      profile->records[i].periods);
	if (by_count && profile->meta.intervals.known)
		intervals_lost(&profile->meta.intervals, &profile->books, lost);
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		sum = tree_weight_add(sum, lost[i]);
	must(fuzz_tree(tree) == sum);
	fuzz_folded(tree);
	if (!by_count)
		fuzz_svg(tree, profile);
	tree_destroy(tree);
}

void fuzz_profile(const struct profile *profile)
{
	check_json(profile);
	if (profile_check(profile, NULL))
		return;
	check_fold(profile, "comm", false);
	check_fold(profile, "cpu,context,comm,tid,pid,host", true);
	fuzz_saved(profile);
	fuzz_exports(profile);
}
