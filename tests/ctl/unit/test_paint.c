// SPDX-License-Identifier: GPL-2.0
/*
 * Colours of frames: those of each scheme, readable labels, and palette files, which keep
 * them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/colour.h"
#include "embed.h"
#include "tree/subsystem.h"
#include "view/paint.h"
#include "view/palette.h"

static const char *const scheme_names[] = {
	"kind", "subsystem", "module", "language", "chain", "hash", "hot",
	"mem", "io", "wakeup", "red", "orange", "yellow", "green", "aqua",
	"blue", "purple",
};

#define NR_SCHEMES (sizeof(scheme_names) / sizeof(scheme_names[0]))

/* Draw a picture of one frame per name, all children of the root. */
struct picture {
	struct tree *tree;
	struct layout *layout;
	struct paint *paint;
};

static void draw_wide(struct picture *picture, const char *scheme,
		      struct palette *palette, const char *folded,
		      double min_width_px)
{
	struct layout_options options = {
		.width_px = 1000, .min_width_px = min_width_px,
	};
	FILE *in = fmemopen((void *)folded, strlen(folded), "r");
	struct error error;

	picture->tree = tree_create();
	assert_int_equal(fold_read(picture->tree, in, &error), 0);
	fclose(in);
	tree_sum(picture->tree);
	assert_int_equal(layout_create(&picture->layout, picture->tree,
				       &options, &error), 0);
	assert_int_equal(paint_create(&picture->paint, picture->tree,
				      picture->layout,
				      paint_scheme_find(scheme, &error), palette), 0);
}

static void draw(struct picture *picture, const char *scheme,
		 struct palette *palette, const char *folded)
{
	draw_wide(picture, scheme, palette, folded, 0);
}

static void drop(struct picture *picture)
{
	paint_destroy(picture->paint);
	layout_destroy(picture->layout);
	tree_destroy(picture->tree);
}

/* Return the class of the frame @name. */
static const char *class_of(const struct picture *picture, const char *name,
			    char class[PAINT_CLASS_MAX])
{
	const struct layout *layout = picture->layout;

	for (uint32_t i = 0; i < layout->nr_rects; i++)
		if (!strcmp(picture->tree->nodes[layout->rects[i].node].name,
			    name)) {
			paint_class(picture->paint, i, class);
			return class;
		}
	fail_msg("no frame %s", name);
	return NULL;
}

static char *rules_of(const struct picture *picture, bool dark)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	paint_rules(picture->paint, dark, out);
	fclose(out);
	return text;
}

/* The families of classes: their numbers by eights, or their letters. */
static int family_of(const struct picture *picture, const char *name)
{
	char class[PAINT_CLASS_MAX];

	class_of(picture, name, class);
	return class[0] == 'c' ? atoi(class + 1) / 8 : 1000 + class[0];
}

static const char stacks[] =
	"a;tcp_sendmsg 10\na;udp_sendmsg 10\na;ext4_read [ext4] 10\n"
	"a;jbd2_commit [jbd2] 10\na;ext4_write [ext4] 10\na;[user] 10\n"
	"[lost: overload] 10\na;Foo::bar 10\na;x_[j] 10\na;y_[w] 10\n";

static void schemes_colour_by_what_they_are_named_after(void **state)
{
	struct picture picture;

	(void)state;
	draw(&picture, "subsystem", NULL, stacks);
	assert_int_equal(family_of(&picture, "tcp_sendmsg"), SUBSYSTEM_NETWORK);
	assert_int_equal(family_of(&picture, "udp_sendmsg"), SUBSYSTEM_NETWORK);
	assert_int_equal(family_of(&picture, "jbd2_commit [jbd2]"), SUBSYSTEM_FILES);
	assert_int_equal(family_of(&picture, "[user]"), 1000 + 'u');
	assert_int_equal(family_of(&picture, "a"), 1000 + 't');
	drop(&picture);
	draw(&picture, "module", NULL, stacks);
	assert_int_equal(family_of(&picture, "ext4_read [ext4]"),
			 family_of(&picture, "ext4_write [ext4]"));
	assert_int_not_equal(family_of(&picture, "ext4_read [ext4]"),
			     family_of(&picture, "jbd2_commit [jbd2]"));
	assert_int_equal(family_of(&picture, "tcp_sendmsg"), 1000 + 'k');
	drop(&picture);
	draw(&picture, "language", NULL, stacks);
	assert_int_not_equal(family_of(&picture, "x_[j]"),
			     family_of(&picture, "Foo::bar"));
	assert_int_equal(family_of(&picture, "tcp_sendmsg"), 1000 + 'k');
	drop(&picture);
	draw(&picture, "chain", NULL, stacks);
	assert_int_not_equal(family_of(&picture, "y_[w]"),
			     family_of(&picture, "tcp_sendmsg"));
	drop(&picture);
}

/* Functions without a name have no mark of their own, and marks are not functions. */
static void chains_show_all_of_a_waker(void **state)
{
	static const char *const wakers[] = {
		"wake_[w]", "f_[w] [ext4]", "prog+0x12", "[prog]", "[incomplete]_[w]",
		"[hardirq]_[w]", "gzip_[w]",
	};
	static const char *const woken[] = { "a", "read", "gone+0x34", "sched" };
	struct picture picture;

	(void)state;
	draw(&picture, "chain", NULL,
	     "a;read;gone+0x34;sched;wake_[w];f_[w] [ext4];prog+0x12;[prog];gzip_[w] 20\n"
	     "a;read;gone+0x34;sched;wake_[w];[incomplete]_[w];[hardirq]_[w] 10\n"
	     "a;read;[waiting] 10\n");
	for (size_t i = 0; i < sizeof(wakers) / sizeof(wakers[0]); i++)
		assert_int_equal(family_of(&picture, wakers[i]), 0);
	for (size_t i = 0; i < sizeof(woken) / sizeof(woken[0]); i++)
		assert_int_equal(family_of(&picture, woken[i]), 1);
	assert_int_equal(family_of(&picture, "[waiting]"), 1000 + 'x');
	drop(&picture);
}

/* Lost frames are hatched in every scheme. */
static void every_scheme_shows_losses(void **state)
{
	char class[PAINT_CLASS_MAX];
	struct picture picture;

	(void)state;
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		draw(&picture, scheme_names[i], NULL, stacks);
		assert_string_equal(class_of(&picture, "[lost: overload]", class), "l");
		drop(&picture);
	}
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = colour_luminance(a) + 0.05, y = colour_luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

static void check_rules(const struct picture *picture, bool dark)
{
	uint32_t ink = dark ? 0x101013 : 0x1b1b1f;
	char *rules = rules_of(picture, dark), *at = rules;

	while ((at = strstr(at, "fill:#"))) {
		uint32_t rgb = strtoul(at += 6, NULL, 16);

		if (contrast(rgb, ink) < 4.5)
			fail_msg("#%06x on a %s page", rgb, dark ? "dark" : "light");
	}
	free(rules);
}

/* The inks are those of svg/flame.css. */
static void labels_are_legible(void **state)
{
	struct picture picture;

	(void)state;
	assert_true(contrast(0xffffff, 0) > 20.9);
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		draw(&picture, scheme_names[i], NULL, stacks);
		check_rules(&picture, false);
		check_rules(&picture, true);
		drop(&picture);
	}
}

/* Each class other than a kind's has a rule for light and dark pages. */
static void classes_have_rules(void **state)
{
	char class[PAINT_CLASS_MAX], rule[32];
	struct picture picture;

	(void)state;
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		draw(&picture, scheme_names[i], NULL, stacks);
		for (int dark = 0; dark < 2; dark++) {
			char *rules = rules_of(&picture, dark);

			for (uint32_t j = 0; j < picture.layout->nr_rects; j++) {
				paint_class(picture.paint, j, class);
				snprintf(rule, sizeof(rule), ".flame .%s{", class);
				if (class[0] == 'c' && !strstr(rules, rule))
					fail_msg("%s: no %s", scheme_names[i], rule);
			}
			free(rules);
		}
		drop(&picture);
	}
}

static void legends_name_what_is_there(void **state)
{
	struct picture picture;
	char text[256] = "";

	(void)state;
	draw(&picture, "module", NULL, stacks);
	for (unsigned int i = 0; i < picture.paint->nr_keys; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s,",
			 picture.paint->keys[i].length, picture.paint->keys[i].text);
	assert_non_null(strstr(text, "ext4,"));
	assert_non_null(strstr(text, "jbd2,"));
	assert_non_null(strstr(text, "lost,"));
	assert_null(strstr(text, "idle,"));
	drop(&picture);
}

/* Each mark has a key and a colour of its own in every scheme. */
static void legends_name_every_mark(void **state)
{
	static const char marked[] =
		"[incomplete];sh;[user] 1\nsh;f;[irqs-off] 1\nsh;[truncated];f 1\n"
		"sh;f;[injected idle] 1\nsh;f;[interrupt] 1\nsh;f;[odd] 1\n"
		"sh;f;[stalled] 1\nsh;[steal] 1\nsh;f;[waiting] 1\nsh;f;[preempted] 1\n"
		"sh;f;[uninterruptible] 1\nsh;f;[sleeping] 1\nsh;[on-cpu] 1\n"
		"swapper;do_idle;f 1\n[lost: overload] 1\n";
	static const char *const words[] = {
		"idle", "lost", "[irqs-off]", "[interrupt]", "[injected idle]",
		"[incomplete]", "[truncated]", "[stalled]", "[steal]",
		"[waiting]", "[preempted]", "[uninterruptible]", "[sleeping]", "[on-cpu]",
		"other marks",
	};
	struct picture picture;

	(void)state;
	for (size_t i = 0; i < NR_SCHEMES; i++) {
		char text[512] = ",", word[40];

		draw(&picture, scheme_names[i], NULL, marked);
		for (unsigned int j = 0; j < picture.paint->nr_keys; j++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text),
				 "%.*s,", picture.paint->keys[j].length,
				 picture.paint->keys[j].text);
		for (size_t j = 0; j < sizeof(words) / sizeof(words[0]); j++) {
			snprintf(word, sizeof(word), ",%s,", words[j]);
			if (!strstr(text, word))
				fail_msg("%s: no %s in %s", scheme_names[i],
					 words[j], text);
		}
		drop(&picture);
	}
}

static int difference(uint32_t a, uint32_t b)
{
	int sum = 0;

	for (int shift = 0; shift < 24; shift += 8)
		sum += abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
	return sum;
}

/* The colour of search matches. */
static uint32_t highlight(bool dark)
{
	const char *at = dark ? strstr(flame_css, "@media") : flame_css;

	at = strstr(at, ".flame .hit{fill:#");
	assert_non_null(at);
	return strtoul(strchr(at, '#') + 1, NULL, 16);
}

static void marks_look_like_nothing_else(void **state)
{
	(void)state;
	for (int dark = 0; dark < 2; dark++)
		for (unsigned int i = 0; paint_mark_name(i); i++) {
			uint32_t mark = paint_kind_shade(TREE_MARK, i, dark), other;

			assert_true(mark <= 0xffffff);
			assert_true(difference(mark, highlight(dark)) > 90);
			for (unsigned int j = 0; j < i; j++)
				assert_true(difference(mark, paint_kind_shade(TREE_MARK, j, dark)) > 60);
			for (unsigned int j = 0; ; j++) {
				other = paint_kind_shade(TREE_IDLE, j, dark);
				if (other > 0xffffff)
					break;
				assert_true(difference(mark, other) > 80);
			}
		}
}

/* A view without schemes has the colours that "chain" has for wakers. */
static void wakers_have_the_colours_of_chains(void **state)
{
	struct picture picture;
	char *rules, expected[40];
	size_t size;
	FILE *out;

	(void)state;
	draw(&picture, "chain", NULL, "a;f;wake_[w] 1\n");
	for (int dark = 0; dark < 2; dark++) {
		out = open_memstream(&rules, &size);
		paint_rules(picture.paint, dark, out);
		fclose(out);
		for (unsigned int i = 0; i < 8; i++) {
			snprintf(expected, sizeof(expected), ".c%u{fill:#%06x}", i,
				 paint_kind_shade(PAINT_WAKER, i, dark));
			assert_non_null(strstr(rules, expected));
		}
		free(rules);
	}
	assert_int_equal(paint_kind_shade(PAINT_WAKER, 8, false), UINT32_MAX);
	assert_int_equal(paint_kind_letter(PAINT_WAKER), 'w');
	drop(&picture);
}

/* A rectangle that replaces several frames has the colour of no kind. */
static void legends_leave_out_what_is_collapsed(void **state)
{
	static const char *const schemes[] = { "hot", "subsystem", "hash", "chain" };
	struct picture picture;

	(void)state;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		draw_wide(&picture, schemes[i], NULL,
			  "sh;tcp_rcv 900\nsh;tcp_rcv;a 60\nsh;tcp_rcv;b 40\n", 80);
		assert_true(picture.layout->rects[picture.layout->nr_rects - 1].collapsed);
		for (unsigned int j = 0; j < picture.paint->nr_keys; j++)
			if (!strncmp(picture.paint->keys[j].text, "kernel", 6))
				fail_msg("%s has a key kernel", schemes[i]);
		drop(&picture);
	}
}

static void unknown_schemes_are_refused(void **state)
{
	struct error error;

	(void)state;
	assert_null(paint_scheme_find("kind", &error));
	assert_string_equal(error.text, "");
	assert_non_null(paint_scheme_find("hot", &error));
	assert_null(paint_scheme_find("hott", &error));
	assert_non_null(strstr(error.text, "hott: the schemes are kind, subsystem, "));
	assert_non_null(strstr(error.text, " and purple"));
}

/* A file that goes with the test. */
static void make_file(char path[32], const char *text)
{
	FILE *out;

	strcpy(path, "/tmp/test_paint.XXXXXX");
	out = fdopen(mkstemp(path), "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void palettes_keep_colours(void **state)
{
	char path[32], class[PAINT_CLASS_MAX];
	struct palette palette;
	struct picture picture;
	struct error error;
	uint32_t rgb;

	(void)state;
	make_file(path, "tcp_sendmsg->rgb(1,2,255)\ntcp_sendmsg->rgb(9,9,9)\n"
		  "a->b->rgb(3,4,5)\r\n\n");
	assert_int_equal(palette_read(&palette, path, &error), 0);
	assert_true(palette_find(&palette, "a->b", &rgb) && rgb == 0x030405);
	draw(&picture, "kind", &palette, stacks);
	assert_string_equal(class_of(&picture, "tcp_sendmsg", class), "p0102ff");
	assert_int_equal(class_of(&picture, "udp_sendmsg", class)[0], 'p');
	assert_string_equal(class_of(&picture, "[lost: overload]", class), "l");
	drop(&picture);
	assert_int_equal(palette_write(&palette, path, &error), 0);
	palette_deinit(&palette);

	/* under another scheme a name that is known keeps its colour */
	assert_int_equal(palette_read(&palette, path, &error), 0);
	assert_true(palette_find(&palette, "udp_sendmsg", &rgb));
	draw(&picture, "hot", &palette, "a;udp_sendmsg;x 1\n");
	assert_int_equal(strtoul(class_of(&picture, "udp_sendmsg", class) + 1, NULL, 16), rgb);
	assert_true(palette_find(&palette, "tcp_sendmsg", &rgb) && rgb == 0x0102ff);
	assert_false(palette_find(&palette, "x", &rgb));
	drop(&picture);
	palette_deinit(&palette);
	unlink(path);
}

static void palettes_hold_any_name(void **state)
{
	char path[32];
	struct palette palette = { 0 };
	struct error error;
	uint32_t rgb;

	(void)state;
	make_file(path, "");
	assert_int_equal(palette_add(&palette, "a\n\x1b\\x\xff->rgb(1,1,1)", 7), 0);
	assert_int_equal(palette_add(&palette, "", 8), 0);
	assert_int_equal(palette_write(&palette, path, &error), 0);
	palette_deinit(&palette);
	assert_int_equal(palette_read(&palette, path, &error), 0);
	assert_int_equal(palette.nr, 2);
	assert_true(palette_find(&palette, "a\n\x1b\\x\xff->rgb(1,1,1)", &rgb));
	assert_int_equal(rgb, 7);
	palette_deinit(&palette);
	unlink(path);
}

static void broken_palettes_are_refused(void **state)
{
	static const char *const broken[] = {
		"f->rgb(1,2,3", "f->rgb(1,2,256)", "f->rgb(1,2)", "f", "f->#fff",
		"f->rgb(-1,2,3)", "f 1",
	};
	struct palette palette;
	struct error error;
	char path[32], text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		snprintf(text, sizeof(text), "g->rgb(1,2,3)\n%s\n", broken[i]);
		make_file(path, text);
		assert_int_equal(palette_read(&palette, path, &error), -EBADMSG);
		assert_non_null(strstr(error.text, ": line 2 has no colour"));
		unlink(path);
	}
	assert_int_equal(palette_read(&palette, "/nonexistent/x", &error), 0);
	assert_int_equal(palette.nr, 0);
	assert_int_equal(palette_read(&palette, "/", &error), -EISDIR);
	/* endless, without a newline */
	assert_int_equal(palette_read(&palette, "/dev/zero", &error), -EBADMSG);
	assert_non_null(strstr(error.text, "/dev/zero: line 1 has no colour"));
}

static void colours_are_read(void **state)
{
	uint32_t rgb = 0;

	(void)state;
	assert_true(colour_parse("#12aBcf", &rgb) && rgb == 0x12abcf);
	assert_true(colour_parse("#1af", &rgb) && rgb == 0x11aaff);
	assert_false(colour_parse("12abcf", &rgb));
	assert_false(colour_parse("#12abc", &rgb));
	assert_false(colour_parse("#12abcg", &rgb));
	assert_false(colour_parse("#", &rgb));
	/* the ends of OKLCH, and a red and a blue of the definition's */
	assert_int_equal(colour_oklch(0, 0, 0), 0);
	assert_int_equal(colour_oklch(1, 0, 0), 0xffffff);
	assert_int_equal(colour_oklch(0.62796, 0.25768, 29.234), 0xff0000);
	assert_int_equal(colour_oklch(0.45201, 0.31321, 264.052), 0x0000ff);
}

static void functions_are_found(void **state)
{
	static const struct {
		const char *name;
		enum subsystem subsystem;
	} cases[] = {
		{ "__netif_receive_skb_core", SUBSYSTEM_NETWORK },
		{ "nf_hook [nf_tables]", SUBSYSTEM_NETWORK },
		{ "anything [nvme]", SUBSYSTEM_BLOCK },
		{ "alloc_pages_mpol", SUBSYSTEM_MEMORY },
		{ "asm_exc_page_fault", SUBSYSTEM_MEMORY },
		{ "asm_exc_invalid_op", SUBSYSTEM_ENTRY },
		{ "__x64_sys_read", SUBSYSTEM_FILES },
		{ "__x64_sys_sendto", SUBSYSTEM_NETWORK },
		{ "__x64_sys_getpid", SUBSYSTEM_ENTRY },
		{ "_raw_spin_lock", SUBSYSTEM_LOCKS },
		{ "hrtimer_interrupt", SUBSYSTEM_TIME },
		{ "handle_softirqs", SUBSYSTEM_INTERRUPTS },
		{ "strange", SUBSYSTEM_OTHER },
		{ "strange [strange]", SUBSYSTEM_DRIVERS },
		{ "____", SUBSYSTEM_OTHER }, { "", SUBSYSTEM_OTHER },
		{ "__ [", SUBSYSTEM_DRIVERS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (subsystem_of(cases[i].name) != cases[i].subsystem)
			fail_msg("%s: %s", cases[i].name,
				 subsystem_name(subsystem_of(cases[i].name)));
	for (int i = 0; i < SUBSYSTEM_MAX; i++)
		assert_non_null(subsystem_name(i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schemes_colour_by_what_they_are_named_after),
		cmocka_unit_test(chains_show_all_of_a_waker),
		cmocka_unit_test(wakers_have_the_colours_of_chains),
		cmocka_unit_test(every_scheme_shows_losses),
		cmocka_unit_test(labels_are_legible),
		cmocka_unit_test(classes_have_rules),
		cmocka_unit_test(legends_name_what_is_there),
		cmocka_unit_test(legends_name_every_mark),
		cmocka_unit_test(marks_look_like_nothing_else),
		cmocka_unit_test(legends_leave_out_what_is_collapsed),
		cmocka_unit_test(unknown_schemes_are_refused),
		cmocka_unit_test(palettes_keep_colours),
		cmocka_unit_test(palettes_hold_any_name),
		cmocka_unit_test(broken_palettes_are_refused),
		cmocka_unit_test(colours_are_read),
		cmocka_unit_test(functions_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
