// SPDX-License-Identifier: GPL-2.0
/*
 * What a drain keeps of user stacks: the nodes of the one before, and nodes by their callers.
 * A stack comes to the same node as if nothing was kept.
 */
#include <kunit/test.h>

#include "../../module/aggregate.h"
#include "../../module/drain.h"
#include "../../module/drain_user.h"
#include "../../module/user/object.h"
#include "allocations.h"
#include "drained.h"
#include "held.h"
#include "name.h"
#include "redirect.h"
#include "suites.h"

/* The names of a record's user stack, the leaf's first. */
static const char *fm_user_names_of(struct kunit *test, u32 nr)
{
	struct fm_aggregate *aggregate = fm_session->aggregate;
	struct fm_record *record = fm_set_at(&aggregate->records, nr);
	char *names = kunit_kzalloc(test, 256, GFP_KERNEL);
	struct fm_frame *frame;
	struct fm_node *node;
	u32 at, length = 0;

	KUNIT_ASSERT_NOT_NULL(test, names);
	for (at = record->user; at && length < 200; at = node->parent) {
		node = fm_set_at(&aggregate->nodes, at);
		frame = fm_set_at(&fm_session->symbols.frames, node->frame);
		length += scnprintf(names + length, 256 - length, " %s",
				    fm_frame_text(frame));
	}
	return names;
}

/* Two files: the first was read, the second was not. */
static void fm_user_two_files(void)
{
	static struct fm_object_file file = {
		.label = { .path = "/a", .path_bytes = 2 }, .shown = &file.label,
	};
	struct fm_object *list = fm_session->objects->list;

	atomic_set(&fm_session->objects->nr, 2);
	list[0].number = 1;
	list[0].file = &file;
	list[0].state = FM_OBJECT_NO_ROWS;
	list[1].number = 2;
}

static struct fm_chunk *fm_no_chunks[1];

#define FM_A(offset)	fm_user_frame(1, offset)
#define FM_UNREAD	fm_user_frame(2, 0x1000)

/* A user stack, the leaf first; 0 ends it. And the names that its record has. */
struct fm_user_case {
	u64 frames[6];
	const char *names;
};

/* Drain a sample of each stack; the first one has this record, the others those after it. */
static void fm_drain_cases(struct kunit *test, u32 record, const struct fm_user_case *cases,
			   u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const u64 *frame = cases[i].frames;
		u32 path = 0;

		while (*frame)
			path = fm_user_paths_add(fm_drained_paths(), path, *frame++);
		fm_drained_add(test, path, FLAMEMOD_USER_WHOLE, 1);
	}
	fm_held_drain();
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_STREQ(test, fm_user_names_of(test, record + i), cases[i].names);
	KUNIT_EXPECT_EQ(test, fm_nr_errors, 0);
}

/* A stack has the nodes of the one before, as far as they begin alike, and no more. */
static void stacks_that_begin_alike_share_nodes(struct kunit *test)
{
	const struct fm_user_case cases[] = {
		{ { FM_A(3), FM_A(2), FM_A(1) }, " /a+0x3 /a+0x2 /a+0x1" },
		{ { FM_A(4), FM_A(2), FM_A(1) }, " /a+0x4 /a+0x2 /a+0x1" },
		{ { FM_A(1) }, " /a+0x1" },
		{ { FM_A(3), FM_A(2), FM_A(1), FM_A(5) }, " /a+0x3 /a+0x2 /a+0x1 /a+0x5" },
		{ { FM_A(2), FM_A(6), FM_A(1), FM_A(5) }, " /a+0x2 /a+0x6 /a+0x1 /a+0x5" },
		{ { FM_A(2), FM_A(1), FM_A(5) }, " /a+0x2 /a+0x1 /a+0x5" },
	}, last = { { FM_A(7), FM_A(1), FM_A(5) }, " /a+0x7 /a+0x1 /a+0x5" };
	u32 nodes;

	fm_held_start(test);
	fm_user_two_files();
	nodes = fm_set_nr(&fm_session->aggregate->nodes);
	fm_drain_cases(test, 0, cases, ARRAY_SIZE(cases));
	KUNIT_EXPECT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes), nodes + 10);
	/* The next drain looks for them again, as they may be gone. */
	KUNIT_EXPECT_EQ(test, fm_session->drained.nr, 3);
	fm_session->drained.nodes[1] = 0;
	fm_drain_cases(test, ARRAY_SIZE(cases), &last, 1);
	fm_session->objects->list[0].file = NULL;
}

/* Nodes are of one profile. */
static void stacks_that_begin_alike_share_no_profile(struct kunit *test)
{
	struct fm_aggregate *other = fm_aggregate_create(&fm_session->memory);
	struct fm_drain_to to = {
		.aggregate = fm_session->aggregate,
		.memory = &fm_session->memory,
	};
	struct fm_user_paths *paths = fm_drained_paths();
	u32 root = fm_user_paths_add(paths, 0, FM_A(1)), path, node;
	u8 side = FLAMEMOD_USER_WHOLE;

	KUNIT_ASSERT_NOT_NULL(test, other);
	fm_user_two_files();
	path = fm_user_paths_add(paths, fm_user_paths_add(paths, 0, FM_A(2)), FM_A(1));
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, paths, path, &node, &side), 0);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&other->nodes), 1);
	to.aggregate = other;
	KUNIT_EXPECT_EQ(test, fm_drain_user(fm_session, &to, paths, root, &node, &side), 0);
	KUNIT_EXPECT_EQ(test, fm_set_nr(&other->nodes), 2);
	KUNIT_EXPECT_EQ(test, node, 1);
	fm_session->objects->list[0].file = NULL;
	fm_aggregate_put(other);
}

/* What has another name in another stack is not taken from the one before. */
static void stacks_that_begin_alike_may_differ(struct kunit *test)
{
	const u64 made = fm_user_frame_made(0x7f0012345678);
	const u64 one = fm_user_frame(0, FM_USER_PROCESS + 5);
	const u64 other = fm_user_frame(0, FM_USER_PROCESS + 6);
	const struct fm_user_case cases[] = {
		{ { FM_A(3), one, made, FM_A(1) }, " /a+0x3 [jit 5]+0x7f0012345678 /a+0x1" },
		{ { FM_A(3), other, made, FM_A(1) }, " /a+0x3 [jit 6]+0x7f0012345678 /a+0x1" },
		{ { FM_A(4), other, made, FM_A(1) }, " /a+0x4 [jit 6]+0x7f0012345678 /a+0x1" },
		/* A frame that has no name yet has no node. */
		{ { FM_A(3), FM_A(2), FM_UNREAD, FM_A(1) }, " /a+0x3 /a+0x2 /a+0x1" },
		{ { FM_A(4), FM_UNREAD, FM_A(1) }, " /a+0x4 /a+0x1" },
		{ { FM_A(5), FM_A(2), FM_UNREAD, FM_A(1) }, " /a+0x5 /a+0x2 /a+0x1" },
		/* Nor has a process. */
		{ { FM_A(6), one, FM_A(1) }, " /a+0x6 /a+0x1" },
		{ { FM_A(7), one, FM_A(1) }, " /a+0x7 /a+0x1" },
	};

	fm_held_start(test);
	fm_user_two_files();
	fm_drain_cases(test, 0, cases, ARRAY_SIZE(cases));
	fm_session->objects->list[0].file = NULL;
}

/* Drain a stack of one frame. Return: its name. */
static const char *fm_drain_one(struct kunit *test, u64 frame)
{
	u32 nr = fm_set_nr(&fm_session->aggregate->records);

	fm_drained_add(test, fm_user_paths_add(fm_drained_paths(), 0, frame),
		       FLAMEMOD_USER_WHOLE, 1);
	fm_held_drain();
	if (fm_set_nr(&fm_session->aggregate->records) > nr)
		return fm_user_names_of(test, nr);
	return fm_user_names_of(test, nr - 1);
}

/* The node of a frame is kept for later drains, of the same profile and names. */
static void a_node_is_kept_while_it_is_valid(struct kunit *test)
{
	static struct fm_object_file other = {
		.label = { .path = "/b", .path_bytes = 2 }, .shown = &other.label,
	};
	const struct fm_user_case new = { { FM_A(2), FM_A(1) }, " /b+0x2 /a+0x1" };
	struct fm_settings *settings = fm_session->settings;
	struct fm_drained *drained = &fm_session->drained;
	struct fm_object *list;

	fm_held_start(test);
	fm_user_two_files();
	list = fm_session->objects->list;
	KUNIT_EXPECT_STREQ(test, fm_drain_one(test, FM_A(1)), " /a+0x1");
	KUNIT_EXPECT_GT(test, drained->callees.nr, 0);
	/* It would have another name now. */
	list[0].file = &other;
	fm_pool_deinit(&fm_session->symbols.user_known);
	fm_drain_cases(test, 1, &new, 1);
	settings->user_places = true;
	KUNIT_EXPECT_STREQ(test, fm_drain_one(test, FM_A(1)), " /b+0x1");
	settings->user_places = false;
	list[0].file = NULL;
	KUNIT_EXPECT_STREQ(test, fm_drain_one(test, FM_A(1)), " [unread file]");
}

/* Without memory for them the names are the same. */
static void nodes_need_not_be_kept(struct kunit *test)
{
	fm_held_start(test);
	fm_user_two_files();
	fm_drained_add(test, fm_user_paths_add(fm_drained_paths(), 0, FM_A(1)),
		       FLAMEMOD_USER_WHOLE, 1);
	fm_allocations_fail(1);
	fm_held_drain();
	KUNIT_EXPECT_TRUE(test, fm_allocations_failed());
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, fm_session->drained.callees.nr, 0);
	KUNIT_EXPECT_STREQ(test, fm_user_names_of(test, 0), " /a+0x1");
	fm_session->objects->list[0].file = NULL;
}

/* A file without a name gets one once it is read, whatever was drained before. */
static void a_name_may_come_later(struct kunit *test)
{
	static struct fm_object_file file = {
		.label = { .path = "/b", .path_bytes = 2 }, .shown = &file.label,
	};
	const struct fm_user_case before[] = {
		{ { FM_A(3), FM_UNREAD, FM_A(1) }, " /a+0x3 /a+0x1" },
		{ { FM_A(4), FM_UNREAD, FM_A(1) }, " /a+0x4 /a+0x1" },
	};
	const struct fm_user_case after = {
		{ FM_A(4), FM_UNREAD, FM_A(1) }, " /a+0x4 /b+0x1000 /a+0x1"
	};
	struct fm_object *list;

	fm_held_start(test);
	fm_user_two_files();
	list = fm_session->objects->list;
	fm_drain_cases(test, 0, before, ARRAY_SIZE(before));
	list[1].file = &file;
	list[1].state = FM_OBJECT_NO_ROWS;
	fm_drain_cases(test, ARRAY_SIZE(before), &after, 1);
	list[0].file = NULL;
	list[1].file = NULL;
	list[1].state = FM_OBJECT_NEW;
}

/* Two places for all nodes: each is that of many frames and callers. */
static void nodes_that_are_kept_are_not_mixed_up(struct kunit *test)
{
	const struct fm_user_case cases[] = {
		{ { FM_A(1), FM_A(2), FM_A(3) }, " /a+0x1 /a+0x2 /a+0x3" },
		{ { FM_A(2), FM_A(1), FM_A(3) }, " /a+0x2 /a+0x1 /a+0x3" },
		{ { FM_A(3), FM_A(2), FM_A(1) }, " /a+0x3 /a+0x2 /a+0x1" },
		{ { FM_A(1), FM_A(1), FM_A(1) }, " /a+0x1 /a+0x1 /a+0x1" },
		{ { FM_A(2), FM_A(2), FM_A(3) }, " /a+0x2 /a+0x2 /a+0x3" },
		{ { FM_A(1), FM_A(3), FM_A(2) }, " /a+0x1 /a+0x3 /a+0x2" },
		{ { FM_A(3), FM_A(3), FM_A(1) }, " /a+0x3 /a+0x3 /a+0x1" },
		{ { FM_A(2), FM_A(1), FM_A(2) }, " /a+0x2 /a+0x1 /a+0x2" },
	};
	struct fm_drained *drained = &fm_session->drained;
	u32 i;

	fm_held_start(test);
	fm_user_two_files();
	drained->noted = fm_session_noted(fm_session);
	KUNIT_ASSERT_EQ(test, fm_pool_init_fixed(&drained->callees, &fm_session->memory,
						 sizeof(struct fm_callee), 2), 0);
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		fm_drain_cases(test, i, &cases[i], 1);
	fm_session->objects->list[0].file = NULL;
}

/* What may have another name the next time is looked up again. */
static void a_name_that_passes_is_not_kept(struct kunit *test)
{
	struct fm_object *list;

	fm_held_start(test);
	fm_user_two_files();
	list = fm_session->objects->list;
	/* Its rows are not there, so the start of the function is not known. */
	list[0].state = FM_OBJECT_READY;
	list[0].nr_chunks = 1;
	list[0].chunks = fm_no_chunks;
	KUNIT_EXPECT_STREQ(test, fm_drain_one(test, FM_A(1)), " /a+0x1");
	list[0].file = NULL;
	KUNIT_EXPECT_STREQ(test, fm_drain_one(test, FM_A(1)), " [unread file]");
	list[0].state = FM_OBJECT_NO_ROWS;
	list[0].nr_chunks = 0;
	list[0].chunks = NULL;
}

static struct kunit_case fm_user_callees_cases[] = {
	KUNIT_CASE(stacks_that_begin_alike_share_nodes),
	KUNIT_CASE(stacks_that_begin_alike_may_differ),
	KUNIT_CASE(stacks_that_begin_alike_share_no_profile),
	KUNIT_CASE(a_node_is_kept_while_it_is_valid),
	KUNIT_CASE(nodes_need_not_be_kept),
	KUNIT_CASE(a_name_may_come_later),
	KUNIT_CASE(nodes_that_are_kept_are_not_mixed_up),
	KUNIT_CASE(a_name_that_passes_is_not_kept),
	{}
};

struct kunit_suite fm_user_callees_suite = {
	.name = "flamemod_user_callees",
	.init = fm_drained_begin,
	.exit = fm_held_end,
	.test_cases = fm_user_callees_cases,
};
