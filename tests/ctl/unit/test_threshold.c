// SPDX-License-Identifier: GPL-2.0
/*
 * Lots for small rows: no row and no function is favoured, and sums stay.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/merge.h"
#include "profile/threshold.h"
#include "saved.h"

#define NR_ROWS		400
#define NR_FUNCTIONS	12
#define NR_SEEDS	1000
#define THRESHOLD	21

/* Rows of 1 to 200 periods, most of them small, on two CPUs. */
static struct profile *sampled(void)
{
	struct profile *profile = profile_create();
	char stack[64];

	assert_non_null(profile);
	profile->meta.period_ns = 1000000;
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		snprintf(stack, sizeof(stack), "entry;f%u;g%u;h%u", i % NR_FUNCTIONS,
			 i % 37, i);
		add_sampled(profile, add_stack(profile, stack, FLAMEMOD_FRAME_KERNEL),
			    "comm", 1, i % 2, FLAMEMOD_CONTEXT_TASK, 1 + 200 / (1 + i % 101));
	}
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		struct profile_record *record = &profile->records[i];

		record->count = record->periods - record->periods / 3;
		record->late_us = 7 * (i % 5);
	}
	return profile;
}

static struct profile *drawn_with(const struct profile *profile, uint64_t seed)
{
	struct profile *drawn;

	assert_int_equal(threshold_draw(profile, THRESHOLD, seed, &drawn), 0);
	return drawn;
}

/* What was met of one figure, over all seeds. */
struct met {
	double truth, sum, squares;
};

static void meet(struct met *met, double figure)
{
	met->sum += figure;
	met->squares += figure * figure;
}

/* The mean is the truth, within three standard errors. */
static void assert_unbiased(const struct met *met)
{
	double mean = met->sum / NR_SEEDS;
	double variance = met->squares / NR_SEEDS - mean * mean;

	if (fabs(mean - met->truth) > 3 * sqrt(fabs(variance) / NR_SEEDS) + 1e-9)
		fail_msg("mean %f, but it is %f (variance %f)", mean, met->truth, variance);
}

/* Functions are the second frame; their figures are periods, samples and late time. */
static unsigned int function_of(const struct profile *profile, uint32_t node)
{
	while (profile->nodes[profile->nodes[node].parent].parent)
		node = profile->nodes[node].parent;
	return (unsigned int)atoi(profile->frames[profile->nodes[node].frame].name + 1);
}

static void sum_functions(const struct profile *profile, double sums[NR_FUNCTIONS][3])
{
	memset(sums, 0, NR_FUNCTIONS * sizeof(*sums));
	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_record *record = &profile->records[i];
		double *of = sums[function_of(profile, record->node)];

		of[0] += (double)record->periods;
		of[1] += (double)record->count;
		of[2] += (double)record->late_us;
	}
}

static void the_mean_of_each_function_is_the_truth(void **state)
{
	struct profile *profile = sampled();
	struct met met[NR_FUNCTIONS][3];
	double sums[NR_FUNCTIONS][3];

	(void)state;
	memset(met, 0, sizeof(met));
	sum_functions(profile, sums);
	for (int i = 0; i < NR_FUNCTIONS; i++)
		for (int j = 0; j < 3; j++)
			met[i][j].truth = sums[i][j];
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		struct profile *drawn = drawn_with(profile, seed);

		sum_functions(drawn, sums);
		for (int i = 0; i < NR_FUNCTIONS; i++)
			for (int j = 0; j < 3; j++)
				meet(&met[i][j], sums[i][j]);
		profile_destroy(drawn);
	}
	for (int i = 0; i < NR_FUNCTIONS; i++)
		for (int j = 0; j < 3; j++)
			assert_unbiased(&met[i][j]);
	profile_destroy(profile);
}

/* The number of the row, from the name of its leaf. */
static unsigned int row_of(const struct profile *profile, const struct profile_record *record)
{
	return (unsigned int)atoi(profile->frames[profile->nodes[record->node].frame].name + 1);
}

/* A row is kept by chance, large ones always; in three of a thousand cases by more than 3 sigma. */
static void the_mean_of_each_row_is_the_truth(void **state)
{
	struct profile *profile = sampled();
	double sums[NR_ROWS] = { 0 };
	unsigned int times[NR_ROWS] = { 0 }, far = 0;

	(void)state;
	for (uint64_t seed = 0; seed < NR_SEEDS; seed++) {
		struct profile *drawn = drawn_with(profile, seed);

		for (uint32_t i = 0; i < drawn->nr_records; i++) {
			unsigned int row = row_of(drawn, &drawn->records[i]);

			sums[row] += (double)drawn->records[i].periods;
			times[row]++;
		}
		profile_destroy(drawn);
	}
	for (uint32_t i = 0; i < NR_ROWS; i++) {
		const struct profile_record *record = &profile->records[i];
		double own = (double)record->periods, chance = own / THRESHOLD;
		/* The row is kept with that chance. If it is, it gets the weight THRESHOLD. */
		double error = THRESHOLD * sqrt(chance * (1 - fmin(chance, 1)) / NR_SEEDS);

		if (record->periods >= THRESHOLD) {
			assert_int_equal(times[i], NR_SEEDS);
			assert_true(sums[i] == own * NR_SEEDS);
			continue;
		}
		assert_true(times[i] < NR_SEEDS);
		far += fabs(sums[i] / NR_SEEDS - own) > 3 * error;
	}
	assert_true(far <= NR_ROWS / 100);
	profile_destroy(profile);
}

static void sums_and_books_stay(void **state)
{
	struct profile *profile = sampled();
	struct error error = { "" };

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct profile *drawn = drawn_with(profile, seed);

		/* that each CPU's records sum to its books, too */
		if (profile_check(drawn, &error))
			fail_msg("%s", error.text);
		assert_memory_equal(&drawn->books, &profile->books, sizeof(profile->books));
		assert_true(drawn->nr_records < profile->nr_records / 2);
		assert_true(drawn->nr_frames < profile->nr_frames);
		profile_destroy(drawn);
	}
	profile_destroy(profile);
}

/* What is side by side in the tree has its sum up to one part at either end, on each CPU. */
static void the_sum_of_a_function_is_close(void **state)
{
	struct profile *profile = sampled();
	double truth[NR_FUNCTIONS][3], sums[NR_FUNCTIONS][3];

	(void)state;
	sum_functions(profile, truth);
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct profile *drawn = drawn_with(profile, seed);

		sum_functions(drawn, sums);
		for (int i = 0; i < NR_FUNCTIONS; i++)
			assert_true(fabs(sums[i][0] - truth[i][0]) <= 2 * 2 * (THRESHOLD + 1));
		profile_destroy(drawn);
	}
	profile_destroy(profile);
}

static void seeds_differ_and_can_be_repeated(void **state)
{
	struct profile *profile = sampled();
	struct profile *first = drawn_with(profile, 1), *again = drawn_with(profile, 1);
	struct profile *other = drawn_with(profile, 2);

	(void)state;
	assert_same(first, again);
	assert_true(other->nr_records != first->nr_records ||
		    memcmp(other->records, first->records,
			   other->nr_records * sizeof(*other->records)));
	profile_destroy(first);
	profile_destroy(again);
	profile_destroy(other);
	profile_destroy(profile);
}

/* Less than one part in all: one row stands for all. */
static void a_small_profile_keeps_one_row(void **state)
{
	struct profile *profile = profile_create(), *drawn;

	(void)state;
	add_sampled(profile, add_stack(profile, "a;b", FLAMEMOD_FRAME_KERNEL), "c", 1, 0,
		    FLAMEMOD_CONTEXT_TASK, 3);
	add_sampled(profile, add_stack(profile, "a;c", FLAMEMOD_FRAME_KERNEL), "c", 1, 0,
		    FLAMEMOD_CONTEXT_TASK, 4);
	drawn = drawn_with(profile, 5);
	assert_int_equal(drawn->nr_records, 1);
	assert_int_equal(drawn->records[0].periods, 7);
	profile_destroy(drawn);
	profile_destroy(profile);
	/* and nothing stays nothing */
	profile = profile_create();
	drawn = drawn_with(profile, 5);
	assert_int_equal(drawn->nr_records, 0);
	profile_destroy(drawn);
	profile_destroy(profile);
}

static void an_estimate_says_so_and_so_does_a_sum_with_it(void **state)
{
	struct profile *profile = sampled(), *drawn = drawn_with(profile, 3), *saved;
	struct error error = { "" };
	char text[THRESHOLD_FACT];
	struct bytes file;
	struct merge merge;

	(void)state;
	assert_string_equal(threshold_fact(text, &profile->meta), "");
	file = written(drawn);
	assert_int_equal(read_bytes(file.bytes, file.size, &saved, &error), 0);
	free(file.bytes);
	assert_int_equal(saved->meta.threshold, THRESHOLD);
	assert_string_equal(threshold_fact(text, &saved->meta),
			    "estimate: of stacks below 21 periods lots kept some, in place of all");
	profile_destroy(saved);
	/* whichever is the first */
	assert_int_equal(merge_init(&merge, false), 0);
	assert_int_equal(merge_add(&merge, profile, "exact", &error), 0);
	assert_int_equal(merge.sum->meta.threshold, 0);
	assert_int_equal(merge_add(&merge, drawn, "drawn", &error), 0);
	assert_int_equal(merge.sum->meta.threshold, THRESHOLD);
	merge_deinit(&merge);
	assert_int_equal(merge_init(&merge, true), 0);
	assert_int_equal(merge_add(&merge, drawn, "drawn", &error), 0);
	assert_int_equal(merge_add(&merge, profile, "exact", &error), 0);
	assert_int_equal(merge.sum->meta.threshold, THRESHOLD * 1000000);
	merge_deinit(&merge);
	profile_destroy(drawn);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mean_of_each_function_is_the_truth),
		cmocka_unit_test(the_mean_of_each_row_is_the_truth),
		cmocka_unit_test(sums_and_books_stay),
		cmocka_unit_test(the_sum_of_a_function_is_close),
		cmocka_unit_test(seeds_differ_and_can_be_repeated),
		cmocka_unit_test(a_small_profile_keeps_one_row),
		cmocka_unit_test(an_estimate_says_so_and_so_does_a_sum_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
