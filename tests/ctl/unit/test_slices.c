// SPDX-License-Identifier: GPL-2.0
/*
 * Slices of time: their sums, joining at the limits, saving, and ranges.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_profile.h"
#include "profile/slices.h"
#include "saved.h"
#include "select/select.h"

static int add(struct profile *profile, struct profile *part, uint64_t begin_ns,
	       uint64_t end_ns)
{
	int err = slices_add(profile, part, begin_ns, end_ns);

	profile_destroy(part);
	return err;
}

static void slices_sum_to_the_profile(void **state)
{
	struct profile *profile = made_sliced(), *all, *made = made_profile();
	struct error error;

	(void)state;
	assert_int_equal(profile->slices->nr, 3);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(slices_check(profile, &error), 0);
	assert_int_equal(profile->books.stored, 50 + 198 + 70);
	all = slices_profile(profile, 0, 3);
	all->meta = profile->meta;
	assert_same(all, profile);
	profile_destroy(all);
	all = slices_profile(profile, 1, 2);
	all->meta = made->meta;
	assert_same(all, made);
	profile_destroy(all);
	profile_destroy(made);
	profile_destroy(profile);
}

static void time_goes_forward(void **state)
{
	struct profile *profile = profile_create();

	(void)state;
	add_slice(profile, part_of("a", "a", 0, 1), 5, 10);
	assert_int_equal(add(profile, part_of("a", "a", 0, 1), 9, 12), -EINVAL);
	assert_int_equal(add(profile, part_of("a", "a", 0, 1), 10, 10), -EINVAL);
	add_slice(profile, part_of("a", "a", 0, 1), 10, 11);
	profile_destroy(profile);
}

static void neighbours_are_joined_past_the_limit(void **state)
{
	struct profile *profile = profile_create();
	const struct slice *slice;
	struct error error;
	uint64_t at = 0, each, end = 5 * SLICES_MAX / 2;
	char fact[SLICES_JOINED_FACT];
	uint32_t i;

	(void)state;
	assert_string_equal(slices_joined_fact(fact, profile, SEC), "");
	/* each as long as the existing ones, as a recorder does */
	for (; at < end; at += each) {
		each = profile->slices ? 1U << profile->slices->nr_joined : 1;
		add_slice(profile, part_of(at / each % 2 ? "entry;read" : "entry;write",
				      "cat", at / each % 3, each), at, at + each);
	}
	/* at 1024, and at 2048 */
	assert_int_equal(profile->slices->nr_joined, 2);
	assert_string_equal(slices_joined_fact(fact, profile, SEC),
			    "slices are about 4.00 s long, not 1.00 s: neighbours were joined, as a file has at most 1024 slices, or fewer large ones");
	assert_int_equal(profile->slices->nr, end / 4);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(slices_check(profile, &error), 0);
	assert_int_equal(profile->books.stored, end);
	for (i = 0; i < profile->slices->nr; i++) {
		slice = &profile->slices->list[i];
		assert_int_equal(slice->begin_ns,
				 i * UINT64_C(4));
		assert_int_equal(slice->end_ns, i * UINT64_C(4) + 4);
	}
	/* four intervals on three CPUs, the first and the last on one */
	slice = &profile->slices->list[0];
	assert_int_equal(slice->nr_cpus, 3);
	assert_int_equal(slice->nr_records, 4);
	profile_destroy(profile);
}

static void many_records_join_slices_too(void **state)
{
	struct profile *profile = profile_create(), *part = profile_create();
	char fact[SLICES_JOINED_FACT];
	struct error error;

	(void)state;
	/* so many that four slices reach the limit */
	for (uint32_t i = 0; i < SLICES_BOOKS_MAX / 16 / 4; i++)
		add_sampled(part, 0, "a", 1, i, FLAMEMOD_CONTEXT_USER, 1);
	for (uint64_t i = 0; i < 66; i++)
		assert_int_equal(slices_add(profile, part, i, i + 1), 0);
	assert_int_equal(profile->slices->nr_joined, 1);
	assert_int_equal(profile->slices->nr, 34);
	assert_true(strlen(slices_joined_fact(fact, profile, UINT64_MAX / 4)) + 1 < sizeof(fact));
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(part);
	profile_destroy(profile);
}

static void a_short_rest_belongs_to_the_last(void **state)
{
	struct profile *profile = profile_create();
	struct error error;

	(void)state;
	assert_int_equal(slices_finish(profile, &error), 0);
	add_slice(profile, part_of("a", "a", 0, 1), 0, 10);
	add_slice(profile, part_of("b", "a", 0, 1), 10, 15);
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(profile->slices->nr, 2);
	add_slice(profile, part_of("c", "a", 1, 1), 15, 17);
	assert_int_equal(slices_finish(profile, &error), 0);
	assert_int_equal(profile->slices->nr, 2);
	assert_int_equal(profile->slices->list[1].end_ns, 17);
	assert_int_equal(profile->slices->list[1].nr_records, 2);
	assert_int_equal(slices_check(profile, &error), 0);
	profile_destroy(profile);
}

static void slices_are_saved_and_read(void **state)
{
	struct profile *profile = made_sliced(), *read, *left, *right;
	struct error error;
	struct bytes file = written(profile);

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &read, &error), 0);
	assert_same(read, profile);
	assert_non_null(read->slices);
	assert_int_equal(read->slices->nr, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(read->slices->list[i].begin_ns, i * SEC);
		assert_int_equal(read->slices->list[i].end_ns, (i + 1) * SEC);
		left = slices_profile(read, i, i + 1);
		right = slices_profile(profile, i, i + 1);
		assert_same(left, right);
		profile_destroy(left);
		profile_destroy(right);
	}
	profile_destroy(read);
	profile_destroy(profile);
	free(file.bytes);
}

static void slices_keep_hosts(void **state)
{
	struct profile *profile = made_sliced(), *read, *last;
	struct profile *part = part_of("entry;write", "dd", 5, 70);
	struct error error;
	struct bytes file;

	(void)state;
	part->tasks[0].host = "there";
	add_slice(profile, part, 3 * SEC, 4 * SEC);
	file = written(profile);
	assert_int_equal(read_bytes(file.bytes, file.size, &read, &error), 0);
	last = slices_profile(read, 3, 4);
	assert_int_equal(last->nr_tasks, 1);
	assert_string_equal(last->tasks[0].host, "there");
	profile_destroy(last);
	last = slices_profile(read, 2, 3);
	assert_int_equal(last->nr_tasks, 1);
	assert_string_equal(last->tasks[0].host, "");
	profile_destroy(last);
	profile_destroy(read);
	profile_destroy(profile);
	free(file.bytes);
}

static void expect_bad(struct profile *profile, const char *why)
{
	struct bytes file = written(profile);

	expect_refusal(file.bytes, file.size, why);
	free(file.bytes);
	profile_destroy(profile);
}

static void files_that_do_not_add_up_are_refused(void **state)
{
	struct profile *profile;
	uint64_t *begin;

	(void)state;
	profile = made_sliced();
	profile->slices->list[0].records[0].periods++;
	expect_bad(profile, "do not add up");
	profile = made_sliced();
	profile->slices->list[0].cpus[0].books.expected++;
	expect_bad(profile, "slices do not sum to its books");
	profile = made_sliced();
	profile->slices->list[0].cpus[0].sampled_ns--;
	expect_bad(profile, "slices do not sum to its books");
	profile = made_sliced();
	profile->slices->list[2].cpus[0].cpu = 6;
	expect_bad(profile, "CPU 5 has records, but no books");
	profile = made_sliced();
	profile->slices->list[2].nr_cpus = 0;
	expect_bad(profile, "CPU 5 has records, but no books");
	profile = made_sliced();
	begin = &profile->slices->list[1].begin_ns;
	*begin -= 1;
	expect_bad(profile, "malformed, or not in order");
	profile = made_sliced();
	profile->slices->list[1].end_ns = SEC;
	expect_bad(profile, "malformed, or not in order");
	/* one slice has too much, another as much too little */
	profile = made_sliced();
	profile->slices->list[0].cpus[0].books.fires++;
	profile->slices->list[1].cpus[0].books.fires--;
	expect_bad(profile, "in the slice at 0.000 s: the books of CPU 0 do not balance");
}

static void a_range_has_the_slices_that_overlap_it(void **state)
{
	static const struct {
		const char *text;
		uint32_t first, end;
	} ranges[] = {
		{ "0,3", 0, 3 }, { "0,", 0, 3 }, { ",1s", 0, 1 },
		{ "1s,2s", 1, 2 }, { "1,2.001", 1, 3 }, { "999ms,1001ms", 0, 2 },
		{ "0ms,1ms", 0, 1 }, { "2.5,", 2, 3 }, { "2,1h", 2, 3 },
	};
	struct profile *profile = made_sliced();
	struct slices_range range;
	struct error error;
	uint32_t first, end;

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		assert_int_equal(slices_parse_range(ranges[i].text, &range, &error), 0);
		assert_int_equal(slices_find(profile, &range, &first, &end, &error), 0);
		if (first != ranges[i].first || end != ranges[i].end)
			fail_msg("%s is %u to %u", ranges[i].text, first, end);
	}
	assert_int_equal(slices_parse_range("3,4", &range, &error), 0);
	assert_int_equal(slices_find(profile, &range, &first, &end, &error), -ENODATA);
	assert_string_equal(error.text, "that range is empty: the profile ends at 3.000 s");
	profile_destroy(profile);
	profile = made_profile();
	assert_int_equal(slices_cut(&profile, &range, false, &error), -ENODATA);
	assert_string_equal(error.text, "it has no slices of time: record with --slices 1s");
	profile_destroy(profile);
}

static void what_is_no_range_is_refused(void **state)
{
	static const char *const texts[] = {
		"", ",", "1", "1,1", "2,1", "a,b", "1,2,3", "-1,2", "1 ,2", "0,0",
		"1s,2x", "0.0,0.0", "99999999999999999999,", "1,2s ",
		"11111111111111111111111111111111111111111111111111111111111111111,",
	};
	struct slices_range range = { 7, 8 };
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (slices_parse_range(texts[i], &range, &error) != -EINVAL)
			fail_msg("%s is a range", texts[i]);
		assert_non_null(strstr(error.text, "two times since the start"));
	}
	assert_int_equal(range.from_ns, 7);
	assert_int_equal(range.to_ns, 8);
}

static void a_selection_takes_the_range_first(void **state)
{
	struct selection selection = { 0 };
	struct profile *profile = made_sliced();
	struct error error;
	uint64_t left_out;

	(void)state;
	assert_int_equal(select_add(&selection, SELECT_RANGE, "1,3", &error), 0);
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(left_out, 0);
	assert_null(profile->slices);
	assert_int_equal(profile->books.stored, 198 + 70);
	assert_int_equal(profile->meta.time_ns, 1700000001123456789);
	assert_int_equal(profile_check(profile, &error), 0);
	profile_destroy(profile);

	profile = made_sliced();
	assert_int_equal(select_add(&selection, SELECT_COMM, "dd", &error), 0);
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(profile->books.stored, 70);
	/* only periods in the range: stored ones and all that were lost */
	assert_int_equal(left_out, 198 + 25);
	profile_destroy(profile);
	assert_int_equal(select_add(&selection, SELECT_RANGE, "3,1", &error), -EINVAL);
	assert_memory_equal(error.text, "3,1: ", 5);
}

/* Only records of the same key are merged. */
static void records_of_each_key_stay_apart(void **state)
{
	struct profile_record list[] = {
		{ .count = 1 }, { .count = 1, .context = FLAMEMOD_CONTEXT_IDLE },
		{ .count = 1, .followed = true }, { .count = 1, .cpu = 1 },
		{ .count = 1, .task = 1 }, { .count = 1, .node = 1 }, { .count = 1 },
	};
	struct profile *profile = profile_create();
	const struct slice *slice;

	(void)state;
	assert_non_null(profile);
	assert_int_equal(slices_begin(profile, 0, 1), 0);
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		assert_int_equal(slices_add_record(profile, 0, &list[i]), 0);
	slices_pack(profile);
	slice = &profile->slices->list[0];
	assert_int_equal(slice->nr_records, 6);
	for (uint32_t i = 0; i < slice->nr_records; i++) {
		const struct profile_record *at = &slice->records[i];
		bool is_first = !at->node && !at->task && !at->cpu && !at->followed &&
				at->context == list[0].context;

		assert_int_equal(at->count, is_first ? 2 : 1);
	}
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_each_key_stay_apart),
		cmocka_unit_test(slices_sum_to_the_profile),
		cmocka_unit_test(time_goes_forward),
		cmocka_unit_test(neighbours_are_joined_past_the_limit),
		cmocka_unit_test(many_records_join_slices_too),
		cmocka_unit_test(a_short_rest_belongs_to_the_last),
		cmocka_unit_test(slices_are_saved_and_read),
		cmocka_unit_test(slices_keep_hosts),
		cmocka_unit_test(files_that_do_not_add_up_are_refused),
		cmocka_unit_test(a_range_has_the_slices_that_overlap_it),
		cmocka_unit_test(what_is_no_range_is_refused),
		cmocka_unit_test(a_selection_takes_the_range_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
