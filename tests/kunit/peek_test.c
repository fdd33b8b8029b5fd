// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks of real tasks, taken as those of tasks that may run meanwhile: they are the ones
 * that the kernel's unwinder finds, which is not asked for them.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/compat/compat.h"
#include "../../module/sample.h"
#include "../../module/stack.h"
#include "../../module/step.h"
#include "chain.h"
#include "suites.h"
#include "unwinder.h"

#if FM_STACK_HAS_REGS || defined(CONFIG_ARM64)
static struct fm_sample fm_found, fm_theirs;

static int fm_peek_init(struct kunit *test)
{
	memset(&fm_found, 0x7e, sizeof(fm_found));
	fm_found.slow = false;
	fm_found.untimed = false;
	fm_step_init();
	return 0;
}

static void fm_peek_exit(struct kunit *test)
{
#if FM_STACK_HAS_REGS
	fm_unwinder_reset();
#endif
}

static void fm_peek_all(struct task_struct *task)
{
	fm_stack_peek(task, &fm_found, FLAMEMOD_MAX_DEPTH_MAX);
}

/* Are the first frames those that the unwinder found? */
static bool fm_peek_agrees(void)
{
	return fm_found.nr_frames <= fm_theirs.nr_frames &&
	       !memcmp(fm_found.frames, fm_theirs.frames,
		       fm_found.nr_frames * sizeof(fm_found.frames[0]));
}

static bool fm_peek_is_whole(void)
{
	return fm_found.nr_frames == fm_theirs.nr_frames && !fm_found.key.marks &&
	       !fm_theirs.key.marks;
}

static unsigned long fm_switches(const struct task_struct *task)
{
	return READ_ONCE(task->nvcsw) + READ_ONCE(task->nivcsw);
}

/* How many stacks of tasks that stayed off their CPUs were compared. */
struct fm_peeks {
	u32 nr;
	u32 user;		/* of programs */
	u32 cut;		/* incomplete, since a step is not known */
	u32 different;
	char comm[TASK_COMM_LEN];	/* the last that was different */
};

static void fm_peek_compare(struct fm_peeks *peeks, struct task_struct *task)
{
	unsigned long switches = fm_switches(task);

	if (READ_ONCE(task->flags) & PF_EXITING || fm_compat_on_cpu(task))
		return;
	fm_peek_all(task);
	fm_stack_from_task(NULL, task, &fm_theirs, FLAMEMOD_MAX_DEPTH_MAX);
	if (fm_compat_on_cpu(task) || fm_switches(task) != switches)
		return;
	peeks->nr++;
	peeks->user += !!task->mm;
	if (fm_peek_agrees() && fm_found.key.marks == FM_STACK_INCOMPLETE) {
		peeks->cut++;
	} else if (!fm_peek_agrees() || !fm_peek_is_whole()) {
		peeks->different++;
		strscpy(peeks->comm, task->comm, sizeof(peeks->comm));
	}
}

static void sleeping_tasks_have_the_unwinders_stacks(struct kunit *test)
{
	struct task_struct *process, *task;
	struct fm_peeks peeks = {};

	rcu_read_lock();
	for_each_process_thread(process, task)
		fm_peek_compare(&peeks, task);
	rcu_read_unlock();
	KUNIT_EXPECT_TRUE(test, fm_found.slow);
	KUNIT_EXPECT_GT(test, peeks.nr, 10);
	KUNIT_EXPECT_GT(test, peeks.user, 0);
	KUNIT_EXPECT_EQ_MSG(test, peeks.different, 0, "%s", peeks.comm);
	/* KASAN lets some functions align their stacks, which steps cannot express. */
	KUNIT_EXPECT_LE(test, peeks.cut, IS_ENABLED(CONFIG_KASAN) ? peeks.nr / 10 : 0);
}

/* A thread that sleeps in a function of the test. */
static DECLARE_COMPLETION(fm_peek_done);
static bool fm_peek_waits;

static noinline void fm_peek_middle(void)
{
	WRITE_ONCE(fm_peek_waits, true);
	wait_for_completion(&fm_peek_done);
	barrier();
}

static int fm_peek_outer(void *unused)
{
	fm_peek_middle();
	barrier();
	return 0;
}

static struct task_struct *fm_sleeper_start(struct kunit *test)
{
	struct task_struct *task;
	u32 i;

	reinit_completion(&fm_peek_done);
	fm_peek_waits = false;
	task = kthread_run(fm_peek_outer, NULL, "fm_sleeper");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	get_task_struct(task);
	for (i = 0; i < 10000; i++) {
		if (READ_ONCE(fm_peek_waits) && !fm_compat_on_cpu(task) &&
		    fm_compat_task_state(task) == TASK_UNINTERRUPTIBLE)
			return task;
		usleep_range(1000, 2000);
	}
	KUNIT_FAIL(test, "the thread does not sleep");
	return task;
}

static void fm_sleeper_end(struct task_struct *task)
{
	complete(&fm_peek_done);
	kthread_stop(task);
	put_task_struct(task);
}

/* Return: where a function is in the stack that was found, or its number of frames. */
static u32 fm_peek_place(const char *function)
{
	u32 i;

	for (i = 0; i < fm_found.nr_frames; i++)
		if (fm_chain_is_in(fm_found.frames[i], function))
			break;
	return i;
}

static void a_sleeping_thread_is_found_where_it_sleeps(struct kunit *test)
{
	struct fm_sample *whole = kunit_kzalloc(test, sizeof(*whole), GFP_KERNEL);
	struct task_struct *task;
	u32 place, depth;

	KUNIT_ASSERT_NOT_NULL(test, whole);
	task = fm_sleeper_start(test);
#if FM_STACK_HAS_REGS
	fm_unwind_start = fm_unwind_nothing;
	fm_unwind_nr_starts = 0;
#endif
	fm_peek_all(task);
	*whole = fm_found;
	place = fm_peek_place("fm_peek_middle");
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, 0);
	KUNIT_EXPECT_GT(test, place, 0);
	KUNIT_EXPECT_LT(test, place + 1, fm_found.nr_frames);
	KUNIT_EXPECT_EQ(test, fm_peek_place("fm_peek_outer"), place + 1);
	for (depth = 1; depth <= whole->nr_frames; depth++) {
		fm_stack_peek(task, &fm_found, depth);
		KUNIT_EXPECT_EQ(test, fm_found.nr_frames, depth);
		KUNIT_EXPECT_EQ(test, fm_found.key.marks,
				depth < whole->nr_frames ? FM_STACK_TRUNCATED : 0);
		KUNIT_EXPECT_EQ(test, memcmp(fm_found.frames, whole->frames,
					     depth * sizeof(whole->frames[0])), 0);
	}
#if FM_STACK_HAS_REGS
	KUNIT_EXPECT_EQ(test, fm_unwind_nr_starts, 0);
#endif
	fm_sleeper_end(task);
}

/* A task on the stack of one that sleeps. */
static struct task_struct *fm_peek_copy(struct kunit *test, const struct task_struct *task)
{
	struct task_struct *copy = kunit_kzalloc(test, sizeof(*copy), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	copy->stack = task->stack;
#ifdef CONFIG_ARM64
	copy->thread.cpu_context = task->thread.cpu_context;
#else
	copy->thread.sp = task->thread.sp;
#endif
	copy->nvcsw = 1;
	return copy;
}

static void fm_expect_leaf_alone(struct kunit *test, struct task_struct *task,
				 unsigned long leaf)
{
	fm_peek_all(task);
	KUNIT_EXPECT_EQ(test, fm_found.nr_frames, 1);
	KUNIT_EXPECT_EQ(test, fm_found.frames[0], leaf);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, FM_STACK_INCOMPLETE);
}

static void replaced_return_addresses_are_not_looked_up(struct kunit *test)
{
	struct task_struct *task = fm_sleeper_start(test);
	struct task_struct *copy = fm_peek_copy(test, task);
	unsigned long leaf;
	u32 nr;

	fm_peek_all(copy);
	nr = fm_found.nr_frames;
	leaf = fm_found.frames[0];
	KUNIT_EXPECT_GT(test, nr, 2);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, 0);
#ifdef CONFIG_RETHOOK
	copy->rethooks.first = (void *)-8L;
	fm_expect_leaf_alone(test, copy, leaf);
	copy->rethooks.first = NULL;
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	copy->ret_stack = (void *)-8L;
	copy->curr_ret_depth = 0;
	fm_expect_leaf_alone(test, copy, leaf);
	copy->curr_ret_depth = -1;
#endif
	fm_peek_all(copy);
	KUNIT_EXPECT_EQ(test, fm_found.nr_frames, nr);
	KUNIT_EXPECT_EQ(test, fm_found.key.marks, 0);
	fm_sleeper_end(task);
}

#endif

static struct kunit_case fm_peek_tests[] = {
#if FM_STACK_HAS_REGS || defined(CONFIG_ARM64)
	KUNIT_CASE(sleeping_tasks_have_the_unwinders_stacks),
	KUNIT_CASE(a_sleeping_thread_is_found_where_it_sleeps),
	KUNIT_CASE(replaced_return_addresses_are_not_looked_up),
#endif
	{}
};

struct kunit_suite fm_peek_suite = {
	.name = "flamemod_peek",
	.init = fm_peek_init,
	.exit = fm_peek_exit,
	.test_cases = fm_peek_tests,
};
