// SPDX-License-Identifier: GPL-2.0
/*
 * Unwinding from given registers: which of the unwinder's frames are kept, and which
 * steps are learned from them.
 *
 * The test provides the unwinder, which reports made-up frames.
 */
#include <linux/ptrace.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/learned_steps.h"
#include "../../module/sample.h"
#include "../../module/stack.h"
#include "../../module/text.h"
#include "allocations.h"
#include "chain.h"
#include "suites.h"
#include "unwinder.h"

#if FM_STACK_HAS_STEPS
#define FM_FRAMES	3

static struct fm_learned fm_learned;
static struct fm_text fm_text;
static struct fm_sample fm_found;
static unsigned long fm_words[8];
static struct pt_regs fm_regs;

/* The unwinder: its stack, and the frame in which it reports an error. */
static enum stack_type fm_type;
static u32 fm_error_at, fm_frame;
static struct unwind_state *fm_state;

/* The address of a function, as only text is reported as a caller. */
static unsigned long fm_function;

static unsigned long fm_frame_ip(u32 frame)
{
	return fm_function + frame;
}

static void fm_unwind_report(struct unwind_state *state, u32 frame)
{
	fm_frame = frame;
	state->ip = fm_frame_ip(frame);
	state->error = frame >= fm_error_at;
	/* The unwinding is done. */
	if (frame == FM_FRAMES)
		state->stack_info.type = STACK_TYPE_UNKNOWN;
}

static void fm_unwind_made_up(struct unwind_state *state, struct task_struct *task,
			      struct pt_regs *regs, unsigned long *first_frame)
{
	memset(state, 0, sizeof(*state));
	state->stack_info.type = fm_type;
	state->stack_info.begin = fm_words + 1;
	state->stack_info.end = fm_words + 7;
	state->sp = regs->sp;
	state->task = task;
	fm_state = state;
	fm_unwind_report(state, 0);
}

/* The probes of a step have a state of their own, and end at once. */
static bool fm_unwind_on(struct unwind_state *state)
{
	if (state != fm_state)
		return false;
	fm_unwind_report(state, fm_frame + 1);
	return true;
}

static int fm_unwind_begin(struct kunit *test)
{
	fm_allocations_init(test);
	memset(&fm_learned, 0, sizeof(fm_learned));
	memset(&fm_found, 0, sizeof(fm_found));
	fm_text_empty(&fm_text);
	fm_step_init();
	fm_learned.text = &fm_text;
	fm_function = (unsigned long)strlen;
	fm_type = STACK_TYPE_TASK;
	fm_error_at = FM_FRAMES + 1;
	fm_regs = (struct pt_regs) { .ip = (unsigned long)strcpy, .cs = __KERNEL_CS };
	fm_unwind_start = fm_unwind_made_up;
	fm_unwind_next = fm_unwind_on;
	return fm_learned_init(&fm_learned, 1 << 14, NUMA_NO_NODE);
}

static void fm_unwind_end(struct kunit *test)
{
	fm_unwinder_reset();
	fm_learned_deinit(&fm_learned);
	fm_allocations_exit(test);
}

static bool fm_is_learned(u32 frame)
{
	return fm_steps_find(&fm_learned.returns, fm_step_key(fm_frame_ip(frame), false));
}

/* Frames after an error are guesses: they are kept and marked, but not learned. */
static void nothing_is_learned_after_an_error(struct kunit *test)
{
	u32 i;

	for (fm_error_at = 0; fm_error_at <= FM_FRAMES; fm_error_at++) {
		fm_learned_deinit(&fm_learned);
		KUNIT_ASSERT_EQ(test, fm_learned_init(&fm_learned, 1 << 14, NUMA_NO_NODE), 0);
		fm_learned.may_learn = 16;
		fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
		KUNIT_EXPECT_EQ(test, fm_found.nr_frames, 1 + FM_FRAMES);
		KUNIT_EXPECT_EQ(test, fm_found.key.marks, FM_STACK_INCOMPLETE);
		KUNIT_EXPECT_TRUE(test, fm_found.slow);
		KUNIT_EXPECT_EQ(test, fm_found.frames[0], fm_regs.ip);
		for (i = 0; i < FM_FRAMES; i++) {
			KUNIT_EXPECT_EQ(test, fm_found.frames[1 + i], fm_frame_ip(i) - 1);
			KUNIT_EXPECT_EQ_MSG(test, fm_is_learned(i), i < fm_error_at,
					    "frame %u, an error at %u", i, fm_error_at);
		}
	}
}

/* Other code could be at a module's address by the next sample, until its page is known. */
static void only_text_that_stays_is_learned(struct kunit *test)
{
	u32 i;

	fm_function = (unsigned long)fm_chain_leaf;
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
	KUNIT_EXPECT_EQ(test, fm_found.nr_frames, 1 + FM_FRAMES);
	for (i = 0; i < FM_FRAMES; i++) {
		KUNIT_EXPECT_FALSE(test, fm_is_learned(i));
		fm_text_add(&fm_text, fm_frame_ip(i));
	}
	KUNIT_EXPECT_EQ(test, fm_learned.counts.steps, 0);
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
	for (i = 0; i < FM_FRAMES; i++)
		KUNIT_EXPECT_TRUE(test, fm_is_learned(i));
}

/* Later samples learn the rest. */
static void a_sample_learns_a_limited_number_of_steps(struct kunit *test)
{
	u32 i;

	fm_learned.may_learn = 2;
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
	for (i = 0; i < FM_FRAMES; i++)
		KUNIT_EXPECT_EQ(test, fm_is_learned(i), i < 2);
	KUNIT_EXPECT_EQ(test, fm_learned.may_learn, 0);
	fm_learned.may_learn = 2;
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
	KUNIT_EXPECT_TRUE(test, fm_is_learned(2));
	KUNIT_EXPECT_EQ(test, fm_learned.counts.steps, 3);
}

static void a_deep_stack_is_cut(struct kunit *test)
{
	u32 depth;

	for (depth = 1; depth <= FM_FRAMES; depth++) {
		fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, depth);
		KUNIT_EXPECT_EQ(test, fm_found.nr_frames, depth);
		KUNIT_EXPECT_EQ(test, fm_found.key.marks, FM_STACK_TRUNCATED);
	}
	/* An error in the remaining frames is still marked. */
	fm_error_at = 0;
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 2);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, FM_STACK_TRUNCATED | FM_STACK_INCOMPLETE);
}

/* The place of the interrupt stack is learned if the unwinder says that sp is on it. */
static const struct fm_irq_case {
	const char *name;
	enum stack_type type;
	u32 word;			/* the word at which sp is */
	bool learned;
} fm_irq_cases[] = {
	{ "its first word", STACK_TYPE_IRQ, 1, true },
	{ "its end", STACK_TYPE_IRQ, 7, true },
	{ "below it", STACK_TYPE_IRQ, 0, false },
	{ "beyond it", STACK_TYPE_IRQ, 8, false },
	{ "a task's", STACK_TYPE_TASK, 3, false },
	{ "an entry's", STACK_TYPE_ENTRY, 3, false },
	{ "an exception's", STACK_TYPE_EXCEPTION, 3, false },
	{ "unknown", STACK_TYPE_UNKNOWN, 3, false },
};

FM_ARRAY_PARAM(irq);

static void the_interrupt_stack_is_learned(struct kunit *test)
{
	const struct fm_irq_case *c = test->param_value;

	fm_type = c->type;
	fm_regs.sp = (unsigned long)(fm_words + c->word);
	fm_stack_from_regs(&fm_learned, &fm_regs, &fm_found, 10);
	KUNIT_EXPECT_EQ(test, fm_learned.irq_low,
			c->learned ? (unsigned long)(fm_words + 1) : 0);
	KUNIT_EXPECT_EQ(test, fm_learned.irq_high,
			c->learned ? (unsigned long)(fm_words + 7) : 0);
}

static struct kunit_case fm_unwind_suite_cases[] = {
	KUNIT_CASE(nothing_is_learned_after_an_error),
	KUNIT_CASE(only_text_that_stays_is_learned),
	KUNIT_CASE(a_sample_learns_a_limited_number_of_steps),
	KUNIT_CASE(a_deep_stack_is_cut),
	KUNIT_CASE_PARAM(the_interrupt_stack_is_learned, fm_irq_gen_params),
	{}
};
#else
static int fm_unwind_begin(struct kunit *test)
{
	return 0;
}

static void fm_unwind_end(struct kunit *test)
{
}

static struct kunit_case fm_unwind_suite_cases[] = { {} };
#endif

struct kunit_suite fm_unwind_suite = {
	.name = "flamemod_unwind",
	.init = fm_unwind_begin,
	.exit = fm_unwind_end,
	.test_cases = fm_unwind_suite_cases,
};
