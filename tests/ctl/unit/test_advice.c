// SPDX-License-Identifier: GPL-2.0
/*
 * Advice about what was lost. Of the timer's periods it names a parameter of the module and a
 * larger valid value than the one at the time; of an event, only what that event has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/advice.h"

/* @expected: NULL if there is none. */
static void assert_advice(const char *advice, const char *expected)
{
	if (expected)
		assert_string_equal(advice, expected);
	else
		assert_null(advice);
}

static void expect(const struct profile_meta *meta, enum flamemod_lost reason,
		   const char *expected)
{
	char text[ADVICE_MAX];

	assert_advice(advice_lost(meta, reason, text, sizeof(text)), expected);
}

static void advice_raises_the_value_of_the_time(void **state)
{
	struct profile_meta meta = { .settings.hz = 997 };

	(void)state;
	/* unknown values: the module's defaults are assumed */
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=4096");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=65536");
	meta.origin.cpu_kb = 32;
	meta.origin.aggregate_kb = 256;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=128");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=1024");
	expect(&meta, FLAMEMOD_LOST_OVERLOAD, "lower the rate, -F 498");
	expect(&meta, FLAMEMOD_LOST_NO_REGS, NULL);
	expect(&meta, FLAMEMOD_LOST_STOPPED, NULL);
}

static void advice_stays_within_the_parameters_limits(void **state)
{
	struct profile_meta meta = {
		.settings.hz = 1,
		.origin = { .cpu_kb = 20000, .aggregate_kb = 1000000 },
	};

	(void)state;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL, "load with cpu_kb=65536");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=1048576");
	expect(&meta, FLAMEMOD_LOST_OVERLOAD, NULL);
	meta.settings.hz = 0;
	expect(&meta, FLAMEMOD_LOST_OVERLOAD, "lower the rate (-F)");
	meta.origin.aggregate_kb = 1048575;
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL, "load with aggregate_kb=1048576");
	meta.origin.cpu_kb = 65536;
	meta.origin.aggregate_kb = 1048576;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL,
	       "cpu_kb=65536 is the maximum, so lower the rate (-F)");
	expect(&meta, FLAMEMOD_LOST_AGGREGATE_FULL,
	       "aggregate_kb=1048576 is the maximum, so reset more often (flamectl dump --reset)");
	/* a file may contain any value */
	meta.origin.cpu_kb = UINT64_MAX;
	expect(&meta, FLAMEMOD_LOST_TABLE_FULL,
	       "cpu_kb=18446744073709551615 is the maximum, so lower the rate (-F)");
}

static void all_advice_names_its_reasons(void **state)
{
	struct profile *profile = profile_create();
	char text[ADVICE_ALL_MAX];

	(void)state;
	assert_non_null(profile);
	profile->meta.settings.hz = 20000;
	assert_null(advice_all(profile, text));
	profile->books.lost[FLAMEMOD_LOST_STOPPED] = 1;
	assert_null(advice_all(profile, text));
	profile->books.lost[FLAMEMOD_LOST_OVERLOAD] = 1;
	profile->books.lost[FLAMEMOD_LOST_TABLE_FULL] = 1;
	assert_string_equal(advice_all(profile, text),
			    "table-full: load with cpu_kb=4096; overload: lower the rate, -F 10000");
	profile_destroy(profile);
}

/* ---- events ---- */

#define OFF_CPU		"leave out short intervals with --min-block"
#define FEWER		"record fewer processes with -p or --only"
#define FUNC		"count fewer hits, by if= in -e, or with -p or --only"
#define LATENCY		"count fewer calls, by min= or if= in -e, or with -p or --only"
#define COUNTER		"name a larger period, as in -e cycles:10000000"

static struct profile_meta event_of(const char *name)
{
	/* a sum of recordings may have a rate; it is the timer's */
	struct profile_meta meta = { .settings.hz = 997, .intervals.known = true };

	snprintf(meta.weight_type, sizeof(meta.weight_type), "%s", name);
	return meta;
}

static void expect_event(const struct profile_meta *meta, enum flamemod_event_lost reason,
			 const char *expected)
{
	char text[ADVICE_MAX];

	assert_advice(advice_event_lost(meta, reason, text, sizeof(text)), expected);
}

/* Events, how to record less of each, and what helps for some reasons, if anything does. */
static const struct view {
	const char *name, *less, *missed, *too_large;
} views[] = {
	{ "wall", FEWER, NULL, NULL },
	{ "ran", FEWER, NULL, NULL },
	{ "off-cpu", OFF_CPU, NULL, NULL },
	{ "waiting", OFF_CPU, NULL, NULL },
	{ "wakers", OFF_CPU, NULL, NULL },
	{ "func:vfs_read", FUNC, NULL,
	  "name the size and sign of the argument, as in weight=arg2:u32" },
	{ "latency:vfs_read", LATENCY, NULL, NULL },
	{ "tracepoint:kmem:kmalloc", FUNC, NULL, NULL },
	{ "contention", FUNC, NULL, NULL },
	{ "page-faults", FEWER, NULL, NULL },
	{ "cycles", COUNTER, COUNTER, NULL },
	{ "cache-misses:5000", COUNTER, COUNTER, NULL },
	/* a user chose this name: it does not tell the kind */
	{ "functions", FEWER, NULL, NULL },
};

static void advice_names_what_the_event_has(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		const struct profile_meta meta = event_of(views[i].name);

		expect_event(&meta, FLAMEMOD_EVENT_LOST_TABLE_FULL, "load with cpu_kb=4096");
		expect_event(&meta, FLAMEMOD_EVENT_LOST_AGGREGATE_FULL,
			     "load with a larger events_kb, or " FEWER);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_OVERLOAD, views[i].less);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_NO_SLOT,
			     "load with a larger events_kb");
		expect_event(&meta, FLAMEMOD_EVENT_LOST_NESTED, NULL);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_MISSED, views[i].missed);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_NMI, NULL);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_SUSPENDED, views[i].less);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_TOO_LARGE, views[i].too_large);
		expect_event(&meta, FLAMEMOD_EVENT_LOST_MALFORMED, NULL);
	}
}

static void full_tables_at_their_maximum_need_fewer_hits(void **state)
{
	struct profile_meta meta = event_of("wall");

	(void)state;
	meta.origin.cpu_kb = 65536;
	expect_event(&meta, FLAMEMOD_EVENT_LOST_TABLE_FULL,
		     "cpu_kb=65536 is the maximum, so " FEWER);
	meta = event_of("off-cpu");
	meta.origin.cpu_kb = 20000;
	expect_event(&meta, FLAMEMOD_EVENT_LOST_TABLE_FULL, "load with cpu_kb=65536");
	meta.origin.cpu_kb = 65536;
	expect_event(&meta, FLAMEMOD_EVENT_LOST_TABLE_FULL,
		     "cpu_kb=65536 is the maximum, so " OFF_CPU);
}

/* All advice that one event can have at a time has room. */
static void assert_all_fits(struct profile *profile, const char *name)
{
	char text[ADVICE_ALL_MAX];

	profile->meta = event_of(name);
	profile->meta.origin.cpu_kb = UINT64_MAX;
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		profile->meta.intervals.lost[i] = 1;
	assert_non_null(advice_all(profile, text));
	assert_in_range(strlen(text), 1, ADVICE_ALL_MAX - 2);
}

static void all_advice_of_an_event_includes_what_has_no_weight(void **state)
{
	struct profile *profile = profile_create();
	char text[ADVICE_ALL_MAX];

	(void)state;
	assert_non_null(profile);
	profile->meta = event_of("wall");
	assert_null(advice_all(profile, text));
	/* how long these lasted is not known */
	profile->meta.intervals.lost[FLAMEMOD_EVENT_LOST_NO_SLOT] = 3;
	profile->meta.intervals.lost[FLAMEMOD_EVENT_LOST_NESTED] = 3;
	assert_string_equal(advice_all(profile, text), "no-slot: load with a larger events_kb");
	/* of time on a CPU only the weight is in the profile */
	profile->books.lost[FLAMEMOD_LOST_AGGREGATE_FULL] = 1;
	profile->books.lost[PROFILE_LOST_OTHER] = 1;
	assert_string_equal(advice_all(profile, text),
			    "aggregate-full: load with a larger events_kb, or " FEWER
			    "; no-slot: load with a larger events_kb");
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		assert_all_fits(profile, views[i].name);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(advice_raises_the_value_of_the_time),
		cmocka_unit_test(advice_stays_within_the_parameters_limits),
		cmocka_unit_test(all_advice_names_its_reasons),
		cmocka_unit_test(advice_names_what_the_event_has),
		cmocka_unit_test(full_tables_at_their_maximum_need_fewer_hits),
		cmocka_unit_test(all_advice_of_an_event_includes_what_has_no_weight),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
