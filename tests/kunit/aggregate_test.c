// SPDX-License-Identifier: GPL-2.0
/*
 * The aggregate: builds a call tree and a list of tasks, and counts by both.
 *
 * What compares keys is run twice: with hashes as they are, and with all of
 * them the same.
 */
#include <kunit/test.h>

#include "../../common/uapi/flamemod.h"
#include "../../module/aggregate.h"
#include "../../module/memory.h"
#include "redirect.h"
#include "suites.h"

#define FM_LIMIT	(8 * 1024 * 1024)

static struct fm_memory fm_memory;
static struct fm_aggregate *fm_aggregate;

static int fm_aggregate_begin(struct kunit *test)
{
	fm_allocations_init(test);
	fm_hashes_collide = false;
	fm_memory_init(&fm_memory, FM_LIMIT);
	fm_aggregate = fm_aggregate_create(&fm_memory);
	return fm_aggregate ? 0 : -ENOMEM;
}

static void fm_aggregate_end(struct kunit *test)
{
	if (fm_aggregate)
		fm_aggregate_put(fm_aggregate);
	fm_aggregate = NULL;
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_memory), 0);
	fm_hashes_collide = false;
	fm_allocations_exit(test);
}

static int fm_attempt_create(struct kunit *test, void *data)
{
	struct fm_aggregate **aggregate = data;

	*aggregate = fm_aggregate_create(&fm_memory);
	return *aggregate ? 0 : -ENOMEM;
}

static void fm_cleanup_create(struct kunit *test, void *data)
{
	struct fm_aggregate **aggregate = data;

	if (*aggregate)
		fm_aggregate_put(*aggregate);
}

static void create_fails_cleanly(struct kunit *test)
{
	size_t used = fm_memory_used(&fm_memory);
	struct fm_aggregate *aggregate;

	/* Itself, three sets' buckets and directories, the root's chunk. */
	fm_allocations_fail_each(test, 11, -ENOMEM, fm_attempt_create,
				 fm_cleanup_create, &aggregate);
	KUNIT_EXPECT_EQ(test, fm_memory_used(&fm_memory), used);
}

static void lives_as_long_as_it_is_held(struct kunit *test)
{
	unsigned int live = fm_allocations_live();

	fm_aggregate_get(fm_aggregate);
	fm_aggregate_get(fm_aggregate);
	fm_aggregate_put(fm_aggregate);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
	fm_aggregate_put(fm_aggregate);
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
	fm_aggregate_put(fm_aggregate);
	fm_aggregate = NULL;
	KUNIT_EXPECT_EQ(test, fm_allocations_live(), 0);
}

/* A stack, leaf first, and its task. */
static struct fm_folded fm_folded(const u32 *frames, u32 nr_frames)
{
	return (struct fm_folded) {
		.frames = frames,
		.nr_frames = nr_frames,
		.pid = 100,
		.tid = 101,
		.comm = "worker\0\0\0\0\0\0\0\0\0",
		.cgroup = 7,
		.cpu = 2,
		.context = FLAMEMOD_CONTEXT_TASK,
	};
}

static const struct fm_counts fm_one = { .count = 1, .periods = 2, .late_ns = 3 };

static int fm_add(const struct fm_folded *folded, const struct fm_counts *counts)
{
	u32 id;
	int err = fm_aggregate_find(fm_aggregate, folded, &id);

	if (!err)
		fm_aggregate_count(fm_aggregate, id, counts);
	return err;
}

static struct fm_record *fm_record_at(u32 i)
{
	return fm_set_at(&fm_aggregate->records, i);
}

static void counts_add_up(struct kunit *test)
{
	static const u32 frames[] = { 5, 6, 7 };
	struct fm_folded folded = fm_folded(frames, 3);
	struct fm_counts many = { 10, 1ull << 40, 1ull << 50 };
	struct fm_record *record;

	KUNIT_EXPECT_EQ(test, fm_add(&folded, &fm_one), 0);
	KUNIT_EXPECT_EQ(test, fm_add(&folded, &many), 0);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_aggregate->records), 1);
	record = fm_record_at(0);
	KUNIT_EXPECT_EQ(test, record->counts.count, 11);
	KUNIT_EXPECT_EQ(test, record->counts.periods, 2 + (1ull << 40));
	KUNIT_EXPECT_EQ(test, record->counts.late_ns, 3 + (1ull << 50));
}

/* A second stack beside the first: how many nodes, tasks and records are there then? */
static const u32 fm_first[] = { 3, 2, 1 };

#define FM_SAME_TASK	{ 100, 101, "worker\0\0\0\0\0\0\0\0\0" }
#define FM_SAME_PLACE	{ 2, FLAMEMOD_CONTEXT_TASK }

static const struct fm_second_case {
	const char *name;
	u32 nr_frames, frames[4];
	struct {
		u32 pid, tid;
		const char *comm;
		u64 cgroup;	/* 0: the same */
	} task;
	struct {
		u16 cpu;
		u8 context;
	} place;
	u32 nr_nodes, nr_tasks, nr_records;
} fm_second_cases[] = {
	{ "the same", 3, { 3, 2, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 4, 1, 1 },
	{ "other leaf", 3, { 9, 2, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 5, 1, 2 },
	{ "other middle", 3, { 3, 9, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 6, 1, 2 },
	{ "other root", 3, { 3, 2, 9 }, FM_SAME_TASK, FM_SAME_PLACE, 7, 1, 2 },
	{ "its caller", 2, { 2, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 4, 1, 2 },
	{ "a callee", 4, { 4, 3, 2, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 5, 1, 2 },
	{ "recursion", 4, { 3, 3, 2, 1 }, FM_SAME_TASK, FM_SAME_PLACE, 5, 1, 2 },
	{ "turned round", 3, { 1, 2, 3 }, FM_SAME_TASK, FM_SAME_PLACE, 7, 1, 2 },
	{ "no stack", 0, {}, FM_SAME_TASK, FM_SAME_PLACE, 4, 1, 2 },
	{ "other pid", 3, { 3, 2, 1 }, { 99, 101, "worker\0\0\0\0\0\0\0\0\0" },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "other tid", 3, { 3, 2, 1 }, { 100, 99, "worker\0\0\0\0\0\0\0\0\0" },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "other comm", 3, { 3, 2, 1 }, { 100, 101, "worked\0\0\0\0\0\0\0\0\0" },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "longer comm", 3, { 3, 2, 1 }, { 100, 101, "worker1\0\0\0\0\0\0\0\0" },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "comm with another's rest", 3, { 3, 2, 1 },
	  { 100, 101, "worker\0/0:1-eve" }, FM_SAME_PLACE, 4, 1, 1 },
	{ "other cgroup", 3, { 3, 2, 1 }, { 100, 101, "worker\0\0\0\0\0\0\0\0\0", 8 },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "cgroup of another generation", 3, { 3, 2, 1 },
	  { 100, 101, "worker\0\0\0\0\0\0\0\0\0", 1ull << 32 | 7 },
	  FM_SAME_PLACE, 4, 2, 2 },
	{ "other CPU", 3, { 3, 2, 1 }, FM_SAME_TASK, { 3, FLAMEMOD_CONTEXT_TASK },
	  4, 1, 2 },
	{ "CPU 258", 3, { 3, 2, 1 }, FM_SAME_TASK, { 258, FLAMEMOD_CONTEXT_TASK },
	  4, 1, 2 },
	{ "other context", 3, { 3, 2, 1 }, FM_SAME_TASK,
	  { 2, FLAMEMOD_CONTEXT_SOFTIRQ }, 4, 1, 2 },
};

FM_ARRAY_PARAM(second);

/* The record's stack, from its leaf to the root. */
static void fm_expect_stack(struct kunit *test, const struct fm_record *record,
			    const u32 *frames, u32 nr_frames)
{
	const struct fm_node *node;
	u32 i, at = record->node;

	for (i = 0; i < nr_frames; i++) {
		KUNIT_ASSERT_NE(test, at, 0);
		KUNIT_ASSERT_LT(test, at, fm_set_nr(&fm_aggregate->nodes));
		node = fm_set_at(&fm_aggregate->nodes, at);
		KUNIT_EXPECT_EQ(test, node->frame, frames[i]);
		/* So a reader that follows the parents reaches the root. */
		KUNIT_ASSERT_LT(test, node->parent, at);
		at = node->parent;
	}
	KUNIT_EXPECT_EQ(test, at, 0);
}

static void fm_expect_second(struct kunit *test)
{
	const struct fm_second_case *c = test->param_value;
	struct fm_folded first = fm_folded(fm_first, 3), second = {
		.frames = c->frames, .nr_frames = c->nr_frames,
		.pid = c->task.pid, .tid = c->task.tid, .comm = c->task.comm,
		.cgroup = c->task.cgroup ?: 7,
		.cpu = c->place.cpu, .context = c->place.context,
	};
	struct fm_counts ten = { 10, 20, 30 };
	struct fm_record *record;
	struct fm_task *task;

	KUNIT_EXPECT_EQ(test, fm_add(&first, &fm_one), 0);
	KUNIT_EXPECT_EQ(test, fm_add(&second, &ten), 0);
	KUNIT_EXPECT_EQ(test, fm_add(&first, &fm_one), 0);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_aggregate->nodes), c->nr_nodes);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_aggregate->tasks), c->nr_tasks);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_aggregate->records), c->nr_records);
	record = fm_record_at(0);
	KUNIT_EXPECT_EQ(test, record->counts.periods, c->nr_records > 1 ? 4 : 24);
	fm_expect_stack(test, record, fm_first, 3);
	record = fm_record_at(c->nr_records - 1);
	KUNIT_EXPECT_EQ(test, record->counts.count, c->nr_records > 1 ? 10 : 12);
	KUNIT_EXPECT_EQ(test, record->cpu, c->place.cpu);
	KUNIT_EXPECT_EQ(test, (u8)record->context, c->place.context);
	fm_expect_stack(test, record, c->frames, c->nr_frames);
	KUNIT_ASSERT_LT(test, record->task, c->nr_tasks);
	task = fm_set_at(&fm_aggregate->tasks, record->task);
	KUNIT_EXPECT_EQ(test, task->pid, c->task.pid);
	KUNIT_EXPECT_EQ(test, task->tid, c->task.tid);
	KUNIT_EXPECT_EQ(test, task->cgroup, c->task.cgroup ?: 7);
	KUNIT_EXPECT_STREQ(test, task->comm, c->task.comm);
}

static void add_separates_what_differs(struct kunit *test)
{
	fm_expect_second(test);
}

static void add_separates_what_only_shares_a_hash(struct kunit *test)
{
	fm_hashes_collide = true;
	fm_expect_second(test);
}

static void the_empty_stack_is_the_root(struct kunit *test)
{
	struct fm_folded folded = fm_folded(NULL, 0);

	KUNIT_EXPECT_EQ(test, fm_add(&folded, &fm_one), 0);
	KUNIT_EXPECT_EQ(test, fm_record_at(0)->node, 0);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_aggregate->nodes), 1);
}

static void a_comm_without_an_end_is_cut(struct kunit *test)
{
	struct fm_folded folded = fm_folded(fm_first, 3);
	struct fm_task *task;

	folded.comm = "sixteen_letters!and_what_follows";
	KUNIT_EXPECT_EQ(test, fm_add(&folded, &fm_one), 0);
	task = fm_set_at(&fm_aggregate->tasks, 0);
	KUNIT_EXPECT_STREQ(test, task->comm, "sixteen_letters");
}

/* Frame 0 is a frame like any other: it must not be taken for the root node. */
static void frame_zero_is_no_root(struct kunit *test)
{
	static const u32 zeros[] = { 0, 0, 0 };
	struct fm_folded folded = fm_folded(zeros, 3);

	KUNIT_EXPECT_EQ(test, fm_add(&folded, &fm_one), 0);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_aggregate->nodes), 4);
	fm_expect_stack(test, fm_record_at(0), zeros, 3);
}

static void fm_stack_of(u32 *frames, u32 nr, u32 i)
{
	for (; nr--; i /= 7)
		frames[nr] = i % 7;
}

/* Thousands of stacks, so that every set has grown; each is counted apart. */
static void many_stacks_are_kept_apart(struct kunit *test)
{
	struct fm_counts counts = fm_one;
	struct fm_folded folded;
	u32 i, frames[6];

	for (i = 0; i < 6000; i++) {
		fm_stack_of(frames, 6, i % 3000);
		folded = fm_folded(frames, 6);
		counts.periods = i % 3000;
		KUNIT_ASSERT_EQ(test, fm_add(&folded, &counts), 0);
	}
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_aggregate->records), 3000);
	for (i = 0; i < 3000; i++) {
		fm_stack_of(frames, 6, i);
		KUNIT_EXPECT_EQ(test, fm_record_at(i)->counts.count, 2);
		KUNIT_EXPECT_EQ(test, fm_record_at(i)->counts.periods, 2 * i);
		fm_expect_stack(test, fm_record_at(i), frames, 6);
	}
}

/* While a set grows, others may run once for each chunk of its elements. */
static void a_set_that_grows_lets_others_run(struct kunit *test)
{
	struct fm_set *nodes = &fm_aggregate->nodes;
	u32 before, frame = 0, nr_heads, node;

	do {
		nr_heads = nodes->nr_heads;
		before = fm_nr_resched;
		frame++;
		KUNIT_ASSERT_EQ(test, fm_aggregate_node(fm_aggregate, 0, &frame, 1, &node), 0);
	} while (nodes->nr_heads == nr_heads || nr_heads < 4 * FM_POOL_CHUNK);
	KUNIT_EXPECT_EQ(test, fm_nr_resched - before, nr_heads / FM_POOL_CHUNK);
}

static u64 fm_sum_of_periods(void)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < fm_set_nr(&fm_aggregate->records); i++)
		sum += fm_record_at(i)->counts.periods;
	return sum;
}

static int fm_attempt_add(struct kunit *test, void *data)
{
	struct fm_folded folded = fm_folded(fm_first, 3);
	u64 before = fm_sum_of_periods();
	int err;

	err = fm_add(&folded, &fm_one);
	KUNIT_EXPECT_EQ(test, fm_sum_of_periods(), before + (err ? 0 : 2));
	return err;
}

static void fm_cleanup_add(struct kunit *test, void *data)
{
	/* A new aggregate: the next attempt could use what a failed one left. */
	fm_aggregate_put(fm_aggregate);
	fm_aggregate = fm_aggregate_create(&fm_memory);
	KUNIT_ASSERT_NOT_NULL(test, fm_aggregate);
}

static void add_fails_cleanly(struct kunit *test)
{
	/* A chunk of tasks and one of records. */
	fm_allocations_fail_each(test, 2, -ENOSPC, fm_attempt_add,
				 fm_cleanup_add, NULL);
}

/* At its limit, a full aggregate keeps its counts, and known stacks still count. */
static const struct fm_full_case {
	const char *name;
	size_t limit;
	bool tasks;		/* many tasks, or many stacks */
} fm_full_cases[] = {
	{ "stacks in 72 KiB", 72 << 10, false },
	{ "stacks in 192 KiB", 192 << 10, false },
	{ "stacks in 1 MiB", 1 << 20, false },
	{ "tasks in 64 KiB", 64 << 10, true },
	{ "tasks in 1 MiB", 1 << 20, true },
};

FM_ARRAY_PARAM(full);

static int fm_add_nth(const struct fm_full_case *c, u32 i)
{
	u32 frames[6];
	struct fm_folded folded;

	fm_stack_of(frames, 6, c->tasks ? 0 : i);
	folded = fm_folded(frames, 6);
	folded.tid = c->tasks ? i : 101;
	return fm_add(&folded, &fm_one);
}

static void a_full_aggregate_keeps_what_it_has(struct kunit *test)
{
	const struct fm_full_case *c = test->param_value;
	u32 i, nr = 0, again = 0;
	u64 sum;

	fm_aggregate_put(fm_aggregate);
	fm_memory_init(&fm_memory, c->limit);
	fm_aggregate = fm_aggregate_create(&fm_memory);
	KUNIT_ASSERT_NOT_NULL(test, fm_aggregate);
	while (nr < 100000 && !fm_add_nth(c, nr))
		nr++;
	/* A chunk of each set was there: 512, of which some are inner nodes. */
	KUNIT_EXPECT_GE(test, nr, 200);
	KUNIT_EXPECT_LT(test, nr, 100000);
	KUNIT_EXPECT_EQ(test, fm_add_nth(c, nr), -ENOSPC);
	KUNIT_EXPECT_EQ(test, fm_add_nth(c, nr + 1000), -ENOSPC);
	KUNIT_EXPECT_LE(test, fm_memory_used(&fm_memory), c->limit);
	sum = fm_sum_of_periods();
	KUNIT_EXPECT_EQ(test, sum, 2 * nr);
	for (i = 0; i < nr; i++)
		again += !fm_add_nth(c, i);
	KUNIT_EXPECT_EQ(test, again, nr);
	KUNIT_EXPECT_EQ(test, fm_sum_of_periods(), 2 * sum);
}

static struct kunit_case fm_aggregate_cases[] = {
	KUNIT_CASE(create_fails_cleanly),
	KUNIT_CASE(lives_as_long_as_it_is_held),
	KUNIT_CASE(counts_add_up),
	KUNIT_CASE_PARAM(add_separates_what_differs, fm_second_gen_params),
	KUNIT_CASE_PARAM(add_separates_what_only_shares_a_hash,
			 fm_second_gen_params),
	KUNIT_CASE(the_empty_stack_is_the_root),
	KUNIT_CASE(a_comm_without_an_end_is_cut),
	KUNIT_CASE(frame_zero_is_no_root),
	KUNIT_CASE(many_stacks_are_kept_apart),
	KUNIT_CASE(a_set_that_grows_lets_others_run),
	KUNIT_CASE(add_fails_cleanly),
	KUNIT_CASE_PARAM(a_full_aggregate_keeps_what_it_has,
			 fm_full_gen_params),
	{}
};

struct kunit_suite fm_aggregate_suite = {
	.name = "flamemod_aggregate",
	.init = fm_aggregate_begin,
	.exit = fm_aggregate_end,
	.test_cases = fm_aggregate_cases,
};
