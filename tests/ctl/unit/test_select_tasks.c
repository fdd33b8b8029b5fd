// SPDX-License-Identifier: GPL-2.0
/*
 * Merging of tasks: threads of a process on a host, kernel threads of a kind.
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

#include "folded_text.h"
#include "made_profile.h"
#include "made_selection.h"
#include "profile/kthread.h"
#include "select/select.h"

static char *merged_kthreads(const struct asked *asked)
{
	static const char *const comms[] = {
		"kworker/u4:1", "kworker/1:2H-kblockd", "ksoftirqd/0",
		"ksoftirqd/1", "irq/24-eth0", "kswapd0", "jbd2/sda1-8", "bash",
	};
	struct fold_options options = { .by = { FOLD_PID, FOLD_COMM }, .nr_by = 2 };
	struct selection selection = make_selection(asked);
	struct profile *profile = profile_create();
	struct profile_cpu cpu = { .cpu = 0 };
	struct error error;
	uint64_t left_out;
	struct tree *tree;
	char *text;

	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	for (uint32_t i = 0; i < sizeof(comms) / sizeof(comms[0]); i++)
		add_sampled(profile, 0, comms[i], 10 + i, 0,
			    FLAMEMOD_CONTEXT_TASK, 1);
	for (uint32_t i = 0; i < profile->nr_cpus; i++)
		profile->cpus[i].books.fires = profile->cpus[i].books.stored;
	profile->books.fires = profile->books.stored;
	if (select_profile(&selection, &profile, &left_out, &error))
		fail_msg("%s", error.text);
	tree = fold_profile(profile, &options, &error);
	text = folded(tree);
	tree_destroy(tree);
	profile_destroy(profile);
	return text;
}

static void kernel_threads_of_a_kind_are_one(void **state)
{
	const struct asked all[] = { { SELECT_MERGE_KTHREADS, NULL }, NOTHING };
	const struct asked by_kind[] = {
		{ SELECT_MERGE_KTHREADS, NULL }, { SELECT_COMM, "kworker" }, NOTHING
	};
	const struct asked by_name[] = {
		{ SELECT_MERGE_KTHREADS, NULL }, { SELECT_COMM, "kworker/u*" }, NOTHING
	};
	char *text = merged_kthreads(all);

	(void)state;
	assert_string_equal(text, "pid 10;kworker;[unknown] 2\n"
				  "pid 12;ksoftirqd;[unknown] 2\n"
				  "pid 14;irq/eth0;[unknown] 1\n"
				  "pid 15;kswapd;[unknown] 1\n"
				  "pid 16;jbd2/sda1-8;[unknown] 1\n"
				  "pid 17;bash;[unknown] 1\n");
	free(text);
	text = merged_kthreads(by_kind);
	assert_string_equal(text, "pid 10;kworker;[unknown] 2\n");
	free(text);
	text = merged_kthreads(by_name);
	assert_string_equal(text, "pid 10;kworker;[unknown] 1\n");
	free(text);
}

static void kinds_of_kernel_threads(void **state)
{
	static const struct {
		const char *comm, *kind;	/* NULL: none */
	} cases[] = {
		{ "kworker/0:1", "kworker" }, { "kworker/0:1H", "kworker" },
		{ "kworker/u8:3-events_unbound", "kworker" },
		{ "kworker/R-rcu_g", NULL }, { "migration/3", "migration" },
		{ "cpuhp/11", "cpuhp" }, { "idle_inj/0", "idle_inj" },
		{ "rcuop/1", "rcuop" }, { "swapper/2", "swapper" },
		{ "kcompactd1", "kcompactd" }, { "irq/9-acpi", "irq/acpi" },
		{ "irq/9", "irq" }, { "kswapd", NULL }, { "kswapd0x", NULL },
		{ "kthreadd", NULL }, { "jbd2/vda-8", NULL }, { "a/b", NULL },
		{ "/1", NULL }, { "", NULL }, { "Web Content/1", NULL },
		{ "x/u", NULL }, { "rcu_preempt", NULL },
	};
	char kind[KTHREAD_KIND];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool is_one = kthread_kind(cases[i].comm, kind);

		if (is_one != !!cases[i].kind ||
		    (is_one && strcmp(kind, cases[i].kind)))
			fail_msg("%s: %s", cases[i].comm, is_one ? kind : "none");
	}
}

/* The same process id on two hosts is two processes. */
static void a_host_keeps_its_processes(void **state)
{
	static const struct asked merged[] = {
		{ SELECT_MERGE_THREADS, NULL }, NOTHING
	};
	static const struct {
		const char *host, *comm;
		uint32_t tid;
	} tasks[] = {
		{ "one", "gc", 11 }, { "two", "jit", 11 }, { "two", "perl", 10 },
		{ "one", "java", 10 },
	};
	struct fold_options options = {
		.by = { FOLD_HOST, FOLD_COMM }, .nr_by = 2,
	};
	struct profile_cpu cpu = { .books = { .fires = 15, .stored = 15 } };
	struct selection selection = make_selection(merged);
	struct profile *profile = profile_create();
	struct profile_record record = { .count = 1 };
	struct error error;
	struct tree *tree;
	uint64_t left_out;
	char *text;

	(void)state;
	record.node = add_stack(profile, "f", FLAMEMOD_FRAME_KERNEL);
	for (unsigned int i = 0; i < 4; i++) {
		record.periods = 1 << i;
		assert_int_equal(profile_add_task_of(profile, tasks[i].host, 10,
						     tasks[i].tid, tasks[i].comm,
						     &record.task), 0);
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error),
			 0);
	tree = fold_profile(profile, &options, &error);
	text = folded(tree);
	assert_string_equal(text, "host one;java;f 9\nhost two;perl;f 6\n");
	free(text);
	tree_destroy(tree);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_keeps_its_processes),
		cmocka_unit_test(kernel_threads_of_a_kind_are_one),
		cmocka_unit_test(kinds_of_kernel_threads),
	};

	return cmocka_run_group_tests_name("select_tasks", tests, NULL, NULL);
}
