// SPDX-License-Identifier: GPL-2.0
/*
 * Heat maps: what their cells count, and how they are drawn.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "select/select.h"
#include "view/heat/heat.h"
#include "view/heat/heat_svg.h"

static const struct heat_cell *cell(const struct heat *heat, uint32_t column,
				    uint32_t row)
{
	return &heat->cells[(size_t)column * heat->nr_rows + row];
}

static void heat_is_by_cpu(void **state)
{
	struct profile *profile = made_sliced();
	struct selection selection = { 0 };
	struct error error;
	struct heat *heat;

	(void)state;
	assert_int_equal(heat_create(&heat, profile, HEAT_CPUS, &selection, &error), 0);
	assert_int_equal(heat->nr_columns, 3);
	assert_int_equal(heat->nr_rows, 3);
	assert_int_equal(heat->cpus[2], 5);
	assert_int_equal(cell(heat, 0, 0)->part, 50);
	assert_int_equal(cell(heat, 0, 0)->whole, 50);
	assert_int_equal(cell(heat, 0, 1)->whole, 0);
	/* one of the 110 was idle */
	assert_int_equal(cell(heat, 1, 0)->part, 109);
	assert_int_equal(cell(heat, 1, 0)->whole, 110);
	assert_int_equal(cell(heat, 1, 1)->lost, 25);
	assert_int_equal(cell(heat, 2, 2)->part, 70);
	heat_destroy(heat);

	assert_int_equal(select_add(&selection, SELECT_COMM, "cat", &error), 0);
	assert_int_equal(select_add(&selection, SELECT_RANGE, "1,", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_CPUS, &selection, &error), 0);
	assert_int_equal(heat->nr_columns, 2);
	assert_int_equal(heat->begin_ns[0], SEC);
	assert_int_equal(cell(heat, 0, 0)->part, 100);
	assert_int_equal(cell(heat, 0, 0)->whole, 110);
	assert_int_equal(cell(heat, 1, 2)->part, 0);
	assert_int_equal(cell(heat, 1, 2)->whole, 70);
	heat_destroy(heat);
	profile_destroy(profile);
}

static void heat_is_by_load(void **state)
{
	struct profile *profile = profile_create(), *part;
	struct selection selection = { 0 };
	struct error error;
	struct heat *heat;

	(void)state;
	/* 0, 45, 100 and 100 % */
	part = part_of("a", "a", 1, 45);
	add_sampled(part, 0, "idle", 0, 1, FLAMEMOD_CONTEXT_IDLE, 55);
	add_sampled(part, 0, "idle", 0, 0, FLAMEMOD_CONTEXT_IDLE, 10);
	add_sampled(part, 0, "a", 1, 2, FLAMEMOD_CONTEXT_USER, 10);
	add_sampled(part, 0, "a", 1, 3, FLAMEMOD_CONTEXT_SOFTIRQ, 10);
	add_slice(profile, part, 0, SEC);
	assert_int_equal(heat_create(&heat, profile, HEAT_LOADS, &selection, &error), 0);
	assert_int_equal(heat->nr_rows, HEAT_BANDS);
	for (uint32_t row = 0; row < HEAT_BANDS; row++) {
		assert_int_equal(cell(heat, 0, row)->whole, 4);
		assert_int_equal(cell(heat, 0, row)->part,
				 row == 0 ? 2 : row == 5 || row == 9 ? 1 : 0);
	}
	heat_destroy(heat);
	profile_destroy(profile);
	profile = made_profile();
	assert_int_equal(heat_create(&heat, profile, HEAT_LOADS, &selection, &error), -ENODATA);
	profile_destroy(profile);
}

static char *draw(const struct profile *profile, enum heat_rows rows,
		  unsigned int width)
{
	const struct selection everything = { 0 };
	struct heat_svg_options options = {
		.title = "<b>\"a\"&\033[31m\xff", .subtitle = "]]>", .what = "busy",
		.rest = " 'it'\\''s \"<x>.pb.gz'", .profile = profile, .width = width,
	};
	struct error error;
	struct heat *heat;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(heat_create(&heat, profile, rows, &everything, &error), 0);
	assert_int_equal(heat_svg_write(heat, &options, out), 0);
	fclose(out);
	heat_destroy(heat);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("there is no %s", part);
}

static void a_map_is_drawn(void **state)
{
	struct profile *profile = made_sliced();
	char *svg = draw(profile, HEAT_CPUS, 1200);

	(void)state;
	assert_has(svg, "<title>&lt;b&gt;&quot;a&quot;&amp;[31m\xef\xbf\xbd</title>");
	assert_has(svg, ">]]&gt;</text>");
	assert_has(svg, " data-rest=\" 'it'\\''s &quot;&lt;x&gt;.pb.gz'\"");
	assert_has(svg, " transform=\"translate(0) scale(372.33 1)\">\n<rect class=\"h10\" width=\"1\" y=\"0\" height=\"17\"><title>CPU 0, 0 s to 1 s\n100.00 % busy (50 of 50 periods)</title>");
	assert_has(svg, "CPU 3, 1 s to 2 s\n74.58 % busy (88 of 118 periods)\n25 lost</title>");
	assert_has(svg, ">CPU 5</text>");
	assert_has(svg, ">2.5 s</text>");
	assert_has(svg, "fires 246 missed 102 stored 318 filtered 5 lost 25");
	free(svg);
	svg = draw(profile, HEAT_LOADS, 320);
	assert_has(svg, "load 90 to 100 %, 0 s to 1 s\n100.00 % of the CPUs (1 of 1)</title>");
	free(svg);
	profile_destroy(profile);
}

static void extremes_are_drawn(void **state)
{
	struct profile *profile = profile_create(), *part = profile_create();
	char *svg;

	(void)state;
	for (uint32_t cpu = 0; cpu < 2000; cpu++)
		add_sampled(part, 0, "a", 1, cpu, FLAMEMOD_CONTEXT_USER, 1);
	add_slice(profile, part, 1, 2);
	add_slice(profile, part_of("a", "a", 3, 1), UINT64_MAX / 4, UINT64_MAX / 2);
	svg = draw(profile, HEAT_CPUS, 320);
	assert_has(svg, "y=\"3998\" height=\"2\"");
	free(svg);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(heat_is_by_cpu),
		cmocka_unit_test(heat_is_by_load),
		cmocka_unit_test(a_map_is_drawn),
		cmocka_unit_test(extremes_are_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
