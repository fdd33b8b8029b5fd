// SPDX-License-Identifier: GPL-2.0
/*
 * The source perf: what perf is asked for, and what is refused before it is asked.
 *
 * This file includes perf.c. No counter is created: the test looks at what would be.
 */
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <kunit/test.h>

#include "redirect.h"
#include "suites.h"

#ifdef CONFIG_PERF_EVENTS
static struct perf_event_attr fm_asked;
static struct perf_event fm_counter;

static struct perf_event *fm_note_attr(const struct perf_event_attr *attr)
{
	fm_asked = *attr;
	return &fm_counter;
}

#define perf_event_create_kernel_counter(attr, cpu, task, handler, context) \
	((void)(handler), fm_note_attr(attr))
#endif
#include "../../module/perf.c"

#ifdef CONFIG_PERF_EVENTS
static void fm_ask(struct kunit *test, u32 type, u64 config, u64 period)
{
	struct fm_perf_cpu cpu = { .counted = 5 };
	struct fm_perf perf = {
		.cpus = &cpu,
		.source.request = {
			.perf_type = type, .perf_config = config, .perf_period = period,
		},
	};

	KUNIT_EXPECT_PTR_EQ(test, fm_perf_create(&perf, 0), &fm_counter);
	KUNIT_EXPECT_EQ(test, cpu.counted, 0);
	KUNIT_EXPECT_EQ(test, fm_asked.type, type);
	KUNIT_EXPECT_EQ(test, fm_asked.config, config);
	KUNIT_EXPECT_EQ(test, fm_asked.sample_period, period);
	/* Else the period would be a frequency. */
	KUNIT_EXPECT_FALSE(test, fm_asked.freq);
}

/* Whatever number it gives perf: only who asks for the period is called once. */
static void a_hit_of_a_tracepoint_is_reported_once(struct kunit *test)
{
	fm_ask(test, PERF_TYPE_TRACEPOINT, 77, 1);
	KUNIT_EXPECT_EQ(test, fm_asked.sample_type, PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD);
	KUNIT_EXPECT_FALSE(test, fm_asked.pinned);
}

static void other_counters_have_no_record(struct kunit *test)
{
	fm_ask(test, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 7);
	KUNIT_EXPECT_EQ(test, fm_asked.sample_type, 0);
	KUNIT_EXPECT_FALSE(test, fm_asked.pinned);
	fm_ask(test, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1000);
	KUNIT_EXPECT_EQ(test, fm_asked.sample_type, 0);
	KUNIT_EXPECT_TRUE(test, fm_asked.pinned);
	KUNIT_EXPECT_TRUE(test, fm_asked.exclude_guest);
}
#endif

/* perf would not look at it. */
static void a_tracepoint_has_no_period(struct kunit *test)
{
	struct fm_source_request request = {
		.name = "mine", .perf_type = PERF_TYPE_TRACEPOINT, .perf_period = 2,
	};
	struct netlink_ext_ack extack = {};

	if (!IS_ENABLED(CONFIG_PERF_EVENTS)) {
		KUNIT_EXPECT_EQ(test, fm_perf_check(&request, &extack), -EOPNOTSUPP);
		return;
	}
	KUNIT_EXPECT_EQ(test, fm_perf_check(&request, &extack), -EINVAL);
	KUNIT_ASSERT_NOT_NULL(test, extack._msg);
	KUNIT_EXPECT_TRUE(test, strstarts(extack._msg, "mine: perf-period: 2: it must be 1 "));
	request.perf_period = 1;
	KUNIT_EXPECT_EQ(test, fm_perf_check(&request, NULL), 0);
}

static struct kunit_case fm_perf_tests[] = {
#ifdef CONFIG_PERF_EVENTS
	KUNIT_CASE(a_hit_of_a_tracepoint_is_reported_once),
	KUNIT_CASE(other_counters_have_no_record),
#endif
	KUNIT_CASE(a_tracepoint_has_no_period),
	{}
};

struct kunit_suite fm_perf_suite = {
	.name = "flamemod_perf",
	.test_cases = fm_perf_tests,
};
