// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a graph's look: accepted values, and refused ones, which change nothing.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/look.h"

typedef int look_fn(struct svg_options *svg, const char *text,
		    struct error *error);

static void words_are_taken(void **state)
{
	struct svg_options svg = { 0 };

	(void)state;
	assert_int_equal(look_width(&svg, "320", NULL), 0);
	assert_true(svg.width == 320 && svg.fixed);
	assert_int_equal(look_height(&svg, "100", NULL), 0);
	assert_int_equal(svg.row_height, 100);
	assert_int_equal(look_font(&svg, "DejaVu Sans-1.0_b", NULL), 0);
	assert_string_equal(svg.font, "DejaVu Sans-1.0_b");
	assert_int_equal(look_font_size(&svg, "72", NULL), 0);
	assert_int_equal(svg.font_size, 72);
	assert_int_equal(look_theme(&svg, "dark", NULL), 0);
	assert_int_equal(svg.theme, SVG_DARK);
	assert_int_equal(look_background(&svg, "#fed", NULL), 0);
	assert_true(svg.has_background && svg.background == 0xffeedd);
}

static void other_words_change_nothing(void **state)
{
	static const struct {
		look_fn *look;
		const char *text;
	} cases[] = {
		{ look_width, "319" }, { look_width, "100001" },
		{ look_width, "" }, { look_height, "7" }, { look_height, "101" },
		{ look_font, "" }, { look_font, "a\"b" }, { look_font, "a;b" },
		{ look_font, "a\\b" }, { look_font, "a</style>" },
		{ look_font, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		{ look_font_size, "3" }, { look_font_size, "73" },
		{ look_theme, "" }, { look_theme, "Dark" },
		{ look_background, "white" }, { look_background, "#ffff" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct svg_options svg = { .width = 1200 }, before = svg;
		struct error error = { "" };

		assert_int_equal(cases[i].look(&svg, cases[i].text, &error),
				 -EINVAL);
		assert_memory_equal(&svg, &before, sizeof(svg));
		assert_memory_equal(error.text,
				    *cases[i].text ? cases[i].text : "nothing",
				    *cases[i].text ? strnlen(cases[i].text, 40) : 7);
	}
}

static void what_is_narrow_is_pixels_or_a_share(void **state)
{
	static const char *const refused[] = {
		"", "%", "-1", "1001", "101%", "1em", "0x1", ".", "inf", "1 px",
	};
	struct look_narrow narrow = { .px = 0.1 };
	struct error error;

	(void)state;
	assert_true(look_narrow_px(&narrow, 1200) == 0.1);
	assert_int_equal(look_narrow(&narrow, "50%", NULL), 0);
	assert_true(look_narrow_px(&narrow, 1200) == 600);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (look_narrow(&narrow, refused[i], &error) != -EINVAL)
			fail_msg("%s is taken", refused[i]);
	assert_true(look_narrow_px(&narrow, 1200) == 600);
	assert_int_equal(look_narrow(&narrow, "0.5px", NULL), 0);
	assert_true(look_narrow_px(&narrow, 1200) == 0.5);
	assert_int_equal(look_narrow(&narrow, "0%", NULL), 0);
	assert_true(look_narrow_px(&narrow, 1200) == 0);
}

static void the_rest_follows(void **state)
{
	struct svg_options svg = { .font_size = 12 };

	(void)state;
	look_complete(&svg);
	assert_int_equal(svg.row_height, 0);
	assert_int_equal(svg.theme, SVG_AUTO);
	svg.font_size = 20;
	svg.has_background = true;
	look_complete(&svg);
	assert_int_equal(svg.row_height, 30);
	assert_int_equal(svg.theme, SVG_DARK);
	svg = (struct svg_options){
		.font_size = 20, .row_height = 25, .has_background = true,
		.background = 0xffffff,
	};
	look_complete(&svg);
	assert_int_equal(svg.row_height, 25);
	assert_int_equal(svg.theme, SVG_LIGHT);
	svg.theme = SVG_DARK;
	look_complete(&svg);
	assert_int_equal(svg.theme, SVG_DARK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_taken),
		cmocka_unit_test(other_words_change_nothing),
		cmocka_unit_test(what_is_narrow_is_pixels_or_a_share),
		cmocka_unit_test(the_rest_follows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
