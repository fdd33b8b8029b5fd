// SPDX-License-Identifier: GPL-2.0
/*
 * The SVG document: names that XML cannot contain, figures, labels, colours, and the
 * books.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "embed.h"
#include "view/svg/svg.h"

static struct svg_options make_options(void)
{
	return (struct svg_options) {
		.title = "T", .unit = "samples", .width = 1000 + 2 * SVG_PAD,
	};
}

static struct layout *lay(const struct tree *tree,
			  const struct svg_options *options)
{
	struct layout_options layout_options = {
		.width_px = options->width - 2 * SVG_PAD,
		.min_width_px = 0.1,
		.inverted = options->inverted,
	};
	struct layout *layout;

	assert_int_equal(layout_create(&layout, tree, &layout_options, NULL), 0);
	return layout;
}

/* Write the document. Return: its text without style and script, to be freed. */
static char *draw(const struct tree *tree, const struct svg_options *options)
{
	struct layout *layout = lay(tree, options);
	char *text, *from, *to;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(svg_write(tree, layout, options, out), 0);
	fclose(out);
	layout_destroy(layout);

	from = strstr(text, "<style>");
	to = strstr(text, "</style>");
	memmove(from, to, strlen(to) + 1);
	*strstr(text, "<script>") = '\0';
	return text;
}

/* One frame below the root, with all the weight. */
static struct tree *one_frame(const char *name, enum tree_kind kind)
{
	struct tree *tree = tree_create();
	uint32_t id;

	assert_int_equal(tree_add(tree, 0, name, kind, &id), 0);
	tree->nodes[id].self = 1000;
	tree_sum(tree);
	return tree;
}

static char *draw_frame(const char *name, enum tree_kind kind)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame(name, kind);
	char *text = draw(tree, &options);

	tree_destroy(tree);
	return text;
}

static void expect_in(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no \"%s\" in:\n%s", part, text);
}

static void expect_name(const char *name, const char *written)
{
	char *text = draw_frame(name, TREE_KERNEL), title[256], label[256];

	snprintf(title, sizeof(title), "<title>%s\n1,000 samples, 100.00 %%</title>",
		 written);
	snprintf(label, sizeof(label), ">%s</text></g>", written);
	expect_in(text, title);
	expect_in(text, label);
	for (const char *at = text; *at; at++)
		assert_true((unsigned char)*at >= 0x20 || *at == '\n');
	free(text);
}

static void escapes_names(void **state)
{
	(void)state;
	expect_name("tcp_sendmsg", "tcp_sendmsg");
	expect_name("a<b>&\"'c", "a&lt;b&gt;&amp;&quot;'c");
	expect_name("</script><script>window.pwned=1</script>",
		    "&lt;/script&gt;&lt;script&gt;window.pwned=1&lt;/script&gt;");
	expect_name("]]>", "]]&gt;");
	expect_name("--><x", "--&gt;&lt;x");
	expect_name("a\nb\tc\rd\x01\x1f\x7f" "e", "abcde");
	expect_name("\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5");
	expect_name("a\xff" "b", "a\xef\xbf\xbd" "b");
	expect_name("a\xc3", "a\xef\xbf\xbd");
	expect_name("\xc0\xbc", "\xef\xbf\xbd\xef\xbf\xbd");
	expect_name("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	expect_name("a\xef\xbf\xbe" "b\xef\xbf\xbf" "c\xc2\x85" "d", "abcd");
	expect_name("\x01\x02", "");
	/* characters that change the direction of text, or end a line */
	expect_name("\xe2\x80\xae" "gpj.exe\xe2\x81\xa9\xe2\x80\xa8" "a\xd8\x9c", "gpj.exea");
}

static void escapes_titles(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	char *text;

	(void)state;
	options.title = "<&\">\x01 --> ]]>";
	options.subtitle = "\"><script>";
	text = draw(tree, &options);
	expect_in(text, "<title>&lt;&amp;&quot;&gt; --&gt; ]]&gt;</title>");
	expect_in(text, "data-full=\"&lt;&amp;&quot;&gt; --&gt; ]]&gt;\">&lt;&amp;&quot;&gt; --&gt; ]]&gt;</text>");
	expect_in(text, "data-full=\"&quot;&gt;&lt;script&gt;\">&quot;&gt;&lt;script&gt;</text>");
	free(text);
	tree_destroy(tree);
}

/* Labels are cut to their frames, by characters and not by bytes. */
static void fits_labels(void **state)
{
	static const struct {
		uint64_t weight;	/* of 1000, in a picture of 1000 px */
		const char *name, *label;
	} cases[] = {
		{ 100, "abcdefghijklm", ">abcdefghijklm</text>" },
		{ 100, "abcdefghijklmn", ">abcdefghijkl\xe2\x80\xa6</text>" },
		{ 36, "abcd", ">abcd</text>" },
		{ 36, "abcde", ">abc\xe2\x80\xa6</text>" },
		{ 36, "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", ">\xc3\xa4\xc3\xa4\xc3\xa4\xe2\x80\xa6</text>" },
		{ 36, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", ">\xe4\xb8\xad\xe2\x80\xa6</text>" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct svg_options options = make_options();
		struct tree *tree = one_frame(cases[i].name, TREE_KERNEL);
		char *text;

		tree->nodes[0].self = 1000 - cases[i].weight;
		tree->nodes[1].self = cases[i].weight;
		tree_sum(tree);
		text = draw(tree, &options);
		expect_in(text, cases[i].label);
		tree->nodes[0].self = 971;
		tree->nodes[1].self = 29;
		tree_sum(tree);
		free(text);
		text = draw(tree, &options);
		assert_null(strstr(strstr(text, "data-w=\"29\""), "<text x=\"3\""));
		free(text);
		tree_destroy(tree);
	}
}

static void shows_figures(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	char *text;

	(void)state;
	tree->nodes[1].self = 1;
	tree->nodes[0].self = 2;
	tree_sum(tree);
	text = draw(tree, &options);
	expect_in(text, "data-s=\"0\" data-w=\"1\"><title>f\n1 sample, 33.33 %</title><rect x=\"0\" width=\"332.83\" height=\"17\" rx=\"2\"/>");
	expect_in(text, "<title>all\n3 samples, 100.00 %</title><rect x=\"0\" width=\"999.5\"");
	free(text);

	tree->nodes[1].self = 12345678901234567890u;
	tree->nodes[0].self = UINT64_MAX - tree->nodes[1].self;
	tree_sum(tree);
	options.unit = "periods";
	text = draw(tree, &options);
	expect_in(text, "<title>f\n12,345,678,901,234,567,890 periods, 66.93 %</title>");
	expect_in(text, "data-total=\"18446744073709551615\" data-unit=\"periods\"");
	free(text);
	tree_destroy(tree);
}

/* Rows are groups by depth, the root's first, in icicles, too. */
static void groups_rows(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	char *text = draw(tree, &options);

	(void)state;
	expect_in(text, "<g class=\"frames\" transform=\"translate(12 92)\">\n<g transform=\"translate(0 18)\">\n<g class=\"t");
	expect_in(text, "</g>\n<g transform=\"translate(0 0)\">\n<g class=\"k");
	assert_null(strstr(text, "data-inverted"));
	assert_null(strstr(text, "data-fixed"));
	free(text);

	options.inverted = true;
	options.fixed = true;
	text = draw(tree, &options);
	expect_in(text, "\">\n<g transform=\"translate(0 0)\">\n<g class=\"t");
	expect_in(text, "</g>\n<g transform=\"translate(0 18)\">\n<g class=\"k");
	expect_in(text, "data-fixed=\"1024\" data-inverted=\"1\"");
	free(text);
	tree_destroy(tree);
}

static void names_collapsed_frames(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("wide", TREE_KERNEL);
	char *text;
	uint32_t id;

	(void)state;
	tree->nodes[1].self = 1000000;
	for (char name[] = "x0"; name[1] < '5'; name[1]++) {
		tree_add(tree, 0, name, TREE_MODULE, &id);
		tree->nodes[id].self = 50;
	}
	tree_sum(tree);
	text = draw(tree, &options);
	expect_in(text, "<title>[5 narrow frames]\n250 samples, 0.02 %</title>");
	assert_null(strstr(text, ">modules<"));
	free(text);
	tree_destroy(tree);
}

/* Colours may only change with the hash or the palette. */
static void keeps_colours(void **state)
{
	static const struct {
		const char *name, *class;
		enum tree_kind kind;
	} cases[] = {
		{ "tcp_sendmsg", "\"k5\"", TREE_KERNEL },
		{ "ext4_readdir [ext4]", "\"m2\"", TREE_MODULE },
		{ "[user]", "\"u5\"", TREE_USER },
		{ "do_idle", "\"i3\"", TREE_IDLE },
		{ "bash", "\"t3\"", TREE_TASK },
		{ "[lost: overload]", "\"l\"", TREE_LOST },
		{ "[truncated]", "\"x5\"", TREE_MARK },
		{ "[odd]", "\"x0\"", TREE_MARK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = draw_frame(cases[i].name, cases[i].kind);
		char *at = strstr(text, "translate(0 0)");

		at = strstr(at, "class=");
		if (strncmp(at + 6, cases[i].class, strlen(cases[i].class)))
			fail_msg("%s: %.12s", cases[i].name, at);
		free(text);
	}
}

static double channel(const char *hex)
{
	char digits[3] = { hex[0], hex[1], '\0' };
	double value = strtol(digits, NULL, 16) / 255.0;

	return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Relative luminance (WCAG) of the colour behind "fill:" after @rule. */
static double luminance(const char *css, const char *rule)
{
	const char *at = strstr(css, rule), *end;

	if (!at)
		fail_msg("no %s", rule);
	end = strchr(at, '}');
	at = strstr(at, "fill:#");
	assert_true(at && at < end);
	at += 6;
	assert_true(isxdigit((unsigned char)at[5]));
	return 0.2126 * channel(at) + 0.7152 * channel(at + 2) +
	       0.0722 * channel(at + 4);
}

static double contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

static void check_contrast(const char *css, double ink)
{
	static const struct {
		char letter;
		unsigned int nr;
	} shades[] = {
		{ 'k', 16 }, { 'm', 12 }, { 'u', 12 }, { 'i', 8 }, { 't', 4 },
		{ 'x', 1 },
	};

	for (size_t i = 0; i < sizeof(shades) / sizeof(shades[0]); i++)
		for (unsigned int j = 0; j < shades[i].nr; j++) {
			char rule[32];

			snprintf(rule, sizeof(rule), ".flame .%c%u{",
				 shades[i].letter, j);
			assert_true(contrast(luminance(css, rule), ink) >= 4.5);
		}
	assert_true(contrast(luminance(css, ".flame .hit{"), ink) >= 4.5);
	assert_true(contrast(luminance(css, ".flame .hatch1{"), ink) >= 4.5);
	assert_true(contrast(luminance(css, ".flame .page{"),
			     luminance(css, ".flame text{")) >= 7);
	assert_true(contrast(luminance(css, ".flame .page{"),
			     luminance(css, ".flame .sub,")) >= 4.5);
}

/* Every shade that svg.c may name is there, and its label can be read. */
static void colours_are_legible(void **state)
{
	const char *dark = strstr(flame_css, "@media (prefers-color-scheme:dark)");

	(void)state;
	assert_non_null(dark);
	check_contrast(flame_css, luminance(flame_css, ".flame text{"));
	check_contrast(dark, luminance(dark, ".flame .frames text{"));
}

static void embeds_safely(void **state)
{
	static const char *const scripts[] = { flame_js, svg_heat_js, page_js };

	(void)state;
	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		assert_null(strstr(scripts[i], "]]>"));
		assert_null(strstr(scripts[i], "eval("));
		assert_null(strstr(scripts[i], "innerHTML"));
	}
	assert_null(strstr(flame_css, "]]>"));
	assert_null(strstr(flame_css, "@import"));
	assert_null(strstr(flame_css, "http"));
}

static void shows_the_books(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	struct profile *profile = profile_create();
	char *text;

	(void)state;
	profile->meta.resolution_ns = 1;	/* a recording's, not another tool's */
	profile->books = (struct profile_books) {
		.expected = 18706, .fires = 19900, .missed = 40, .overdue = -1234,
		.stored = 19900, .filtered = 28, .truncated = 3,
		.lost = { [FLAMEMOD_LOST_TABLE_FULL] = 10,
			  [FLAMEMOD_LOST_OVERLOAD] = 2 },
	};
	profile->meta.settings.hz = 997;
	profile->meta.duration_ns = 10049999999;
	strcpy(profile->meta.release, "6.1.0-<&");
	options.profile = profile;
	options.note = "drawn without idle time";
	text = draw(tree, &options);
	expect_in(text, ">997 Hz</text>");
	expect_in(text, ">10.0 s</text>");
	expect_in(text, ">Linux 6.1.0-&lt;&amp;</text>");
	expect_in(text, ">expected 18,706</text>");
	expect_in(text, ">fires 19,900</text>");
	expect_in(text, ">missed 40</text>");
	expect_in(text, ">overdue at the start 1,234</text>");
	expect_in(text, ">stored 19,900</text>");
	expect_in(text, ">filtered 28</text>");
	expect_in(text, ">lost 12 (table-full 10, overload 2)</text>");
	expect_in(text, ">truncated stacks 3</text>");
	expect_in(text, ">drawn without idle time</text>");
	free(text);

	memset(profile->books.lost, 0, sizeof(profile->books.lost));
	for (unsigned int i = 0; i < PROFILE_LOST_MAX; i++)
		profile->books.lost[i] = UINT64_MAX / 8;
	memset(profile->meta.release, 'r', sizeof(profile->meta.release) - 1);
	text = draw(tree, &options);
	expect_in(text, "other 2,305,843,009,213,693,951)</text>");
	free(text);
	profile_destroy(profile);
	tree_destroy(tree);
}

static void looks_as_asked(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	char *text;

	(void)state;
	options.row_height = 30;
	options.font_size = 18;
	options.unit = "<ms";
	options.name_type = "\"Function:";
	options.notes = "one <line>\n\x01\nthree]]>";
	text = draw(tree, &options);
	expect_in(text, "data-row=\"30\" data-base=\"20.5\"");
	expect_in(text, "data-unit=\"&lt;ms\" data-nametype=\"&quot;Function:\"");
	expect_in(text, "<g transform=\"translate(0 30)\">");
	expect_in(text, "height=\"29\" rx=\"2\"/><text x=\"3\" y=\"20.5\">all</text>");
	expect_in(text, "1,000 &lt;ms, 100.00 %");
	expect_in(text, "y=\"0\" data-full=\"one &lt;line&gt;\">one &lt;line&gt;</text>");
	expect_in(text, "y=\"16\" data-full=\"\"></text>");
	expect_in(text, "y=\"32\" data-full=\"three]]&gt;\">three]]&gt;</text>");
	free(text);
	tree_destroy(tree);
}

/* The whole document, to be freed. */
static char *draw_whole(const struct svg_options *options)
{
	struct tree *tree = one_frame("f", TREE_KERNEL);
	struct layout *layout = lay(tree, options);
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_int_equal(svg_write(tree, layout, options, out), 0);
	fclose(out);
	layout_destroy(layout);
	tree_destroy(tree);
	return text;
}

static void themes_are_forced(void **state)
{
	static const char query[] = "@media (prefers-color-scheme:dark){";
	struct svg_options options = make_options();
	char *text = draw_whole(&options);

	(void)state;
	expect_in(text, query);
	free(text);
	options.theme = SVG_DARK;
	options.has_background = true;
	options.background = 0x012345;
	options.font = "DejaVu Sans";
	options.font_size = 18;
	text = draw_whole(&options);
	assert_null(strstr(text, query));
	expect_in(text, "@media all{\n.flame{background:#17181c}");
	expect_in(text, ".flame .frames text{font-family:\"DejaVu Sans\",monospace;font-size:18px}\n.flame{background:#012345}\n.flame .page{fill:#012345}\n]]>");
	free(text);
	options.theme = SVG_LIGHT;
	text = draw_whole(&options);
	assert_null(strstr(text, query));
	expect_in(text, "@media not all{\n.flame{background:#17181c}");
	free(text);
}

static void reports_a_failing_stream(void **state)
{
	struct svg_options options = make_options();
	struct tree *tree = one_frame("f", TREE_KERNEL);
	struct layout *layout = lay(tree, &options);
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(svg_write(tree, layout, &options, out), -ENOSPC);
	fclose(out);
	layout_destroy(layout);
	tree_destroy(tree);
}

static const char *view_class(const void *data, uint32_t node)
{
	return node == *(const uint32_t *)data ? "grew1" : "same";
}

static void view_tell(const void *data, uint32_t node, char *text, size_t size)
{
	(void)data;
	snprintf(text, size, "node %u <&> \033[1m", node);
}

static void a_view_may_paint_by_itself(void **state)
{
	static const struct paint_key key = { "grew1", "more, or less", 4 };
	static const uint32_t painted = 1;
	const struct paint_view view = {
		.class = view_class, .tell = view_tell, .keys = &key, .nr_keys = 1,
	};
	struct svg_options options = make_options();
	struct tree *tree = tree_create();
	struct layout *layout;
	struct paint *paint;
	uint32_t node;
	char *text;

	(void)state;
	assert_int_equal(tree_add(tree, 0, "f", TREE_KERNEL, &node), 0);
	assert_int_equal(node, painted);
	tree->nodes[node].self = 100000;
	for (int i = 0; i < 20; i++) {
		char name[] = { 'a' + i, 0 };

		assert_int_equal(tree_add(tree, 0, name, TREE_KERNEL, &node), 0);
		tree->nodes[node].self = name[0] == 'f' ? 100000 : 1;
	}
	tree_sum(tree);
	layout = lay(tree, &options);
	assert_int_equal(paint_create_view(&paint, tree, layout, &view, &painted), 0);
	options.paint = paint;
	text = draw(tree, &options);
	assert_non_null(strstr(text, "<g class=\"grew1\" data-s=\"5\" data-w=\"100000\" data-told=\"1\"><title>f\nnode 1 &lt;&amp;&gt; [1m</title>"));
	assert_non_null(strstr(text, "<g class=\"same\" data-s=\"0\" data-w=\"100019\" data-told=\"1\" data-h=\"5\"><title>all\nnode 0 "));
	assert_non_null(strstr(text, "<rect class=\"grew1\" x=\"0\" y=\"6\""));
	assert_non_null(strstr(text, ">more</text>"));
	assert_null(strstr(text, ">kernel</text>"));
	/* a rectangle that replaces many frames shows only their share */
	assert_non_null(strstr(text, "data-w=\"14\" data-told=\"1\" data-n=\"14\"><title>[14 narrow frames]\n0.01 %</title>"));
	free(text);
	paint_destroy(paint);
	layout_destroy(layout);
	tree_destroy(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes_names),
		cmocka_unit_test(escapes_titles),
		cmocka_unit_test(fits_labels),
		cmocka_unit_test(shows_figures),
		cmocka_unit_test(groups_rows),
		cmocka_unit_test(names_collapsed_frames),
		cmocka_unit_test(keeps_colours),
		cmocka_unit_test(colours_are_legible),
		cmocka_unit_test(embeds_safely),
		cmocka_unit_test(shows_the_books),
		cmocka_unit_test(looks_as_asked),
		cmocka_unit_test(themes_are_forced),
		cmocka_unit_test(reports_a_failing_stream),
		cmocka_unit_test(a_view_may_paint_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
