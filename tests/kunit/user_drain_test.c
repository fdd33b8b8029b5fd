// SPDX-License-Identifier: GPL-2.0
/*
 * User stacks in drains: they become nodes of the call tree and are counted by what
 * became of them; what is unread or has no room says so.
 */
#include <linux/ptrace.h>
#include <kunit/test.h>

#include "../../module/drain.h"
#include "../../module/user/walk.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

static int fm_user_drain_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	if (err)
		return err;
	fm_session->objects = fm_objects_create(FM_ROWS_KB_MIN * 1024, false);
	if (!fm_session->objects)
		return -ENOMEM;
	fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	return fm_sampler_init_user(fm_cpu, fm_session->objects,
				    fm_session->limits.user_bytes);
}

/* A sample with a user stack, as the timer adds it. */
static void fm_add(struct kunit *test, u32 user, enum flamemod_user_side side, u64 periods)
{
	struct fm_key key = {
		.context = FLAMEMOD_CONTEXT_USER,
		.pid = 5,
		.tid = 5,
		.comm = "test",
		.user = user,
		.side = side,
	};
	struct fm_table *table = &fm_cpu->tables[fm_cpu->table];

	KUNIT_ASSERT_TRUE(test, fm_table_add(table, &key, periods, 0, &table->last));
	fm_cpu->books.fires += periods;
	fm_cpu->books.stored += periods;
	fm_cpu_pass(fm_cpu, periods);
}

static struct fm_user_paths *fm_paths_now(void)
{
	return &fm_cpu->sample.paths->user;
}

static u32 fm_end_of(u32 path, enum flamemod_user_side side)
{
	return fm_user_paths_end(fm_paths_now(), path, &side);
}

/* The name of a frame of the last record's user stack, the nth from the leaf. */
static const char *fm_user_frame_name(u32 n)
{
	struct fm_aggregate *aggregate = fm_session->aggregate;
	struct fm_record *record =
		fm_set_at(&aggregate->records, fm_set_nr(&aggregate->records) - 1);
	struct fm_node *node = fm_set_at(&aggregate->nodes, record->user);
	struct fm_frame *frame;

	while (n--)
		node = fm_set_at(&aggregate->nodes, node->parent);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	return frame->name;
}

static void user_stacks_are_counted_by_what_became_of_them(struct kunit *test)
{
	struct fm_user_paths *paths;
	u32 made, nr;

	fm_held_start(test);
	paths = fm_paths_now();
	made = fm_user_paths_add(paths, 0, fm_user_frame(0, FM_USER_MADE));
	fm_add(test, made, FLAMEMOD_USER_BY_FP, 3);
	fm_add(test, fm_end_of(made, FLAMEMOD_USER_FAULT), FLAMEMOD_USER_FAULT, 5);
	fm_add(test, fm_user_paths_nothing(FLAMEMOD_USER_EXITED), FLAMEMOD_USER_EXITED, 7);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 3);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_FAULT], 5);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_EXITED], 7);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 15);
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: exited]");
	nr = fm_set_nr(&fm_session->aggregate->records);
	KUNIT_EXPECT_EQ(test, nr, 3);
	/* Found again, by its note. */
	fm_add(test, made, FLAMEMOD_USER_BY_FP, 1);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 4);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->records), nr);
	/* An epoch has its own counts. */
	KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 0);
}

/* The user stack is where that time went; "[user]" stands in for one. */
static void a_stall_in_a_user_stack_is_its_leaf(struct kunit *test)
{
	struct fm_table *table;
	struct fm_key key = {
		.context = FLAMEMOD_CONTEXT_USER,
		.comm = "test",
		.marks = FM_STACK_STALLED,
	};
	struct fm_record *record;
	struct fm_node *node;
	struct fm_frame *frame;

	fm_held_start(test);
	key.user = fm_user_paths_add(fm_paths_now(), 0, fm_user_frame(0, FM_USER_MADE));
	table = &fm_cpu->tables[fm_cpu->table];
	KUNIT_ASSERT_TRUE(test, fm_table_add(table, &key, 1, 0, &table->last));
	fm_cpu->books.fires++;
	fm_cpu->books.stored++;
	fm_cpu_pass(fm_cpu, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[made at run time]");
	record = fm_set_at(&fm_session->aggregate->records,
			   fm_set_nr(&fm_session->aggregate->records) - 1);
	node = fm_set_at(&fm_session->aggregate->nodes, record->node);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	KUNIT_EXPECT_STREQ(test, frame->name, "[stalled]");
	KUNIT_EXPECT_EQ(test, node->parent, 0);
}

static void a_file_that_is_not_read_yet_has_no_name(struct kunit *test)
{
	struct fm_objects *objects = fm_session->objects;
	static struct fm_object_file file = { .path = "/bin/program" };
	u32 path;

	fm_held_start(test);
	atomic_set(&objects->nr, 1);
	objects->list[0].number = 1;
	path = fm_user_paths_add(fm_paths_now(), 0, fm_user_frame(1, 0x123));
	path = fm_end_of(path, FLAMEMOD_USER_NOT_LEARNED);
	fm_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: not learned]");
	/* That is not kept: the next drain may know it. */
	objects->list[0].file = &file;
	objects->list[0].state = FM_OBJECT_NO_ROWS;
	fm_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 1);
	fm_held_drain();
	objects->list[0].file = NULL;
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "/bin/program+0x123");
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(1), "[user: not learned]");
}

/* They are anyone's choice, so they leave half of the memory to the rest. */
static void a_profile_that_is_half_full_takes_no_more(struct kunit *test)
{
	u32 path;

	fm_held_start(test);
	atomic_long_add(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	path = fm_user_paths_add(fm_paths_now(), 0, fm_user_frame(0, FM_USER_MADE));
	fm_add(test, path, FLAMEMOD_USER_WHOLE, 2);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: crowded]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_WHOLE], 0);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_CROWDED], 2);
	atomic_long_sub(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	/* And with room again it does. */
	fm_add(test, path, FLAMEMOD_USER_WHOLE, 2);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[made at run time]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_WHOLE], 2);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 4);
}

#ifdef CONFIG_X86_64
/* This is a kernel thread: it has no user memory that could be read. */
static void a_task_without_memory_has_no_stack(struct kunit *test)
{
	enum flamemod_user_side side = FLAMEMOD_USER_WHOLE;
	struct pt_regs regs = {};
	u32 path;

	KUNIT_ASSERT_NULL(test, current->mm);
	path = fm_user_walk(fm_cpu->maps, fm_paths_now(), &regs, true, &side);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_EXITED);
	KUNIT_EXPECT_EQ(test, path, fm_user_paths_nothing(FLAMEMOD_USER_EXITED));
}
#endif

/* A program's tables are freed with the session, and are in its account. */
static void user_stacks_are_in_the_account_of_memory(struct kunit *test)
{
	size_t used = fm_session_memory(fm_session);
	size_t limit = fm_session_memory_limit(fm_session);

	fm_session->objects->bytes = 4096;
	KUNIT_EXPECT_EQ(test, fm_session_memory(fm_session), used + 4096);
	fm_session->objects->bytes = 0;
	fm_session->limits.rows_bytes += 8192;
	KUNIT_EXPECT_EQ(test, fm_session_memory_limit(fm_session), limit + 8192);
	fm_session->limits.user_bytes += 1000;
	KUNIT_EXPECT_EQ(test, fm_session_memory(fm_session), used + 1000);
}

static struct kunit_case fm_user_drain_cases[] = {
	KUNIT_CASE(user_stacks_are_counted_by_what_became_of_them),
	KUNIT_CASE(a_stall_in_a_user_stack_is_its_leaf),
	KUNIT_CASE(a_file_that_is_not_read_yet_has_no_name),
	KUNIT_CASE(a_profile_that_is_half_full_takes_no_more),
#ifdef CONFIG_X86_64
	KUNIT_CASE(a_task_without_memory_has_no_stack),
#endif
	KUNIT_CASE(user_stacks_are_in_the_account_of_memory),
	{}
};

struct kunit_suite fm_user_drain_suite = {
	.name = "flamemod_user_drain",
	.init = fm_user_drain_begin,
	.exit = fm_held_end,
	.test_cases = fm_user_drain_cases,
};
