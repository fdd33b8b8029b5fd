// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: frames in brackets that a drain adds to a stack, above its outermost frame or
 * below its leaf.
 */
#include <kunit/test.h>

#include "by_hand.h"
#include "held.h"
#include "suites.h"

/* The marks of a stack are its outermost frames. */
static const struct fm_mark_case {
	const char *name;
	u8 marks;
	u32 nr;
	const char *names[2];		/* from the root */
} fm_mark_cases[] = {
	{ "none", 0, 0, {} },
	{ "truncated", FM_STACK_TRUNCATED, 1, { "[truncated]" } },
	{ "incomplete", FM_STACK_INCOMPLETE, 1, { "[incomplete]" } },
	{ "both", FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE, 2,
	  { "[truncated]", "[incomplete]" } },
	{ "the leaf's besides", FM_STACK_TRUNCATED | FM_STACK_IRQS_OFF, 1,
	  { "[truncated]" } },
};

FM_ARRAY_PARAM(mark);

static void marks_stand_at_the_root(struct kunit *test)
{
	const struct fm_mark_case *c = test->param_value;
	const u32 depth = FLAMEMOD_MAX_DEPTH_MAX;
	const struct fm_frame *frame;
	const struct fm_node *node;
	u32 i;

	fm_held_start(test);
	fm_hand.marks = c->marks;
	/* The deepest stack, so that marks are added to the deepest. */
	fm_held_sample(fm_session, 1, depth, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 1);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes),
			1 + depth + c->nr + !!(c->marks & FM_STACK_IRQS_OFF));
	for (i = 0; i < c->nr; i++) {
		node = fm_set_at(&fm_session->aggregate->nodes, 1 + i);
		KUNIT_EXPECT_EQ(test, node->parent, i);
		frame = fm_set_at(&fm_session->symbols.frames, node->frame);
		KUNIT_EXPECT_STREQ(test, frame->name, c->names[i]);
		KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_MARK);
	}
	node = fm_set_at(&fm_session->aggregate->nodes, 1 + c->nr);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	KUNIT_EXPECT_STREQ(test, frame->name, "function_107e");
}

/* Such time is charged to its function, under a leaf of its own. */
static const struct fm_below_case {
	const char *name;
	u8 marks;
	u32 nr_frames;
} fm_below_cases[] = {
	{ "[irqs-off]", FM_STACK_IRQS_OFF, 3 },
	{ "[stalled]", FM_STACK_STALLED, 3 },
	{ "[steal]", FM_STACK_STOLEN, 0 },
	{ "[injected idle]", FM_STACK_INJECTED, 3 },
	{ "[injected idle]", FM_STACK_INJECTED, 0 },
};

FM_ARRAY_PARAM(below);

static void a_leaf_has_its_mark_below(struct kunit *test)
{
	const struct fm_below_case *c = test->param_value;
	const struct fm_record *on, *off;
	const struct fm_frame *frame;
	const struct fm_node *node;

	fm_held_start(test);
	fm_held_sample(fm_session, 1, c->nr_frames, 0x1000);
	fm_hand.marks = c->marks;
	fm_held_sample(fm_session, 1, c->nr_frames, 0x1000);
	fm_held_sample(fm_session, 1, c->nr_frames, 0x1000);
	fm_held_drain();
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 3);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->records), 2);
	KUNIT_ASSERT_EQ(test, fm_set_nr(&fm_session->aggregate->nodes),
			1 + c->nr_frames + 1);
	on = fm_set_at(&fm_session->aggregate->records, 0);
	off = fm_set_at(&fm_session->aggregate->records, 1);
	KUNIT_EXPECT_EQ(test, on->counts.periods, 1);
	KUNIT_EXPECT_EQ(test, off->counts.periods, 2);
	node = fm_set_at(&fm_session->aggregate->nodes, off->node);
	KUNIT_EXPECT_EQ(test, node->parent, on->node);
	frame = fm_set_at(&fm_session->symbols.frames, node->frame);
	KUNIT_EXPECT_STREQ(test, frame->name, c->name);
	KUNIT_EXPECT_EQ(test, frame->kind, FLAMEMOD_FRAME_MARK);
}

static struct kunit_case fm_marks_cases[] = {
	KUNIT_CASE_PARAM(marks_stand_at_the_root, fm_mark_gen_params),
	KUNIT_CASE_PARAM(a_leaf_has_its_mark_below, fm_below_gen_params),
	{}
};

struct kunit_suite fm_marks_suite = {
	.name = "flamemod_marks",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_marks_cases,
};
