// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks by learned steps: they equal the unwinder's, or the unwinder takes over.
 */
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/learned_steps.h"
#include "../../module/path.h"
#include "../../module/sample.h"
#include "../../module/stack.h"
#include "../../module/step.h"
#include "../../module/text.h"
#include "allocations.h"
#include "chain.h"
#include "suites.h"
#include "text.h"

#if FM_STACK_HAS_STEPS
#define FM_DEPTH	FLAMEMOD_MAX_DEPTH_MAX

static struct fm_learned fm_learned;
static struct fm_paths fm_paths;
static struct fm_text *fm_text;

/* What a real callback found, and what the unwinder did at the same instant. */
static struct fm_sample fm_found, fm_unwound;
static u32 fm_max_depth;
/* From this code nothing more is learned. */
static struct fm_learned fm_not_learned;

static void fm_take_steps(struct pt_regs *regs)
{
	memset(&fm_found, 0x7e, sizeof(fm_found));
	fm_found.paths = &fm_paths;
	fm_found.slow = false;
	fm_found.untimed = false;
	fm_learned_stack(&fm_learned, regs, &fm_found, fm_max_depth);
}

static void fm_take_both(struct pt_regs *regs)
{
	fm_take_steps(regs);
	fm_stack_from_regs(&fm_not_learned, regs, &fm_unwound, fm_max_depth);
}

static void fm_learned_begin(struct kunit *test)
{
	fm_text = kunit_kzalloc(test, sizeof(*fm_text), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fm_text);
	fm_step_init();
	memset(&fm_learned, 0, sizeof(fm_learned));
	/* So large that three of our addresses hardly ever share a set. */
	KUNIT_ASSERT_EQ(test, fm_learned_init(&fm_learned, 1 << 20, NUMA_NO_NODE), 0);
	fm_learned.text = fm_text;
	KUNIT_ASSERT_EQ(test, fm_paths_init(&fm_paths, 4096, NUMA_NO_NODE), 0);
}

#define FM_CHAIN	7	/* calls of fm_chain_deeper() but one */

static void fm_take_learned(struct kunit *test, u32 max_depth)
{
	fm_max_depth = max_depth;
	fm_chain_take(test, fm_take_both, FM_CHAIN);
}

/* As after a drain: the pages of what was unwound are known. */
static void fm_know_text(void)
{
	u32 i;

	for (i = 0; i < fm_unwound.nr_frames; i++)
		fm_text_add(fm_text, fm_unwound.frames[i]);
}

/* Take stacks until the whole chain is known as text that stays, and is learned. */
static void fm_learn_chain(struct kunit *test)
{
	u32 i;

	fm_take_learned(test, FM_DEPTH);
	fm_learned.counts.learned = 0;
	/* The second call comes from another place, maybe on another page. */
	for (i = 0; i < 20 && !fm_learned.counts.learned; i++) {
		fm_know_text();
		fm_take_learned(test, FM_DEPTH);
	}
	KUNIT_ASSERT_GT(test, fm_learned.counts.learned, 0);
}

/* What was found by learned steps is what the unwinder found. */
static void fm_expect_unwound(struct kunit *test)
{
	unsigned long callers[FLAMEMOD_MAX_DEPTH_MAX];
	u32 nr;

	KUNIT_ASSERT_EQ(test, fm_found.nr_frames, 0);
	KUNIT_EXPECT_EQ(test, fm_found.key.leaf, fm_chain_ip);
	KUNIT_EXPECT_EQ(test, fm_unwound.frames[0], fm_chain_ip);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, fm_unwound.key.marks);
	nr = fm_paths_callers(&fm_paths, fm_found.key.path, callers);
	KUNIT_ASSERT_EQ(test, nr, fm_unwound.nr_frames - 1);
	KUNIT_EXPECT_EQ(test, memcmp(callers, fm_unwound.frames + 1,
				     nr * sizeof(callers[0])), 0);
}

/*
 * After the first sample every frame's step is kept with its path, and nothing is
 * looked up, except for a leaf that no sample has hit yet.
 */
static void fm_expect_quick(struct kunit *test, u32 max_depth)
{
	u32 i, path = fm_found.key.path;

	for (i = 0; i < 20; i++) {
		fm_take_learned(test, max_depth);
		/* This call comes from another place, maybe on another page. */
		if (max_depth == FM_DEPTH && fm_found.nr_frames) {
			fm_know_text();
			continue;
		}
		fm_expect_unwound(test);
		if (max_depth < FM_DEPTH)
			KUNIT_EXPECT_EQ(test, fm_found.key.path, path);
		if (!fm_found.slow)
			return;
	}
	KUNIT_FAIL(test, "it is slow each time");
}

/* The depth, and whether the unwinder made the paths. */
static const struct fm_learned_case {
	const char *name;
	u32 max_depth;
	bool by_the_unwinder;
} fm_learned_cases[] = {
	{ "all", FM_DEPTH, false },
	{ "the leaf", 1, false },
	{ "two", 2, false },
	{ "five", 5, false },
	{ "all, made by the unwinder", FM_DEPTH, true },
	{ "the leaf, made by the unwinder", 1, true },
	{ "two, made by the unwinder", 2, true },
	{ "five, made by the unwinder", 5, true },
};

FM_ARRAY_PARAM(learned);

static void learned_steps_agree(struct kunit *test)
{
	const struct fm_learned_case *c = test->param_value;
	u32 path = 0, i;

	fm_learned_begin(test);
	fm_learn_chain(test);
	/*
	 * The chain is learned. This place that calls it may still be unknown, and
	 * an instruction of the leaf that no sample has hit yet.
	 */
	for (i = 0; i < 20; i++) {
		fm_paths_clear(&fm_paths);
		if (c->by_the_unwinder) {
			fm_take_learned(test, c->max_depth);
			fm_paths_clear(&fm_paths);
			fm_unwound.paths = &fm_paths;
			KUNIT_ASSERT_TRUE(test, fm_sample_fold(&fm_unwound));
			path = fm_unwound.key.path;
			KUNIT_EXPECT_EQ(test, !path, c->max_depth == 1);
		}
		fm_take_learned(test, c->max_depth);
		if (!fm_found.nr_frames)
			break;
		fm_know_text();
	}
	fm_expect_unwound(test);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks,
			c->max_depth < FM_DEPTH ? FM_STACK_TRUNCATED : 0);
	/* Some step was looked up, unless the stack ends at the leaf. */
	if (c->max_depth > 1)
		KUNIT_EXPECT_TRUE(test, fm_found.slow);
	if (c->by_the_unwinder && c->max_depth < FM_DEPTH)
		KUNIT_EXPECT_EQ(test, fm_found.key.path, path);
	fm_expect_quick(test, c->max_depth);
}

static void a_call_may_end_a_page(struct kunit *test)
{
	unsigned long page = ALIGN((unsigned long)fm_learned_begin, PAGE_SIZE);

	fm_learned_begin(test);
	fm_text_add(fm_text, page - 1);
	fm_learned_note(&fm_learned, page + 1, false);
	fm_learned_note(&fm_learned, page, true);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.steps, 0);
	fm_learned_note(&fm_learned, page, false);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.steps, 1);
}

/* The chain is in a module's text: it is learned once that text is known, then forgotten. */
static void learned_steps_come_and_go(struct kunit *test)
{
	u32 next = 0;

	fm_learned_begin(test);
	fm_take_learned(test, FM_DEPTH);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 0);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.unwound, 1);
	KUNIT_EXPECT_TRUE(test, fm_found.slow);
	KUNIT_EXPECT_GT(test, fm_found.nr_frames, FM_CHAIN + 4);
	fm_learn_chain(test);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.verified, 0);
	fm_text_empty(fm_text);
	while (!fm_learned_forget_modules(&fm_learned, &next))
		;
	fm_paths_clear(&fm_paths);
	fm_learned.counts.learned = 0;
	fm_take_learned(test, 5);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 0);
}

/* Fill each set with steps of modules; in every other set one is of the kernel. */
static void fm_fill_sets(struct fm_steps *steps, u32 nr, bool interrupted)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		steps->sets[i].ways[0].key = fm_step_key(MODULES_VADDR + 64, interrupted);
		steps->sets[i].ways[1].key = i % 2 ?
			fm_step_key(MODULES_VADDR + 64 * i, interrupted) :
			fm_step_key(__START_KERNEL_map + 64 + i, interrupted);
	}
}

static u32 fm_kept_steps(const struct fm_steps *steps, u32 nr)
{
	u32 i, kept = 0;

	for (i = 0; i < nr; i++)
		kept += !!steps->sets[i].ways[0].key + !!steps->sets[i].ways[1].key;
	return kept;
}

static void modules_are_forgotten_in_parts(struct kunit *test)
{
	u32 leaves, returns, next = 0, calls, kept, before;

	fm_learned_begin(test);
	leaves = 1U << (32 - fm_learned.leaves.shift);
	returns = 1U << (32 - fm_learned.returns.shift);
	KUNIT_ASSERT_GT(test, leaves, 4 * FM_LEARNED_FORGET);
	fm_fill_sets(&fm_learned.leaves, leaves, true);
	fm_fill_sets(&fm_learned.returns, returns, false);
	kept = 2 * (leaves + returns);
	for (calls = 1; ; calls++) {
		bool done = fm_learned_forget_modules(&fm_learned, &next);

		before = kept;
		kept = fm_kept_steps(&fm_learned.leaves, leaves) +
		       fm_kept_steps(&fm_learned.returns, returns);
		KUNIT_EXPECT_LE(test, before - kept, 2 * FM_LEARNED_FORGET);
		if (done || calls > 100)
			break;
	}
	KUNIT_EXPECT_EQ(test, calls, (leaves + returns) / FM_LEARNED_FORGET);
	/* the kernel's own steps stay: every other set has one */
	KUNIT_EXPECT_EQ(test, kept, (leaves + returns) / 2);
}

/* Each stack is compared with the unwinder's. After a difference only the unwinder is used. */
static void a_difference_turns_learned_steps_off(struct kunit *test)
{
	struct fm_path *paths;
	u64 learned;
	u32 i;

	fm_learned_begin(test);
	fm_learned.verify = 1;
	fm_learned.verify_in = 1;
	fm_learn_chain(test);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.verified,
			fm_learned.counts.learned);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.differences, 0);
	/* Change every path so that its stack ends there. */
	paths = fm_paths.paths;
	for (i = 1; i < fm_paths.nr; i++)
		paths[i].move = (struct fm_move) { .kind = FM_STEP_END };
	learned = fm_learned.counts.learned;
	fm_take_learned(test, FM_DEPTH);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, learned + 1);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.differences, 1);
	KUNIT_EXPECT_TRUE(test, fm_learned.off);
	/* The unwinder's stack is used, for this sample and later ones. */
	for (i = 0; i < 2; i++) {
		KUNIT_ASSERT_EQ(test, fm_found.nr_frames, fm_unwound.nr_frames);
		KUNIT_EXPECT_EQ(test, memcmp(fm_found.frames, fm_unwound.frames,
					     fm_found.nr_frames *
					     sizeof(fm_found.frames[0])), 0);
		KUNIT_EXPECT_EQ(test, fm_found.key.marks, 0);
		fm_take_learned(test, FM_DEPTH);
	}
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, learned + 1);
}

/* If other paths fill the table, nothing is found by steps, and nothing is lost. */
static void without_room_for_paths_it_is_unwound(struct kunit *test)
{
	unsigned long caller = FM_TEST_TEXT;

	fm_learned_begin(test);
	fm_learn_chain(test);
	fm_paths_clear(&fm_paths);
	while (fm_paths_add(&fm_paths, 0, caller))
		caller++;
	fm_learned.counts.learned = 0;
	fm_take_learned(test, 5);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 0);
	KUNIT_EXPECT_EQ(test, fm_found.nr_frames, fm_unwound.nr_frames);
	KUNIT_EXPECT_FALSE(test, fm_sample_fold(&fm_found));
	/* The leaf alone needs none. */
	fm_take_learned(test, 1);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 1);
	KUNIT_EXPECT_EQ(test, fm_found.key.path, 0);
}

/*
 * A made-up stack. At a function's first byte the caller's address is on top of the
 * stack. The return address there is one byte into the function, as after a call.
 */
static const struct fm_odd_case {
	const char *name;
	unsigned long word;	/* the word after the return address */
	bool regs;		/* the words are interrupted registers */
	bool known;		/* a path of it exists already */
} fm_odd_cases[] = {
	{ "0", 0, false, false },
	{ "0, known", 0, false, true },
	{ "1", 1, false, false },
	{ "1, known", 1, false, true },
	{ "user's", 0x401234, false, false },
	{ "user's, known", 0x401234, false, true },
	{ "what has a module's lower half", 0xffff8880c0123456ul, false, true },
	{ "just below text", FM_TEST_TEXT, false, true },
	{ "registers of nowhere", 0, true, false },
	{ "registers of nowhere, known", 0, true, true },
};

FM_ARRAY_PARAM(odd);

static void odd_addresses_are_left_to_the_unwinder(struct kunit *test)
{
	const struct fm_odd_case *c = test->param_value;
	unsigned long function = (unsigned long)fm_chain_leaf;
	const struct fm_move pops = { .kind = FM_STEP_SP, .cfa = sizeof(long) };
	const struct fm_move holds = { .kind = FM_STEP_REGS };
	unsigned long stack[64] = { function + 1, c->word };
	struct pt_regs regs = {
		.ip = function,
		.sp = (unsigned long)stack,
		.cs = __KERNEL_CS,
	};
	u32 path;

	fm_learned_begin(test);
	fm_text_add(fm_text, function);
	path = fm_paths_add(&fm_paths, 0, function);
	fm_paths.paths[path].move = c->regs ? holds : pops;
	if (c->known)
		fm_paths_add(&fm_paths, path, c->word - !c->regs);
	fm_max_depth = 5;
	preempt_disable();
	fm_take_steps(&regs);
	preempt_enable();
	/* Some steps were taken before the unwinder took over. */
	KUNIT_EXPECT_GT(test, fm_learned.counts.steps, 0);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 0);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.unwound, 1);
	KUNIT_EXPECT_GT(test, fm_found.nr_frames, 0);
}

/* A leaf whose step leads to interrupted registers that are not valid. */
static void a_leaf_whose_registers_are_odd_is_left_to_it(struct kunit *test)
{
	unsigned long function = (unsigned long)fm_chain_leaf;
	struct fm_step *step;
	unsigned long stack[64] = {};
	struct pt_regs regs = {
		.ip = function,
		.sp = (unsigned long)stack,
		.cs = __KERNEL_CS,
	};
	u32 i, nr;

	fm_learned_begin(test);
	fm_text_add(fm_text, function);
	fm_max_depth = 5;
	preempt_disable();
	fm_take_steps(&regs);
	preempt_enable();
	step = (struct fm_step *)fm_learned.leaves.sets;
	nr = 2U << (32 - fm_learned.leaves.shift);
	for (i = 0; i < nr && step->key != fm_step_key(function, true); i++)
		step++;
	KUNIT_ASSERT_LT(test, i, nr);
	step->move = (struct fm_move) { .kind = FM_STEP_REGS };
	/* The step has no path of its callers either. */
	step->path = FM_PATH_NONE;
	fm_learned.counts.learned = 0;
	fm_learned.counts.unwound = 0;
	preempt_disable();
	fm_take_steps(&regs);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 0);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.unwound, 1);
}

/* A set of steps has 40 bytes, plus a quarter; the number of sets is a power of two. */
static void memory_fits_steps(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_learned_fit(50), 50);
	KUNIT_EXPECT_EQ(test, fm_learned_fit(99), 50);
	KUNIT_EXPECT_EQ(test, fm_learned_fit(8192), 6400);
	KUNIT_EXPECT_EQ(test, fm_learned_fit(262144), 204800);
	KUNIT_EXPECT_EQ(test, fm_learned_fit(204800), 204800);
}

static void fm_learned_end(struct kunit *test)
{
	fm_learned_deinit(&fm_learned);
	fm_paths_deinit(&fm_paths);
	fm_allocations_exit(test);
}

static struct kunit_case fm_learned_suite_cases[] = {
	KUNIT_CASE_PARAM(learned_steps_agree, fm_learned_gen_params),
	KUNIT_CASE(a_call_may_end_a_page),
	KUNIT_CASE(learned_steps_come_and_go),
	KUNIT_CASE(modules_are_forgotten_in_parts),
	KUNIT_CASE(a_difference_turns_learned_steps_off),
	KUNIT_CASE(without_room_for_paths_it_is_unwound),
	KUNIT_CASE_PARAM(odd_addresses_are_left_to_the_unwinder,
			 fm_odd_gen_params),
	KUNIT_CASE(a_leaf_whose_registers_are_odd_is_left_to_it),
	KUNIT_CASE(memory_fits_steps),
	{}
};
#else
static void fm_learned_end(struct kunit *test)
{
	fm_allocations_exit(test);
}

static struct kunit_case fm_learned_suite_cases[] = { {} };
#endif

struct kunit_suite fm_learned_suite = {
	.name = "flamemod_learned",
	.init = fm_allocations_init,
	.exit = fm_learned_end,
	.test_cases = fm_learned_suite_cases,
};
