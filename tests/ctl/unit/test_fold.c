// SPDX-License-Identifier: GPL-2.0
/*
 * Folding: a profile's records and losses as stacks, by any levels.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "folded_text.h"
#include "tree/fold_level.h"
#include "tree/tree.h"

static struct profile *profile;

static uint32_t node(uint32_t parent, const char *name,
		     enum flamemod_frame_kind kind)
{
	uint32_t frame, id;

	assert_int_equal(profile_add_frame(profile, name, kind, &frame), 0);
	assert_int_equal(profile_add_node(profile, parent, frame, &id), 0);
	return id;
}

static void record(uint32_t at, const char *comm, uint32_t pid, uint32_t cpu,
		   enum flamemod_context context, uint64_t count,
		   uint64_t periods)
{
	struct profile_record added = {
		.node = at, .cpu = cpu, .context = context,
		.count = count, .periods = periods,
	};

	assert_int_equal(profile_add_task(profile, pid, pid + 1, comm,
					  &added.task), 0);
	assert_int_equal(profile_add_record(profile, &added), 0);
}

static int make_profile(void **state)
{
	struct profile_cpu cpu = { .cpu = 1 };
	uint32_t root, idle;

	(void)state;
	profile = profile_create();
	root = node(0, "entry", FLAMEMOD_FRAME_KERNEL);
	idle = node(root, "do_idle", FLAMEMOD_FRAME_KERNEL);
	record(node(root, "read [ext4]", FLAMEMOD_FRAME_MODULE), "cat", 7, 0,
	       FLAMEMOD_CONTEXT_TASK, 3, 4);
	record(idle, "swapper/1", 0, 1, FLAMEMOD_CONTEXT_IDLE, 10, 20);
	record(node(idle, "irq [nic]", FLAMEMOD_FRAME_MODULE), "swapper/1", 0, 1,
	       FLAMEMOD_CONTEXT_HARDIRQ, 1, 1);
	record(0, "cat", 7, 1, FLAMEMOD_CONTEXT_USER, 5, 5);
	record(0, "", 9, 0, FLAMEMOD_CONTEXT_TASK, 1, 2);
	record(node(0, "[truncated]", FLAMEMOD_FRAME_MARK), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_SOFTIRQ, 1, 1);
	record(node(0, "main", FLAMEMOD_FRAME_USER), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_IDLE, 1, 1);
	record(0, "swapper/0", 0, 0, FLAMEMOD_CONTEXT_IDLE, 1, 2);

	cpu.books.lost[FLAMEMOD_LOST_TABLE_FULL] = 6;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	cpu = (struct profile_cpu) { .cpu = 0 };
	cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = 2;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	return 0;
}

static int free_profile(void **state)
{
	(void)state;
	profile_destroy(profile);
	return 0;
}

static void expect_folded(const char *by, bool by_count, const char *expected)
{
	struct fold_options options = { .by_count = by_count };
	struct error error = { "" };

	if (fold_options_by(&options, by, &error))
		fail_msg("%s: %s", by, error.text);
	expect_text(fold_profile(profile, &options, NULL), expected);
}

static void folds_by_any_levels(void **state)
{
	(void)state;
	expect_folded("none", false,
		      "[idle] 2\n[lost: overload] 2\n[lost: table-full] 6\n"
		      "[truncated] 1\n[unknown] 2\n[user] 5\n"
		      "entry;do_idle;irq [nic] 1\nentry;read [ext4] 4\n"
		      "entry;do_idle 20\nmain 1\n");
	expect_folded("comm", false,
		      "[lost: overload] 2\n[lost: table-full] 6\n"
		      "[unknown];[unknown] 2\ncat;[truncated] 1\ncat;[user] 5\n"
		      "cat;entry;read [ext4] 4\ncat;main 1\n"
		      "swapper/0;[idle] 2\n"
		      "swapper/1;entry;do_idle;irq [nic] 1\n"
		      "swapper/1;entry;do_idle 20\n");
	expect_folded("cpu,pid", true,
		      "cpu 0;[lost: overload] 2\ncpu 0;pid 0;[idle] 1\n"
		      "cpu 0;pid 7;entry;read [ext4] 3\n"
		      "cpu 0;pid 8;[truncated] 1\ncpu 0;pid 8;main 1\n"
		      "cpu 0;pid 9;[unknown] 1\n"
		      "cpu 1;[lost: table-full] 6\n"
		      "cpu 1;pid 0;entry;do_idle;irq [nic] 1\n"
		      "cpu 1;pid 0;entry;do_idle 10\ncpu 1;pid 7;[user] 5\n");
	expect_folded("context,tid", false,
		      "[hardirq];tid 1;entry;do_idle;irq [nic] 1\n"
		      "[idle];tid 1;[idle] 2\n[idle];tid 1;entry;do_idle 20\n"
		      "[idle];tid 9;main 1\n"
		      "[lost: overload] 2\n[lost: table-full] 6\n"
		      "[softirq];tid 9;[truncated] 1\n"
		      "[task];tid 10;[unknown] 2\n[task];tid 8;entry;read [ext4] 4\n"
		      "[user];tid 8;[user] 5\n");
}

/* A stack's module is its leaf's; frames of the core kernel and of programs have none. */
static void folds_by_module_and_function(void **state)
{
	(void)state;
	expect_folded("module", false,
		      "[ext4];entry;read [ext4] 4\n"
		      "[kernel];[idle] 2\n[kernel];[truncated] 1\n"
		      "[kernel];entry;do_idle 20\n[lost: overload] 2\n"
		      "[lost: table-full] 6\n[nic];entry;do_idle;irq [nic] 1\n"
		      "[unknown];[unknown] 2\n[user];[user] 5\n[user];main 1\n");
	expect_folded("function,cpu", true,
		      "[idle];cpu 0;[idle] 1\n[truncated];cpu 0;[truncated] 1\n"
		      "[unknown];cpu 0;[unknown] 1\n[user];cpu 1;[user] 5\n"
		      "cpu 0;[lost: overload] 2\ncpu 1;[lost: table-full] 6\n"
		      "do_idle;cpu 1;entry;do_idle 10\n"
		      "irq [nic];cpu 1;entry;do_idle;irq [nic] 1\n"
		      "main;cpu 0;main 1\n"
		      "read [ext4];cpu 0;entry;read [ext4] 3\n");
}

static void expect_module(uint32_t at, enum flamemod_context context,
			  const char *module)
{
	struct profile_record one = { .node = at, .context = context };
	char text[FOLD_LEVEL_TEXT], found[512];
	const char *name;
	size_t length;

	assert_int_equal(profile_add_task(profile, 1, 1, "cat", &one.task), 0);
	name = fold_level_text(profile, &one, FOLD_MODULE, text, &length);
	snprintf(found, sizeof(found), "%.*s", (int)length, name);
	assert_string_equal(found, module);
}

static void names_the_module_of_any_leaf(void **state)
{
	static const struct {
		const char *name, *module;
	} users[] = {
		{ "main", "[user]" }, { "[user]", "[user]" },
		{ "[vdso]", "[vdso]" }, { "[libc.so.6]", "[libc.so.6]" },
		{ "libc.so.6`malloc", "libc.so.6" }, { "`odd", "[user]" },
		{ "malloc [libc.so.6]", "[libc.so.6]" },
		{ "operator new [](unsigned long)", "[user]" },
		{ "odd []", "[user]" }, { "", "[user]" },
		{ "a [b] [libc.so.6]", "[libc.so.6]" },
	};
	const enum flamemod_context task = FLAMEMOD_CONTEXT_TASK;
	uint32_t ext4 = node(0, "read [ext4]", FLAMEMOD_FRAME_MODULE);
	uint32_t entry = node(0, "entry", FLAMEMOD_FRAME_KERNEL);

	(void)state;
	for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++)
		expect_module(node(0, users[i].name, FLAMEMOD_FRAME_USER),
			      FLAMEMOD_CONTEXT_USER, users[i].module);
	/* a mark belongs to its caller's module, except [unknown] */
	expect_module(node(ext4, "[irqs-off]", FLAMEMOD_FRAME_MARK), task, "[ext4]");
	expect_module(node(entry, "[irqs-off]", FLAMEMOD_FRAME_MARK), task, "[kernel]");
	expect_module(node(ext4, "[unknown]", FLAMEMOD_FRAME_MARK), task, "[unknown]");
	expect_module(node(0, "[interrupt]", FLAMEMOD_FRAME_MARK),
		      FLAMEMOD_CONTEXT_HARDIRQ, "[kernel]");
	expect_module(node(ext4, "kfree", FLAMEMOD_FRAME_KERNEL), task, "[kernel]");
	expect_module(node(0, "odd module", FLAMEMOD_FRAME_MODULE), task, "[kernel]");
	expect_module(0, FLAMEMOD_CONTEXT_USER, "[user]");
	expect_module(0, FLAMEMOD_CONTEXT_IDLE, "[kernel]");
	expect_module(0, task, "[unknown]");
}

/* Losses that are in no CPU's books are at the root. */
static void folds_losses_of_no_cpu(void **state)
{
	(void)state;
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] += 5;
	expect_folded("cpu", false,
		      "[lost: overload] 5\ncpu 0;[idle] 2\n"
		      "cpu 0;[lost: overload] 2\ncpu 0;[truncated] 1\n"
		      "cpu 0;[unknown] 2\ncpu 0;entry;read [ext4] 4\n"
		      "cpu 0;main 1\n"
		      "cpu 1;[lost: table-full] 6\ncpu 1;[user] 5\n"
		      "cpu 1;entry;do_idle;irq [nic] 1\n"
		      "cpu 1;entry;do_idle 20\n");
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] -= 5;
}

/* The node of a record's callers is remembered; below another comm it is another one. */
static void separates_the_same_callers_of_several_comms(void **state)
{
	uint32_t entry = node(0, "entry", FLAMEMOD_FRAME_KERNEL);
	uint32_t open = node(entry, "open", FLAMEMOD_FRAME_KERNEL);

	(void)state;
	record(open, "a", 1, 0, FLAMEMOD_CONTEXT_TASK, 1, 1);
	record(open, "b", 2, 0, FLAMEMOD_CONTEXT_TASK, 1, 2);
	record(entry, "a", 1, 0, FLAMEMOD_CONTEXT_TASK, 1, 4);
	record(node(open, "stat", FLAMEMOD_FRAME_KERNEL), "b", 2, 0,
	       FLAMEMOD_CONTEXT_TASK, 1, 8);
	record(open, "a", 1, 1, FLAMEMOD_CONTEXT_TASK, 1, 16);
	expect_folded("comm", false, "a;entry 4\na;entry;open 17\n"
		      "b;entry;open 2\nb;entry;open;stat 8\n");
}

static int make_empty(void **state)
{
	(void)state;
	profile = profile_create();
	return profile ? 0 : -ENOMEM;
}

/* The context, not the name, decides what is idle. */
static void kinds_follow_the_record(void **state)
{
	struct fold_options options = { .by = { FOLD_COMM }, .nr_by = 1 };
	uint64_t idle = 0, lost = 0;
	struct tree *tree;

	(void)state;
	record(node(0, "", FLAMEMOD_FRAME_KERNEL), "cat", 8, 0,
	       FLAMEMOD_CONTEXT_TASK, 1, 3);
	tree = fold_profile(profile, &options, NULL);
	for (uint32_t i = 0; i < tree->nr_nodes; i++) {
		const struct tree_node *at = &tree->nodes[i];

		assert_true(at->name[0]);
		if (at->kind == TREE_IDLE)
			idle += at->self;
		if (at->kind == TREE_LOST)
			lost += at->self;
		if (!strcmp(at->name, "irq [nic]") ||
		    !strcmp(at->name, "read [ext4]"))
			assert_int_equal(at->kind, TREE_MODULE);
		if (!strcmp(at->name, "main") || !strcmp(at->name, "[user]"))
			assert_int_equal(at->kind, TREE_USER);
		if (!strcmp(at->name, "[truncated]"))
			assert_int_equal(at->kind, TREE_MARK);
		if (!strcmp(at->name, "cat"))
			assert_int_equal(at->kind, TREE_TASK);
	}
	assert_int_equal(idle, 22);
	assert_int_equal(lost, 8);
	assert_int_equal(tree->nodes[0].total, 47);
	tree_destroy(tree);
}

/* Hits of an event that were lost are counted as those that were not: not their weight. */
static void counts_lost_hits_of_an_event(void **state)
{
	struct profile_intervals *intervals = &profile->meta.intervals;
	uint64_t *lost = profile->books.lost;
	struct profile_cpu cpu = { .cpu = 0 };

	(void)state;
	record(node(0, "vfs_read", FLAMEMOD_FRAME_KERNEL), "cat", 7, 0, FLAMEMOD_CONTEXT_TASK, 3, 900);
	intervals->known = true;
	intervals->lost[FLAMEMOD_EVENT_LOST_OVERLOAD] = 2;
	intervals->lost[FLAMEMOD_EVENT_LOST_NESTED] = 4;
	intervals->lost[FLAMEMOD_EVENT_LOST_SUSPENDED] = 5;
	cpu.books.lost[FLAMEMOD_LOST_OVERLOAD] = 5000000;
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	expect_folded("none", false, "[lost: overload] 5000000\nvfs_read 900\n");
	expect_folded("none", true, "[lost: overload] 2\nvfs_read 3\n");
	expect_folded("cpu", true, "cpu 0;[lost: overload] 2\ncpu 0;vfs_read 3\n");
	/* some of the others have a weight */
	lost[PROFILE_LOST_OTHER] = profile->cpus[0].books.lost[PROFILE_LOST_OTHER] = 70;
	expect_folded("none", true, "[lost: other] 9\n[lost: overload] 2\nvfs_read 3\n");
	expect_folded("cpu", true, "cpu 0;[lost: other] 9\ncpu 0;[lost: overload] 2\ncpu 0;vfs_read 3\n");
	/* a selection has left out what was lost */
	lost[FLAMEMOD_LOST_OVERLOAD] = profile->cpus[0].books.lost[FLAMEMOD_LOST_OVERLOAD] = 0;
	expect_folded("none", true, "[lost: other] 9\nvfs_read 3\n");
}

static void numbers_of_samples_may_not_be_there(void **state)
{
	const struct fold_options periods = { .nr_by = 0 }, counts = { .by_count = true };
	struct error error = { "" };

	(void)state;
	assert_int_equal(fold_check(profile, &counts, &error), 0);
	record(0, "cat", 7, 0, FLAMEMOD_CONTEXT_TASK, 0, 900);
	assert_int_equal(fold_check(profile, &periods, &error), 0);
	assert_int_equal(fold_check(profile, &counts, &error), -ENODATA);
	assert_string_equal(error.text, "it does not contain numbers of samples: leave out --weight count");
	/* of an event they are known, even if no interval has ended */
	profile->meta.intervals.known = true;
	assert_int_equal(fold_check(profile, &counts, &error), 0);
}

static void parses_levels(void **state)
{
	struct fold_options options = { .nr_by = 3 };
	struct error error;

	(void)state;
	assert_int_equal(fold_options_by(&options, "none", &error), 0);
	assert_int_equal(options.nr_by, 0);
	assert_int_equal(fold_options_by(&options, "cpu,comm,pid,tid,context",
					 &error), 0);
	assert_int_equal(options.nr_by, 5);
	assert_int_equal(options.by[0], FOLD_CPU);
	assert_int_equal(options.by[1], FOLD_COMM);
	assert_int_equal(options.by[4], FOLD_CONTEXT);

	/* perf's words */
	assert_int_equal(fold_options_by(&options, "pid,dso,symbol", &error), 0);
	assert_int_equal(options.nr_by, 3);
	assert_int_equal(options.by[1], FOLD_MODULE);
	assert_int_equal(options.by[2], FOLD_FUNCTION);
	assert_int_equal(fold_options_by(&options, "sym,function", &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"function\" twice: name each level once");

	assert_int_equal(fold_options_by(&options, "comm,uid", &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"uid\": the levels are comm, pid, tid, cpu, context, host, cgroup, module and function, with commas between, or none");
	assert_int_equal(fold_options_by(&options, "", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "comm,", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "none,comm", &error), -EINVAL);
	assert_int_equal(fold_options_by(&options, "comm,cpu,comm", &error), -EINVAL);
	assert_string_equal(error.text, "cannot group by \"comm\" twice: name each level once");
	assert_int_equal(options.nr_by, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(folds_by_any_levels,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(folds_by_module_and_function,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(names_the_module_of_any_leaf,
						make_empty, free_profile),
		cmocka_unit_test_setup_teardown(folds_losses_of_no_cpu,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(separates_the_same_callers_of_several_comms,
						make_empty, free_profile),
		cmocka_unit_test_setup_teardown(kinds_follow_the_record,
						make_profile, free_profile),
		cmocka_unit_test_setup_teardown(counts_lost_hits_of_an_event,
						make_empty, free_profile),
		cmocka_unit_test_setup_teardown(numbers_of_samples_may_not_be_there,
						make_empty, free_profile),
		cmocka_unit_test(parses_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
