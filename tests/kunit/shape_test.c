// SPDX-License-Identifier: GPL-2.0
/*
 * Shapes of stacks: a stack fits only if a walk would lead to the same path, and nothing
 * beyond the stack is read to find out.
 *
 * The task is made up. Its stack lies between pages that must not be read: in a guest
 * whose allocations are apart, a read beyond it is a fault, and on the debug kernel it is
 * reported. The stack has two segments:
 *
 *   leaf <- FM_A <- FM_B <- FM_C <- user mode
 *
 * FM_A saves the frame pointer, by which the frame of FM_B's caller is found.
 */
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <kunit/test.h>

#include "../../module/shape.h"
#include "../../module/stack.h"
#include "allocations.h"
#include "suites.h"
#include "text.h"

#if FM_STACK_HAS_STEPS
#define FM_A		(FM_TEST_TEXT + 0x1000)
#define FM_B		(FM_TEST_TEXT + 0x2000)
#define FM_C		(FM_TEST_TEXT + 0x3000)
#define FM_WORDS	((long)(THREAD_SIZE / sizeof(long)))

static struct fm_shapes fm_shapes;
static struct fm_paths fm_paths;
static struct task_struct *fm_task;
static unsigned long *fm_stack;
static u32 fm_path;
/* The words where the first CFA and the second base are. */
static long fm_cfa, fm_base;
static unsigned long fm_leaf_bp;

static struct fm_shape_from fm_from(void)
{
	return (struct fm_shape_from) {
		.task = fm_task,
		.cfa = (unsigned long)&fm_stack[fm_cfa],
		.bp = &fm_leaf_bp,
	};
}

static struct fm_path *fm_path_of(unsigned long caller)
{
	u32 i;

	for (i = 0; i < fm_paths.nr; i++)
		if (fm_text_address(fm_paths.paths[i].caller) == caller)
			return &fm_paths.paths[i];
	return NULL;
}

static void fm_set_move(unsigned long caller, u8 kind, int cfa_words, int bp)
{
	fm_path_of(caller)->move = (struct fm_move) {
		.cfa = cfa_words * (int)sizeof(long), .bp = bp, .kind = kind,
	};
}

/* Lay the stack out: the first segment so many words below where it usually is. */
static void fm_lay_out(long gap)
{
	struct pt_regs *regs = task_pt_regs(fm_task);
	long end = (unsigned long *)regs - fm_stack;

	memset(fm_stack, 0, THREAD_SIZE);
	regs->cs = __USER_CS;
	/* FM_C's frame ends two words below the registers, and FM_B's frame two above its base. */
	fm_base = end - 8;
	fm_cfa = fm_base - 20 - gap;
	fm_stack[fm_cfa - 1] = FM_A + 1;
	fm_stack[fm_cfa + 1] = (unsigned long)&fm_stack[fm_base];
	fm_stack[fm_cfa + 3] = FM_B + 1;
	fm_stack[fm_base + 1] = FM_C + 1;
}

/* Of FM_B's caller the frame is found by the frame pointer; that of FM_C ends at the end. */
static void fm_know_moves(void)
{
	fm_set_move(FM_A, FM_STEP_SP, 4, -3);
	fm_set_move(FM_B, FM_STEP_BP, 2, 0);
	fm_set_move(FM_C, FM_STEP_REGS, 6, 0);
}

static int fm_begin(struct kunit *test)
{
	unsigned long *pages;

	fm_allocations_init(test);
	fm_task = kunit_kzalloc(test, sizeof(*fm_task), GFP_KERNEL);
	pages = vzalloc(THREAD_SIZE);
	if (!fm_task || !pages)
		return -ENOMEM;
	fm_stack = pages;
	fm_task->stack = pages;
	if (fm_shapes_init(&fm_shapes, 2, NUMA_NO_NODE) ||
	    fm_paths_init(&fm_paths, FM_PATHS_MIN, NUMA_NO_NODE))
		return -ENOMEM;
	fm_path = fm_paths_add(&fm_paths, FM_PATH_NONE, FM_A);
	fm_path = fm_paths_add(&fm_paths, fm_path, FM_B);
	fm_path = fm_paths_add(&fm_paths, fm_path, FM_C);
	fm_know_moves();
	fm_lay_out(0);
	return 0;
}

static void fm_end(struct kunit *test)
{
	fm_shapes_deinit(&fm_shapes);
	fm_paths_deinit(&fm_paths);
	vfree(fm_stack);
	fm_allocations_exit(test);
}

static bool fm_learn(void)
{
	const struct fm_shape_from from = fm_from();
	struct fm_shape *shape = fm_shapes_at(&fm_shapes, fm_path);

	shape->wait = 0;
	fm_shapes_learn(&fm_shapes, &fm_paths, fm_path, &from);
	return fm_shape_is(shape, &fm_paths, fm_path);
}

static bool fm_fits(void)
{
	const struct fm_shape_from from = fm_from();

	return fm_shape_fits(fm_shapes_at(&fm_shapes, fm_path), &from);
}

static void the_same_stack_fits(struct kunit *test)
{
	const struct fm_shape *shape = fm_shapes_at(&fm_shapes, fm_path);

	KUNIT_EXPECT_FALSE(test, fm_shape_is(shape, &fm_paths, fm_path));
	KUNIT_ASSERT_TRUE(test, fm_learn());
	KUNIT_EXPECT_TRUE(test, fm_fits());
	KUNIT_EXPECT_EQ(test, shape->depth, 3);
	KUNIT_EXPECT_EQ(test, shape->segments, 2);
	KUNIT_EXPECT_FALSE(test, fm_shape_is(shape, &fm_paths, fm_path - 1));
}

/* Each system call may leave another gap, above or below. */
static void a_gap_may_change(struct kunit *test)
{
	fm_lay_out(10);
	KUNIT_ASSERT_TRUE(test, fm_learn());
	fm_lay_out(0);
	KUNIT_EXPECT_TRUE(test, fm_fits());
	fm_lay_out(100);
	KUNIT_EXPECT_TRUE(test, fm_fits());
	/* The top of the first segment may be the second's base, but not above it. */
	fm_lay_out(-16);
	KUNIT_EXPECT_TRUE(test, fm_fits());
	fm_lay_out(-17);
	fm_stack[fm_base + 1] = FM_C + 1;
	KUNIT_EXPECT_FALSE(test, fm_fits());
}

/* What may differ from the stack that was learned. */
static void all_that_differs_is_seen(struct kunit *test)
{
	struct pt_regs *regs = task_pt_regs(fm_task);
	long words[] = { fm_cfa - 1, fm_cfa + 3, fm_base + 1 };
	u32 i;

	KUNIT_ASSERT_TRUE(test, fm_learn());
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		fm_stack[words[i]]++;
		KUNIT_EXPECT_FALSE(test, fm_fits());
		/* All of an address counts. */
		fm_stack[words[i]] = (fm_stack[words[i]] - 1) ^ BIT(40);
		KUNIT_EXPECT_FALSE(test, fm_fits());
		fm_stack[words[i]] ^= BIT(40);
	}
	KUNIT_EXPECT_TRUE(test, fm_fits());
	regs->cs = __KERNEL_CS;
	KUNIT_EXPECT_FALSE(test, fm_fits());
	regs->cs = __USER_CS;
	/* The same words, but they do not end at the registers. */
	memmove(fm_stack, fm_stack + 1, (fm_base + 2) * sizeof(long));
	fm_stack[fm_cfa] = (unsigned long)&fm_stack[fm_base - 1];
	fm_cfa--;
	KUNIT_EXPECT_FALSE(test, fm_fits());
	fm_lay_out(0);
	KUNIT_EXPECT_TRUE(test, fm_fits());
}

/* A frame pointer may be anything. */
static void a_base_off_the_stack_is_not_read(struct kunit *test)
{
	const unsigned long bases[] = {
		0, 1, 4096, ~0UL, ~0UL - 64, (unsigned long)(fm_stack - 1),
		(unsigned long)&fm_stack[fm_cfa + 3],
		(unsigned long)task_pt_regs(fm_task) + 8,
		(unsigned long)task_pt_regs(fm_task),
		(unsigned long)(fm_stack + FM_WORDS),
		(unsigned long)&fm_stack[fm_base] + 1,
		(unsigned long)&fm_stack[fm_base - 1],
		(unsigned long)&fm_stack[fm_base + 1],
	};
	u32 i;

	KUNIT_ASSERT_TRUE(test, fm_learn());
	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		fm_stack[fm_cfa + 1] = bases[i];
		KUNIT_EXPECT_FALSE(test, fm_fits());
		KUNIT_EXPECT_FALSE(test, fm_learn());
		fm_lay_out(0);
		KUNIT_ASSERT_TRUE(test, fm_learn());
	}
}

/* Where the leaf may be is looked at first; then whether the segment has room there. */
static void a_leaf_off_the_stack_is_not_read(struct kunit *test)
{
	const long places[] = { -FM_WORDS, -1, 0, FM_WORDS + 1, 2 * FM_WORDS, FM_WORDS,
				FM_WORDS - 1 };
	u32 i;

	KUNIT_ASSERT_TRUE(test, fm_learn());
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		fm_cfa = places[i];
		KUNIT_EXPECT_FALSE(test, fm_fits());
	}
	fm_stack[FM_WORDS - 2] = FM_A + 1;
	fm_cfa = FM_WORDS - 1;
	KUNIT_EXPECT_FALSE(test, fm_fits());
}

/* Even if what is below the stack is just what would be on it. */
static void a_leaf_below_the_stack_does_not_fit(struct kunit *test)
{
	unsigned long *pages = vzalloc(2 * THREAD_SIZE), *usual = fm_stack;

	KUNIT_ASSERT_NOT_NULL(test, pages);
	fm_stack = pages + FM_WORDS;
	fm_task->stack = fm_stack;
	fm_lay_out(0);
	KUNIT_EXPECT_TRUE(test, fm_learn());
	fm_lay_out(fm_cfa);
	KUNIT_EXPECT_EQ(test, fm_stack[-1], FM_A + 1);
	KUNIT_EXPECT_FALSE(test, fm_fits());
	fm_stack = usual;
	fm_task->stack = usual;
	vfree(pages);
}

/* The lowest stack: its return address is the first word. */
static void a_shape_may_begin_at_the_first_word(struct kunit *test)
{
	fm_lay_out(0);
	fm_lay_out(fm_cfa - 1);
	KUNIT_ASSERT_EQ(test, fm_cfa, 1);
	KUNIT_ASSERT_TRUE(test, fm_learn());
	KUNIT_EXPECT_TRUE(test, fm_fits());
}

static void a_frame_pointer_may_be_the_leafs(struct kunit *test)
{
	fm_set_move(FM_A, FM_STEP_SP, 4, 0);
	fm_stack[fm_cfa + 1] = 0;
	fm_leaf_bp = (unsigned long)&fm_stack[fm_base];
	KUNIT_ASSERT_TRUE(test, fm_learn());
	KUNIT_EXPECT_TRUE(test, fm_fits());
	fm_lay_out(30);
	fm_stack[fm_cfa + 1] = 0;
	KUNIT_EXPECT_TRUE(test, fm_fits());
	fm_leaf_bp += sizeof(long);
	KUNIT_EXPECT_FALSE(test, fm_fits());
}

/* What was below the stack pointer when the function had returned may be overwritten. */
static void a_call_that_has_returned_fits(struct kunit *test)
{
	struct fm_shape *shape = fm_shapes_at(&fm_shapes, fm_path);
	struct fm_shape_from from = fm_from();

	fm_stack[fm_cfa - 1] = 0;
	from.returned = FM_A + 1;
	KUNIT_EXPECT_TRUE(test, fm_shapes_learn(&fm_shapes, &fm_paths, fm_path, &from));
	KUNIT_ASSERT_TRUE(test, fm_shape_is(shape, &fm_paths, fm_path));
	KUNIT_EXPECT_TRUE(test, fm_shape_fits(shape, &from));
	KUNIT_EXPECT_FALSE(test, fm_fits());
	from.returned++;
	KUNIT_EXPECT_FALSE(test, fm_shape_fits(shape, &from));
	/* It is also the shape of a call that has not. */
	fm_stack[fm_cfa - 1] = FM_A + 1;
	KUNIT_EXPECT_TRUE(test, fm_fits());
}

static const struct fm_shape_case {
	const char *name;
	unsigned long caller;
	u8 kind;
	int cfa_words, bp;
} fm_shape_cases[] = {
	{ "an interrupt in between", FM_A, FM_STEP_REGS, 4, 0 },
	{ "to another stack", FM_A, FM_STEP_INDIRECT, 4, 0 },
	{ "a step that is not known", FM_A, FM_STEP_NONE, 4, 0 },
	{ "a step of another kind", FM_A, FM_STEP_HARD, 4, 0 },
	{ "a step in place", FM_A, FM_STEP_SP, 0, 0 },
	{ "a step back", FM_A, FM_STEP_SP, -2, 0 },
	{ "a step off the stack", FM_A, FM_STEP_SP, 4000, 0 },
	{ "to another caller", FM_A, FM_STEP_SP, 3, 0 },
	{ "bp saved below the frame", FM_A, FM_STEP_SP, 4, -5 },
	{ "bp saved above the frame", FM_A, FM_STEP_SP, 4, 1 },
	{ "a frame in place", FM_B, FM_STEP_BP, 0, 0 },
	{ "a frame off the stack", FM_B, FM_STEP_BP, 4000, 0 },
	{ "not at the end", FM_C, FM_STEP_REGS, 5, 0 },
	{ "beyond the end", FM_C, FM_STEP_REGS, 7, 0 },
	{ "no end", FM_C, FM_STEP_END, 6, 0 },
	{ "a step at the end", FM_C, FM_STEP_SP, 6, 0 },
};

FM_ARRAY_PARAM(shape);

/* Such stacks have no shape, and none is kept of what was there before. */
static void other_stacks_have_no_shape(struct kunit *test)
{
	const struct fm_shape_case *c = test->param_value;

	KUNIT_ASSERT_TRUE(test, fm_learn());
	fm_set_move(c->caller, c->kind, c->cfa_words, c->bp);
	KUNIT_EXPECT_FALSE(test, fm_learn());
	fm_know_moves();
	KUNIT_EXPECT_TRUE(test, fm_learn());
}

/*
 * Frames that do not go up have no shape, whatever is where they are; nor has a frame
 * pointer that is not saved in the frame that saves it.
 */
static void frames_go_up(struct kunit *test)
{
	long end = (unsigned long *)task_pt_regs(fm_task) - fm_stack;
	unsigned long base = (unsigned long)&fm_stack[fm_base];

	/* The frame of FM_B's caller is in place. */
	fm_set_move(FM_B, FM_STEP_BP, 0, 0);
	fm_set_move(FM_C, FM_STEP_REGS, 8, 0);
	fm_stack[fm_base - 1] = FM_C + 1;
	KUNIT_EXPECT_FALSE(test, fm_learn());
	/* Its base is below the top of the frame before. */
	fm_know_moves();
	fm_set_move(FM_C, FM_STEP_REGS, end - fm_cfa - 5, 0);
	fm_stack[fm_cfa + 1] = (unsigned long)&fm_stack[fm_cfa + 3];
	fm_stack[fm_cfa + 4] = FM_C + 1;
	KUNIT_EXPECT_FALSE(test, fm_learn());
	/* FM_A saves the frame pointer below its frame, or above it. */
	fm_lay_out(0);
	fm_know_moves();
	fm_set_move(FM_A, FM_STEP_SP, 4, -6);
	fm_stack[fm_cfa - 2] = base;
	KUNIT_EXPECT_FALSE(test, fm_learn());
	fm_set_move(FM_A, FM_STEP_SP, 4, 1);
	fm_stack[fm_cfa + 5] = base;
	KUNIT_EXPECT_FALSE(test, fm_learn());
	/* Half a word is no place. */
	fm_know_moves();
	fm_path_of(FM_A)->move.cfa += 4;
	*(unsigned long *)((char *)&fm_stack[fm_cfa + 3] + 4) = FM_B + 1;
	fm_stack[fm_cfa + 1] = base;
	fm_path_of(FM_A)->move.bp = 0;
	fm_leaf_bp = base;
	KUNIT_EXPECT_FALSE(test, fm_learn());
	fm_lay_out(0);
	fm_know_moves();
	KUNIT_EXPECT_TRUE(test, fm_learn());
}

/* The path may be of another stack than what is there now. */
static void what_is_not_there_is_not_learned(struct kunit *test)
{
	long words[] = { fm_cfa - 1, fm_cfa + 3, fm_base + 1 };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		fm_stack[words[i]]++;
		KUNIT_EXPECT_FALSE(test, fm_learn());
		fm_stack[words[i]]--;
		KUNIT_EXPECT_TRUE(test, fm_learn());
	}
}

/* A word for each caller, and one for each segment. */
static void there_is_room_for_so_many_callers(struct kunit *test)
{
	struct fm_shape_from from = fm_from();
	long end = (unsigned long *)task_pt_regs(fm_task) - fm_stack;
	u32 nr, i, path;

	for (nr = FM_SHAPE_WORDS - 1; nr <= FM_SHAPE_WORDS + 1; nr++) {
		fm_paths_clear(&fm_paths);
		from.cfa = (unsigned long)&fm_stack[end - nr];
		for (i = 0, path = FM_PATH_NONE; i < nr; i++) {
			path = fm_paths_add(&fm_paths, path, FM_A + i);
			fm_paths.paths[path].move = (struct fm_move) {
				.cfa = sizeof(long),
				.kind = i < nr - 1 ? FM_STEP_SP : FM_STEP_REGS,
			};
			fm_stack[end - nr + i - 1] = FM_A + i + 1;
		}
		fm_shapes_at(&fm_shapes, path)->wait = 0;
		fm_shapes_learn(&fm_shapes, &fm_paths, path, &from);
		KUNIT_EXPECT_EQ(test, fm_shape_is(fm_shapes_at(&fm_shapes, path), &fm_paths,
						  path), nr < FM_SHAPE_WORDS);
	}
}

/* Two stacks by turns do not make each other's shapes go each time. */
static void a_shape_stays_for_a_while(struct kunit *test)
{
	const struct fm_shape_from from = fm_from();
	struct fm_shape *shape = fm_shapes_at(&fm_shapes, fm_path);
	/* It has the same slot, and no callers. */
	u32 other = fm_path & fm_shapes.mask, i;

	KUNIT_ASSERT_TRUE(test, fm_shapes_learn(&fm_shapes, &fm_paths, fm_path, &from));
	KUNIT_ASSERT_TRUE(test, fm_shape_is(shape, &fm_paths, fm_path));
	for (i = 0; i < FM_SHAPE_WAIT; i++) {
		KUNIT_EXPECT_FALSE(test, fm_shapes_learn(&fm_shapes, &fm_paths, other, &from));
		KUNIT_EXPECT_TRUE(test, fm_shape_is(shape, &fm_paths, fm_path));
	}
	KUNIT_EXPECT_TRUE(test, fm_shapes_learn(&fm_shapes, &fm_paths, other, &from));
	KUNIT_EXPECT_FALSE(test, fm_shape_is(shape, &fm_paths, fm_path));
}

/* Numbers of paths are used again. */
static void a_shape_ends_with_its_paths(struct kunit *test)
{
	struct fm_shape *shape = fm_shapes_at(&fm_shapes, fm_path);

	KUNIT_ASSERT_TRUE(test, fm_learn());
	fm_paths_clear(&fm_paths);
	KUNIT_EXPECT_FALSE(test, fm_shape_is(shape, &fm_paths, fm_path));
	KUNIT_EXPECT_NE(test, fm_paths.generation, 0);
}

static struct kunit_case fm_shape_suite_cases[] = {
	KUNIT_CASE(the_same_stack_fits),
	KUNIT_CASE(a_gap_may_change),
	KUNIT_CASE(all_that_differs_is_seen),
	KUNIT_CASE(a_base_off_the_stack_is_not_read),
	KUNIT_CASE(a_leaf_off_the_stack_is_not_read),
	KUNIT_CASE(a_leaf_below_the_stack_does_not_fit),
	KUNIT_CASE(a_shape_may_begin_at_the_first_word),
	KUNIT_CASE(a_frame_pointer_may_be_the_leafs),
	KUNIT_CASE(a_call_that_has_returned_fits),
	KUNIT_CASE_PARAM(other_stacks_have_no_shape, fm_shape_gen_params),
	KUNIT_CASE(frames_go_up),
	KUNIT_CASE(what_is_not_there_is_not_learned),
	KUNIT_CASE(there_is_room_for_so_many_callers),
	KUNIT_CASE(a_shape_stays_for_a_while),
	KUNIT_CASE(a_shape_ends_with_its_paths),
	{}
};
#else
static int fm_begin(struct kunit *test)
{
	return 0;
}

static void fm_end(struct kunit *test)
{
}

static struct kunit_case fm_shape_suite_cases[] = { {} };
#endif

struct kunit_suite fm_shape_suite = {
	.name = "flamemod_shape",
	.init = fm_begin,
	.exit = fm_end,
	.test_cases = fm_shape_suite_cases,
};
