// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts: derived from a made-up processor state, and as a real timer finds
 * them.
 */
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <kunit/test.h>

#include "../../module/context.h"
#include "allocations.h"
#include "suites.h"
#include "timer.h"

#define FM_TIMER	HARDIRQ_OFFSET		/* the timer's own interrupt */

static const struct fm_state_case {
	const char *name;
	unsigned long preempt;
	bool serving_softirq, user, idle;
	enum flamemod_context context;
} fm_state_cases[] = {
	{ "user", FM_TIMER, false, true, false, FLAMEMOD_CONTEXT_USER },
	{ "task", FM_TIMER, false, false, false, FLAMEMOD_CONTEXT_TASK },
	{ "task, not preemptible", FM_TIMER + 3, false, false, false,
	  FLAMEMOD_CONTEXT_TASK },
	/* Softirqs are disabled, but none runs. */
	{ "task, softirqs off", FM_TIMER + SOFTIRQ_DISABLE_OFFSET, false, false,
	  false, FLAMEMOD_CONTEXT_TASK },
	{ "softirq", FM_TIMER + SOFTIRQ_OFFSET, true, false, false,
	  FLAMEMOD_CONTEXT_SOFTIRQ },
	{ "softirq that borrowed idle", FM_TIMER + SOFTIRQ_OFFSET, true, false,
	  true, FLAMEMOD_CONTEXT_SOFTIRQ },
	{ "hardirq", 2 * HARDIRQ_OFFSET, false, false, false,
	  FLAMEMOD_CONTEXT_HARDIRQ },
	{ "hardirq that borrowed idle", 2 * HARDIRQ_OFFSET, false, false, true,
	  FLAMEMOD_CONTEXT_HARDIRQ },
	{ "hardirq in a softirq", 2 * HARDIRQ_OFFSET + SOFTIRQ_OFFSET, true,
	  false, false, FLAMEMOD_CONTEXT_HARDIRQ },
	{ "three hardirqs", 3 * HARDIRQ_OFFSET, false, false, false,
	  FLAMEMOD_CONTEXT_HARDIRQ },
	{ "hardirq, in all else", 2 * HARDIRQ_OFFSET + 0xff +
	  SOFTIRQ_DISABLE_OFFSET, true, false, true, FLAMEMOD_CONTEXT_HARDIRQ },
	{ "idle", FM_TIMER + 1, false, false, true, FLAMEMOD_CONTEXT_IDLE },
	/* On PREEMPT_RT a callback may run outside of any interrupt. */
	{ "task, nothing counted", 0, false, false, false, FLAMEMOD_CONTEXT_TASK },
};

FM_ARRAY_PARAM(state);

static void state_gives_the_context(struct kunit *test)
{
	const struct fm_state_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, fm_context_of(c->preempt, c->serving_softirq,
					    c->user, c->idle), c->context);
}

static enum flamemod_context fm_seen;

static void fm_see_context(struct pt_regs *regs)
{
	fm_seen = fm_context_get(regs);
}

static void fm_run_plain(void)
{
	fm_timer_start();
	fm_timer_await();
}

static void fm_run_without_softirqs(void)
{
	local_bh_disable();
	fm_run_plain();
	local_bh_enable();
}

static void fm_run_without_preemption(void)
{
	preempt_disable();
	fm_run_plain();
	preempt_enable();
}

static void fm_tasklet_function(struct tasklet_struct *tasklet)
{
	fm_run_plain();
}

static DECLARE_TASKLET(fm_tasklet, fm_tasklet_function);

static void fm_run_in_softirq(void)
{
	tasklet_schedule(&fm_tasklet);
	fm_timer_await();
	tasklet_kill(&fm_tasklet);
}

static const struct fm_place_case {
	const char *name;
	void (*run)(void);
	enum flamemod_context context;
} fm_place_cases[] = {
	{ "a task without softirqs", fm_run_without_softirqs,
	  FLAMEMOD_CONTEXT_TASK },
	{ "a task without softirqs, again", fm_run_without_softirqs,
	  FLAMEMOD_CONTEXT_TASK },
	{ "a tasklet", fm_run_in_softirq, FLAMEMOD_CONTEXT_SOFTIRQ },
};

FM_ARRAY_PARAM(place);

static void a_timer_sees_where_it_is(struct kunit *test)
{
	const struct fm_place_case *c = test->param_value;

	fm_seen = __FLAMEMOD_CONTEXT_MAX;
	fm_timer_set(fm_see_context);
	c->run();
	KUNIT_EXPECT_TRUE(test, fm_timer_cancel());
	KUNIT_EXPECT_EQ(test, fm_seen, c->context);
}

/*
 * The timer hits an unprotected task in the task's own code, unless a softirq
 * comes first. Softirqs ten times in a row mean an error.
 */
static void a_timer_sees_a_plain_task(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 10; i++) {
		fm_timer_set(fm_see_context);
		fm_run_without_preemption();
		KUNIT_ASSERT_TRUE(test, fm_timer_cancel());
		if (fm_seen == FLAMEMOD_CONTEXT_TASK)
			return;
	}
	KUNIT_EXPECT_EQ(test, fm_seen, FLAMEMOD_CONTEXT_TASK);
}

/* A thread that injects idle time has the idle task's flag, but is not that task. */
static const struct fm_idler_case {
	const char *name;
	pid_t pid;
	unsigned int flags;
	bool idles, injects;
} fm_idler_cases[] = {
	{ "the idle task", 0, PF_IDLE, true, false },
	{ "a task", 7, 0, false, false },
	{ "a thread that injects", 7, PF_KTHREAD | PF_IDLE, false, true },
	{ "one that has ended it", 7, PF_KTHREAD, false, false },
};

FM_ARRAY_PARAM(idler);

static void idle_is_pid_0_alone(struct kunit *test)
{
	const struct fm_idler_case *c = test->param_value;
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, task);
	task->pid = c->pid;
	task->flags = c->flags;
	KUNIT_EXPECT_EQ(test, fm_context_idles(task), c->idles);
	KUNIT_EXPECT_EQ(test, fm_context_injects_idle(task), c->injects);
}

static struct kunit_case fm_context_cases[] = {
	KUNIT_CASE_PARAM(idle_is_pid_0_alone, fm_idler_gen_params),
	KUNIT_CASE_PARAM(state_gives_the_context, fm_state_gen_params),
	KUNIT_CASE_PARAM(a_timer_sees_where_it_is, fm_place_gen_params),
	KUNIT_CASE(a_timer_sees_a_plain_task),
	{}
};

struct kunit_suite fm_context_suite = {
	.name = "flamemod_context",
	.init = fm_allocations_init,
	.exit = fm_allocations_exit,
	.test_cases = fm_context_cases,
};
