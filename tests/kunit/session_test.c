// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions: which requests are allowed in which state, and what they change.
 */
#include <linux/netlink.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "../../module/snapshot.h"
#include "by_hand.h"
#include "held.h"
#include "redirect.h"
#include "suites.h"

static int fm_attempt_create(struct kunit *test, void *data)
{
	const struct fm_limits limits = {
		.cpu_bytes = 2 * FM_TABLE_BYTES_MIN,
		.aggregate_bytes = FM_HELD_BYTES,
		.take_stack = fm_hand_stack,
	};
	struct fm_session **session = data;

	*session = fm_session_create(&limits, 997, 127);
	return *session ? 0 : -ENOMEM;
}

static void fm_cleanup_create(struct kunit *test, void *data)
{
	struct fm_session **session = data;

	if (*session)
		fm_session_destroy(*session);
}

static void create_fails_cleanly(struct kunit *test)
{
	struct fm_session *session;

	/* Itself, CPUs, settings twice, clients, two aggregates, workqueue, symbols, CPUs. */
	fm_allocations_fail_each(test, 4 + 2 * FLAMEMOD_EVENT_CLIENTS_MAX + 2 * 11 + 1 + 4 +
				 num_possible_cpus(),
				 -ENOMEM, fm_attempt_create, fm_cleanup_create,
				 &session);
}

static void a_new_session_holds_nothing(struct kunit *test)
{
	struct fm_books none = {}, books = fm_session_books(fm_cpu);

	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 1);
	KUNIT_EXPECT_EQ(test, fm_session->period_ns, 1000000);
	KUNIT_EXPECT_TRUE(test, fm_session->settings->usual_cpus);
	KUNIT_EXPECT_EQ(test, memcmp(&books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	KUNIT_EXPECT_PTR_EQ(test, fm_session_next_cpu(fm_session, NULL), fm_cpu);
	KUNIT_EXPECT_NULL(test, fm_session_next_cpu(fm_session, fm_cpu));
}

/* Settings that may be changed, and the states in which they may. */
enum fm_when { FM_STOPPED, FM_RUNNING, FM_HOLDING, FM_AFTER_RESET };

static const struct fm_change_case {
	const char *name;
	enum fm_when when;
	u32 hz;
	bool no_cpu;			/* that is online */
	u32 resolution;
	int err;
	const char *message;		/* the beginning of it */
} fm_change_cases[] = {
	{ "nothing, stopped", FM_STOPPED, 1000 },
	{ "nothing, running", FM_RUNNING, 1000, .err = -EBUSY,
	  .message = "already sampling" },
	{ "nothing, holding", FM_HOLDING, 1000 },
	{ "hz, stopped", FM_STOPPED, 100 },
	{ "hz, running", FM_RUNNING, 100, .err = -EBUSY,
	  .message = "already sampling" },
	{ "hz, holding", FM_HOLDING, 100, .err = -EBUSY, .message = "hz: samples" },
	{ "hz, after a reset", FM_AFTER_RESET, 100 },
	{ "cpus, none online", FM_STOPPED, 1000, .no_cpu = true, .err = -EINVAL,
	  .message = "cpus: none of 1 is online, but CPUs " },
	{ "hz at the resolution", FM_STOPPED, 250, .resolution = 4000000 },
	{ "hz above the resolution", FM_STOPPED, 251, .resolution = 4000000,
	  .err = -ERANGE, .message = "hz: the timers' clock" },
};

FM_ARRAY_PARAM(change);

static void fm_bring_to(struct kunit *test, enum fm_when when)
{
	if (when == FM_STOPPED)
		return;
	fm_held_start(test);
	fm_held_sample(fm_session, 1, 2, 0x1000);
	if (when == FM_RUNNING)
		return;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	if (when == FM_AFTER_RESET)
		KUNIT_ASSERT_EQ(test, fm_session_reset(fm_session, NULL), 0);
}

static void settings_change_when_they_may(struct kunit *test)
{
	const struct fm_change_case *c = test->param_value;
	struct fm_settings *old = fm_session->settings, *new;
	struct netlink_ext_ack extack = {};
	struct fm_change change = {
		.named = BIT(FLAMEMOD_A_SETTINGS_HZ) |
			 BIT(FLAMEMOD_A_SETTINGS_CPUS) |
			 BIT(FLAMEMOD_A_SETTINGS_MAX_DEPTH),
	};

	fm_bring_to(test, c->when);
	fm_resolution = c->resolution;
	new = fm_allocations_zeroed(sizeof(*old));
	KUNIT_ASSERT_NOT_NULL(test, new);
	change.settings = new;
	old->filter.nr_pids = 3;
	old->filter.pids[2] = 4711;
	new->hz = c->hz;
	new->usual_cpus = !c->no_cpu;
	cpumask_copy(&new->cpus, cpumask_of(1));
	new->max_depth = 17;
	KUNIT_EXPECT_EQ(test, fm_session_set(fm_session, &change, &extack), c->err);
	if (c->err) {
		KUNIT_ASSERT_NOT_NULL(test, extack._msg);
		KUNIT_EXPECT_EQ(test, strncmp(extack._msg, c->message,
					      strlen(c->message)), 0);
		KUNIT_EXPECT_PTR_EQ(test, fm_session->settings, old);
		KUNIT_EXPECT_EQ(test, fm_session->period_ns, 1000000);
		KUNIT_EXPECT_EQ(test, fm_cpu->ticks.period_ns, 1000000);
	} else {
		KUNIT_EXPECT_PTR_EQ(test, change.settings, old);
		KUNIT_EXPECT_EQ(test, fm_session->settings->max_depth, 17);
		/* A setting that is not named is unchanged. */
		KUNIT_EXPECT_EQ(test, fm_session->settings->filter.nr_pids, 3);
		KUNIT_EXPECT_EQ(test, fm_session->settings->filter.pids[2], 4711);
		KUNIT_EXPECT_EQ(test, fm_session->period_ns, NSEC_PER_SEC / c->hz);
		KUNIT_EXPECT_EQ(test, fm_cpu->ticks.period_ns, NSEC_PER_SEC / c->hz);
	}
	fm_allocations_free(change.settings);
}

/* Whatever value the request has for it. */
static void what_is_not_named_is_not_changed(struct kunit *test)
{
	const struct fm_settings *settings;
	struct fm_change change = { .named = BIT(FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE) };

	change.settings = fm_allocations_zeroed(sizeof(*settings));
	KUNIT_ASSERT_NOT_NULL(test, change.settings);
	change.settings->filter.exclude_idle = true;
	KUNIT_EXPECT_EQ(test, fm_session_set(fm_session, &change, NULL), 0);
	settings = fm_session->settings;
	KUNIT_EXPECT_TRUE(test, settings->filter.exclude_idle);
	KUNIT_EXPECT_EQ(test, settings->hz, 1000);
	KUNIT_EXPECT_EQ(test, settings->max_depth, FLAMEMOD_MAX_DEPTH_MAX);
	KUNIT_EXPECT_TRUE(test, settings->usual_cpus);
	fm_allocations_free(change.settings);
}

static void start_and_stop_follow_each_other(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_RUNNING);
	KUNIT_EXPECT_EQ(test, fm_session_start(fm_session, NULL, NULL), -EBUSY);
	KUNIT_EXPECT_TRUE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), -EALREADY);
}

/* A start on all CPUs, at another rate. */
static int fm_attempt_start(struct kunit *test, void *data)
{
	struct fm_settings **settings = data, *old = fm_session->settings;
	struct netlink_ext_ack extack = {};
	struct fm_change change = {
		.settings = *settings,
		.named = FM_SETTING(HZ),
		.owner = 4711,
	};
	int err;

	change.settings->hz = 500;
	err = fm_session_start(fm_session, &change, &extack);
	*settings = change.settings;
	cancel_delayed_work_sync(&fm_session->drain_work);
	if (!err)
		return 0;
	KUNIT_EXPECT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, extack._msg && strstr(extack._msg, "cpu_kb"));
	KUNIT_EXPECT_PTR_EQ(test, fm_session->settings, old);
	KUNIT_EXPECT_EQ(test, fm_session->period_ns, 1000000);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	KUNIT_EXPECT_FALSE(test, fm_claim_close(&fm_session->owner.claim, 4711));
	return err;
}

/* Undo a start, and expect that nothing is left of it. */
static void fm_cleanup_start(struct kunit *test, void *data)
{
	struct fm_cpu *c = NULL;

	if (fm_session->state == FLAMEMOD_STATE_RUNNING) {
		KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), 0);
		while ((c = fm_session_next_cpu(fm_session, c))) {
			KUNIT_EXPECT_EQ(test, c->ticks.period_ns, 2000000);
			if (c != fm_cpu)
				fm_sampler_deinit(c);
		}
	}
	KUNIT_EXPECT_EQ(test, fm_session->state, FLAMEMOD_STATE_STOPPED);
	KUNIT_EXPECT_NULL(test, fm_session_next_cpu(fm_session, fm_cpu));
}

static void start_fails_cleanly(struct kunit *test)
{
	struct fm_settings *settings = fm_allocations_zeroed(sizeof(*settings));

	KUNIT_ASSERT_NOT_NULL(test, settings);
	fm_held_start(test);
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_online = cpu_online_mask;
	/* For each CPU that was not sampled yet: two tables of six allocations each. */
	fm_allocations_fail_each(test, 12 * (num_online_cpus() - 1), -ENOMEM,
				 fm_attempt_start, fm_cleanup_start, &settings);
	/* Tables from before stay. */
	KUNIT_EXPECT_PTR_EQ(test, fm_session_next_cpu(fm_session, NULL), fm_cpu);
	fm_allocations_free(settings);
}

static void fm_cleanup_first_start(struct kunit *test, void *data)
{
	fm_cleanup_start(test, data);
	if (fm_cpu->since_ns)
		fm_sampler_deinit(fm_cpu);
	KUNIT_EXPECT_NULL(test, fm_session_next_cpu(fm_session, NULL));
}

/* If there is no memory for the second CPU's tables, the first CPU's are freed. */
static void the_first_start_fails_cleanly(struct kunit *test)
{
	struct fm_settings *settings = fm_allocations_zeroed(sizeof(*settings));

	KUNIT_ASSERT_NOT_NULL(test, settings);
	fm_sampler_deinit(fm_cpu);
	fm_online = cpu_online_mask;
	fm_allocations_fail_each(test, 12 * num_online_cpus(), -ENOMEM,
				 fm_attempt_start, fm_cleanup_first_start, &settings);
	fm_allocations_free(settings);
}

static void tables_are_of_cpus_that_are_sampled(struct kunit *test)
{
	struct fm_settings *settings = fm_session->settings;

	fm_online = cpu_online_mask;
	settings->usual_cpus = false;
	cpumask_copy(&settings->cpus, cpumask_of(0));
	fm_allocations_fail(0);
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 0);
	KUNIT_EXPECT_NULL(test, fm_session_next_cpu(fm_session, fm_cpu));
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	settings->usual_cpus = true;
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_session_memory(fm_session) -
			fm_memory_used(&fm_session->memory),
			num_online_cpus() * fm_session->limits.cpu_bytes);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 12 * (num_online_cpus() - 1));
	/* The tables stay after a stop. */
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_held_start(test);
	KUNIT_EXPECT_EQ(test, fm_allocations_made(), 12 * (num_online_cpus() - 1));
}

/* Isolated CPUs are sampled only if they are named. */
static void isolated_cpus_are_left_alone(struct kunit *test)
{
	struct fm_settings *settings = fm_session->settings;
	struct netlink_ext_ack extack = {};

	KUNIT_ASSERT_GT(test, num_online_cpus(), 1);
	fm_online = cpu_online_mask;
	fm_housekeeping = cpumask_of(0);
	fm_session_find_isolated(fm_session);
	KUNIT_EXPECT_FALSE(test, cpumask_test_cpu(0, &fm_session->isolated));
	KUNIT_EXPECT_TRUE(test, cpumask_test_cpu(1, &fm_session->isolated));
	KUNIT_EXPECT_EQ(test, fm_session_nr_sampled(fm_session), 1);
	fm_allocations_fail(0);
	fm_held_start(test);
	/* The choice is made at the start; later changes do not matter. */
	fm_housekeeping = cpumask_of(1);
	fm_session_find_isolated(fm_session);
	KUNIT_EXPECT_TRUE(test, cpumask_test_cpu(1, &fm_session->isolated));
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	fm_housekeeping = cpumask_of(0);

	KUNIT_ASSERT_EQ(test, fm_settings_parse_cpus(settings, "1"), 0);
	KUNIT_EXPECT_TRUE(test, fm_session_samples(fm_session, settings, 1));
	KUNIT_EXPECT_FALSE(test, fm_session_samples(fm_session, settings, 0));
	KUNIT_ASSERT_EQ(test, fm_settings_parse_cpus(settings, "all"), 0);
	KUNIT_EXPECT_EQ(test, fm_session_nr_sampled(fm_session), num_online_cpus());
	KUNIT_EXPECT_EQ(test, fm_settings_parse_cpus(settings, "0-"), -EINVAL);
	KUNIT_ASSERT_EQ(test, fm_settings_parse_cpus(settings, ""), 0);

	/* If all CPUs are isolated, none is sampled unless it is named. */
	fm_online = cpumask_of(1);
	KUNIT_EXPECT_EQ(test, fm_session_start(fm_session, NULL, &extack), -EINVAL);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_NOT_NULL(test, strstr(extack._msg, "are isolated"));
}

/* A due fire never comes: its periods are counted when the wait ends. */
static void stop_counts_a_fire_that_never_comes(struct kunit *test)
{
	struct fm_books books;

	fm_held_start(test);
	fm_hand.now_ns = ktime_to_ns(hrtimer_get_expires(&fm_cpu->timer)) +
			 2 * NSEC_PER_MSEC;
	KUNIT_EXPECT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, books.lost[FLAMEMOD_LOST_STOPPED], 3);
	KUNIT_EXPECT_EQ(test, books.missed, 3);
	KUNIT_EXPECT_TRUE(test, fm_books_balance(&books));
}

static void reset_starts_from_zero(struct kunit *test)
{
	struct fm_books none = {}, books;
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_sample(fm_session, 9, 4, 0x1000);
	KUNIT_EXPECT_EQ(test, fm_session_reset(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_session->epoch, 2);
	KUNIT_EXPECT_EQ(test, fm_session->since_ns, fm_hand.now_ns);
	books = fm_session_books(fm_cpu);
	KUNIT_EXPECT_EQ(test, memcmp(&books, &none, sizeof(none)), 0);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 0);
	KUNIT_EXPECT_TRUE(test, fm_cpu->armed);
	fm_held_sample(fm_session, 2, 4, 0x1000);
	fm_hand_fire(fm_cpu, NSEC_PER_MSEC);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->marks_irqs_off,
			IS_ENABLED(CONFIG_X86_64) || IS_ENABLED(CONFIG_ARM64));
	KUNIT_EXPECT_EQ(test, snapshot->books.stored, 4);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 4);
	KUNIT_EXPECT_EQ(test, fm_snapshot_cpu(snapshot, 0)->sampled_ns,
			fm_hand.now_ns - fm_session->since_ns);
	fm_snapshot_put(snapshot);
	KUNIT_EXPECT_EQ(test, fm_held_sum(fm_session), 4);
}

/*
 * If a fire is overdue at a reset, it was expected before and is counted after it.
 * So the old window ends with it overdue, and the new one starts with it overdue.
 */
static void reset_leaves_what_is_overdue(struct kunit *test)
{
	struct fm_snapshot *snapshot;

	fm_held_start(test);
	fm_held_sample(fm_session, 5, 4, 0x1000);
	fm_hand.now_ns += 7 * NSEC_PER_MSEC / 2;
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, FM_SNAPSHOT_RESET,
						 &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->books.fires + snapshot->books.missed, 5);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 8);
	KUNIT_EXPECT_EQ(test, snapshot->overdue, 3);
	KUNIT_EXPECT_EQ(test, fm_snapshot_cpu(snapshot, 0)->overdue, 3);
	fm_snapshot_put(snapshot);
	/* Until it comes, no other fire is expected, and nothing changes. */
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 0);
	KUNIT_EXPECT_EQ(test, snapshot->overdue, 0);
	fm_snapshot_put(snapshot);
	fm_hand_fire_now(fm_cpu);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->books.fires + snapshot->books.missed, 3);
	KUNIT_EXPECT_EQ(test, snapshot->expected, 0);
	KUNIT_EXPECT_EQ(test, snapshot->overdue, -3);
	fm_snapshot_put(snapshot);
	/* A stop leaves no fire overdue. */
	fm_hand.now_ns += 9 * NSEC_PER_MSEC / 2;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_ASSERT_EQ(test, fm_snapshot_create(fm_session, 0, &snapshot, NULL), 0);
	KUNIT_EXPECT_EQ(test, snapshot->books.fires + snapshot->books.missed +
			snapshot->overdue, snapshot->expected);
	KUNIT_EXPECT_EQ(test, snapshot->overdue, -3);
	fm_snapshot_put(snapshot);
}

/* Due fires do not come. A stop waits for two CPUs no longer than for one. */
static void late_cpus_are_waited_for_together(struct kunit *test)
{
	unsigned int nr_waits[2], nr;
	struct fm_cpu *c;

	KUNIT_ASSERT_TRUE(test, cpu_online(1));
	for (nr = 0; nr < 2; nr++) {
		fm_held_start(test);
		c = fm_cpu;
		if (nr) {
			KUNIT_ASSERT_EQ(test, fm_session_equip(fm_session,
							       fm_session->settings, 1), 0);
			c = fm_session->cpus[1];
			fm_session_lock(fm_session);
			fm_session_arm(fm_session, c);
			fm_session_unlock(fm_session);
		}
		fm_hand.now_ns += 5 * fm_session->period_ns;
		fm_nr_waits = 0;
		KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
		nr_waits[nr] = fm_nr_waits;
		KUNIT_EXPECT_FALSE(test, fm_cpu->armed);
		KUNIT_EXPECT_FALSE(test, c->armed);
		KUNIT_EXPECT_GE(test, c->books.lost[FLAMEMOD_LOST_STOPPED], 4);
	}
	KUNIT_EXPECT_GT(test, nr_waits[0], 0);
	KUNIT_EXPECT_EQ(test, nr_waits[0], nr_waits[1]);
	/* A fire that is not due is not waited for. */
	fm_held_start(test);
	fm_nr_waits = 0;
	KUNIT_ASSERT_EQ(test, fm_session_stop(fm_session, NULL), 0);
	KUNIT_EXPECT_EQ(test, fm_nr_waits, 0);
}

static struct kunit_case fm_session_cases[] = {
	KUNIT_CASE(create_fails_cleanly),
	KUNIT_CASE(a_new_session_holds_nothing),
	KUNIT_CASE_PARAM(settings_change_when_they_may, fm_change_gen_params),
	KUNIT_CASE(what_is_not_named_is_not_changed),
	KUNIT_CASE(start_and_stop_follow_each_other),
	KUNIT_CASE(start_fails_cleanly),
	KUNIT_CASE(the_first_start_fails_cleanly),
	KUNIT_CASE(tables_are_of_cpus_that_are_sampled),
	KUNIT_CASE(isolated_cpus_are_left_alone),
	KUNIT_CASE(stop_counts_a_fire_that_never_comes),
	KUNIT_CASE(reset_starts_from_zero),
	KUNIT_CASE(reset_leaves_what_is_overdue),
	KUNIT_CASE(late_cpus_are_waited_for_together),
	{}
};

struct kunit_suite fm_session_suite = {
	.name = "flamemod_session",
	.init = fm_held_begin,
	.exit = fm_held_end,
	.test_cases = fm_session_cases,
};
