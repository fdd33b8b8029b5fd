// SPDX-License-Identifier: GPL-2.0
/*
 * User stacks in drains: they become nodes of the call tree and are counted by what
 * became of them; what is unread or has no room says so.
 */
#include <linux/ptrace.h>
#include <kunit/test.h>

#include "../../module/aggregate.h"
#include "../../module/drain.h"
#include "../../module/drain_user.h"
#include "../../module/user/names.h"
#include "../../module/user/walk.h"
#include "by_hand.h"
#include "drained.h"
#include "held.h"
#include "name.h"
#include "redirect.h"
#include "suites.h"

static u32 fm_end_of(u32 path, enum flamemod_user_side side)
{
	return fm_user_paths_end(fm_drained_paths(), path, &side);
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
	return fm_frame_text(frame);
}

static void user_stacks_are_counted_by_what_became_of_them(struct kunit *test)
{
	struct fm_user_paths *paths;
	u32 made, nr;

	fm_held_start(test);
	paths = fm_drained_paths();
	made = fm_user_paths_add(paths, 0, fm_user_frame(0, FM_USER_MADE));
	fm_drained_add(test, made, FLAMEMOD_USER_BY_FP, 3);
	fm_drained_add(test, fm_end_of(made, FLAMEMOD_USER_FAULT), FLAMEMOD_USER_FAULT, 5);
	fm_drained_add(test, fm_user_paths_nothing(FLAMEMOD_USER_EXEC), FLAMEMOD_USER_EXEC, 7);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 3);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_FAULT], 5);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_EXEC], 7);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 15);
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: exec]");
	nr = fm_set_nr(&fm_session->aggregate->records);
	KUNIT_EXPECT_EQ(test, nr, 3);
	/* Found again, by its note. */
	fm_drained_add(test, made, FLAMEMOD_USER_BY_FP, 1);
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
	key.user = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(0, FM_USER_MADE));
	table = &fm_cpu->tables[fm_cpu->table];
	KUNIT_ASSERT_TRUE(test, fm_table_add(table, &key, 1, 0, &table->last));
	fm_cpu->books.fires++;
	fm_cpu->books.stored++;
	fm_cpu_pass(fm_cpu, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit]");
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
	static struct fm_object_file file = {
		.label = { .path = "/bin/program", .path_bytes = 12 }, .shown = &file.label,
	};
	u32 path;

	fm_held_start(test);
	atomic_set(&objects->nr, 1);
	objects->list[0].number = 1;
	path = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(1, 0x123));
	path = fm_end_of(path, FLAMEMOD_USER_NOT_LEARNED);
	fm_drained_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: not learned]");
	/* That is not kept: the next drain may know it. */
	objects->list[0].file = &file;
	objects->list[0].state = FM_OBJECT_NO_ROWS;
	fm_drained_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 1);
	fm_held_drain();
	objects->list[0].file = NULL;
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "/bin/program+0x123");
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(1), "[user: not learned]");
}

/* If the worker is not done, the stack is not learned; its place is not lost. */
static void a_copy_is_what_the_worker_found(struct kunit *test)
{
	struct fm_copies *copies = fm_cpu->maps->copies;
	struct fm_result *result = fm_copies_place(copies, 0);
	u32 path, known;

	fm_held_start(test);
	known = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(0, FM_USER_FOREIGN));
	path = fm_user_paths_add(fm_drained_paths(), known, fm_user_frame(0, FM_USER_COPIED));
	copies->next = 1;
	copies->walked = 1;
	result->state = FM_RESULT_DONE;
	result->side = FLAMEMOD_USER_BY_FP;
	result->nr_frames = 1;
	result->frames[0] = fm_user_frame(0, FM_USER_MADE);
	fm_drained_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 3);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 3);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_NOT_LEARNED], 0);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_FREE);
	KUNIT_EXPECT_EQ(test, fm_session->wait_jiffies, FM_DRAIN_WAIT);
	copies->next = 2;
	result = fm_copies_place(copies, 1);
	result->number = 1;
	result->state = FM_RESULT_AWAITED;
	path = fm_user_paths_add(fm_drained_paths(), known, fm_user_frame(0, FM_USER_COPIED + 1));
	fm_drained_add(test, path, FLAMEMOD_USER_NOT_LEARNED, 5);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[unread file]");
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(1), "[user: not learned]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_NOT_LEARNED], 5);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 8);
	KUNIT_EXPECT_EQ(test, result->state, FM_RESULT_LEFT);
	KUNIT_EXPECT_EQ(test, fm_session->wait_jiffies, 0);
}

/* A stack in code that a process made at run time, at one address. */
static u32 fm_made_of(u32 pid)
{
	u32 path = fm_user_paths_add(fm_drained_paths(), 0,
				     fm_user_frame(0, FM_USER_PROCESS + pid));

	return fm_user_paths_add(fm_drained_paths(), path, fm_user_frame_made(0x7f0012345678));
}

/* The same address is another frame in another process. */
static void code_made_at_run_time_is_its_processes(struct kunit *test)
{
	u32 paths[2], nodes;

	fm_held_start(test);
	nodes = fm_set_nr(&fm_session->aggregate->nodes);
	paths[0] = fm_made_of(5);
	paths[1] = fm_made_of(4194304);
	fm_drained_add(test, paths[0], FLAMEMOD_USER_BY_FP, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit 5]+0x7f0012345678");
	fm_drained_add(test, paths[1], FLAMEMOD_USER_BY_FP, 1);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit 4194304]+0x7f0012345678");
	/* The process is no frame. */
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), nodes + 2);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
	KUNIT_EXPECT_STREQ(test, fm_user_name_shown("[jit 5]+0x7f0012345678"), "[jit]");
	KUNIT_EXPECT_STREQ(test, fm_user_name_shown("/bin/jit+0x1"), "/bin/jit+0x1");
}

/* Addresses are many: in a profile that is a quarter full such code is one frame. */
static void a_profile_that_is_a_quarter_full_takes_no_addresses(struct kunit *test)
{
	u32 path;

	fm_held_start(test);
	KUNIT_ASSERT_LT(test, fm_memory_used(&fm_session->memory),
			fm_session->memory.limit_bytes / 4);
	atomic_long_add(fm_session->memory.limit_bytes / 4, &fm_session->memory.used_bytes);
	path = fm_made_of(5);
	fm_drained_add(test, path, FLAMEMOD_USER_BY_FP, 2);
	fm_held_drain();
	atomic_long_sub(fm_session->memory.limit_bytes / 4, &fm_session->memory.used_bytes);
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_BY_FP], 2);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_CROWDED], 0);
}

/* The names of frames are the session's, though the profile is that of events. */
static void names_of_events_leave_a_quarter(struct kunit *test)
{
	struct fm_memory other;
	struct fm_drain_to to = { .memory = &other };
	u8 side = FLAMEMOD_USER_BY_FP;
	u32 path, node;

	fm_held_start(test);
	fm_memory_init(&other, FM_HELD_BYTES);
	to.aggregate = fm_session->aggregate;
	path = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(0, FM_USER_MADE));
	fm_session_lock(fm_session);
	atomic_long_add(FM_HELD_BYTES / 2, &fm_session->memory.used_bytes);
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, fm_drained_paths(), path, &node,
					    &side), FM_SYMBOLS_PASSES);
	atomic_long_sub(FM_HELD_BYTES / 2, &fm_session->memory.used_bytes);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_CROWDED);
	side = FLAMEMOD_USER_BY_FP;
	/* The timer's own stacks, which fill half of it, are not in the way of events'. */
	atomic_long_add(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, fm_drained_paths(), path, &node,
					    &side), 0);
	atomic_long_sub(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	/* Nor does a profile of events take more that is half full. */
	path = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(0, FM_USER_FOREIGN));
	atomic_long_add(FM_HELD_BYTES / 2 + 1, &other.used_bytes);
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, fm_drained_paths(), path, &node,
					    &side), FM_SYMBOLS_PASSES);
	atomic_long_sub(FM_HELD_BYTES / 2 + 1, &other.used_bytes);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_CROWDED);
	side = FLAMEMOD_USER_BY_FP;
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, fm_drained_paths(), path, &node,
					    &side), 0);
	KUNIT_EXPECT_EQ(test, side, FLAMEMOD_USER_BY_FP);
	fm_session_unlock(fm_session);
}

/* They are anyone's choice, so they leave half of the memory to the rest. */
static void a_profile_that_is_half_full_takes_no_more(struct kunit *test)
{
	u32 path;

	fm_held_start(test);
	atomic_long_add(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	path = fm_user_paths_add(fm_drained_paths(), 0, fm_user_frame(0, FM_USER_MADE));
	fm_drained_add(test, path, FLAMEMOD_USER_WHOLE, 2);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[user: crowded]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_WHOLE], 0);
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_CROWDED], 2);
	atomic_long_sub(FM_HELD_BYTES / 3, &fm_session->memory.used_bytes);
	/* And with room again it does. */
	fm_drained_add(test, path, FLAMEMOD_USER_WHOLE, 2);
	fm_held_drain();
	KUNIT_EXPECT_STREQ(test, fm_user_frame_name(0), "[jit]");
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_WHOLE], 2);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 4);
}

#ifdef CONFIG_X86_64
/* This is a kernel thread: it has no user memory that could be read. */
static void a_task_without_memory_has_no_stack(struct kunit *test)
{
	fm_held_start(test);
	fm_hand.context = FLAMEMOD_CONTEXT_USER;
	fm_cpu->user_stacks = true;
	KUNIT_ASSERT_NULL(test, current->mm);
	fm_hand.has_memory = true;
	fm_hand_fire(fm_cpu, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.user,
			fm_user_paths_nothing(FLAMEMOD_USER_EXEC));
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.side, FLAMEMOD_USER_EXEC);
	fm_hand.has_memory = false;
	fm_hand.now_ns += fm_session->period_ns;
	fm_hand_fire(fm_cpu, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.user, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.side, 0);
	fm_cpu->user_stacks = false;
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

/* Start, with or without user stacks; the nth allocation fails, 0: none. */
static int fm_start_user_stacks(bool on, u32 nth, struct netlink_ext_ack *extack)
{
	struct fm_change change = {
		.settings = kzalloc(sizeof(*change.settings), GFP_KERNEL),
		.named = FM_SETTING(USER_STACKS),
	};
	int err;

	if (!change.settings)
		return -ENOMEM;
	change.settings->user_stacks = on;
	fm_allocations_fail(nth);
	err = fm_session_start(fm_session, &change, extack);
	fm_allocations_fail(0);
	cancel_delayed_work_sync(&fm_session->drain_work);
	kfree(change.settings);
	return err;
}

/* The first start with them allocates what they need; off, samples have none. */
static void a_start_switches_them(struct kunit *test)
{
	struct netlink_ext_ack extack = {};
	size_t used;

	KUNIT_ASSERT_EQ(test, fm_held_renew(FM_HELD_BYTES), 0);
	fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	fm_session->limits.rows_bytes = FM_ROWS_KB_MIN * 1024;
	used = fm_session_memory(fm_session);
	if (!fm_user_stacks_exist()) {
		KUNIT_EXPECT_EQ(test, fm_start_user_stacks(true, 0, &extack), -EOPNOTSUPP);
		KUNIT_ASSERT_NOT_NULL(test, extack._msg);
		KUNIT_EXPECT_EQ(test, strncmp(extack._msg, "user-stacks: ", 13), 0);
		return;
	}
	KUNIT_EXPECT_NULL(test, fm_session->objects);
	fm_session->settings->user_places = true;
	KUNIT_ASSERT_EQ(test, fm_start_user_stacks(true, 0, &extack), 0);
	KUNIT_EXPECT_TRUE(test, fm_session->settings->user_places);
	KUNIT_EXPECT_TRUE(test, fm_cpu->user_stacks);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->objects);
	KUNIT_ASSERT_NOT_NULL(test, fm_cpu->maps);
	KUNIT_EXPECT_GE(test, fm_session_memory(fm_session),
			used + FM_USER_KB_MIN * 1024 + FM_OBJECTS_BYTES);
	KUNIT_EXPECT_LE(test, fm_session_memory(fm_session),
			fm_session_memory_limit(fm_session));
	fm_drained_add(test, fm_user_paths_nothing(FLAMEMOD_USER_EXEC), FLAMEMOD_USER_EXEC, 1);
	fm_hand.now_ns += fm_session->period_ns;
	fm_cpu->sample.key.user = 7;
	fm_cpu->sample.key.side = 1;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_start_user_stacks(false, 0, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->user_stacks);
	fm_hand.context = FLAMEMOD_CONTEXT_USER;
	fm_hand_fire(fm_cpu, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.user, 0);
	KUNIT_EXPECT_EQ(test, fm_cpu->sample.key.side, 0);
	fm_held_drain();
	/* What was sampled before is kept. */
	KUNIT_EXPECT_EQ(test, fm_session->sides[FLAMEMOD_USER_EXEC], 1);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 2);
}

/* A start without memory for them is refused, and changes nothing. */
static void a_start_without_memory_fails_cleanly(struct kunit *test)
{
	u32 nth, live;

	if (!fm_user_stacks_exist())
		return;
	KUNIT_ASSERT_EQ(test, fm_held_renew(FM_HELD_BYTES), 0);
	fm_session->limits.user_bytes = FM_USER_KB_MIN * 1024;
	fm_session->limits.rows_bytes = FM_ROWS_KB_MIN * 1024;
	/* A CPU that was sampled before keeps its tables. */
	fm_held_start(test);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	live = fm_allocations_live();
	for (nth = 1; nth <= 4; nth++) {
		KUNIT_EXPECT_EQ(test, fm_start_user_stacks(true, nth, NULL), -ENOMEM);
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live);
		KUNIT_EXPECT_NULL(test, fm_session->objects);
		KUNIT_EXPECT_FALSE(test, fm_session->settings->user_stacks);
	}
	/*
	 * What all CPUs share stays. The CPU's own are maps, three for each table, and
	 * copies.
	 */
	for (nth = 5; nth <= 12; nth++) {
		KUNIT_EXPECT_EQ(test, fm_start_user_stacks(true, nth > 5 ? nth - 4 : 5, NULL),
				-ENOMEM);
		KUNIT_EXPECT_EQ(test, fm_allocations_live(), live + 4);
		KUNIT_EXPECT_NOT_NULL(test, fm_session->objects);
		KUNIT_EXPECT_NULL(test, fm_cpu->maps);
		KUNIT_EXPECT_TRUE(test, fm_cpu->has_tables);
	}
	KUNIT_EXPECT_EQ(test, fm_start_user_stacks(true, 0, NULL), 0);
}

static struct kunit_case fm_user_drain_cases[] = {
	KUNIT_CASE(user_stacks_are_counted_by_what_became_of_them),
	KUNIT_CASE(a_stall_in_a_user_stack_is_its_leaf),
	KUNIT_CASE(a_file_that_is_not_read_yet_has_no_name),
	KUNIT_CASE(a_copy_is_what_the_worker_found),
	KUNIT_CASE(code_made_at_run_time_is_its_processes),
	KUNIT_CASE(a_profile_that_is_a_quarter_full_takes_no_addresses),
	KUNIT_CASE(names_of_events_leave_a_quarter),
	KUNIT_CASE(a_profile_that_is_half_full_takes_no_more),
#ifdef CONFIG_X86_64
	KUNIT_CASE(a_task_without_memory_has_no_stack),
#endif
	KUNIT_CASE(user_stacks_are_in_the_account_of_memory),
	KUNIT_CASE(a_start_switches_them),
	KUNIT_CASE(a_start_without_memory_fails_cleanly),
	{}
};

struct kunit_suite fm_user_drain_suite = {
	.name = "flamemod_user_drain",
	.init = fm_drained_begin,
	.exit = fm_held_end,
	.test_cases = fm_user_drain_cases,
};
