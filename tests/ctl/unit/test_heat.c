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
#include "profile/slices.h"
#include "select/select.h"
#include "view/heat/heat.h"
#include "view/heat/heat_svg.h"
#include "view/heat/words.h"

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

/* Calls of 2^@power ns each, by a command. */
static struct profile *calls(const char *comm, uint64_t nr, unsigned int power)
{
	struct profile *part = profile_create();
	struct profile_intervals *intervals = &part->meta.intervals;
	struct profile_record record = { .count = nr, .periods = nr << power };
	struct profile_cpu books = { .books = {
		.expected = nr << power, .fires = nr << power, .stored = nr << power } };

	part->meta.period_ns = 1;
	intervals->known = intervals->of_hits = true;
	intervals->seen = intervals->powers[power] = nr;
	record.node = add_stack(part, "entry;vfs_read", FLAMEMOD_FRAME_KERNEL);
	assert_int_equal(profile_add_task(part, 1, 1, comm, &record.task), 0);
	assert_int_equal(profile_add_record(part, &record), 0);
	assert_int_equal(profile_add_cpu(part, &books), 0);
	return part;
}

/* Three seconds: many short calls, nothing but losses, then a few that are longer. */
static struct profile *made_calls(void)
{
	struct profile *profile = profile_create(), *part = calls("cat", 0, 10);
	struct error error;

	add_slice(profile, calls("cat", 1000, 10), 0, SEC);
	part->meta.intervals.seen = 12;
	part->meta.intervals.min_ns = 1000;
	part->meta.intervals.below = 4;
	part->meta.intervals.lost[FLAMEMOD_EVENT_LOST_MISSED] = 2;
	part->meta.intervals.lost[FLAMEMOD_EVENT_LOST_NMI] = 3;
	add_slice(profile, part, SEC, 2 * SEC);
	add_slice(profile, calls("dd<", 3, 13), 2 * SEC, 3 * SEC);
	profile->meta.period_ns = 1;
	profile->meta.intervals.known = profile->meta.intervals.of_hits = true;
	profile->meta.intervals.min_ns = 1000;
	strcpy(profile->meta.weight_type, "latency:vfs_read");
	assert_int_equal(slices_finish(profile, &error), 0);
	if (slices_check(profile, &error))
		fail_msg("%s", error.text);
	return profile;
}

static void heat_is_by_latency(void **state)
{
	struct profile *profile = made_calls();
	struct selection selection = { 0 };
	struct error error;
	struct heat *heat;

	(void)state;
	assert_int_equal(heat_rows_of(profile), HEAT_LATENCIES);
	assert_int_equal(heat_create(&heat, profile, HEAT_LATENCIES, &selection, &error), 0);
	assert_int_equal(heat->nr_columns, 3);
	/* from 2^13, the top, to 2^10; nothing between them, but their rows */
	assert_int_equal(heat->nr_rows, 4);
	assert_int_equal(heat->power, 13);
	assert_int_equal(heat->most, 1000);
	assert_int_equal(cell(heat, 0, 3)->part, 1000);
	assert_int_equal(cell(heat, 0, 0)->part, 0);
	assert_int_equal(cell(heat, 0, 0)->whole, 1000);
	assert_int_equal(cell(heat, 1, 3)->whole, 0);
	assert_int_equal(cell(heat, 2, 0)->part, 3);
	assert_int_equal(heat->drawn.seen, 1000 + 12 + 3);
	heat_destroy(heat);
	/* rows are those of the range */
	assert_int_equal(select_add(&selection, SELECT_RANGE, "1,", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_LATENCIES, &selection, &error), 0);
	assert_int_equal(heat->nr_columns, 2);
	assert_int_equal(heat->nr_rows, 1);
	assert_int_equal(heat->most, 3);
	assert_int_equal(heat->drawn.seen, 15);
	heat_destroy(heat);
	selection.nr_terms = 0;
	assert_int_equal(select_add(&selection, SELECT_RANGE, "1,2", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_LATENCIES, &selection, &error), -ENODATA);
	assert_string_equal(error.text, "no call of latency:vfs_read returned in that range");
	/* calls are not selected, and there is no load */
	selection.nr_terms = 0;
	assert_int_equal(select_add(&selection, SELECT_COMM, "cat", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_LATENCIES, &selection, &error), -EINVAL);
	assert_non_null(strstr(error.text, "the histogram is of all calls"));
	assert_int_equal(heat_create(&heat, profile, HEAT_CPUS, &selection, &error), -EINVAL);
	assert_non_null(strstr(error.text, "there is no load of CPUs"));
	profile_destroy(profile);
	profile = made_sliced();
	assert_int_equal(heat_rows_of(profile), HEAT_CPUS);
	assert_int_equal(heat_create(&heat, profile, HEAT_LATENCIES, &selection, &error), -EINVAL);
	assert_non_null(strstr(error.text, "on-cpu has no histogram of durations"));
	profile_destroy(profile);
}

static void heat_is_by_command(void **state)
{
	struct profile *profile = made_calls();
	struct selection selection = { 0 };
	struct error error;
	struct heat *heat;
	char comm[16];

	(void)state;
	assert_int_equal(heat_create(&heat, profile, HEAT_COMMS, &selection, &error), 0);
	assert_int_equal(heat->nr_rows, 2);
	assert_string_equal(heat->comms[0], "cat");
	assert_int_equal(cell(heat, 0, 0)->part, 1000 << 10);
	assert_int_equal(cell(heat, 2, 1)->part, 3 << 13);
	assert_int_equal(cell(heat, 2, 0)->whole, 3 << 13);
	heat_destroy(heat);
	assert_int_equal(select_add(&selection, SELECT_COMM, "dd<", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_COMMS, &selection, &error), 0);
	assert_int_equal(heat->nr_rows, 1);
	assert_string_equal(heat->comms[0], "dd<");
	heat_destroy(heat);
	selection.nr_terms = 0;
	assert_int_equal(select_add(&selection, SELECT_COMM, "none", &error), 0);
	assert_int_equal(heat_create(&heat, profile, HEAT_COMMS, &selection, &error), -ENODATA);
	profile_destroy(profile);
	/* the lightest are in one row */
	profile = profile_create();
	for (unsigned int i = 0; i < HEAT_COMMS_MAX + 6; i++) {
		snprintf(comm, sizeof(comm), "c%u", i);
		add_slice(profile, part_of("f", comm, 0, 1000 - i), i, i + 1);
	}
	selection.nr_terms = 0;
	assert_int_equal(heat_create(&heat, profile, HEAT_COMMS, &selection, &error), 0);
	assert_int_equal(heat->nr_rows, HEAT_COMMS_MAX);
	assert_string_equal(heat->comms[0], "c0");
	assert_null(heat->comms[HEAT_COMMS_MAX - 1]);
	assert_int_equal(cell(heat, HEAT_COMMS_MAX - 1, HEAT_COMMS_MAX - 1)->part,
			 1000 - (HEAT_COMMS_MAX - 1));
	assert_int_equal(cell(heat, HEAT_COMMS_MAX + 5, HEAT_COMMS_MAX - 1)->part,
			 1000 - (HEAT_COMMS_MAX + 5));
	heat_destroy(heat);
	profile_destroy(profile);
}

/* Each step of colour is as many times more. */
static void colours_of_calls_are_logarithmic(void **state)
{
	struct heat heat = { .rows = HEAT_LATENCIES, .most = 1 << 20 };
	struct heat_cell one = { .whole = UINT64_MAX };
	static const struct { uint64_t most, part; unsigned int step; } steps[] = {
		{ 1 << 20, 0, 0 }, { 1 << 20, 1, 1 }, { 1 << 20, 3, 1 }, { 1 << 20, 5, 2 },
		{ 1 << 20, 1 << 11, 6 }, { 1 << 20, (1 << 20) - 1, 10 }, { 1 << 20, 1 << 20, 10 },
		{ 1, 1, 10 }, { 2, 1, 1 }, { 2, 2, 10 }, { UINT64_MAX, UINT64_MAX, 10 },
		{ UINT64_MAX, 1, 1 }, { UINT64_MAX, UINT64_MAX / 2, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		heat.most = steps[i].most;
		one.part = steps[i].part;
		if (heat_step(&heat, &one) != steps[i].step)
			fail_msg("%lu of %lu is step %u", one.part, heat.most,
				 heat_step(&heat, &one));
	}
	/* weights are in even steps of the largest */
	heat.rows = HEAT_COMMS;
	heat.most = 1000;
	one.part = 501;
	assert_int_equal(heat_step(&heat, &one), 6);
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

static void latencies_are_drawn(void **state)
{
	struct profile *profile = made_calls();
	char *svg = draw(profile, HEAT_LATENCIES, 1200);

	(void)state;
	/* the longest at the top; a label is at the lower end of its row */
	assert_has(svg, "y=\"22\">8 us</text>\n<text class=\"row\" x=\"-8\" y=\"40\">4 us</text>");
	assert_has(svg, ">1 us</text>");
	assert_has(svg, "<rect class=\"h10\" width=\"1\" y=\"54\" height=\"17\"><title>1.02 us to 2.05 us, 0 s to 1 s\n1,000 calls (100.00 % of 1,000)</title>");
	assert_has(svg, "<title>8.19 us to 16.38 us, 2 s to 3 s\n3 calls (100.00 % of 3)</title>");
	assert_has(svg, "<rect class=\"h0\" width=\"1\" height=\"72\"><title>nothing, 1 s to 2 s</title>");
	assert_has(svg, ">1,000 calls in a cell; the scale is logarithmic; each column is 1.00 s</text>");
	assert_has(svg, ">latency:vfs_read, in powers of two of nanoseconds: 1,003 calls drawn of 1,015 seen; not drawn: 4 below 1.00 us, 3 that conditions, processes or a selection left out, 5 lost (missed 2, nmi 3)</text>");
	free(svg);
	svg = draw(profile, HEAT_COMMS, 1200);
	assert_has(svg, ">dd&lt;</text>");
	assert_has(svg, "<title>cat, 0 s to 1 s\n1.02 ms (100.00 % of 1.02 ms)</title>");
	assert_has(svg, ">all of it: latency:vfs_read: seen ");
	free(svg);
	profile_destroy(profile);
}

/* Draw slices that end at these seconds, in tenths, and expect a text in the legend. */
static void expect_column(const uint64_t *ends, size_t nr, const char *expected)
{
	struct profile *profile = profile_create();
	uint64_t begin = 0;
	char *svg;

	for (size_t i = 0; i < nr; i++) {
		add_slice(profile, part_of("a", "a", 0, 1), begin, ends[i] * (SEC / 10));
		begin = ends[i] * (SEC / 10);
	}
	svg = draw(profile, HEAT_CPUS, 1200);
	assert_has(svg, expected);
	free(svg);
	profile_destroy(profile);
}

static void the_legend_says_how_long_a_column_is(void **state)
{
	(void)state;
	expect_column((const uint64_t[]){ 10 }, 1, ">100 % busy; each column is 1.00 s</text>");
	/* the last one is what remains */
	expect_column((const uint64_t[]){ 20, 40, 60, 65 }, 4, "; each column is 2.00 s</text>");
	expect_column((const uint64_t[]){ 19, 40, 60, 80 }, 4,
		      "; each column is about 2.00 s</text>");
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
		cmocka_unit_test(heat_is_by_latency),
		cmocka_unit_test(heat_is_by_command),
		cmocka_unit_test(colours_of_calls_are_logarithmic),
		cmocka_unit_test(a_map_is_drawn),
		cmocka_unit_test(latencies_are_drawn),
		cmocka_unit_test(the_legend_says_how_long_a_column_is),
		cmocka_unit_test(extremes_are_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
