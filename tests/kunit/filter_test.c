// SPDX-License-Identifier: GPL-2.0
/*
 * Filters: what they leave out, and what they keep.
 */
#include <kunit/test.h>

#include "../../module/filter.h"
#include "../../module/memory.h"
#include "allocations.h"
#include "suites.h"

#define FM_ALL { .nr_pids = 0 }
#define FM_NO_IDLE { .exclude_idle = true }
#define FM_KERNEL { .kernel_only = true }
#define FM_BOTH { .exclude_idle = true, .kernel_only = true }
#define FM_ONE { .nr_pids = 1, .pids = { 7, 8 } }
#define FM_TWO { .nr_pids = 2, .pids = { 7, 8 } }
#define FM_FOLLOWED { .followed_only = true }
#define FM_FOLLOWED_KERNEL { .followed_only = true, .kernel_only = true }
#define FM_MANY { .nr_pids = FLAMEMOD_PIDS_MAX, .pids = {		\
	101, 102, 103, 104, 105, 106, 107, 108,				\
	109, 110, 111, 112, 113, 114, 115, 116 } }
#define FM_ONE_KERNEL { .kernel_only = true, .nr_pids = 1, .pids = { 7 } }
#define FM_ONE_NO_IDLE { .exclude_idle = true, .nr_pids = 1, .pids = { 7 } }

static const struct fm_filter_case {
	const char *name;
	struct fm_filter filter;
	enum flamemod_context context;
	u32 pid, tid;
	bool drops;
} fm_filter_cases[] = {
	{ "all: user", FM_ALL, FLAMEMOD_CONTEXT_USER, 5, 6, false },
	{ "all: task", FM_ALL, FLAMEMOD_CONTEXT_TASK, 5, 6, false },
	{ "all: softirq", FM_ALL, FLAMEMOD_CONTEXT_SOFTIRQ, 5, 6, false },
	{ "all: hardirq", FM_ALL, FLAMEMOD_CONTEXT_HARDIRQ, 5, 6, false },
	{ "all: idle", FM_ALL, FLAMEMOD_CONTEXT_IDLE, 0, 0, false },
	{ "no idle: user", FM_NO_IDLE, FLAMEMOD_CONTEXT_USER, 5, 6, false },
	{ "no idle: task", FM_NO_IDLE, FLAMEMOD_CONTEXT_TASK, 5, 6, false },
	/* An interrupt is work, also on an idle CPU. */
	{ "no idle: softirq", FM_NO_IDLE, FLAMEMOD_CONTEXT_SOFTIRQ, 0, 0, false },
	{ "no idle: hardirq", FM_NO_IDLE, FLAMEMOD_CONTEXT_HARDIRQ, 0, 0, false },
	{ "no idle: idle", FM_NO_IDLE, FLAMEMOD_CONTEXT_IDLE, 0, 0, true },
	{ "kernel: user", FM_KERNEL, FLAMEMOD_CONTEXT_USER, 5, 6, true },
	{ "kernel: task", FM_KERNEL, FLAMEMOD_CONTEXT_TASK, 5, 6, false },
	{ "kernel: softirq", FM_KERNEL, FLAMEMOD_CONTEXT_SOFTIRQ, 5, 6, false },
	{ "kernel: hardirq", FM_KERNEL, FLAMEMOD_CONTEXT_HARDIRQ, 5, 6, false },
	{ "kernel: idle", FM_KERNEL, FLAMEMOD_CONTEXT_IDLE, 0, 0, false },
	{ "both: user", FM_BOTH, FLAMEMOD_CONTEXT_USER, 5, 6, true },
	{ "both: idle", FM_BOTH, FLAMEMOD_CONTEXT_IDLE, 0, 0, true },
	{ "both: task", FM_BOTH, FLAMEMOD_CONTEXT_TASK, 5, 6, false },
	{ "pid 7: its pid", FM_ONE, FLAMEMOD_CONTEXT_TASK, 7, 9, false },
	{ "pid 7: its tid", FM_ONE, FLAMEMOD_CONTEXT_TASK, 9, 7, false },
	{ "pid 7: both", FM_ONE, FLAMEMOD_CONTEXT_USER, 7, 7, false },
	{ "pid 7: neither", FM_ONE, FLAMEMOD_CONTEXT_TASK, 9, 9, true },
	{ "pid 7: behind the last", FM_ONE, FLAMEMOD_CONTEXT_TASK, 8, 8, true },
	{ "pid 7: idle", FM_ONE, FLAMEMOD_CONTEXT_IDLE, 0, 0, true },
	{ "pids 7, 8: second", FM_TWO, FLAMEMOD_CONTEXT_TASK, 8, 9, false },
	{ "pids 7, 8: neither", FM_TWO, FLAMEMOD_CONTEXT_TASK, 9, 6, true },
	/* The unused entries after the last are 0, which is every idle task's pid. */
	{ "pids 7, 8: zero", FM_TWO, FLAMEMOD_CONTEXT_IDLE, 0, 0, true },
	{ "16 pids: first", FM_MANY, FLAMEMOD_CONTEXT_TASK, 101, 9, false },
	{ "16 pids: last", FM_MANY, FLAMEMOD_CONTEXT_TASK, 9, 116, false },
	{ "16 pids: neither", FM_MANY, FLAMEMOD_CONTEXT_TASK, 117, 100, true },
	{ "kernel of pid 7: user", FM_ONE_KERNEL, FLAMEMOD_CONTEXT_USER, 7, 7, true },
	{ "kernel of pid 7: task", FM_ONE_KERNEL, FLAMEMOD_CONTEXT_TASK, 7, 7, false },
	{ "kernel of pid 7: other", FM_ONE_KERNEL, FLAMEMOD_CONTEXT_TASK, 8, 8, true },
	{ "pid 7, no idle: user", FM_ONE_NO_IDLE, FLAMEMOD_CONTEXT_USER, 7, 7, false },
	{ "pid 7, no idle: other", FM_ONE_NO_IDLE, FLAMEMOD_CONTEXT_USER, 8, 8, true },
};

FM_ARRAY_PARAM(filter);

static void leaves_out_what_the_settings_name(struct kunit *test)
{
	const struct fm_filter_case *c = test->param_value;
	struct fm_filter filter = c->filter;
	u8 followed = 0x55;

	fm_filter_begin(&filter);
	KUNIT_EXPECT_EQ(test, fm_filter_drops(&filter, c->context, c->pid,
					      c->tid, &followed), c->drops);
	/* Nobody is followed. */
	KUNIT_EXPECT_EQ(test, followed, 0x55);
}

/* Threads 7 and 9 are followed. */
static const struct fm_followed_case {
	const char *name;
	struct fm_filter filter;
	enum flamemod_context context;
	u32 pid, tid;
	bool drops;
	u8 followed;
} fm_followed_cases[] = {
	{ "all: followed", FM_ALL, FLAMEMOD_CONTEXT_TASK, 7, 7, false, 1 },
	{ "all: its thread", FM_ALL, FLAMEMOD_CONTEXT_USER, 7, 9, false, 1 },
	{ "all: another thread", FM_ALL, FLAMEMOD_CONTEXT_USER, 7, 8, false, 0 },
	{ "all: idle", FM_ALL, FLAMEMOD_CONTEXT_IDLE, 0, 0, false, 0 },
	{ "only: followed", FM_FOLLOWED, FLAMEMOD_CONTEXT_TASK, 7, 7, false, 1 },
	{ "only: its thread", FM_FOLLOWED, FLAMEMOD_CONTEXT_SOFTIRQ, 7, 9, false, 1 },
	{ "only: another thread", FM_FOLLOWED, FLAMEMOD_CONTEXT_USER, 7, 8, true, 0 },
	{ "only: idle", FM_FOLLOWED, FLAMEMOD_CONTEXT_IDLE, 0, 0, true, 0 },
	{ "only kernel: user", FM_FOLLOWED_KERNEL, FLAMEMOD_CONTEXT_USER, 7, 7, true, 1 },
	{ "only kernel: task", FM_FOLLOWED_KERNEL, FLAMEMOD_CONTEXT_TASK, 7, 7, false, 1 },
	{ "pid 7: followed", FM_ONE, FLAMEMOD_CONTEXT_TASK, 7, 7, false, 1 },
	{ "pid 7: not followed", FM_ONE, FLAMEMOD_CONTEXT_TASK, 7, 8, false, 0 },
	{ "pid 7: neither", FM_ONE, FLAMEMOD_CONTEXT_TASK, 6, 6, true, 0 },
};

FM_ARRAY_PARAM(followed);

static void followed_are_marked(struct kunit *test)
{
	const struct fm_followed_case *c = test->param_value;
	struct fm_filter filter = c->filter;
	struct fm_follow follow = {};
	struct fm_memory memory;
	u8 followed = 0x55;

	fm_memory_init(&memory, 1000);
	KUNIT_ASSERT_EQ(test, fm_pool_init_fixed(&follow.tasks, &memory, sizeof(long), 1), 0);
	set_bit(7, fm_follow_bits(&follow, 7));
	set_bit(9, fm_follow_bits(&follow, 9));
	filter.follow = &follow;
	fm_filter_begin(&filter);
	KUNIT_EXPECT_EQ(test, fm_filter_drops(&filter, c->context, c->pid,
					      c->tid, &followed), c->drops);
	KUNIT_EXPECT_EQ(test, followed, c->followed);
	fm_pool_deinit(&follow.tasks);
}

/* That process has ended: nobody is followed. */
static void if_nobody_is_followed_all_are_left_out(struct kunit *test)
{
	struct fm_filter filter = FM_FOLLOWED;
	u8 followed = 1;

	fm_filter_begin(&filter);
	KUNIT_EXPECT_TRUE(test, fm_filter_drops(&filter, FLAMEMOD_CONTEXT_TASK,
						7, 7, &followed));
}

static struct kunit_case fm_filter_suite_cases[] = {
	KUNIT_CASE_PARAM(leaves_out_what_the_settings_name, fm_filter_gen_params),
	KUNIT_CASE_PARAM(followed_are_marked, fm_followed_gen_params),
	KUNIT_CASE(if_nobody_is_followed_all_are_left_out),
	{}
};

struct kunit_suite fm_filter_suite = {
	.name = "flamemod_filter",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_filter_suite_cases,
};
