// SPDX-License-Identifier: GPL-2.0
/*
 * Selections: which stacks and losses stay, and in what form. The books contain what is
 * left out. Tests compare folded text.
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

#include "cmd/shared_options.h"
#include "folded_text.h"
#include "made_profile.h"
#include "made_selection.h"
#include "profile/advice.h"

/*
 * A process of two threads, one of which had another comm before an exec; a kernel
 * thread; idle and user time; lost periods, 10 on CPU 0 and 20 on CPU 1.
 */
static struct profile *make_profile(void)
{
	struct profile_cpu cpu = { .cpu = 0 };
	struct profile *profile = profile_create();
	uint32_t read, nested;

	assert_non_null(profile);
	read = add_stack(profile, "entry;read;ext4 [ext4];copy",
			 FLAMEMOD_FRAME_KERNEL);
	nested = add_stack(profile, "entry;read;fault;read;copy",
			   FLAMEMOD_FRAME_KERNEL);
	/* made_profile.c gives these pid + 1 as their thread */
	add_sampled(profile, read, "worker", 100, 0, FLAMEMOD_CONTEXT_TASK, 1);
	add_sampled(profile, nested, "worker", 100, 1, FLAMEMOD_CONTEXT_TASK, 2);
	add_sampled(profile, add_stack(profile, "irq;net", FLAMEMOD_FRAME_KERNEL),
		    "kthread", 7, 1, FLAMEMOD_CONTEXT_HARDIRQ, 4);
	add_sampled(profile, 0, "worker", 100, 0, FLAMEMOD_CONTEXT_USER, 8);
	add_sampled(profile, add_stack(profile, "do_idle", FLAMEMOD_FRAME_KERNEL),
		    "swapper", 0, 1, FLAMEMOD_CONTEXT_IDLE, 16);
	for (cpu.cpu = 0; cpu.cpu < 2; cpu.cpu++) {
		cpu.books = (struct profile_books){ .fires = 10 + cpu.cpu * 10 };
		cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = cpu.books.fires;
		assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	}
	return profile;
}

static void expect_selected(struct profile *profile, const struct asked *asked,
			    const char *expected, uint64_t expected_left_out)
{
	struct selection selection = make_selection(asked);
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	uint64_t before = profile->books.filtered, left_out;
	struct error error;
	struct tree *tree;
	char *text;

	assert_int_equal(select_profile(&selection, &profile, &left_out, &error),
			 0);
	if (profile_check(profile, &error))
		fail_msg("%s", error.text);
	tree = fold_profile(profile, &options, &error);
	text = folded(tree);
	assert_string_equal(text, expected);
	assert_int_equal(left_out, expected_left_out);
	assert_int_equal(profile->books.filtered - before, left_out);
	/* drawn and left-out periods sum to the original */
	assert_int_equal(tree->nodes[0].total + left_out, 61);
	free(text);
	tree_destroy(tree);
	profile_destroy(profile);
}

#define EXPECT_SELECTED(expected, left_out, ...) \
	expect_selected(make_profile(), \
			(const struct asked[]){ __VA_ARGS__, NOTHING }, \
			expected, left_out)

#define LOST	"[lost: overload] 30\n"
#define NET	"kthread;irq;net 4\n"
#define IDLE	"swapper;do_idle 16\n"
#define USER	"worker;[user] 8\n"
#define READ	"worker;entry;read;ext4 [ext4];copy 1\n"
#define NESTED	"worker;entry;read;fault;read;copy 2\n"

static void frames_are_included_and_excluded(void **state)
{
	(void)state;
	EXPECT_SELECTED(READ NESTED, 58, { SELECT_INCLUDE, "^copy$" });
	EXPECT_SELECTED(NET READ, 56, { SELECT_INCLUDE, "\\[ext4\\]" },
			{ SELECT_INCLUDE, "^(net|tun)$" });
	EXPECT_SELECTED(READ, 60, { SELECT_INCLUDE, "copy" },
			{ SELECT_EXCLUDE, "fault" });
	/* lost periods may have been any frame, so they stay */
	EXPECT_SELECTED(LOST NET IDLE USER, 3, { SELECT_EXCLUDE, "^read$" });
	EXPECT_SELECTED(LOST USER, 23, { SELECT_EXCLUDE, "^read$" },
			{ SELECT_EXCLUDE, "irq" }, { SELECT_EXCLUDE, "idle" });
	/* comms are not frames; the frame of a record without stack is one */
	EXPECT_SELECTED("", 61, { SELECT_INCLUDE, "worker" });
	EXPECT_SELECTED(USER, 53, { SELECT_INCLUDE, "^\\[user\\]$" });
	EXPECT_SELECTED(LOST, 31, { SELECT_INCLUDE, "lost" });
	EXPECT_SELECTED(NET IDLE USER READ NESTED, 30,
			{ SELECT_EXCLUDE, "^\\[lost" });
}

static void a_focus_is_the_new_root(void **state)
{
	(void)state;
	/* from its first frame on */
	EXPECT_SELECTED("worker;read;ext4 [ext4];copy 1\n"
			"worker;read;fault;read;copy 2\n", 58,
			{ SELECT_FOCUS, "read" });
	EXPECT_SELECTED("worker;copy 2\nworker;ext4 [ext4];copy 1\n", 58,
			{ SELECT_FOCUS, "copy" }, { SELECT_FOCUS, "ext4" });
	EXPECT_SELECTED("worker;ext4 [ext4];copy 1\n", 60,
			{ SELECT_FOCUS, "ext4 [ext4]" });
	/* not for a part of a name */
	EXPECT_SELECTED("", 61, { SELECT_FOCUS, "rea" });
	EXPECT_SELECTED("", 61, { SELECT_FOCUS, "read [" });
	/* callers are matched, although not shown */
	EXPECT_SELECTED("worker;copy 2\n", 59, { SELECT_FOCUS, "copy" },
			{ SELECT_INCLUDE, "fault" });
	EXPECT_SELECTED("worker;copy 1\n", 60, { SELECT_FOCUS, "copy" },
			{ SELECT_EXCLUDE, "fault" });
	EXPECT_SELECTED(USER, 53, { SELECT_FOCUS, "[user]" });
}

static void a_cut_is_the_new_leaf(void **state)
{
	(void)state;
	EXPECT_SELECTED(LOST NET IDLE USER "worker;entry;read 3\n", 0,
			{ SELECT_CUT, "read" });
	EXPECT_SELECTED("worker;entry;read 3\n", 58, { SELECT_CUT, "read" },
			{ SELECT_INCLUDE, "copy" });
	/* only below the focus, whichever option came first */
	EXPECT_SELECTED("worker;fault;read 2\n", 59, { SELECT_CUT, "entry" },
			{ SELECT_CUT, "read" }, { SELECT_FOCUS, "fault" });
	EXPECT_SELECTED("worker;read 3\n", 58, { SELECT_FOCUS, "read" },
			{ SELECT_CUT, "read" });
}

static void tasks_cpus_and_contexts_are_selected(void **state)
{
	(void)state;
	EXPECT_SELECTED(NET, 57, { SELECT_COMM, "kthread" });
	EXPECT_SELECTED(NET IDLE, 41, { SELECT_COMM, "kthread,swapper,none" });
	EXPECT_SELECTED(NET IDLE, 41, { SELECT_COMM, "kthread" },
			{ SELECT_COMM, "swapper" });
	EXPECT_SELECTED("", 61, { SELECT_COMM, "work" });
	EXPECT_SELECTED(USER READ NESTED, 50, { SELECT_PID, "101" });
	EXPECT_SELECTED(NET IDLE, 41, { SELECT_PID, "7,0" });
	EXPECT_SELECTED("[lost: overload] 10\n" USER READ, 42,
			{ SELECT_CPU, "0" });
	EXPECT_SELECTED("[lost: overload] 20\n" NET IDLE NESTED, 19,
			{ SELECT_CPU, "1-5" });
	EXPECT_SELECTED(LOST NET IDLE USER READ NESTED, 0,
			{ SELECT_CPU, "0,1" });
	EXPECT_SELECTED(NET USER, 49, { SELECT_CONTEXT, "hardirq,user" });
	EXPECT_SELECTED(LOST NET USER READ NESTED, 16,
			{ SELECT_NO_IDLE, NULL });
	EXPECT_SELECTED("worker;copy 2\n", 59, { SELECT_CPU, "1" },
			{ SELECT_COMM, "worker" }, { SELECT_CONTEXT, "task" },
			{ SELECT_FOCUS, "copy" });
}

/* Idle is a context, not a name; a record without frames also has a name. */
static void idle_time_is_left_out_by_its_context(void **state)
{
	static const struct asked no_idle[] = { { SELECT_NO_IDLE, NULL }, NOTHING };
	static const struct asked bare[] = {
		{ SELECT_INCLUDE, "^\\[idle\\]$" }, NOTHING
	};
	const struct asked *asked[] = { no_idle, bare };
	static const char *const expected[] = {
		"swapper;do_idle;irq [nic] 2\n", "swapper;[idle] 4\n",
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct profile *profile = profile_create();
		struct selection selection = make_selection(asked[i]);
		struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
		struct error error;
		struct tree *tree;
		uint64_t left_out;
		char *text;

		add_sampled(profile, add_stack(profile, "do_idle", FLAMEMOD_FRAME_KERNEL),
			    "swapper", 0, 1, FLAMEMOD_CONTEXT_IDLE, 1);
		add_sampled(profile, add_stack(profile, "do_idle;irq [nic]", FLAMEMOD_FRAME_KERNEL),
			    "swapper", 0, 1, FLAMEMOD_CONTEXT_HARDIRQ, 2);
		add_sampled(profile, 0, "swapper", 0, 1, FLAMEMOD_CONTEXT_IDLE, 4);
		assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
		tree = fold_profile(profile, &options, &error);
		text = folded(tree);
		assert_string_equal(text, expected[i]);
		assert_int_equal(left_out + tree->nodes[0].total, 7);
		free(text);
		tree_destroy(tree);
		profile_destroy(profile);
	}
}

static void threads_become_their_process(void **state)
{
	static const struct asked merge[] = {
		{ SELECT_MERGE_THREADS, NULL }, NOTHING
	};
	static const struct asked java[] = {
		{ SELECT_MERGE_THREADS, NULL }, { SELECT_COMM, "java" }, NOTHING
	};
	struct profile_record record = { .count = 1, .periods = 1 };
	static const struct {
		uint32_t pid, tid;
		const char *comm;
	} tasks[] = {
		{ 10, 12, "gc" }, { 10, 10, "sh" }, { 10, 11, "jit" },
		{ 10, 10, "java" }, { 20, 22, "b" }, { 20, 21, "a" },
	};
	struct profile_cpu cpu = { .books = { .fires = 61, .stored = 61 } };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct profile *profile = profile_create();

		record.node = add_stack(profile, "f", FLAMEMOD_FRAME_KERNEL);
		for (unsigned int j = 0; j < 6; j++) {
			record.periods = j ? 1 : 56;
			assert_int_equal(profile_add_task(profile, tasks[j].pid,
							  tasks[j].tid,
							  tasks[j].comm,
							  &record.task), 0);
			assert_int_equal(profile_add_record(profile, &record), 0);
		}
		assert_int_equal(profile_add_cpu(profile, &cpu), 0);
		if (i)
			expect_selected(profile, java, "java;f 58\n", 3);
		else
			expect_selected(profile, merge,
					"a;f 2\njava;f 58\nsh;f 1\n", 0);
	}
}

static void nothing_asked_changes_nothing(void **state)
{
	struct selection selection = { 0 };
	struct profile *profile = make_profile(), *before = profile;
	uint64_t left_out = 1;

	(void)state;
	assert_int_equal(select_profile(&selection, &profile, &left_out, NULL), 0);
	assert_ptr_equal(profile, before);
	assert_int_equal(left_out, 0);
	assert_int_equal(select_of_profiles(&selection), -1);
	profile_destroy(profile);
}

static void all_of_a_profile_survives_a_selection_of_all(void **state)
{
	static const struct asked all[] = {
		{ SELECT_INCLUDE, ".*" }, { SELECT_CPU, "0-100" }, NOTHING
	};
	struct selection selection = make_selection(all);
	struct profile *profile = made_profile(), *same = made_profile();
	uint64_t left_out;

	(void)state;
	assert_int_equal(select_profile(&selection, &profile, &left_out, NULL), 0);
	assert_int_equal(left_out, 0);
	assert_same(profile, same);
	profile_destroy(profile);
	profile_destroy(same);
}

static void truncated_samples_leave_the_books(void **state)
{
	static const struct asked asked[] = {
		{ SELECT_EXCLUDE, "^main$" }, NOTHING
	};
	struct selection selection = make_selection(asked);
	struct profile *profile = profile_create();
	uint64_t left_out;

	(void)state;
	add_sampled(profile, add_stack(profile, "[truncated];main",
				       FLAMEMOD_FRAME_MARK),
		    "x", 1, 0, FLAMEMOD_CONTEXT_TASK, 9);
	profile->books.truncated = profile->cpus[0].books.truncated = 7;
	assert_int_equal(select_profile(&selection, &profile, &left_out, NULL), 0);
	assert_int_equal(left_out, 9);
	assert_int_equal(profile->nr_records, 0);
	assert_int_equal(profile->nr_nodes, 1);
	/* count is two thirds of periods */
	assert_int_equal(profile->books.truncated, 1);
	assert_int_equal(profile->books.filtered, 9);
	profile_destroy(profile);
}

static void books_that_do_not_balance_are_refused(void **state)
{
	static const struct asked asked[] = { { SELECT_CPU, "1" }, NOTHING };
	struct selection selection = make_selection(asked);
	struct profile *profile = make_profile(), *before = profile;
	struct error error;
	uint64_t left_out;

	(void)state;
	profile->cpus[0].books.stored--;
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error),
			 -EBADMSG);
	assert_non_null(strstr(error.text, "CPU 0"));
	assert_ptr_equal(profile, before);
	profile_destroy(profile);
}

static void cpus_are_told_apart_only_where_they_are_known(void **state)
{
	static const struct asked asked[] = { { SELECT_CPU, "0" }, NOTHING };
	struct selection selection = make_selection(asked);
	struct profile *profile = make_profile(), *before = profile;
	struct error error;
	uint64_t left_out;

	(void)state;
	assert_int_equal(select_check_cpus(&profile->meta, "--by cpu", &error), 0);
	/* of an agent, see coarse.h */
	profile->meta.nr_summed_cpus = 16;
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), -EINVAL);
	assert_string_equal(error.text, "--cpu: this profile has a sum of 16 CPUs, and does not say what was on which: leave it out");
	assert_int_equal(select_check_cpus(&profile->meta, "--by cpu", &error), -EINVAL);
	profile->meta.nr_summed_cpus = 0;
	profile->meta.intervals.known = true;
	strcpy(profile->meta.weight_type, "off-cpu");
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), -EINVAL);
	assert_string_equal(error.text, "--cpu works on the samples of the timer, and the event off-cpu is counted on all CPUs together: choose the samples with --event on-cpu");
	assert_ptr_equal(profile, before);
	profile_destroy(profile);
}

static void lost_hits_go_with_their_weight(void **state)
{
	static const struct asked comm[] = { { SELECT_COMM, "*" }, NOTHING };
	static const struct asked no_idle[] = { { SELECT_NO_IDLE, NULL }, NOTHING };
	struct selection all = make_selection(no_idle), some = make_selection(comm);
	struct profile *profile = profile_create();
	char fact[INTERVALS_TEXT], advice[ADVICE_ALL_MAX];
	struct profile_intervals *intervals = &profile->meta.intervals;
	uint64_t left_out;

	(void)state;
	strcpy(profile->meta.weight_type, "cycles");
	*intervals = (struct profile_intervals){ .known = true, .of_hits = true, .seen = 11 };
	intervals->lost[FLAMEMOD_EVENT_LOST_TABLE_FULL] = 3;
	intervals->lost[FLAMEMOD_EVENT_LOST_SUSPENDED] = 4;
	add_sampled(profile, 0, "x", 1, 0, FLAMEMOD_CONTEXT_TASK, 5);
	profile->books.fires = profile->cpus[0].books.fires += 9;
	profile->books.expected = profile->cpus[0].books.expected += 9;
	profile->books.lost[FLAMEMOD_LOST_TABLE_FULL] = 2;
	profile->books.lost[PROFILE_LOST_OTHER] = 7;
	memcpy(profile->cpus[0].books.lost, profile->books.lost, sizeof(profile->books.lost));
	assert_int_equal(select_profile(&all, &profile, &left_out, NULL), 0);
	assert_string_equal(intervals_fact(fact, profile), "11 hits, 4 lost (suspended)");
	assert_non_null(advice_all(profile, advice));
	assert_int_equal(select_profile(&some, &profile, &left_out, NULL), 0);
	assert_int_equal(left_out, 9);
	assert_string_equal(intervals_fact(fact, profile), "4 hits");
	assert_null(advice_all(profile, advice));
	profile_destroy(profile);
}

static void expect_lines(const struct asked *asked, const char *text,
			 const char *expected)
{
	struct selection selection = make_selection(asked);
	struct tree *tree = tree_create();
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	uint64_t left_out, before;
	char *left;

	assert_int_equal(fold_read(tree, in, NULL), 0);
	fclose(in);
	tree_sum(tree);
	before = tree->nodes[0].total;
	assert_int_equal(select_tree(&selection, &tree, &left_out, NULL), 0);
	left = folded(tree);
	assert_string_equal(left, expected);
	assert_int_equal(tree->nodes[0].total + left_out, before);
	/* no frames without weight stay */
	for (uint32_t i = 1; i < tree->nr_nodes; i++)
		assert_int_not_equal(tree->nodes[i].total, 0);
	free(left);
	tree_destroy(tree);
}

#define EXPECT_LINES(text, expected, ...) \
	expect_lines((const struct asked[]){ __VA_ARGS__, NOTHING }, text, \
		     expected)

static void folded_text_is_selected_by_its_frames(void **state)
{
	static const char *const text =
		"sh;main;read_[k];copy_[k] 1\nsh;main 2\nsh;main;read_[k] 4\n"
		"[lost: overload] 8\ncat;read_[k];read_[k];wait 16\n";

	(void)state;
	EXPECT_LINES(text, "sh;main;read_[k];copy_[k] 1\n",
		     { SELECT_INCLUDE, "copy" });
	EXPECT_LINES(text, "cat;read_[k];read_[k];wait 16\n",
		     { SELECT_INCLUDE, "cat" });
	EXPECT_LINES(text, "[lost: overload] 8\nsh;main 2\n",
		     { SELECT_EXCLUDE, "^read" });
	EXPECT_LINES(text, "read_[k] 4\nread_[k];copy_[k] 1\nread_[k];read_[k];wait 16\n",
		     { SELECT_FOCUS, "read" });
	EXPECT_LINES(text, "read_[k] 21\n",
		     { SELECT_FOCUS, "read" }, { SELECT_CUT, "read" });
	EXPECT_LINES(text, "[lost: overload] 8\ncat;read_[k] 16\nsh;main 7\n",
		     { SELECT_CUT, "main" }, { SELECT_CUT, "read_[k]" });
	EXPECT_LINES(text, "", { SELECT_FOCUS, "nothing" });
}

#define EXPECT_MISSED(expected, ...) \
	expect_missed((const struct asked[]){ __VA_ARGS__, NOTHING }, expected)

static void expect_missed(const struct asked *asked, const char *expected)
{
	struct selection selection = make_selection(asked);
	struct profile *profile = make_profile();
	char text[SELECT_MISSED_TEXT];

	assert_string_equal(select_missed_in(&selection, profile, text), expected);
	profile_destroy(profile);
}

static void what_matches_nothing_is_named(void **state)
{
	(void)state;
	EXPECT_MISSED("", { SELECT_FOCUS, "ext4" }, { SELECT_CUT, "read" },
		      { SELECT_COMM, "work*,swapper" }, { SELECT_PID, "100,7" },
		      { SELECT_CPU, "1-7" }, { SELECT_CONTEXT, "user,idle" },
		      { SELECT_NO_IDLE, NULL }, { SELECT_PATH, "^entry;read;" },
		      { SELECT_INCLUDE, "lost" }, { SELECT_EXCLUDE, "^.user.$" });
	EXPECT_MISSED("no function matches nosuchfn (--focus)",
		      { SELECT_FOCUS, "nosuchfn" });
	/* each value of a list, and each option */
	EXPECT_MISSED("no comm matches x* (--comm); no process or thread is 55 (--pid)",
		      { SELECT_COMM, "worker,x*" }, { SELECT_PID, "55,100" });
	EXPECT_MISSED("no stack matches read;entry (--path); no function matches ^rea$ (--exclude)",
		      { SELECT_PATH, "read;entry" }, { SELECT_EXCLUDE, "^rea$" });
	EXPECT_MISSED("no sampled CPU is in 2-7 (--cpu); no sample has the context softirq (--context)",
		      { SELECT_CPU, "2-7" }, { SELECT_CONTEXT, "task,softirq" });
}

static void what_folded_text_lacks_is_named(void **state)
{
	const struct asked asked[] = {
		{ SELECT_FOCUS, "b" }, { SELECT_CUT, "x" }, { SELECT_PATH, "a;c" },
		NOTHING
	};
	struct selection selection = make_selection(asked);
	struct select_met met = { 0 };
	struct tree *tree = unfold("a;b;c 1\n");
	char text[SELECT_MISSED_TEXT];

	(void)state;
	assert_int_equal(select_meet_tree(&selection, tree, &met), 0);
	assert_string_equal(select_missed(&selection, &met, text),
			    "no function matches x (--cut); no stack matches a;c (--path)");
	tree_destroy(tree);
	/* a second file has what the first lacks */
	tree = unfold("a;c;x 1\n");
	assert_int_equal(select_meet_tree(&selection, tree, &met), 0);
	assert_string_equal(select_missed(&selection, &met, text), "");
	tree_destroy(tree);
}

static void whole_stacks_are_matched(void **state)
{
	(void)state;
	EXPECT_SELECTED(READ, 60, { SELECT_PATH, "read.*ext4" });
	EXPECT_SELECTED(READ, 60, { SELECT_PATH, "^entry;read;ext4 \\[ext4];copy$" });
	EXPECT_SELECTED(READ NESTED, 58, { SELECT_PATH, "ext4" },
			{ SELECT_PATH, "fault;(read|write)" });
	/* the whole stack is matched, whatever is shown of it */
	EXPECT_SELECTED("worker;copy 1\n", 60, { SELECT_PATH, "entry;.*ext4" },
			{ SELECT_FOCUS, "copy" });
	/* the comm is not a part of it */
	EXPECT_SELECTED("", 61, { SELECT_PATH, "worker" });
	EXPECT_SELECTED(LOST, 31, { SELECT_PATH, "^.lost" });
	EXPECT_SELECTED(USER, 53, { SELECT_PATH, "user" });
	EXPECT_LINES("a;b 1\na;b;c 2\nd;b 4\n", "a;b 1\na;b;c 2\n",
		     { SELECT_PATH, "a;b" });
	EXPECT_LINES("a;b 1\na;b;c 2\nd;b 4\n", "a;b;c 2\n", { SELECT_PATH, "a.*c" });
	/* a stack that ends above is a different one */
	EXPECT_LINES("a;b 1\na;b;c 2\nd;b 4\n", "a;b 1\nd;b 4\n", { SELECT_PATH, "b$" });
}

static void comms_are_globs(void **state)
{
	(void)state;
	EXPECT_SELECTED(NET, 57, { SELECT_COMM, "k*" });
	EXPECT_SELECTED(NET IDLE, 41, { SELECT_COMM, "*thread,[r-t]wappe?" });
	EXPECT_SELECTED("", 61, { SELECT_COMM, "work?" });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_included_and_excluded),
		cmocka_unit_test(a_focus_is_the_new_root),
		cmocka_unit_test(a_cut_is_the_new_leaf),
		cmocka_unit_test(tasks_cpus_and_contexts_are_selected),
		cmocka_unit_test(idle_time_is_left_out_by_its_context),
		cmocka_unit_test(threads_become_their_process),
		cmocka_unit_test(nothing_asked_changes_nothing),
		cmocka_unit_test(all_of_a_profile_survives_a_selection_of_all),
		cmocka_unit_test(truncated_samples_leave_the_books),
		cmocka_unit_test(books_that_do_not_balance_are_refused),
		cmocka_unit_test(lost_hits_go_with_their_weight),
		cmocka_unit_test(cpus_are_told_apart_only_where_they_are_known),
		cmocka_unit_test(folded_text_is_selected_by_its_frames),
		cmocka_unit_test(what_matches_nothing_is_named),
		cmocka_unit_test(what_folded_text_lacks_is_named),
		cmocka_unit_test(whole_stacks_are_matched),
		cmocka_unit_test(comms_are_globs),
	};

	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
