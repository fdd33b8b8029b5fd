// SPDX-License-Identifier: GPL-2.0
/*
 * Folding in the order of time: each slice gets the stacks that it would have alone.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "made_profile.h"
#include "profile/slices.h"
#include "tree/tree.h"

static char *folded_slices(const struct profile *profile,
			   const struct fold_options *options)
{
	struct error error = { "" };
	struct tree *tree = fold_slices(profile, options, &error);
	char *text;

	if (!tree)
		fail_msg("%s", error.text);
	text = folded(tree);
	tree_destroy(tree);
	return text;
}

/* Fold one slice alone, under its time. */
static void put_slice(FILE *out, const struct profile *profile, uint32_t slice,
		      const struct fold_options *options)
{
	struct profile *part = slices_profile(profile, slice, slice + 1);
	struct tree *tree = fold_profile(part, options, NULL);
	char *text = folded(tree), *at = text, *line;

	while ((line = strsep(&at, "\n")) && *line)
		fprintf(out, "%" PRIu32 ".000 to %" PRIu32 ".000 s;%s\n", slice,
			slice + 1, line);
	free(text);
	tree_destroy(tree);
	profile_destroy(part);
}

static void expect_slices(const struct profile *profile,
			  const struct fold_options *options)
{
	char *expected, *text = folded_slices(profile, options);
	size_t size;
	FILE *out = open_memstream(&expected, &size);

	for (uint32_t i = 0; i < profile->slices->nr; i++)
		put_slice(out, profile, i, options);
	fclose(out);
	assert_string_equal(text, expected);
	free(expected);
	free(text);
}

static void each_slice_has_its_own_stacks(void **state)
{
	static const char *const by[] = { "none", "comm", "cpu,comm", "context" };
	struct profile *profile = made_sliced();
	struct fold_options options = { 0 };
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		assert_int_equal(fold_options_by(&options, by[i], &error), 0);
		options.by_count = false;
		expect_slices(profile, &options);
		options.by_count = true;
		expect_slices(profile, &options);
	}
	profile_destroy(profile);
}

static void slices_are_in_the_order_of_time(void **state)
{
	struct profile *profile = profile_create();
	const struct fold_options options = { 0 };
	char *text;

	(void)state;
	/* not of their names, and equal stacks of different slices are not joined */
	add_slice(profile, part_of("b;a", "cat", 0, 3), 9 * SEC, 10 * SEC);
	add_slice(profile, part_of("b;a", "cat", 1, 4), 10 * SEC, 10 * SEC + 5);
	add_slice(profile, part_of("a", "cat", 1, 5), 11 * SEC, 13 * SEC);
	text = folded_slices(profile, &options);
	assert_string_equal(text, "9.000 to 10.000 s;b;a 3\n"
				  "10.000 to 10.000 s;b;a 4\n"
				  "11.000 to 13.000 s;a 5\n");
	free(text);
	profile_destroy(profile);
}

/* A part of an interval that has not ended has a weight, and counts when it ends. */
static void a_slice_without_samples_has_no_width(void **state)
{
	struct profile *profile = profile_create(), *part = part_of("a", "cat", 0, 4), *late;
	const struct fold_options options = { .by_count = true };
	struct tree *tree;
	char *text;

	(void)state;
	part->records[0].count = 0;
	add_slice(profile, part_of("a", "cat", 0, 3), 0, SEC);
	add_slice(profile, part, SEC, 2 * SEC);
	text = folded_slices(profile, &options);
	assert_string_equal(text, "0.000 to 1.000 s;a 2\n");
	free(text);
	late = slices_profile(profile, 1, 2);
	tree = fold_profile(late, &options, NULL);
	assert_non_null(tree);
	assert_int_equal(tree->nodes[0].total, 0);
	tree_destroy(tree);
	profile_destroy(late);
	profile_destroy(profile);
}

/* What a slice lost of an event is counted in hits, as its records are. */
static void each_slice_has_its_own_lost_hits(void **state)
{
	struct profile *profile = profile_create();
	const struct fold_options options = { .by_count = true };
	char *text;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		struct profile *part = part_of("a", "cat", 0, 3);
		struct profile_intervals *intervals = &part->meta.intervals;

		*intervals = (struct profile_intervals){ .known = true, .seen = 9 };
		intervals->lost[FLAMEMOD_EVENT_LOST_OVERLOAD] = 5 + i;
		part->books.lost[FLAMEMOD_LOST_OVERLOAD] = 1000;
		part->cpus[0].books.lost[FLAMEMOD_LOST_OVERLOAD] = 1000;
		profile->meta = part->meta;
		add_slice(profile, part, i * SEC, (i + 1) * SEC);
	}
	text = folded_slices(profile, &options);
	assert_string_equal(text, "0.000 to 1.000 s;[lost: overload] 5\n"
				  "0.000 to 1.000 s;a 2\n"
				  "1.000 to 2.000 s;[lost: overload] 6\n"
				  "1.000 to 2.000 s;a 2\n");
	free(text);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_slice_has_its_own_stacks),
		cmocka_unit_test(slices_are_in_the_order_of_time),
		cmocka_unit_test(a_slice_without_samples_has_no_width),
		cmocka_unit_test(each_slice_has_its_own_lost_hits),
	};

	return cmocka_run_group_tests_name("fold_slices", tests, NULL, NULL);
}
