// SPDX-License-Identifier: GPL-2.0
/*
 * The probe that reports idle CPUs: when it is registered, and what it does.
 *
 * This file includes idle.c. It uses no tracepoint: the test calls the probe as the
 * scheduler would, on CPU 0.
 */
#include <linux/smp.h>
#include <linux/tick.h>
#include <linux/tracepoint.h>
#include <kunit/test.h>

#include "redirect.h"
#include "../../module/compat/compat.h"
#include "../../module/drain.h"
#include "../../module/idle.h"
#include "by_hand.h"
#include "held.h"
#include "suites.h"

#ifdef FM_HAVE_SCHED_SWITCH
static struct fm_probe {
	bool no_tracepoint;
	bool no_idle_time;		/* the kernel keeps no account of idle time */
	bool idle_dyntick;		/* it has interrupts in it, as from v7.2 on */
	int err;			/* what the registration returns */
	u32 nr_registered, nr_unregistered, nr_synchronized;
	/* The sleeper's values when that happened. */
	bool could_nap_before, could_nap_after, napped_after;
	void *probe, *data;
	struct tracepoint *tracepoint;
} fm_probe;

static struct tracepoint fm_tracepoints[] = {
	{ .name = "sched_switc" }, { .name = "sched_switch" }, { .name = "sched_switch2" },
};

static void fm_probe_each(void (*match)(struct tracepoint *tracepoint, void *data), void *data)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fm_tracepoints); i++)
		if (i != 1 || !fm_probe.no_tracepoint)
			match(&fm_tracepoints[i], data);
}

static int fm_probe_register(struct tracepoint *tracepoint, void *probe, void *data)
{
	fm_probe.nr_registered++;
	fm_probe.could_nap_before = fm_cpu->may_nap;
	fm_probe.tracepoint = tracepoint;
	fm_probe.probe = probe;
	fm_probe.data = data;
	return fm_probe.err;
}

static void fm_probe_unregister(struct tracepoint *tracepoint, void *probe, void *data)
{
	fm_probe.nr_unregistered++;
	fm_probe.could_nap_after = fm_cpu->may_nap;
	fm_probe.napped_after = fm_cpu->napping;
	if (tracepoint != fm_probe.tracepoint || probe != fm_probe.probe || data != fm_probe.data)
		fm_probe.tracepoint = NULL;
}

#undef smp_processor_id
#define smp_processor_id()		0
#undef this_cpu_read
#define this_cpu_read(variable)		per_cpu(variable, 0)
#define for_each_kernel_tracepoint(match, data)	fm_probe_each(match, data)
#define tracepoint_probe_register(tracepoint, probe, data) \
	fm_probe_register(tracepoint, probe, data)
#define tracepoint_probe_unregister(tracepoint, probe, data) \
	fm_probe_unregister(tracepoint, probe, data)
#define tracepoint_synchronize_unregister()	(fm_probe.nr_synchronized++)
#define get_cpu_idle_time_us(cpu, last)	(fm_probe.no_idle_time ? -1ULL : 0)
#undef FM_COMPAT_IDLE_DYNTICK
#define FM_COMPAT_IDLE_DYNTICK		fm_probe.idle_dyntick
#include "../../module/idle.c"

static int fm_idle_begin(struct kunit *test)
{
	memset(&fm_probe, 0, sizeof(fm_probe));
	fm_idle_tracepoint = NULL;
	fm_idle_listens = false;
	return fm_held_begin(test);
}

/* A CPU that is sampled, and idle enough to nap if the probe is registered. */
static void fm_idle_start(struct kunit *test)
{
	fm_idle_init(fm_session);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->watch_idle);
	fm_held_start(test);
	fm_cpu->is_idle = true;
	fm_cpu->look_tick = U64_MAX;
}

static void fm_idle_switch_to(struct kunit *test, pid_t from, pid_t to)
{
	struct task_struct *prev = fm_allocations_zeroed(sizeof(*prev));
	struct task_struct *next = fm_allocations_zeroed(sizeof(*next));

	KUNIT_ASSERT_NOT_NULL(test, prev);
	KUNIT_ASSERT_NOT_NULL(test, next);
	prev->pid = from;
	next->pid = to;
#ifdef FM_HAVE_SWITCH_STATE
	fm_idle_switch(fm_session, false, prev, next, 0);
#else
	fm_idle_switch(fm_session, false, prev, next);
#endif
	fm_allocations_free(prev);
	fm_allocations_free(next);
}

static void fm_idle_work(void)
{
	fm_drain_work(&fm_session->drain_work.work);
	cancel_delayed_work_sync(&fm_session->drain_work);
}

static void a_switch_to_idle_starts_a_nap(struct kunit *test)
{
	fm_idle_start(test);
	fm_idle_switch_to(test, 10, 11);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
	fm_idle_switch_to(test, 11, 0);
	KUNIT_EXPECT_TRUE(test, fm_cpu->napping);
	fm_idle_switch_to(test, 10, 11);
	KUNIT_EXPECT_TRUE(test, fm_cpu->napping);
	fm_idle_switch_to(test, 0, 11);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
}

/* The probe ignores switches that can neither start nor end a nap. */
static void most_switches_do_not_matter(struct kunit *test)
{
	fm_idle_start(test);
	fm_cpu->nap_tick = fm_cpu->tick + 1;
	fm_idle_switch_to(test, 11, 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
	/* The probe's flag is stale here, so it ignores a switch that could start a nap. */
	fm_cpu->nap_tick = 0;
	fm_idle_switch_to(test, 11, 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
	fm_hand_fire(fm_cpu, 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
	fm_idle_switch_to(test, 11, 0);
	KUNIT_EXPECT_TRUE(test, fm_cpu->napping);
	fm_idle_switch_to(test, 0, 11);
	KUNIT_EXPECT_FALSE(test, fm_cpu->napping);
}

/* Without the probe nothing would end a nap. */
static void nobody_naps_without_the_probe(struct kunit *test)
{
	fm_idle_init(fm_session);
	KUNIT_ASSERT_NOT_NULL(test, fm_session->watch_idle);
	fm_session_watch(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->may_nap);
	/* Without memory: the next start tries again. */
	fm_probe.err = -ENOMEM;
	fm_idle_start(test);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 1);
	KUNIT_EXPECT_FALSE(test, fm_cpu->may_nap);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 0);
	fm_probe.err = 0;
	fm_idle_start(test);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, 2);
	KUNIT_EXPECT_PTR_EQ(test, fm_probe.tracepoint, &fm_tracepoints[1]);
	KUNIT_EXPECT_PTR_EQ(test, fm_probe.data, (void *)fm_session);
	KUNIT_EXPECT_FALSE(test, fm_probe.could_nap_before);
	KUNIT_EXPECT_TRUE(test, fm_cpu->may_nap);
	/* CPUs that are not sampled now may be sampled later. */
	KUNIT_EXPECT_TRUE(test, fm_session->cpus[1]->may_nap);
	fm_idle_switch_to(test, 10, 0);
	KUNIT_ASSERT_TRUE(test, fm_cpu->napping);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 1);
	KUNIT_EXPECT_FALSE(test, fm_probe.napped_after);
	KUNIT_EXPECT_FALSE(test, fm_probe.could_nap_after);
	KUNIT_EXPECT_PTR_EQ(test, fm_probe.tracepoint, &fm_tracepoints[1]);
	KUNIT_EXPECT_FALSE(test, fm_session->cpus[1]->may_nap);
}

/* The kernel's text is patched by a start and by a stop, and never in between. */
static void the_probe_is_there_from_start_to_stop(struct kunit *test)
{
	u32 i, round;

	for (round = 1; round <= 2; round++) {
		fm_idle_start(test);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, round);
		/* Neither naps nor drains register or unregister the probe. */
		for (i = 0; i < 20; i++) {
			fm_cpu->is_idle = i & 1;
			fm_idle_work();
			fm_session_watch(fm_session);
		}
		KUNIT_EXPECT_EQ(test, fm_probe.nr_registered, round);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, round - 1);
		KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, round);
		fm_session_watch(fm_session);
		KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, round);
	}
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, 0);
	fm_idle_deinit(fm_session);
	/* It was unregistered already. */
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 2);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, 1);
}

/* Sampling that found an inconsistency stops without a request. */
static void a_broken_session_gives_the_probe_back(struct kunit *test)
{
	fm_idle_start(test);
	fm_session_lock(fm_session);
	fm_session_break(fm_session);
	fm_session_unlock(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 0);
	fm_idle_work();
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 1);
	KUNIT_EXPECT_FALSE(test, fm_cpu->may_nap);
}

/* The module's end unregisters the probe of a session that still samples. */
static void the_end_gives_the_probe_back(struct kunit *test)
{
	fm_idle_start(test);
	fm_session->state = FLAMEMOD_STATE_STOPPED;
	fm_idle_deinit(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 1);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_synchronized, 1);
	fm_session->state = FLAMEMOD_STATE_RUNNING;
}

static void without_an_account_no_cpu_naps(struct kunit *test)
{
	fm_probe.no_idle_time = true;
	fm_idle_init(fm_session);
	KUNIT_EXPECT_NULL(test, fm_session->watch_idle);
	fm_probe.no_idle_time = false;
	fm_probe.idle_dyntick = true;
	fm_idle_init(fm_session);
	KUNIT_EXPECT_NULL(test, fm_session->watch_idle);
	fm_probe.idle_dyntick = false;
	fm_probe.no_tracepoint = true;
	fm_idle_tracepoint = NULL;
	fm_idle_init(fm_session);
	KUNIT_EXPECT_NULL(test, fm_session->watch_idle);
	fm_idle_deinit(fm_session);
	KUNIT_EXPECT_EQ(test, fm_probe.nr_unregistered, 0);
}

static struct kunit_case fm_idle_suite_cases[] = {
	KUNIT_CASE(a_switch_to_idle_starts_a_nap),
	KUNIT_CASE(most_switches_do_not_matter),
	KUNIT_CASE(nobody_naps_without_the_probe),
	KUNIT_CASE(the_probe_is_there_from_start_to_stop),
	KUNIT_CASE(a_broken_session_gives_the_probe_back),
	KUNIT_CASE(the_end_gives_the_probe_back),
	KUNIT_CASE(without_an_account_no_cpu_naps),
	{}
};
#else
static int fm_idle_begin(struct kunit *test)
{
	return fm_held_begin(test);
}

static struct kunit_case fm_idle_suite_cases[] = { {} };
#endif

struct kunit_suite fm_idle_suite = {
	.name = "flamemod_idle",
	.init = fm_idle_begin,
	.exit = fm_held_end,
	.test_cases = fm_idle_suite_cases,
};
