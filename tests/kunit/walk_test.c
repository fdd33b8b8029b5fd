// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over made-up stacks: a step that leads off the stack, or does not lead to its
 * end, is never taken.
 *
 * The walk starts with one known leaf. The test chooses its step, the registers and
 * some words of the stacks. The task's stack is that of this thread. The interrupt
 * stack is the middle of an array, so the test also chooses what a read beyond its end
 * finds. If a walk is refused, an unwinder takes over, and this one finds nothing.
 */
#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/learned_steps.h"
#include "../../module/path.h"
#include "../../module/sample.h"
#include "../../module/shape.h"
#include "../../module/stack.h"
#include "../../module/text.h"
#include "../../module/traced.h"
#include "allocations.h"
#include "suites.h"
#include "text.h"
#include "unwinder.h"

#if FM_STACK_HAS_STEPS
#define FM_WORD		((int)sizeof(long))
#define FM_REGS		((int)sizeof(struct pt_regs))
#define FM_REGS_BP	((int)offsetof(struct pt_regs, bp))
#define FM_LEAF		(FM_TEST_TEXT + 0x1000)
#define FM_CALLER	(FM_TEST_TEXT + 0x2000)
/* Not an address of text, but its lower half is that of the leaf. */
#define FM_ODD_LEAF	(FM_LEAF ^ 0xff0000000000UL)

#define FM_STACK_WORDS	64

static struct fm_learned fm_learned;
static struct fm_paths fm_paths;
static struct fm_text fm_text;
static struct fm_sample fm_found;
static unsigned long fm_words[3 * FM_STACK_WORDS];
static unsigned long fm_elsewhere[FM_STACK_WORDS];

/* An address, in bytes from the start or the end of a stack. */
struct fm_value {
	enum { FM_NOWHERE, FM_IRQ, FM_IRQ_END, FM_TASK, FM_TASK_END, FM_TASK_REGS,
	       FM_ELSEWHERE, FM_TEXT } base;
	int bytes;
};

struct fm_word {
	struct fm_value at, value;
};

static unsigned long fm_value_of(struct fm_value value)
{
	unsigned long task = (unsigned long)task_stack_page(current);

	switch (value.base) {
	case FM_IRQ:
		return (unsigned long)(fm_words + FM_STACK_WORDS) + value.bytes;
	case FM_IRQ_END:
		return (unsigned long)(fm_words + 2 * FM_STACK_WORDS) + value.bytes;
	case FM_TASK:
		return task + value.bytes;
	case FM_TASK_END:
		return task + THREAD_SIZE + value.bytes;
	case FM_TASK_REGS:
		return (unsigned long)task_pt_regs(current) + value.bytes;
	case FM_ELSEWHERE:
		return (unsigned long)(fm_elsewhere + FM_STACK_WORDS / 2) + value.bytes;
	case FM_TEXT:
		return FM_CALLER + value.bytes;
	default:
		return value.bytes;
	}
}

#define FM_AT(base, bytes)	{ base, bytes }
#define FM_HOLDS(base, bytes, value...)	{ { base, bytes }, { value } }
/* A return address and its place. */
#define FM_RETURN(base, bytes)	FM_HOLDS(base, bytes, FM_TEXT, 1)
/* Saved registers: their place, their sp and their cs. */
#define FM_REGS_AT(at, at_bytes, from, from_bytes, segment) \
	{ { at, at_bytes }, { from, from_bytes }, segment }
/* The CFA in bytes, and the distance from there to the saved bp, in words. */
#define FM_SP(cfa, bp)		{ cfa, bp, FM_STEP_SP }
#define FM_BP(cfa, bp)		{ cfa, bp, FM_STEP_BP }
#define FM_INDIRECT(cfa, bp)	{ cfa, bp, FM_STEP_INDIRECT }
#define FM_INTERRUPT(cfa)	{ cfa, 0, FM_STEP_REGS }
#define FM_END			{ 0, 0, FM_STEP_END }

static const struct fm_walk_case {
	const char *name;
	bool taken;			/* the stack is taken by learned steps */
	struct fm_value sp;		/* the first sp */
	struct fm_move move;		/* the leaf's step */
	struct fm_word words[3];
	struct fm_forged {
		struct fm_value at, sp;
		unsigned long cs;
	} regs;				/* the caller's interrupted registers */
	struct fm_value bp;
	bool odd_leaf;
	struct fm_move next;		/* the caller's step; none: the walk ends there */
} fm_walk_cases[] = {
	/* Valid and invalid first values of sp. */
	{ "the task's first word", true, FM_AT(FM_TASK, 0), FM_END },
	{ "below the task's stack", false, FM_AT(FM_TASK, -FM_WORD), FM_END },
	{ "the task's end", true, FM_AT(FM_TASK_END, 0), FM_END },
	{ "beyond the task's end", false, FM_AT(FM_TASK_END, FM_WORD), FM_END },
	{ "the first word", true, FM_AT(FM_IRQ, 0), FM_END },
	{ "below the stack", false, FM_AT(FM_IRQ, -FM_WORD), FM_END },
	{ "the end", true, FM_AT(FM_IRQ_END, 0), FM_END },
	{ "beyond the end", false, FM_AT(FM_IRQ_END, FM_WORD), FM_END },
	{ "a leaf that is no text", false, FM_AT(FM_IRQ, 0), FM_END, .odd_leaf = true },

	/* Steps by the stack pointer. */
	{ "sp, to the last word", true, FM_AT(FM_IRQ_END, -16), FM_SP(16, 0),
	  { FM_RETURN(FM_IRQ_END, -8) } },
	{ "sp, a word beyond", false, FM_AT(FM_IRQ_END, -16), FM_SP(24, 0),
	  { FM_RETURN(FM_IRQ_END, 0) } },
	{ "sp, on the task's stack", true, FM_AT(FM_TASK, 64), FM_SP(16, 0),
	  { FM_RETURN(FM_TASK, 72) } },
	{ "sp, no return address", false, FM_AT(FM_IRQ, 64), FM_SP(16, 0),
	  { FM_HOLDS(FM_IRQ, 72, FM_NOWHERE, 4711) } },

	/* Steps by the frame pointer. */
	{ "bp, to the last word", true, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ_END, -8) }, .bp = FM_AT(FM_IRQ_END, -16) },
	{ "bp, a word beyond", false, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ_END, 0) }, .bp = FM_AT(FM_IRQ_END, -8) },
	{ "bp, a word onwards", true, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ, 64) }, .bp = FM_AT(FM_IRQ, 56) },
	{ "bp, in place", false, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ, 56) }, .bp = FM_AT(FM_IRQ, 48) },
	{ "bp, a word back", false, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ, 48) }, .bp = FM_AT(FM_IRQ, 40) },
	{ "bp, below the stack", false, FM_AT(FM_IRQ, 64), FM_BP(16, 0),
	  { FM_RETURN(FM_IRQ, -16) }, .bp = FM_AT(FM_IRQ, -24) },
	{ "bp, saved at sp", true, FM_AT(FM_IRQ, 64), FM_BP(16, -2),
	  { FM_RETURN(FM_IRQ, 72) }, .bp = FM_AT(FM_IRQ, 64) },
	{ "bp, saved below sp", false, FM_AT(FM_IRQ, 64), FM_BP(16, -3),
	  { FM_RETURN(FM_IRQ, 72) }, .bp = FM_AT(FM_IRQ, 64) },
	/* The leaf saved bp, and its caller uses it. */
	{ "a saved bp", true, FM_AT(FM_IRQ, 64), FM_SP(32, -2),
	  { FM_RETURN(FM_IRQ, 88), FM_HOLDS(FM_IRQ, 80, FM_IRQ, 112),
	    FM_RETURN(FM_IRQ, 120) }, .next = FM_BP(16, 0) },
	{ "a saved bp that leads back", false, FM_AT(FM_IRQ, 64), FM_SP(32, -2),
	  { FM_RETURN(FM_IRQ, 88), FM_HOLDS(FM_IRQ, 80, FM_IRQ, 80) },
	  .bp = FM_AT(FM_IRQ, 112), .next = FM_BP(16, 0) },

	/* Steps from the interrupt stack to the task's. */
	{ "to the task's stack", true, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ, 64, FM_TASK, 256), FM_RETURN(FM_TASK, 256) } },
	{ "from the last word", true, FM_AT(FM_IRQ_END, -8), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ_END, -8, FM_TASK, 256), FM_RETURN(FM_TASK, 256) } },
	{ "from beyond the last word", false, FM_AT(FM_IRQ_END, 0), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ_END, 0, FM_TASK, 256), FM_RETURN(FM_TASK, 256) } },
	{ "to no stack", false, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ, 64, FM_ELSEWHERE, 0), FM_RETURN(FM_ELSEWHERE, 0) } },
	{ "from the task's stack", false, FM_AT(FM_TASK, 256), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_TASK, 256, FM_IRQ, 64), FM_RETURN(FM_IRQ, 64) } },
	{ "to the same stack", false, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ, 64, FM_IRQ, 128), FM_RETURN(FM_IRQ, 128) } },
	{ "from the task's to the same", false, FM_AT(FM_TASK, 256), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_TASK, 256, FM_TASK, 272), FM_RETURN(FM_TASK, 272) } },
	{ "to the task's last word", true, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ, 64, FM_TASK_END, -8), FM_RETURN(FM_TASK_END, -8) } },
	{ "beyond the task's last word", false, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, 0),
	  { FM_HOLDS(FM_IRQ, 64, FM_TASK_END, 0) } },
	{ "bp saved on the task's stack", true, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, -3),
	  { FM_HOLDS(FM_IRQ, 64, FM_TASK, 16), FM_RETURN(FM_TASK, 16) } },
	{ "bp saved below the task's stack", false, FM_AT(FM_IRQ, 64), FM_INDIRECT(8, -4),
	  { FM_HOLDS(FM_IRQ, 64, FM_TASK, 16), FM_RETURN(FM_TASK, 16) } },

	/* Steps to interrupted registers. */
	{ "registers at the end", true, FM_AT(FM_IRQ_END, -FM_REGS - 8), FM_INTERRUPT(8),
	  .regs = FM_REGS_AT(FM_IRQ_END, -FM_REGS, FM_TASK, 256, __KERNEL_CS) },
	{ "bp of what was interrupted", true, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  { FM_HOLDS(FM_IRQ, 64 + FM_REGS_BP, FM_IRQ, 272), FM_RETURN(FM_IRQ, 280) },
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ, 256, __KERNEL_CS), .next = FM_BP(16, 0) },
	{ "registers beyond the end", false, FM_AT(FM_IRQ_END, -FM_REGS), FM_INTERRUPT(8),
	  .regs = FM_REGS_AT(FM_IRQ_END, -FM_REGS + 8, FM_TASK, 256, __KERNEL_CS) },
	{ "registers below sp", false, FM_AT(FM_IRQ, 64), FM_INTERRUPT(-8),
	  .regs = FM_REGS_AT(FM_IRQ, 56, FM_TASK, 256, __KERNEL_CS) },
	{ "interrupted a word onwards", true, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ, 72, __KERNEL_CS) },
	{ "interrupted in place", false, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ, 64, __KERNEL_CS) },
	{ "interrupted a word back", false, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ, 56, __KERNEL_CS) },
	{ "interrupted at the end", true, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ_END, 0, __KERNEL_CS) },
	{ "interrupted beyond the end", false, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_IRQ_END, 8, __KERNEL_CS) },
	{ "interrupted on the task's stack", true, FM_AT(FM_TASK, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_TASK, 64, FM_TASK, 512, __KERNEL_CS) },
	{ "from the task's stack, back", false, FM_AT(FM_TASK, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_TASK, 64, FM_TASK, 56, __KERNEL_CS) },
	{ "from the task's to the other stack", false, FM_AT(FM_TASK, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_TASK, 64, FM_IRQ, 64, __KERNEL_CS) },
	{ "interrupted on no stack", false, FM_AT(FM_IRQ, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_IRQ, 64, FM_ELSEWHERE, 0, __KERNEL_CS) },
	{ "user mode, where it began", true, FM_AT(FM_TASK_REGS, -8), FM_INTERRUPT(8),
	  .regs = FM_REGS_AT(FM_TASK_REGS, 0, FM_NOWHERE, 4096, __USER_CS) },
	{ "user mode elsewhere", false, FM_AT(FM_TASK, 64), FM_INTERRUPT(0),
	  .regs = FM_REGS_AT(FM_TASK, 64, FM_TASK, 512, __USER_CS) },
	{ "kernel mode, where it began", true, FM_AT(FM_TASK_REGS, -8), FM_INTERRUPT(8),
	  .regs = FM_REGS_AT(FM_TASK_REGS, 0, FM_TASK_END, 0, __KERNEL_CS) },
};

FM_ARRAY_PARAM(walk);

static int fm_walk_begin(struct kunit *test)
{
	int err;

	fm_allocations_init(test);
	memset(&fm_learned, 0, sizeof(fm_learned));
	fm_text_empty(&fm_text);
	fm_learned.text = &fm_text;
	fm_learned.irq_low = fm_value_of((struct fm_value){ FM_IRQ });
	fm_learned.irq_high = fm_value_of((struct fm_value){ FM_IRQ_END });
	fm_unwind_start = fm_unwind_nothing;
	err = fm_learned_init_events(&fm_learned, 1 << 14, NUMA_NO_NODE);
	return err ?: fm_paths_init(&fm_paths, FM_PATHS_MIN, NUMA_NO_NODE);
}

static void fm_walk_end(struct kunit *test)
{
	fm_unwinder_reset();
	fm_learned_deinit(&fm_learned);
	fm_paths_deinit(&fm_paths);
	fm_allocations_exit(test);
}

static void fm_walk_know(struct fm_steps *steps, unsigned long address, bool interrupted,
			 struct fm_move move)
{
	u32 key = fm_step_key(address, interrupted);

	steps->sets[fm_steps_slot(steps, key)].ways[0] = (struct fm_step) {
		.key = key, .move = move,
	};
}

/* A word to put on a stack, and its place; NULL: unused. */
struct fm_put {
	unsigned long *at, value;
};

static void fm_walk_lay_out(const struct fm_walk_case *c, struct fm_put *puts)
{
	const struct fm_forged *forged = &c->regs;
	struct pt_regs *regs = (void *)fm_value_of(forged->at);
	u32 i;

	if (forged->at.base) {
		*puts++ = (struct fm_put) { &regs->ip, FM_CALLER };
		*puts++ = (struct fm_put) { (void *)&regs->cs, forged->cs };
		*puts++ = (struct fm_put) { &regs->sp, fm_value_of(forged->sp) };
	}
	for (i = 0; i < ARRAY_SIZE(c->words) && c->words[i].at.base; i++)
		*puts++ = (struct fm_put) { (unsigned long *)fm_value_of(c->words[i].at),
					    fm_value_of(c->words[i].value) };
}

/* Swap the words with the stacks' words; a second call restores these. */
static void fm_walk_exchange(struct fm_put *puts, u32 nr)
{
	u32 i;

	for (i = 0; i < nr && puts[i].at; i++)
		swap(*puts[i].at, puts[i].value);
}

static void a_walk_stays_on_its_stacks(struct kunit *test)
{
	const struct fm_walk_case *c = test->param_value;
	struct fm_put puts[ARRAY_SIZE(c->words) + 3] = {};
	unsigned long flags;
	struct pt_regs regs = {
		.ip = c->odd_leaf ? FM_ODD_LEAF : FM_LEAF,
		.sp = fm_value_of(c->sp),
		.bp = fm_value_of(c->bp),
		.cs = __KERNEL_CS,
	};

	memset(fm_words, 0, sizeof(fm_words));
	memset(&fm_found, 0, sizeof(fm_found));
	fm_found.paths = &fm_paths;
	fm_walk_know(&fm_learned.leaves, FM_LEAF, true, c->move);
	if (c->next.kind) {
		fm_walk_know(&fm_learned.returns, FM_CALLER + 1, false, c->next);
		fm_walk_know(&fm_learned.returns, FM_CALLER, true, c->next);
	}
	fm_walk_lay_out(c, puts);
	/* Interrupts are off while words of the running task's stack are changed. */
	local_irq_save(flags);
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	fm_learned_stack(&fm_learned, &regs, &fm_found, c->next.kind ? 2 : 1);
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, c->taken);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.unwound, !c->taken);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.steps, 0);
}

#ifdef CONFIG_RETHOOK
/* The return address on the stack is a trampoline's; the task's list has the true one. */
static void a_walk_goes_through_trampolines(struct kunit *test)
{
	const struct fm_move end = FM_END, leaf = FM_SP(16, 0), caller = FM_SP(8, 0);
	unsigned long trampoline = FM_TEST_TEXT + 0x9000, flags;
	unsigned long *stack = fm_words + FM_STACK_WORDS;
	struct rethook_node node = {
		.frame = (unsigned long)&stack[1], .ret_addr = FM_CALLER + 1,
	};
	struct pt_regs regs = {
		.ip = FM_LEAF, .sp = (unsigned long)stack, .cs = __KERNEL_CS,
	};
	struct llist_node *first;

	fm_found = (struct fm_sample){ .paths = &fm_paths };
	fm_walk_know(&fm_learned.leaves, FM_LEAF, true, leaf);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 1, false, caller);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 0x101, false, end);
	stack[1] = trampoline;
	stack[2] = FM_CALLER + 0x101;
	local_irq_save(flags);
	first = current->rethooks.first;
	node.llist.next = first;
	current->rethooks.first = &node.llist;
	fm_learned_stack(&fm_learned, &regs, &fm_found, 9);
	/* The second time it expects the true one. */
	fm_learned_stack(&fm_learned, &regs, &fm_found, 9);
	current->rethooks.first = first;
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 2);
	KUNIT_ASSERT_NE(test, fm_found.key.path, FM_PATH_NONE);
	KUNIT_EXPECT_EQ(test, fm_text_address(fm_paths.paths[fm_found.key.path].caller),
			FM_CALLER + 0x100);
	KUNIT_EXPECT_EQ(test, fm_paths.nr, 4);
}
#endif

/* A function that has returned: its caller goes on at the registers. */
static void a_walk_starts_where_a_function_returned(struct kunit *test)
{
	const struct fm_move end = FM_END, leaf = FM_SP(8, 0), caller = FM_SP(8, 0);
	unsigned long *stack = fm_words + FM_STACK_WORDS;
	struct pt_regs regs = {
		.ip = FM_CALLER + 1, .sp = (unsigned long)stack, .cs = __KERNEL_CS,
	};
	const struct fm_spot spot = { &regs, FM_LEAF, true };
	unsigned long flags;

	fm_found = (struct fm_sample){ .paths = &fm_paths };
	fm_walk_know(&fm_learned.leaves, FM_LEAF, true, leaf);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 1, false, caller);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 0x101, false, end);
	/* What is below sp is not looked at. */
	stack[-1] = 0;
	stack[0] = FM_CALLER + 0x101;
	local_irq_save(flags);
	fm_learned_spot_stack(&fm_learned, &spot, &fm_found, 9);
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 1);
	KUNIT_EXPECT_EQ(test, fm_found.key.leaf, FM_LEAF);
	KUNIT_ASSERT_EQ(test, fm_paths.nr, 4);
	KUNIT_EXPECT_EQ(test, fm_text_address(fm_paths.paths[2].caller), FM_CALLER);
	KUNIT_EXPECT_EQ(test, fm_text_address(fm_paths.paths[3].caller), FM_CALLER + 0x100);
}

/*
 * A stack that is met again is compared with its shape: the first walk notes its path, the
 * second learns the shape, and the third is none. The leaf's frame is found by a step, and
 * has the frame pointer, by which its caller's frame is found.
 */
static void fm_meet_again(struct kunit *test, struct fm_move move, int sp, int bp)
{
	struct pt_regs *end = task_pt_regs(current), regs = {
		.ip = FM_LEAF, .sp = (unsigned long)end + sp, .bp = (unsigned long)end + bp,
		.cs = __KERNEL_CS,
	};
	struct fm_put puts[] = {
		{ (void *)&end->cs, __USER_CS },
		{ (unsigned long *)end - 8, (unsigned long)end - 32 },
		{ (unsigned long *)end - 7, FM_CALLER + 1 },
		{ (unsigned long *)end - 3, FM_CALLER + 0x101 },
	};
	const struct fm_spot spot = { .regs = &regs, .leaf = FM_LEAF, .inside = true };
	u32 i, paths[5], frames[5];
	struct fm_path *caller;
	unsigned long flags;
	bool slow[5];
	u8 marks[5];

	fm_found = (struct fm_sample){ .paths = &fm_paths };
	fm_walk_know(&fm_learned.leaves, FM_LEAF, true, move);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 1, false, (struct fm_move)FM_BP(16, 0));
	fm_walk_know(&fm_learned.returns, FM_CALLER + 0x101, false,
		     (struct fm_move)FM_INTERRUPT(16));
	local_irq_save(flags);
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		fm_found.slow = false;
		fm_found.nr_frames = 1;
		fm_found.key = (struct fm_key){ .marks = FM_STACK_INCOMPLETE };
		/* This one is left to the unwinder, which finds nothing. */
		fm_learned.off = i == 3;
		/* A walk would not get on any more. */
		caller = &fm_paths.paths[FM_PATH_NOWHERE + 1];
		if (i == 2)
			caller->move.kind = FM_STEP_HARD;
		if (i == 4)
			caller->move.kind = FM_STEP_BP;
		fm_learned_spot_stack(&fm_learned, &spot, &fm_found, i == 4 ? 2 : 9);
		slow[i] = fm_found.slow;
		paths[i] = fm_found.key.path;
		marks[i] = fm_found.key.marks;
		frames[i] = fm_found.nr_frames;
	}
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, paths[0], FM_PATH_NOWHERE + 2);
	KUNIT_EXPECT_EQ(test, paths[1], paths[0]);
	KUNIT_EXPECT_EQ(test, paths[2], paths[0]);
	KUNIT_EXPECT_TRUE(test, slow[1]);
	KUNIT_EXPECT_FALSE(test, slow[2]);
	KUNIT_EXPECT_EQ(test, marks[2], 0);
	KUNIT_EXPECT_EQ(test, frames[2], 0);
	/* This one had no room for the second caller. */
	KUNIT_EXPECT_EQ(test, paths[4], FM_PATH_NOWHERE + 1);
	KUNIT_EXPECT_EQ(test, marks[4], FM_STACK_TRUNCATED);
	KUNIT_EXPECT_EQ(test, frames[4], 0);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.learned, 4);
	KUNIT_EXPECT_EQ(test, fm_learned.counts.unwound, 1);
}

static void a_stack_that_is_met_again_is_compared(struct kunit *test)
{
	fm_meet_again(test, (struct fm_move)FM_SP(16, -2), -64, 0);
}

static void so_is_one_whose_leaf_has_a_frame_pointer(struct kunit *test)
{
	fm_meet_again(test, (struct fm_move)FM_BP(16, -2), -72, -64);
}

/* Where the stack pointer of a leaf is, below the end, and whether its stack is learned. */
struct fm_led {
	int sp;
	bool taken;
};

static void fm_lead_back(struct kunit *test, struct fm_move move,
			 const struct fm_led *led, u32 nr)
{
	struct pt_regs *end = task_pt_regs(current), regs = {
		.ip = FM_LEAF, .bp = (unsigned long)end - 32, .cs = __KERNEL_CS,
	};
	struct fm_put puts[] = {
		{ (void *)&end->cs, __USER_CS }, { (unsigned long *)end - 3, FM_CALLER + 1 },
	};
	const struct fm_spot spot = { .regs = &regs, .leaf = FM_LEAF, .inside = true };
	u64 learned[9] = {};
	unsigned long flags;
	u32 i;

	fm_found = (struct fm_sample){ .paths = &fm_paths };
	fm_walk_know(&fm_learned.leaves, FM_LEAF, true, move);
	fm_walk_know(&fm_learned.returns, FM_CALLER + 1, false,
		     (struct fm_move)FM_INTERRUPT(16));
	local_irq_save(flags);
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	for (i = 0; i < nr; i++) {
		regs.sp = (unsigned long)end + led[i].sp;
		fm_learned_spot_stack(&fm_learned, &spot, &fm_found, 9);
		learned[i + 1] = fm_learned.counts.learned;
	}
	fm_walk_exchange(puts, ARRAY_SIZE(puts));
	local_irq_restore(flags);
	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ_MSG(test, learned[i + 1] - learned[i], led[i].taken, "%d",
				    led[i].sp);
	KUNIT_EXPECT_TRUE(test, fm_shape_is(fm_shapes_at(&fm_learned.shapes, FM_PATH_NOWHERE + 1),
					    &fm_paths, FM_PATH_NOWHERE + 1));
}

/*
 * The caller of a leaf is never at or below its stack pointer, and the leaf saved nothing
 * below that: the unwinder takes such a stack, though it has the shape of the last one.
 */
static void a_leaf_that_leads_back_has_no_shape(struct kunit *test)
{
	const struct fm_led led[] = {
		{ -72, true }, { -72, true }, { -72, true }, { -8, false }, { -16, false },
		{ -23, false }, { -32, true }, { -24, true },
	};

	fm_lead_back(test, (struct fm_move)FM_BP(16, -1), led, ARRAY_SIZE(led));
}

/* The same of one that saved nothing. */
static void nor_has_one_whose_caller_is_at_its_stack_pointer(struct kunit *test)
{
	const struct fm_led led[] = {
		{ -72, true }, { -72, true }, { -72, true }, { -16, false }, { -8, false },
		{ -24, true },
	};

	fm_lead_back(test, (struct fm_move)FM_BP(16, 0), led, ARRAY_SIZE(led));
}

static struct kunit_case fm_walk_suite_cases[] = {
	KUNIT_CASE(a_stack_that_is_met_again_is_compared),
	KUNIT_CASE(so_is_one_whose_leaf_has_a_frame_pointer),
	KUNIT_CASE(a_leaf_that_leads_back_has_no_shape),
	KUNIT_CASE(nor_has_one_whose_caller_is_at_its_stack_pointer),
#ifdef CONFIG_RETHOOK
	KUNIT_CASE(a_walk_goes_through_trampolines),
#endif
	KUNIT_CASE(a_walk_starts_where_a_function_returned),
	KUNIT_CASE_PARAM(a_walk_stays_on_its_stacks, fm_walk_gen_params),
	{}
};
#else
static int fm_walk_begin(struct kunit *test)
{
	return 0;
}

static void fm_walk_end(struct kunit *test)
{
}

static struct kunit_case fm_walk_suite_cases[] = { {} };
#endif

struct kunit_suite fm_walk_suite = {
	.name = "flamemod_walk",
	.init = fm_walk_begin,
	.exit = fm_walk_end,
	.test_cases = fm_walk_suite_cases,
};
