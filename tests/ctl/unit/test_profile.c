// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles in memory: interning, the difference of two instants, the filter
 * by process, and the check of the books.
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

static void equal_things_have_one_number(void **state)
{
	struct profile *profile = profile_create();
	uint32_t a, b, c;

	(void)state;
	assert_int_equal(profile->nr_nodes, 1);
	profile_add_frame(profile, "f", FLAMEMOD_FRAME_KERNEL, &a);
	profile_add_frame(profile, "f", FLAMEMOD_FRAME_USER, &b);
	profile_add_frame(profile, "f", FLAMEMOD_FRAME_KERNEL, &c);
	assert_int_not_equal(a, b);
	assert_int_equal(a, c);
	assert_int_equal(profile->nr_frames, 2);

	profile_add_node(profile, 0, a, &a);
	profile_add_node(profile, a, 0, &b);
	profile_add_node(profile, 0, 0, &c);
	assert_int_equal(a, c);
	assert_int_not_equal(a, b);

	profile_add_task(profile, 1, 2, "x", &a);
	profile_add_task(profile, 1, 2, "y", &b);
	profile_add_task(profile, 1, 2, "x", &c);
	assert_int_equal(a, c);
	assert_int_not_equal(a, b);
	profile_add_task(profile, 1, 3, "x", &b);
	profile_add_task(profile, 2, 2, "x", &c);
	assert_int_equal(profile->nr_tasks, 4);
	profile_destroy(profile);
}

/* So many that some of their 32-bit hashes are equal. */
static void many_things_keep_their_numbers(void **state)
{
	enum { MANY = 200000 };
	struct profile *profile = profile_create();
	uint32_t id, i, round;
	char name[32];

	(void)state;
	for (round = 0; round < 2; round++)
		for (i = 0; i < MANY; i++) {
			sprintf(name, "function_%u", i);
			assert_int_equal(profile_add_frame(profile, name,
							   FLAMEMOD_FRAME_KERNEL,
							   &id), 0);
			assert_int_equal(id, i);
			assert_int_equal(profile_add_node(profile, i, id, &id),
					 0);
			assert_int_equal(id, i + 1);
		}
	assert_int_equal(profile->nr_frames, MANY);
	assert_int_equal(profile->nr_nodes, MANY + 1);
	profile_destroy(profile);
}

static void references_to_nothing_are_refused(void **state)
{
	struct profile *profile = profile_create();
	struct profile_record record = { 0 };

	(void)state;
	assert_int_equal(profile_add_node(profile, 0, 0, NULL), -EINVAL);
	assert_int_equal(profile_add_record(profile, &record), -EINVAL);
	profile_add_frame(profile, "f", FLAMEMOD_FRAME_KERNEL, NULL);
	profile_add_task(profile, 1, 1, "x", NULL);
	assert_int_equal(profile_add_node(profile, 1, 0, NULL), -EINVAL);
	record.node = 1;
	assert_int_equal(profile_add_record(profile, &record), -EINVAL);
	record.node = 0;
	record.context = __FLAMEMOD_CONTEXT_MAX;
	assert_int_equal(profile_add_record(profile, &record), -EINVAL);
	assert_int_equal(profile_add_frame(profile, "f", __FLAMEMOD_FRAME_MAX,
					   NULL), -EINVAL);
	assert_int_equal(profile->nr_records, 0);
	profile_destroy(profile);
}

static void equal_records_add_up_and_do_not_overflow(void **state)
{
	struct profile *profile = profile_create();
	struct profile_record record = {
		.count = 1, .periods = UINT64_MAX - 1, .late_us = 5,
	};
	struct profile_cpu cpu = { .books = { .fires = UINT64_MAX } };

	(void)state;
	profile_add_task(profile, 1, 1, "x", NULL);
	assert_int_equal(profile_add_record(profile, &record), 0);
	record.periods = 1;
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile->nr_records, 1);
	assert_int_equal(profile->records[0].periods, UINT64_MAX);
	assert_int_equal(profile_add_record(profile, &record), -EOVERFLOW);
	assert_int_equal(profile->records[0].count, 2);
	assert_int_equal(profile->records[0].late_us, 10);

	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	cpu.cpu = 1;
	assert_int_equal(profile_add_cpu(profile, &cpu), -EOVERFLOW);
	assert_int_equal(profile->nr_cpus, 1);
	assert_int_equal(profile->books.fires, UINT64_MAX);
	profile_destroy(profile);
}

static void cpus_are_in_order(void **state)
{
	static const uint32_t added[] = { 5, 0, 900, 3, 5, 1 };
	static const uint32_t expected[] = { 0, 1, 3, 5, 900 };
	struct profile *profile = profile_create();
	uint32_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct profile_cpu cpu = {
			.cpu = added[i], .books = { .fires = 1 },
		};

		assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	}
	assert_int_equal(profile->nr_cpus, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(profile->cpus[i].cpu, expected[i]);
		assert_int_equal(profile->cpus[i].books.fires,
				 expected[i] == 5 ? 2 : 1);
	}
	assert_int_equal(profile->books.fires, 6);
	profile_destroy(profile);
}

/* The samples between two instants, in a profile of their own. */
static void add_between(struct profile *profile)
{
	uint32_t node = add_stack(profile, "entry;do_syscall;vfs_read",
				  FLAMEMOD_FRAME_KERNEL);

	add_sampled(profile, node, "cat", 10, 0, FLAMEMOD_CONTEXT_TASK, 9);
	node = add_stack(profile, "entry;new", FLAMEMOD_FRAME_KERNEL);
	add_sampled(profile, node, "new", 99, 8, FLAMEMOD_CONTEXT_TASK, 12);
}

static void a_difference_is_what_came_between(void **state)
{
	struct profile *earlier = made_profile(), *later = made_profile();
	struct profile *between = profile_create();
	struct error error;
	uint32_t i;

	(void)state;
	add_between(later);
	add_between(between);
	later->meta.instant_ns = earlier->meta.instant_ns + 5000000;
	between->meta = later->meta;
	between->meta.time_ns = earlier->meta.time_ns + 10000000001;
	between->meta.duration_ns = 12000000;
	between->meta.begin_ns = earlier->meta.instant_ns;

	assert_int_equal(profile_subtract(later, earlier, &error), 0);
	/* a CPU with no samples in between stays, with books of zeros */
	assert_int_equal(later->nr_cpus, 3);
	assert_int_equal(profile_check(later, &error), 0);
	for (i = 0; i < later->nr_cpus; i++)
		if (later->cpus[i].cpu == 3)
			profile_add_cpu(between, &later->cpus[i]);
	assert_same(later, between);
	assert_int_equal(later->nr_records, 2);

	/* the records are found at their new places */
	add_between(later);
	assert_int_equal(later->nr_records, 2);
	assert_int_equal(profile_check(later, &error), 0);
	profile_destroy(earlier);
	profile_destroy(later);
	profile_destroy(between);
}

static void equal_instants_have_no_difference(void **state)
{
	struct profile *earlier = made_profile(), *later = made_profile();
	struct profile_books none = { 0 };
	struct error error;

	(void)state;
	assert_int_equal(profile_subtract(later, earlier, &error), 0);
	assert_int_equal(later->nr_records, 0);
	assert_memory_equal(&later->books, &none, sizeof(none));
	assert_int_equal(profile_check(later, &error), 0);
	profile_destroy(earlier);
	profile_destroy(later);
}

/* Periods that are due at one instant are counted at a later one. */
static void a_difference_of_what_is_overdue_has_a_sign(void **state)
{
	static const int64_t at[] = { 0, 5, 2, 9, 0 };
	struct profile *window, *earlier, *sum = profile_create();
	struct error error;
	size_t i;

	(void)state;
	for (i = 1; i < sizeof(at) / sizeof(at[0]); i++) {
		earlier = made_profile();
		window = made_profile();
		earlier->cpus[0].books.overdue = at[i - 1];
		earlier->books.overdue = at[i - 1];
		window->cpus[0].books.overdue = at[i];
		window->books.overdue = at[i];
		assert_int_equal(profile_subtract(window, earlier, &error), 0);
		assert_int_equal(window->books.overdue, at[i] - at[i - 1]);
		assert_int_equal(window->cpus[0].books.overdue, at[i] - at[i - 1]);
		/* the windows add up to the whole */
		assert_int_equal(profile_add_cpu(sum, &window->cpus[0]), 0);
		assert_int_equal(sum->books.overdue, at[i]);
		profile_destroy(earlier);
		profile_destroy(window);
	}
	sum->cpus[0].books.overdue = sum->books.overdue = INT64_MAX;
	assert_int_equal(profile_add_cpu(sum, &(struct profile_cpu){
				.books.overdue = 1 }), -EOVERFLOW);
	assert_int_equal(sum->books.overdue, INT64_MAX);
	profile_destroy(sum);
}

static void expect_no_difference(struct profile *later,
				 struct profile *earlier, const char *why)
{
	struct profile *untouched = made_profile();
	struct error error;

	untouched->meta = later->meta;
	assert_int_equal(profile_subtract(later, earlier, &error), -ERANGE);
	assert_non_null(strstr(error.text, why));
	assert_same(later, untouched);
	profile_destroy(later);
	profile_destroy(earlier);
	profile_destroy(untouched);
}

static void no_difference_of_what_is_no_earlier_instant(void **state)
{
	struct profile *later = made_profile(), *earlier = made_profile();

	(void)state;
	later->meta.epoch++;
	expect_no_difference(later, earlier, "epochs 7 and 8");

	later = made_profile();
	earlier = made_profile();
	earlier->meta.instant_ns++;
	expect_no_difference(later, earlier, "is later than the other");

	later = made_profile();
	earlier = made_profile();
	later->meta.period_ns++;
	expect_no_difference(later, earlier, "periods of 1000000 and 1000001");

	later = made_profile();
	earlier = made_profile();
	earlier->records[3].periods++;
	expect_no_difference(later, earlier, "less than the earlier");

	later = made_profile();
	earlier = made_profile();
	add_between(earlier);
	expect_no_difference(later, earlier, "less than the earlier");

	later = made_profile();
	earlier = made_profile();
	earlier->cpus[1].books.lost[FLAMEMOD_LOST_NO_REGS]++;
	expect_no_difference(later, earlier, "less than the earlier");
}

static void other_processes_are_filtered(void **state)
{
	static const uint32_t kept[] = { 10, 12 };
	struct profile *profile = made_profile();
	struct profile_books before = profile->books;
	struct error error;
	uint32_t i;

	(void)state;
	/* 12 is the tid of pid 11's task, and a pid of its own */
	assert_int_equal(profile_keep_pids(profile, kept, 2, &error), 0);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(profile->nr_records, 4);
	for (i = 0; i < profile->nr_records; i++)
		assert_in_range(profile->tasks[profile->records[i].task].pid,
				10, 12);
	assert_int_equal(profile->books.stored, 100 + 5 + 4 + 2);
	assert_int_equal(profile->books.filtered, before.filtered +
			 before.stored - profile->books.stored);
	assert_int_equal(profile->books.truncated, before.truncated);
	assert_int_equal(profile->books.fires, before.fires);
	profile_destroy(profile);
}

/* The same stack of the same task, before and while it was followed. */
static void others_than_the_followed_are_filtered(void **state)
{
	struct profile *profile = made_profile();
	struct profile_record record = profile->records[0];
	uint64_t stored = profile->books.stored;
	uint32_t nr = profile->nr_records;
	struct error error;

	(void)state;
	record.followed = true;
	record.count = record.periods = 3;
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile->nr_records, nr + 1);
	profile->cpus[0].books.stored += 6;
	profile->cpus[0].books.fires += 6;
	profile->cpus[0].books.expected += 6;
	profile->books.stored += 6;
	profile->books.fires += 6;
	profile->books.expected += 6;
	/* the sample with the mark, which is not kept */
	profile->cpus[0].books.truncated = 2;
	profile->books.truncated += 2;
	assert_int_equal(record.cpu, profile->cpus[0].cpu);
	if (profile_check(profile, &error))
		fail_msg("%s", error.text);
	assert_int_equal(profile_keep_followed(profile, &error), 0);
	if (profile_check(profile, &error))
		fail_msg("%s", error.text);
	assert_int_equal(profile->nr_records, 1);
	assert_int_equal(profile->records[0].periods, 6);
	assert_int_equal(profile->books.stored, 6);
	assert_true(profile->books.filtered >= stored);
	/* without the mark it is an ordinary record */
	record.followed = false;
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile->nr_records, 1);
	profile_destroy(profile);
}

/* Above a user stack the mark is between the halves, and not the root. */
static void truncated_samples_of_programs_go_with_their_process(void **state)
{
	static const uint32_t kept[] = { 1 };
	struct profile *profile = profile_create();
	uint32_t node = add_stack(profile, "_start;main", FLAMEMOD_FRAME_USER), mark, leaf;
	struct error error;

	(void)state;
	add_sampled(profile, node, "cat", 1, 0, FLAMEMOD_CONTEXT_TASK, 5);
	assert_int_equal(profile_add_frame(profile, "[truncated]", FLAMEMOD_FRAME_MARK,
					   &mark), 0);
	assert_int_equal(profile_add_frame(profile, "read", FLAMEMOD_FRAME_KERNEL, &leaf), 0);
	assert_int_equal(profile_add_node(profile, node, mark, &node), 0);
	assert_int_equal(profile_add_node(profile, node, leaf, &node), 0);
	add_sampled(profile, node, "cat", 2, 0, FLAMEMOD_CONTEXT_TASK, 9);
	/* count is two thirds of periods */
	profile->books.truncated = profile->cpus[0].books.truncated = 6;
	assert_int_equal(profile_keep_pids(profile, kept, 1, &error), 0);
	assert_int_equal(profile->books.truncated, 0);
	assert_int_equal(profile->books.filtered, 9);
	assert_int_equal(profile_check(profile, &error), 0);
	profile_destroy(profile);
}

/* Two hits of one thread, one of them before it ran its command, and three of another. */
static void a_thread_is_left_out_while_it_has_a_comm(void **state)
{
	/* of the process 5; and any */
	const uint32_t threads[] = { 6, 0 };
	struct error error;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct profile *profile = profile_create();
		struct profile_intervals *intervals = &profile->meta.intervals;
		uint32_t node = add_stack(profile, "vfs_read", FLAMEMOD_FRAME_KERNEL);

		*intervals = (struct profile_intervals){ .known = true, .of_hits = true, .seen = 3 };
		add_sampled(profile, node, "starting", 5, 0, FLAMEMOD_CONTEXT_TASK, 5000);
		add_sampled(profile, node, "command", 5, 0, FLAMEMOD_CONTEXT_TASK, 9000);
		add_sampled(profile, node, "starting", 8, 0, FLAMEMOD_CONTEXT_TASK, 70);
		for (size_t j = 0; j < 3; j++)
			profile->records[j].count = 1;
		intervals->powers[12] = intervals->powers[13] = intervals->powers[6] = 1;
		assert_int_equal(profile_leave_out_task(profile, threads[i], "starting", &error), 0);
		assert_int_equal(profile_check(profile, &error), 0);
		assert_int_equal(profile->books.stored, threads[i] ? 9070 : 9000);
		assert_int_equal(profile->books.filtered, threads[i] ? 5000 : 5070);
		assert_int_equal(intervals->seen, threads[i] ? 2 : 1);
		assert_int_equal(intervals->powers[12], 0);
		assert_int_equal(intervals->powers[13], 1);
		assert_int_equal(intervals->powers[6], threads[i] ? 1 : 0);
		profile_destroy(profile);
	}
}

static void truncated_samples_go_with_their_process(void **state)
{
	static const uint32_t kept[] = { 10 };
	struct profile *profile = made_profile();
	struct error error;

	(void)state;
	profile->cpus[0].books.truncated = 2;
	profile->books.truncated += 2;
	assert_int_equal(profile_keep_pids(profile, kept, 1, &error), 0);
	assert_int_equal(profile->cpus[0].books.truncated, 0);
	assert_int_equal(profile->books.truncated, 2);
	assert_int_equal(profile_check(profile, &error), 0);
	profile_destroy(profile);
}

static void expect_imbalance(struct profile *profile, const char *why)
{
	struct error error;

	assert_int_equal(profile_check(profile, &error), -EBADMSG);
	if (!strstr(error.text, why))
		fail_msg("\"%s\" does not say \"%s\"", error.text, why);
	profile_destroy(profile);
}

static void books_that_do_not_balance_are_found(void **state)
{
	struct profile *profile = made_profile();
	struct error error;

	(void)state;
	assert_int_equal(profile_check(profile, &error), 0);
	profile->cpus[0].books.missed++;
	expect_imbalance(profile, "books of CPU 0 do not balance");

	profile = made_profile();
	profile->cpus[1].books.lost[FLAMEMOD_LOST_STOPPED]++;
	expect_imbalance(profile, "books of CPU 3 do not balance");

	profile = made_profile();
	profile->records[0].periods++;
	expect_imbalance(profile,
			 "records of CPU 0 sum to 111 periods, its books say 110");

	profile = made_profile();
	profile->records[0].cpu = 2;
	expect_imbalance(profile, "CPU 2 has records, but no books");

	profile = made_profile();
	profile->books.expected++;
	expect_imbalance(profile, "do not sum to the total");

	profile = made_profile();
	profile->cpus[0].books.fires = UINT64_MAX;
	expect_imbalance(profile, "above 2^64");

	profile = made_profile();
	profile->records[0].periods = UINT64_MAX;
	expect_imbalance(profile, "more than 2^64");
}

static void every_enum_has_its_names(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < PROFILE_LOST_MAX; i++)
		assert_non_null(profile_lost_name(i));
	for (i = 0; i < __FLAMEMOD_CONTEXT_MAX; i++)
		assert_non_null(profile_context_name(i));
	for (i = 0; i < __FLAMEMOD_STATE_MAX; i++)
		assert_non_null(profile_state_name(i));
	assert_string_equal(profile_lost_name(FLAMEMOD_LOST_TABLE_FULL),
			    "table-full");
	assert_string_equal(profile_context_name(FLAMEMOD_CONTEXT_IDLE),
			    "idle");
}

/* Stacks of the kernel do not count, nor does "[user]". */
static void stacks_that_are_not_whole_are_told(void **state)
{
	static const enum flamemod_context in = FLAMEMOD_CONTEXT_USER;
	struct profile *profile = profile_create();
	char text[PROFILE_USER_FACT];

	(void)state;
	assert_null(profile_user_fact(profile, text));
	add_sampled(profile, add_stack(profile, "a;b", FLAMEMOD_FRAME_KERNEL), "x", 1, 0,
		    FLAMEMOD_CONTEXT_TASK, 1000);
	add_sampled(profile, add_stack(profile, "[user]", FLAMEMOD_FRAME_USER), "x", 1, 0,
		    in, 1000);
	add_sampled(profile, add_stack(profile, "main;f", FLAMEMOD_FRAME_USER), "x", 1, 0,
		    in, 60);
	assert_null(profile_user_fact(profile, text));
	add_sampled(profile, add_stack(profile, "[user: fault];f", FLAMEMOD_FRAME_USER), "x",
		    1, 0, in, 30);
	add_sampled(profile, add_stack(profile, "[user: exec]", FLAMEMOD_FRAME_USER), "x",
		    1, 0, in, 10);
	assert_string_equal(profile_user_fact(profile, text),
			    "40.00 % of user stacks are not whole");
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_things_have_one_number),
		cmocka_unit_test(many_things_keep_their_numbers),
		cmocka_unit_test(references_to_nothing_are_refused),
		cmocka_unit_test(equal_records_add_up_and_do_not_overflow),
		cmocka_unit_test(cpus_are_in_order),
		cmocka_unit_test(a_difference_is_what_came_between),
		cmocka_unit_test(equal_instants_have_no_difference),
		cmocka_unit_test(a_difference_of_what_is_overdue_has_a_sign),
		cmocka_unit_test(no_difference_of_what_is_no_earlier_instant),
		cmocka_unit_test(other_processes_are_filtered),
		cmocka_unit_test(others_than_the_followed_are_filtered),
		cmocka_unit_test(truncated_samples_of_programs_go_with_their_process),
		cmocka_unit_test(a_thread_is_left_out_while_it_has_a_comm),
		cmocka_unit_test(truncated_samples_go_with_their_process),
		cmocka_unit_test(books_that_do_not_balance_are_found),
		cmocka_unit_test(every_enum_has_its_names),
		cmocka_unit_test(stacks_that_are_not_whole_are_told),
	};

	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
