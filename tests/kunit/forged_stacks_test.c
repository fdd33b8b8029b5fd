// SPDX-License-Identifier: GPL-2.0
/*
 * Made-up stacks of a task that may run meanwhile, on x86: whatever is on a stack, nothing
 * else is read, and the kernel's unwinder is not started.
 */
#include <linux/prandom.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <kunit/test.h>

#include "../../module/sample.h"
#include "../../module/stack.h"
#include "../../module/step.h"
#include "suites.h"
#include "text.h"
#include "unwinder.h"

#if FM_STACK_HAS_REGS
#include <asm/switch_to.h>

static struct fm_sample fm_found;

/* A made-up stack, behind which nothing is mapped. Places on it are counted in words. */
#define FM_PEEK_WORDS		(THREAD_SIZE / sizeof(long))
#define FM_PEEK_FRAME_WORDS	(sizeof(struct inactive_task_frame) / sizeof(long))
#define FM_PEEK_REGS_WORDS	(sizeof(struct pt_regs) / sizeof(long))

static unsigned long *fm_peek_words;
static struct task_struct *fm_peek_task;

static void fm_peek_make_up(struct kunit *test)
{
	fm_peek_task = kunit_kzalloc(test, sizeof(*fm_peek_task), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, fm_peek_task);
	fm_peek_words = vzalloc(THREAD_SIZE);
	KUNIT_ASSERT_NOT_NULL(test, fm_peek_words);
	fm_peek_task->stack = fm_peek_words;
	fm_peek_task->nvcsw = 1;
	/* Not an idle task, whose stack starts elsewhere. */
	fm_peek_task->pid = 101;
	fm_unwind_nr_starts = 0;
	fm_step_init();
	fm_unwind_start = fm_unwind_nothing;
}

static void fm_peek_end(void)
{
	vfree(fm_peek_words);
	fm_unwinder_reset();
}

static void fm_peek_all(void)
{
	memset(&fm_found, 0x7e, sizeof(fm_found));
	fm_found.slow = false;
	fm_found.untimed = false;
	fm_stack_peek(fm_peek_task, &fm_found, FLAMEMOD_MAX_DEPTH_MAX);
}

/* The place of the user's registers. */
static unsigned long fm_peek_user(void)
{
	return (unsigned long *)task_pt_regs(fm_peek_task) - fm_peek_words;
}

static unsigned long fm_peek_place_at(long word)
{
	return (unsigned long)(fm_peek_words + word);
}

/* The task has left its CPU, with its stack used from @sp on. */
static void fm_peek_leave(long sp, unsigned long address, unsigned long bp)
{
	struct inactive_task_frame *frame =
		(void *)fm_peek_place_at(sp - (long)FM_PEEK_FRAME_WORDS);

	fm_peek_task->thread.sp = (unsigned long)frame;
	if (sp < (long)FM_PEEK_FRAME_WORDS || sp > (long)FM_PEEK_WORDS)
		return;
	frame->ret_addr = address;
	frame->bp = bp;
}

/* A number that is part of a made-up stack; places are counted from sp. */
struct fm_peek_value {
	enum { FM_PLAIN, FM_PLACE, FM_RULE } kind;
	long value;
};

/* What the unwinder does at the addresses of made-up text, in words. */
enum fm_peek_rule {
	FM_RULE_SP,		/* CFA = sp + 3, bp is at CFA - 2 */
	FM_RULE_BP,		/* CFA = bp + 2, bp is at CFA - 2 */
	FM_RULE_REGS,		/* registers are at sp */
	FM_RULE_END,
	FM_RULE_HARD,
};

static unsigned long fm_peek_text(enum fm_peek_rule rule)
{
	return FM_TEST_TEXT + 0x1000 * (rule + 1);
}

#define FM_NO_TEXT	42		/* an address */
#define FM_AT_END	100000		/* as a place: the stack's end, not sp */

static long fm_peek_sp;

static unsigned long fm_peek_value(struct fm_peek_value value)
{
	switch (value.kind) {
	case FM_PLACE:
		return value.value > FM_AT_END / 2 ?
		       fm_peek_place_at(value.value - FM_AT_END + FM_PEEK_WORDS) :
		       fm_peek_place_at(fm_peek_sp + value.value);
	case FM_RULE:
		return fm_peek_text(value.value);
	default:
		return value.value;
	}
}

/* Registers at sp. */
struct fm_peek_regs {
	bool set;
	struct fm_peek_value ip, sp, bp;
	unsigned long cs;
};

#define FM_IS(n)		{ FM_PLAIN, n }
#define FM_TO(word)		{ FM_PLACE, word }
#define FM_TO_END(word)		{ FM_PLACE, FM_AT_END + (word) }
#define FM_RULE_IS(rule)	{ FM_RULE, FM_RULE_##rule }

/* What is found: how many frames, the marks, the last frame, and that nothing called it. */
struct fm_peek_found {
	u32 nr_frames;
	u8 marks;
	enum fm_peek_rule last;
	bool interrupted;
};

#define FM_WHOLE(nr, rule)	{ nr, 0, FM_RULE_##rule }
#define FM_LOST(nr, rule)	{ nr, FM_STACK_INCOMPLETE, FM_RULE_##rule }
#define FM_NO_FRAME		{ 0, FM_STACK_INCOMPLETE }

static const struct fm_peek_case {
	const char *name;
	unsigned int before;		/* sp is that much before the end or, if 0, ... */
	unsigned int before_user;	/* ... before the user's registers */
	struct fm_peek_value address, bp;
	struct {
		long at;
		struct fm_peek_value value;
	} words[4];
	struct fm_peek_regs regs;
	struct fm_peek_found found;
} fm_peek_cases[] = {
#ifdef CONFIG_UNWINDER_ORC
	{ "no caller, at the start", .address = FM_RULE_IS(END), .found = FM_WHOLE(1, END) },
	{ "no caller, elsewhere", .before_user = 1, .address = FM_RULE_IS(END),
	  .found = FM_LOST(1, END) },
	{ "no text", .address = FM_IS(FM_NO_TEXT), .found = FM_NO_FRAME },
	{ "no known step", .address = FM_RULE_IS(HARD), .found = FM_NO_FRAME },
	{ "a caller", .before_user = 3, .address = FM_RULE_IS(SP),
	  .words = { { 2, FM_RULE_IS(END) } }, .found = FM_WHOLE(2, END) },
	{ "a caller that is no text", .before_user = 3, .address = FM_RULE_IS(SP),
	  .words = { { 2, FM_IS(FM_NO_TEXT) } }, .found = FM_LOST(1, SP) },
	{ "the last word is a caller", .before = 3, .address = FM_RULE_IS(SP),
	  .words = { { 2, FM_RULE_IS(END) } }, .found = FM_LOST(2, END) },
	{ "a caller would be past the end", .before = 2, .address = FM_RULE_IS(SP),
	  .found = FM_LOST(1, SP) },
	{ "a frame pointer", .before_user = 6, .address = FM_RULE_IS(BP), .bp = FM_TO(4),
	  .words = { { 5, FM_RULE_IS(END) } }, .found = FM_WHOLE(2, END) },
	{ "a frame pointer that is sp", .before_user = 2, .address = FM_RULE_IS(BP),
	  .bp = FM_TO(0), .words = { { 1, FM_RULE_IS(END) } }, .found = FM_WHOLE(2, END) },
	{ "a frame pointer below sp", .before_user = 1, .address = FM_RULE_IS(BP),
	  .bp = FM_TO(-1), .words = { { 0, FM_RULE_IS(END) } }, .found = FM_LOST(1, BP) },
	{ "a frame pointer below the stack", .before_user = 1, .address = FM_RULE_IS(BP),
	  .bp = FM_TO(-100000), .found = FM_LOST(1, BP) },
	{ "a frame pointer of 0", .before_user = 1, .address = FM_RULE_IS(BP),
	  .bp = FM_IS(0), .found = FM_LOST(1, BP) },
	{ "a frame pointer of -1", .before_user = 1, .address = FM_RULE_IS(BP),
	  .bp = FM_IS(-1), .found = FM_LOST(1, BP) },
	{ "a frame pointer to the last frame", .before = 6, .address = FM_RULE_IS(BP),
	  .bp = FM_TO_END(-2), .words = { { 5, FM_RULE_IS(END) } }, .found = FM_LOST(2, END) },
	{ "a frame pointer to the last word", .before = 6, .address = FM_RULE_IS(BP),
	  .bp = FM_TO_END(-1), .found = FM_LOST(1, BP) },
	{ "a frame pointer that was saved", .before_user = 8, .address = FM_RULE_IS(SP),
	  .words = { { 1, FM_TO(6) }, { 2, FM_RULE_IS(BP) }, { 7, FM_RULE_IS(END) } },
	  .found = FM_WHOLE(3, END) },
	{ "an interrupt", .before_user = FM_PEEK_REGS_WORDS + 3, .address = FM_RULE_IS(REGS),
	  .words = { { FM_PEEK_REGS_WORDS + 2, FM_RULE_IS(END) } },
	  .regs = { true, FM_RULE_IS(SP), FM_TO(FM_PEEK_REGS_WORDS), FM_IS(0),
		    __KERNEL_CS },
	  .found = FM_WHOLE(3, END) },
	{ "an interrupt with a frame pointer", .before_user = FM_PEEK_REGS_WORDS + 5,
	  .address = FM_RULE_IS(REGS),
	  .words = { { FM_PEEK_REGS_WORDS + 4, FM_RULE_IS(END) } },
	  .regs = { true, FM_RULE_IS(BP), FM_TO(FM_PEEK_REGS_WORDS),
		    FM_TO(FM_PEEK_REGS_WORDS + 3), __KERNEL_CS },
	  .found = FM_WHOLE(3, END) },
	{ "registers end with the stack", .before = FM_PEEK_REGS_WORDS,
	  .address = FM_RULE_IS(REGS),
	  .regs = { true, FM_RULE_IS(END), FM_TO_END(0), FM_IS(0), __KERNEL_CS },
	  .found = { 2, FM_STACK_INCOMPLETE, FM_RULE_END, true } },
	{ "registers would be past the end", .before = 8,
	  .address = FM_RULE_IS(REGS), .found = FM_LOST(1, REGS) },
	{ "an interrupt that leads back", .before = FM_PEEK_REGS_WORDS + 9,
	  .address = FM_RULE_IS(REGS),
	  .regs = { true, FM_RULE_IS(REGS), FM_TO(0), FM_IS(0), __KERNEL_CS },
	  .found = FM_LOST(1, REGS) },
	{ "an interrupt that leads off", .before = FM_PEEK_REGS_WORDS + 9,
	  .address = FM_RULE_IS(REGS),
	  .regs = { true, FM_RULE_IS(SP), FM_TO_END(1), FM_IS(0), __KERNEL_CS },
	  .found = FM_LOST(1, REGS) },
	{ "user mode", .address = FM_RULE_IS(REGS),
	  .regs = { true, FM_IS(0), FM_IS(0), FM_IS(0), __USER_CS },
	  .found = FM_WHOLE(1, REGS) },
	{ "user mode in another place", .before_user = 8, .address = FM_RULE_IS(REGS),
	  .regs = { true, FM_IS(0), FM_IS(0), FM_IS(0), __USER_CS },
	  .found = FM_LOST(1, REGS) },
#else
	{ "no caller, at the start", .address = FM_RULE_IS(END), .found = FM_WHOLE(1, END) },
	{ "no text", .address = FM_IS(FM_NO_TEXT), .found = FM_NO_FRAME },
	{ "a caller", .before_user = 6, .address = FM_RULE_IS(SP), .bp = FM_TO(4),
	  .words = { { 5, FM_RULE_IS(END) } }, .found = FM_WHOLE(2, END) },
	{ "two callers", .before_user = 6, .address = FM_RULE_IS(SP), .bp = FM_TO(0),
	  .words = { { 0, FM_TO(4) }, { 1, FM_RULE_IS(BP) }, { 5, FM_RULE_IS(END) } },
	  .found = FM_WHOLE(3, END) },
	{ "a caller that is no text", .before_user = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_TO(4), .words = { { 5, FM_TO(5) } }, .found = FM_LOST(1, SP) },
	{ "a frame pointer below sp", .before_user = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_TO(-1), .words = { { 0, FM_RULE_IS(END) } }, .found = FM_LOST(1, SP) },
	{ "a frame pointer of 0", .before_user = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_IS(0), .found = FM_LOST(1, SP) },
	{ "a frame pointer that leads back", .before_user = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_TO(0), .words = { { 0, FM_TO(0) }, { 1, FM_RULE_IS(BP) } },
	  .found = FM_LOST(2, BP) },
	{ "a frame pointer to the last frame", .before = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_TO_END(-2), .words = { { 5, FM_RULE_IS(END) } }, .found = FM_LOST(2, END) },
	{ "a frame pointer to the last word", .before = 6, .address = FM_RULE_IS(SP),
	  .bp = FM_TO_END(-1), .found = FM_LOST(1, SP) },
#endif
	{ "beyond the end", .before = -1U, .address = FM_RULE_IS(END),
	  .found = FM_NO_FRAME },
	{ "below the stack", .before = FM_PEEK_WORDS - FM_PEEK_FRAME_WORDS + 1,
	  .address = FM_RULE_IS(END), .words = { { -1, FM_RULE_IS(END) } },
	  .found = FM_NO_FRAME },
};

FM_ARRAY_PARAM(peek);

#ifdef CONFIG_UNWINDER_ORC
/* The unwinder, which is asked what it does on another stack than the task's. */
static bool fm_peek_follow(struct unwind_state *state)
{
	unsigned long *cfa = (unsigned long *)state->sp + 3;
	struct pt_regs *regs = (struct pt_regs *)state->sp;

	/* The unwinder has rules for what is no text, too. */
	state->error = state->ip == fm_peek_text(FM_RULE_HARD);
	if (state->error || state->ip == fm_peek_text(FM_RULE_END) || state->ip == FM_NO_TEXT)
		return false;
	if (state->ip == fm_peek_text(FM_RULE_REGS)) {
		state->regs = regs;
		state->ip = regs->ip;
		state->sp = regs->sp;
		state->bp = regs->bp;
		return true;
	}
	if (state->ip == fm_peek_text(FM_RULE_BP))
		cfa = (unsigned long *)state->bp + 2;
	state->ip = cfa[-1];
	state->bp = cfa[-2];
	state->sp = (unsigned long)cfa;
	state->regs = NULL;
	return true;
}
#endif

static void made_up_stacks_are_followed(struct kunit *test)
{
	const struct fm_peek_case *c = test->param_value;
	struct pt_regs *regs;
	unsigned int i;

	fm_peek_make_up(test);
	fm_peek_sp = c->before ? (long)FM_PEEK_WORDS - (int)c->before :
		     (long)fm_peek_user() - c->before_user;
	fm_peek_leave(fm_peek_sp, fm_peek_value(c->address), fm_peek_value(c->bp));
	if (c->regs.set) {
		regs = (struct pt_regs *)fm_peek_place_at(fm_peek_sp);
		regs->ip = fm_peek_value(c->regs.ip);
		regs->sp = fm_peek_value(c->regs.sp);
		regs->bp = fm_peek_value(c->regs.bp);
		regs->cs = c->regs.cs;
	}
	for (i = 0; i < ARRAY_SIZE(c->words); i++)
		if (c->words[i].at || c->words[i].value.kind)
			fm_peek_words[fm_peek_sp + c->words[i].at] =
				fm_peek_value(c->words[i].value);
#ifdef CONFIG_UNWINDER_ORC
	fm_unwind_next = fm_peek_follow;
#endif
	fm_peek_all();
	KUNIT_EXPECT_EQ(test, fm_found.nr_frames, c->found.nr_frames);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, c->found.marks);
	KUNIT_EXPECT_EQ(test, fm_unwind_nr_starts, 0);
	if (c->found.nr_frames)
		KUNIT_EXPECT_EQ(test, fm_found.frames[c->found.nr_frames - 1],
				fm_peek_text(c->found.last) - !c->found.interrupted);
	/* What a task starts with was not called. */
	fm_peek_task->nvcsw = 0;
	if (c->found.nr_frames > 1) {
		fm_peek_all();
		KUNIT_EXPECT_EQ(test, fm_found.frames[0], fm_peek_value(c->address));
	}
	fm_peek_end();
}

/* Return addresses of this thread, whose steps are known. */
static unsigned long fm_returns[16];
static u32 fm_nr_returns;

/* Words that a stack may hold, and some that it should not. */
static unsigned long fm_peek_any(struct rnd_state *random)
{
	u32 value = prandom_u32_state(random);
	u32 kind = value % 8, rest = value / 8;

	switch (kind) {
	case 0:
	case 1:
		return fm_returns[rest % fm_nr_returns];
	case 2:
		return fm_peek_place_at(rest % FM_PEEK_WORDS);
	case 3:
		/* The next words, as saved frame pointers are. */
		return fm_peek_place_at(FM_PEEK_WORDS / 2 + rest % 64);
	case 4:
		return fm_peek_place_at(rest % FM_PEEK_WORDS) + 1 + rest % 3;
	case 5:
		return fm_peek_place_at((rest & 1 ? FM_PEEK_WORDS : 0) + rest / 2 % 64 - 32L);
	case 6:
		return rest & 1 ? __KERNEL_CS : __USER_CS;
	default:
		return (unsigned long)value << 32 | value;
	}
}

/* No load is beyond the stack's end, where nothing is mapped, and each walk ends. */
static void any_stack_does_no_harm(struct kunit *test)
{
	struct rnd_state random;
	u32 seed, i, nr = 0;

	fm_nr_returns = stack_trace_save(fm_returns, ARRAY_SIZE(fm_returns), 0);
	KUNIT_ASSERT_GT(test, fm_nr_returns, 2);
	fm_peek_make_up(test);
	for (seed = 1; seed <= 2000; seed++) {
		prandom_seed_state(&random, seed);
		for (i = 0; i < FM_PEEK_WORDS; i++)
			fm_peek_words[i] = fm_peek_any(&random);
		fm_peek_leave(seed % 3 ? (long)FM_PEEK_WORDS - seed % 40 : FM_PEEK_WORDS / 2,
			      fm_returns[seed % fm_nr_returns],
			      fm_peek_any(&random));
		fm_peek_all();
		KUNIT_EXPECT_LE(test, fm_found.nr_frames, FLAMEMOD_MAX_DEPTH_MAX);
		nr += fm_found.nr_frames > 1;
		cond_resched();
	}
	/* Some of them look like the start of a stack. */
	KUNIT_EXPECT_GT(test, nr, 20);
	KUNIT_EXPECT_EQ(test, fm_unwind_nr_starts, 0);
	fm_peek_end();
}
#endif

static struct kunit_case fm_forged_stacks_tests[] = {
#if FM_STACK_HAS_REGS
	KUNIT_CASE_PARAM(made_up_stacks_are_followed, fm_peek_gen_params),
	KUNIT_CASE(any_stack_does_no_harm),
#endif
	{}
};

struct kunit_suite fm_forged_stacks_suite = {
	.name = "flamemod_forged_stacks",
	.test_cases = fm_forged_stacks_tests,
};
