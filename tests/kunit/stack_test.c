// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks: what is cut off, what is kept, and whether they name the interrupted
 * functions.
 */
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/learned.h"
#include "../../module/sample.h"
#include "../../module/stack.h"
#include "allocations.h"
#include "chain.h"
#include "suites.h"

#define FM_DEPTH	FLAMEMOD_MAX_DEPTH_MAX
#define FM_RAW_MAX	(FM_DEPTH + FM_STACK_SPARE)

/* What stack_trace_save() returns in the callback: the top frames are ours. */
static const struct fm_trim_case {
	const char *name;
	u32 nr;
	unsigned long raw[12];		/* behind them 1000, 1001, ... */
	unsigned long interrupted;
	u32 max_depth;
	u32 nr_frames;
	unsigned long frames[12];	/* the first of them */
	u8 marks;
} fm_trim_cases[] = {
	{ "nothing before", 3, { 50, 60, 70 }, 50, 9,
	  3, { 50, 59, 69 }, 0 },
	{ "three before", 6, { 1, 2, 3, 50, 60, 70 }, 50, 9,
	  3, { 50, 59, 69 }, 0 },
	{ "the leaf alone", 3, { 1, 2, 50 }, 50, 9, 1, { 50 }, 0 },
	{ "the leaf alone, nothing before", 1, { 50 }, 50, 9, 1, { 50 }, 0 },
	{ "twice: the first counts", 6, { 1, 50, 60, 50, 70, 80 }, 50, 9,
	  5, { 50, 59, 49, 69, 79 }, 0 },
	{ "as deep as may be", 6, { 1, 2, 3, 50, 60, 70 }, 50, 3,
	  3, { 50, 59, 69 }, 0 },
	{ "deeper by one", 6, { 1, 2, 50, 60, 70, 80 }, 50, 3,
	  3, { 50, 59, 69 }, FM_STACK_TRUNCATED },
	{ "of depth one", 6, { 1, 2, 50, 60, 70, 80 }, 50, 1,
	  1, { 50 }, FM_STACK_TRUNCATED },
	{ "of depth one, and no more there", 2, { 1, 50 }, 50, 1, 1, { 50 }, 0 },
	{ "not there", 4, { 1, 2, 3, 4 }, 50, 9,
	  1, { 50 }, FM_STACK_INCOMPLETE },
	{ "there but for one", 4, { 1, 49, 51, 4 }, 50, 9,
	  1, { 50 }, FM_STACK_INCOMPLETE },
	{ "behind the last", 2, { 1, 2, 50 }, 50, 9,
	  1, { 50 }, FM_STACK_INCOMPLETE },
	{ "nothing at all", 0, { 50 }, 50, 9, 1, { 50 }, FM_STACK_INCOMPLETE },
	{ "of the greatest depth", FM_DEPTH, { 50, 60 }, 50, FM_DEPTH,
	  FM_DEPTH, { 50, 59, 1001, 1002 }, 0 },
	{ "of all that there is room for", FM_RAW_MAX, { 50, 60 }, 50, FM_DEPTH,
	  FM_DEPTH, { 50, 59, 1001, 1002 }, FM_STACK_TRUNCATED },
	{ "at the end of all", FM_RAW_MAX, { 1 }, 1000 + FM_RAW_MAX - 1, FM_DEPTH,
	  1, { 1000 + FM_RAW_MAX - 1 }, 0 },
	{ "16 before", FM_RAW_MAX, { 1 }, 1016, FM_DEPTH,
	  FM_DEPTH, { 1016, 1016, 1017 }, 0 },
	{ "15 before", FM_RAW_MAX, { 1 }, 1015, FM_DEPTH,
	  FM_DEPTH, { 1015, 1015, 1016 }, FM_STACK_TRUNCATED },
};

FM_ARRAY_PARAM(trim);

static void trim_cuts_off_the_interrupt(struct kunit *test)
{
	const struct fm_trim_case *c = test->param_value;
	struct fm_sample *sample = kunit_kzalloc(test, sizeof(*sample), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, sample);
	sample->key.marks = 0xff;
	sample->nr_frames = 0xffff;
	for (i = 0; i < FM_RAW_MAX; i++)
		sample->frames[i] = i < 12 && c->raw[i] ? c->raw[i] : 1000 + i;
	fm_stack_trim(sample, c->nr, c->interrupted, c->max_depth);
	KUNIT_EXPECT_EQ(test, sample->nr_frames, c->nr_frames);
	KUNIT_EXPECT_EQ(test, sample->key.marks, c->marks);
	for (i = 0; i < 12 && c->frames[i]; i++)
		KUNIT_EXPECT_EQ_MSG(test, sample->frames[i], c->frames[i],
				    "frame %u", i);
	KUNIT_EXPECT_GT(test, i, 0);
}

static void ways_have_their_names(struct kunit *test)
{
#if FM_STACK_HAS_STEPS
	fm_stack_fn best = fm_learned_stack;
#else
	fm_stack_fn best = FM_STACK_HAS_REGS ? fm_stack_from_regs :
					       fm_stack_portable;
#endif

	KUNIT_EXPECT_TRUE(test, fm_stack_find("portable") == fm_stack_portable);
	KUNIT_EXPECT_TRUE(test, fm_stack_find("auto") == best);
	KUNIT_EXPECT_TRUE(test, fm_stack_find("regs") ==
				(FM_STACK_HAS_REGS ? fm_stack_from_regs : NULL));
	KUNIT_EXPECT_FALSE(test, fm_stack_find(""));
	KUNIT_EXPECT_FALSE(test, fm_stack_find("regs "));
	KUNIT_EXPECT_FALSE(test, fm_stack_find("Auto"));
}

/* What a real callback found. */
static struct fm_sample fm_found;
static struct fm_learned fm_learned;
static fm_stack_fn fm_way;
static u32 fm_max_depth;

static void fm_take_stack(struct pt_regs *regs)
{
	memset(&fm_found, 0x7e, sizeof(fm_found));
	fm_found.slow = false;
	fm_found.untimed = false;
	fm_way(&fm_learned, regs, &fm_found, fm_max_depth);
}

static void fm_take_chain(struct kunit *test, fm_stack_fn way, u32 depth,
			  u32 max_depth)
{
	fm_way = way;
	fm_max_depth = max_depth;
	fm_chain_take(test, fm_take_stack, depth);
}

static const struct fm_depth_case {
	const char *name;
	fm_stack_fn way;
	u32 depth;		/* of recursion */
	u32 max_depth;
	bool truncated;
} fm_depth_cases[] = {
	{ "portable, all", fm_stack_portable, 0, FM_DEPTH, false },
	{ "portable, 20 deep", fm_stack_portable, 20, FM_DEPTH, false },
	{ "portable, 150 deep", fm_stack_portable, 150, FM_DEPTH, true },
	{ "portable, the leaf", fm_stack_portable, 3, 1, true },
	{ "portable, two", fm_stack_portable, 3, 2, true },
	{ "portable, five", fm_stack_portable, 3, 5, true },
	{ "regs, all", fm_stack_from_regs, 0, FM_DEPTH, false },
	{ "regs, 20 deep", fm_stack_from_regs, 20, FM_DEPTH, false },
	{ "regs, 150 deep", fm_stack_from_regs, 150, FM_DEPTH, true },
	{ "regs, the leaf", fm_stack_from_regs, 3, 1, true },
	{ "regs, two", fm_stack_from_regs, 3, 2, true },
	{ "regs, five", fm_stack_from_regs, 3, 5, true },
};

FM_ARRAY_PARAM(depth);

static void the_interrupted_stack_is_found(struct kunit *test)
{
	const struct fm_depth_case *c = test->param_value;
	const char *expected;
	u32 i;

	fm_take_chain(test, c->way, c->depth, c->max_depth);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks,
			c->truncated ? FM_STACK_TRUNCATED : 0);
	KUNIT_EXPECT_TRUE(test, fm_found.slow);
	KUNIT_ASSERT_LE(test, fm_found.nr_frames, c->max_depth);
	if (c->truncated)
		KUNIT_EXPECT_EQ(test, fm_found.nr_frames, c->max_depth);
	else
		KUNIT_EXPECT_GT(test, fm_found.nr_frames, c->depth + 4);
	KUNIT_EXPECT_EQ(test, fm_found.frames[0], fm_chain_ip);
	for (i = 0; i < fm_found.nr_frames && i < c->depth + 4; i++) {
		if (i == 0)
			expected = "fm_chain_leaf";
		else if (i <= c->depth + 1)
			expected = "fm_chain_deeper";
		else if (i == c->depth + 2)
			expected = "fm_chain_middle";
		else
			expected = "fm_chain_outer";
		KUNIT_EXPECT_TRUE_MSG(test, fm_chain_is_in(fm_found.frames[i], expected),
				      "frame %u is not in %s", i, expected);
	}
}

/* Both ways give the same addresses, except within the leaf's loop. */
static void both_ways_agree(struct kunit *test)
{
	struct fm_sample *first = kunit_kzalloc(test, sizeof(*first), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, first);
	fm_take_chain(test, fm_stack_portable, 7, FM_DEPTH);
	*first = fm_found;
	fm_take_chain(test, fm_stack_from_regs, 7, FM_DEPTH);
	KUNIT_EXPECT_EQ(test, first->key.marks, fm_found.key.marks);
	KUNIT_ASSERT_EQ(test, first->nr_frames, fm_found.nr_frames);
	/* Up to the test itself, which calls from two places. */
	for (i = 1; i < 11; i++)
		KUNIT_EXPECT_EQ_MSG(test, first->frames[i], fm_found.frames[i],
				    "frame %u", i);
}

static struct kunit_case fm_stack_cases[] = {
	KUNIT_CASE_PARAM(trim_cuts_off_the_interrupt, fm_trim_gen_params),
	KUNIT_CASE(ways_have_their_names),
	KUNIT_CASE_PARAM(the_interrupted_stack_is_found, fm_depth_gen_params),
	KUNIT_CASE(both_ways_agree),
	{}
};

struct kunit_suite fm_stack_suite = {
	.name = "flamemod_stack",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_stack_cases,
};
