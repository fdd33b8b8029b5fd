// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs that come and go: sampling starts on a new CPU, and ends on one that goes.
 *
 * This file includes hotplug.c. Nothing is registered: the test calls the callbacks as
 * the kernel would, for CPU 0, which has its tables already, and for CPU 1, which has
 * none at first.
 */
#include <linux/cpuhotplug.h>
#include <linux/netlink.h>
#include <linux/printk.h>
#include <linux/workqueue.h>
#include <kunit/test.h>

#include "redirect.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"

static struct {
	int err;			/* what the registration returns: an error or the state */
	enum cpuhp_state at;
	int (*online)(unsigned int cpu);
	int (*offline)(unsigned int cpu);
	int removed;
	struct delayed_work *asked;
	unsigned long delay;
	u32 nr_warnings;
} fm_calls;

static int fm_calls_setup(enum cpuhp_state at, int (*online)(unsigned int cpu),
			  int (*offline)(unsigned int cpu))
{
	fm_calls.at = at;
	fm_calls.online = online;
	fm_calls.offline = offline;
	return fm_calls.err;
}

#define cpuhp_setup_state(at, name, online, offline)	fm_calls_setup(at, online, offline)
#define cpuhp_remove_state(state)	(fm_calls.removed = (state))
#define mod_delayed_work(wq, work, jiffies)				\
	(fm_calls.asked = (work), fm_calls.delay = (jiffies))
#undef pr_fmt
#undef pr_warn
#define pr_warn(format, ...) ({						\
	no_printk(KERN_WARNING format, ##__VA_ARGS__);			\
	fm_calls.nr_warnings++;						\
})
#include "../../module/hotplug.c"

static int fm_hotplug_begin(struct kunit *test)
{
	int err = fm_held_begin(test);

	memset(&fm_calls, 0, sizeof(fm_calls));
	fm_calls.err = 57;
	return err ?: fm_hotplug_init(fm_session);
}

static void it_is_registered_and_removed(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_calls.at, CPUHP_AP_ONLINE_DYN);
	KUNIT_EXPECT_TRUE(test, fm_calls.online == fm_hotplug_online);
	KUNIT_EXPECT_TRUE(test, fm_calls.offline == fm_hotplug_offline);
	fm_hotplug_deinit(fm_session);
	KUNIT_EXPECT_EQ(test, fm_calls.removed, 57);
	fm_calls.err = -ENOSPC;
	KUNIT_EXPECT_EQ(test, fm_hotplug_init(fm_session), -ENOSPC);
}

static void a_full_table_asks_for_a_drain_at_once(struct kunit *test)
{
	fm_calls.delay = 4711;
	KUNIT_ASSERT_NOT_NULL(test, fm_session->ask_drain);
	fm_session->ask_drain(NULL);
	KUNIT_EXPECT_PTR_EQ(test, fm_calls.asked, &fm_session->drain_work);
	KUNIT_EXPECT_EQ(test, fm_calls.delay, 0);
}

static void a_cpu_that_returns_is_sampled_again(struct kunit *test)
{
	fm_held_start(test);
	fm_held_sample(fm_session, 3, 4, 0x1000);
	KUNIT_EXPECT_EQ(test, fm_hotplug_offline(0), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	/* A second time does no harm, also on a CPU that was never sampled. */
	KUNIT_EXPECT_EQ(test, fm_hotplug_offline(0), 0);
	KUNIT_EXPECT_EQ(test, fm_hotplug_offline(1), 0);
	KUNIT_EXPECT_EQ(test, fm_hotplug_online(0), 0);
	KUNIT_EXPECT_TRUE(test, fm_cpu->armed);
	/* It continues where it was. */
	fm_held_sample(fm_session, 2, 4, 0x1000);
	KUNIT_EXPECT_EQ(test, fm_cpu->books.stored, 5);
	KUNIT_EXPECT_EQ(test, fm_cpu->tables[0].nr, 3);
}

static const struct fm_come_case {
	const char *name;
	enum flamemod_state state;
	bool left_out, no_memory;
	bool sampled;
} fm_come_cases[] = {
	{ "while sampling", FLAMEMOD_STATE_RUNNING, .sampled = true },
	{ "while stopped", FLAMEMOD_STATE_STOPPED },
	{ "after an invariant failed", FLAMEMOD_STATE_BROKEN },
	{ "left out by the settings", FLAMEMOD_STATE_RUNNING, .left_out = true },
	/* The CPU comes online nevertheless, and the error is logged. */
	{ "no memory", FLAMEMOD_STATE_RUNNING, .no_memory = true },
};

FM_ARRAY_PARAM(come);

static void a_cpu_that_comes_is_sampled(struct kunit *test)
{
	const struct fm_come_case *come = test->param_value;
	struct fm_cpu *c = fm_session->cpus[1];

	if (come->state == FLAMEMOD_STATE_RUNNING)
		fm_held_start(test);
	fm_session->state = come->state;
	fm_session->settings->usual_cpus = !come->left_out;
	cpumask_clear_cpu(1, &fm_session->settings->cpus);
	fm_allocations_fail(come->no_memory);
	KUNIT_EXPECT_EQ(test, fm_hotplug_online(1), 0);
	fm_allocations_fail(0);
	KUNIT_EXPECT_EQ(test, c->armed, come->sampled);
	KUNIT_EXPECT_EQ(test, c->has_tables, come->sampled);
	KUNIT_EXPECT_EQ(test, fm_calls.nr_warnings, come->no_memory);
	KUNIT_EXPECT_TRUE(test, mutex_trylock(&fm_session->lock));
	mutex_unlock(&fm_session->lock);
	fm_hotplug_offline(1);
	KUNIT_EXPECT_FALSE(test, c->armed);
	fm_session->settings->usual_cpus = true;
}

static struct kunit_case fm_hotplug_suite_cases[] = {
	KUNIT_CASE(it_is_registered_and_removed),
	KUNIT_CASE(a_full_table_asks_for_a_drain_at_once),
	KUNIT_CASE(a_cpu_that_returns_is_sampled_again),
	KUNIT_CASE_PARAM(a_cpu_that_comes_is_sampled, fm_come_gen_params),
	{}
};

struct kunit_suite fm_hotplug_suite = {
	.name = "flamemod_hotplug",
	.init = fm_hotplug_begin,
	.exit = fm_held_end,
	.test_cases = fm_hotplug_suite_cases,
};
