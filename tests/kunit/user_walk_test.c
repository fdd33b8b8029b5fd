// SPDX-License-Identifier: GPL-2.0
/*
 * The walk of a user stack that the timer does, of a forged program (forged.h): it finds
 * the frames, and reads nothing but the stack.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "forged.h"
#include "suites.h"

#ifdef CONFIG_X86_64
static void a_stack_is_looked_up(struct kunit *test)
{
	fm_forged_stand(test);
	fm_forged_walk(true);
	fm_forged_expect_standing(test);
	/* the same below a kernel stack */
	fm_forged_walk(false);
	fm_forged_expect_standing(test);
}

/* While the CPU sees the memory of another process, none is walked. */
static void other_memory_is_not_walked(struct kunit *test)
{
	struct mm_struct *other = kunit_kzalloc(test, sizeof(*other), GFP_KERNEL);
	struct fm_user_stack stack;

	KUNIT_ASSERT_NOT_NULL(test, other);
	init_rwsem(&other->mmap_lock);
	fm_forged_stand_simply(test);
	local_irq_disable();
	current->mm = other;
	stack = fm_user_walk(fm_forged.maps, &fm_forged.paths, &fm_forged.regs, false);
	current->mm = fm_forged.mm;
	local_irq_enable();
	KUNIT_EXPECT_EQ(test, (int)stack.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged_walk(false);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
}

/* What a task looks like that has no stack of a 64-bit program. */
static void some_tasks_are_not_walked(struct kunit *test)
{
	fm_forged_stand_simply(test);
	fm_forged.regs.cs = __USER32_CS;
	KUNIT_EXPECT_EQ(test, fm_forged_walk(true), fm_user_paths_nothing(FLAMEMOD_USER_COMPAT32));
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_COMPAT32);
	fm_forged.regs.cs = __KERNEL_CS;
	KUNIT_EXPECT_EQ(test, fm_forged_walk(false), fm_user_paths_nothing(FLAMEMOD_USER_EXEC));
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_EXEC);
	fm_forged.regs.cs = __USER_CS;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
}

static void fm_set_in_exec(bool value)
{
#ifdef FM_HAVE_IN_EXECVE
	current->in_execve = value;
#endif
}

/*
 * A task that was forked keeps its memory until that is replaced: it can be walked. Newer
 * kernels do not tell.
 */
static void a_task_in_exec_is_not_walked(struct kunit *test)
{
	unsigned int flags = current->flags & PF_FORKNOEXEC;

	fm_forged_stand_simply(test);
	fm_set_in_exec(true);
	current->flags |= PF_FORKNOEXEC;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	current->flags &= ~PF_FORKNOEXEC;
	fm_forged_walk(true);
	if (fm_compat_in_exec(current))
		KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_EXEC);
	fm_set_in_exec(false);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	current->flags |= flags;
}

/* Words are read where they are, not at the address without the bits that none has. */
static void only_the_words_themselves_are_read(struct kunit *test)
{
	fm_forged_stand_simply(test);
	fm_forged.regs.sp = fm_forged.stack + 4;
	fm_forged_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	fm_forged.regs.sp = fm_forged.stack | 1ul << 62;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged.regs.sp = fm_forged.stack;
	fm_forged_call(test, 0, FM_SAVES);
	fm_forged.regs.bp = fm_forged.stack + 8 * 8;
	fm_forged_call(test, 9, FM_START);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES + 7, FM_START + 7);
	fm_forged.regs.bp += 4;
	fm_forged_walk(true);
	KUNIT_EXPECT_NE(test, (int)fm_forged.side, (int)FLAMEMOD_USER_WHOLE);
	fm_forged.regs.bp = (fm_forged.stack + 8 * 8) | 1ul << 62;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
}

/* A frame that is found by bp and is not above its callee's ends the walk. */
static void a_walk_leads_up(struct kunit *test)
{
	u32 i;

	fm_forged_call(test, 0, FM_SAVES);
	fm_forged.regs.bp = fm_forged.stack + 8 * 8;
	fm_forged_call(test, 9, FM_START);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES + 7, FM_START + 7);
	fm_forged.regs.bp = fm_forged.stack - 8;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_NO_RULE);
	KUNIT_EXPECT_EQ(test, fm_forged.nr, 3);
	fm_forged.regs.ip = FM_TEXT + FM_SINKS + 4;
	for (i = 0; i < 2; i++) {
		fm_forged_walk(true);
		KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_NO_RULE);
		KUNIT_EXPECT_EQ(test, fm_forged.nr, 2);
		/* What is below has a caller as well. */
		fm_forged.regs.sp = fm_forged.stack + 8 * 8;
		fm_forged_call(test, 6, FM_START);
	}
}

/* bp and rbx are found where callees saved them, however these were followed. */
static void saved_registers_are_found_again(struct kunit *test)
{
	u32 i;

	/* leaf <- saves_bx <- saves <- saves_bx <- pushes <- saves <- by_bx <- saves <- start */
	fm_forged_call(test, 0, FM_SAVES_BX);
	fm_forged_put(test, 1, fm_forged.stack + 8 * 60);	/* not the caller's caller's */
	fm_forged_call(test, 2, FM_SAVES);
	fm_forged.regs.bp = fm_forged.stack + 8 * 8;
	fm_forged_put(test, 8, fm_forged.stack + 8 * 32);
	fm_forged_call(test, 9, FM_SAVES_BX);
	fm_forged_put(test, 10, fm_forged.stack + 8 * 40);
	fm_forged_call(test, 11, FM_PUSHES);
	fm_forged_call(test, 13, FM_SAVES);
	fm_forged_put(test, 32, fm_forged.stack + 8 * 48);
	fm_forged_call(test, 33, FM_BY_BX);
	fm_forged_call(test, 40, FM_SAVES);
	fm_forged_call(test, 49, FM_START);
	for (i = 0; i < 3; i++) {
		fm_forged_walk(true);
		fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_LEAF + 4, FM_SAVES_BX + 7,
				 FM_SAVES + 7, FM_SAVES_BX + 7, FM_PUSHES + 7, FM_SAVES + 7,
				 FM_BY_BX + 7, FM_SAVES + 7, FM_START + 7);
	}
}

static void only_user_memory_is_read(struct kunit *test)
{
	unsigned long *words = kunit_kzalloc(test, 8 * sizeof(*words), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, words);
	words[0] = FM_TEXT + FM_PUSHES + 8;
	words[2] = FM_TEXT + FM_PUSHES + 8;
	words[4] = FM_TEXT + FM_START + 8;
	fm_forged.regs.sp = (unsigned long)words;
	for (i = 0; i < 2; i++) {
		fm_forged_walk(true);
		KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
		KUNIT_EXPECT_EQ(test, fm_forged.nr, 2);
		fm_forged.regs.sp = fm_forged.stack;
		fm_forged_stand_simply(test);
		fm_forged.regs.sp = (unsigned long)words;
	}
	/* no canonical address, the last one, none at all, one that is not mapped */
	fm_forged.regs.sp = 1ul << 62;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged.regs.sp = TASK_SIZE_MAX - 8;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged.regs.sp = FM_BASE_LIMIT - 8;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged.regs.sp = 0;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged.regs.sp = fm_forged.stack + FM_STACK_BYTES;
	KUNIT_ASSERT_EQ(test, vm_munmap(fm_forged.stack + PAGE_SIZE, PAGE_SIZE), 0);
	fm_forged_map();
	fm_forged_last();
	fm_forged.regs.sp = fm_forged.stack + PAGE_SIZE;
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	/* A caller is there, but not where it returns to; the second walk expects it. */
	fm_forged_call(test, PAGE_SIZE / sizeof(unsigned long) - 1, FM_PUSHES);
	fm_forged.regs.sp = fm_forged.stack + PAGE_SIZE - sizeof(unsigned long);
	fm_forged_walk(true);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_ASSERT_EQ(test, fm_forged.nr, 3);
	KUNIT_EXPECT_EQ(test, fm_forged.frames[1], fm_user_frame(1, FM_PUSHES + 7));
}

/* The kernel warns of a load from an address that cannot exist, so there must be none. */
static void impossible_addresses_are_not_loaded(struct kunit *test)
{
	bool has_warned = test_taint(TAINT_WARN);

	fm_forged.regs.ip = FM_TEXT + FM_PUSHES + 4;
	fm_forged_call(test, 1, FM_START);
	fm_forged_walk(true);
	fm_forged_expect(test, FLAMEMOD_USER_WHOLE, FM_PUSHES + 4, FM_START + 7);
	/* The return address would be at the first address above user space. */
	fm_forged.regs.sp = FM_BASE_LIMIT - sizeof(unsigned long);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_EXPECT_EQ(test, (bool)test_taint(TAINT_WARN), has_warned);
}

static void a_deep_stack_is_cut_at_the_same_depth(struct kunit *test)
{
	u32 i, path;

	for (i = 0; i < 2 * FM_USER_DEPTH_MAX; i++)
		fm_forged_call(test, 2 * i, FM_PUSHES);
	path = fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_DEEP);
	KUNIT_EXPECT_EQ(test, fm_forged.nr, FM_USER_DEPTH_MAX + 1);
	fm_forged_forget_rows();
	KUNIT_EXPECT_EQ(test, fm_forged_walk(true), path);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_DEEP);
	fm_forged_know_rows();
}

static void a_lost_bp_is_not_used(struct kunit *test)
{
	fm_forged.chunk->rows[4].bp = FM_SAVED_LOST;	/* the leaf's */
	fm_forged_call(test, 0, FM_SAVES);
	fm_forged.regs.bp = fm_forged.stack + 8 * 8;
	fm_forged_call(test, 9, FM_START);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	fm_forged_walk(true);
	KUNIT_EXPECT_EQ(test, (int)fm_forged.side, (int)FLAMEMOD_USER_FAULT);
	KUNIT_EXPECT_EQ(test, fm_forged.nr, 3);
}

static struct kunit_case fm_user_walk_cases[] = {
	KUNIT_CASE(a_stack_is_looked_up),
	KUNIT_CASE(other_memory_is_not_walked),
	KUNIT_CASE(some_tasks_are_not_walked),
	KUNIT_CASE(a_task_in_exec_is_not_walked),
	KUNIT_CASE(only_the_words_themselves_are_read),
	KUNIT_CASE(a_walk_leads_up),
	KUNIT_CASE(saved_registers_are_found_again),
	KUNIT_CASE(only_user_memory_is_read),
	KUNIT_CASE(impossible_addresses_are_not_loaded),
	KUNIT_CASE(a_deep_stack_is_cut_at_the_same_depth),
	KUNIT_CASE(a_lost_bp_is_not_used),
	{}
};
#else
/* There are no user stacks. */
static struct kunit_case fm_user_walk_cases[] = {
	{}
};
#endif

struct kunit_suite fm_user_walk_suite = {
	.name = "flamemod_user_walk",
	.init = fm_forged_begin,
	.exit = fm_forged_end,
	.test_cases = fm_user_walk_cases,
};
