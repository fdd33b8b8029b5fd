// SPDX-License-Identifier: GPL-2.0
/*
 * The summary of a recording, and its advice about lost periods.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "view/remedy.h"
#include "view/summary.h"

static void assert_remedy(enum flamemod_lost reason, uint64_t cpu_kb,
			  uint64_t aggregate_kb, uint32_t hz,
			  const char *expected)
{
	struct remedy_limits limits = { cpu_kb, aggregate_kb };
	char text[128];

	remedy_lost(reason, &limits, hz, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void remedies_name_the_parameter_and_a_value(void **state)
{
	(void)state;
	assert_remedy(FLAMEMOD_LOST_TABLE_FULL, 0, 0, 997,
		      "load with cpu_kb=4096");
	assert_remedy(FLAMEMOD_LOST_TABLE_FULL, 64, 0, 997,
		      "load with cpu_kb=256");
	assert_remedy(FLAMEMOD_LOST_TABLE_FULL, 40000, 0, 997,
		      "load with cpu_kb=65536");
	assert_remedy(FLAMEMOD_LOST_TABLE_FULL, 65536, 0, 997,
		      "cpu_kb=65536 is the maximum: lower the rate, or record fewer processes with -p");
	assert_remedy(FLAMEMOD_LOST_AGGREGATE_FULL, 0, 0, 997,
		      "load with aggregate_kb=65536");
	assert_remedy(FLAMEMOD_LOST_AGGREGATE_FULL, 0, 1048575, 997,
		      "load with aggregate_kb=1048576");
	assert_remedy(FLAMEMOD_LOST_OVERLOAD, 0, 0, 997, "record with -F 498");
	assert_remedy(FLAMEMOD_LOST_OVERLOAD, 0, 0, 1, "");
	assert_remedy(FLAMEMOD_LOST_NO_REGS, 0, 0, 997, "");
	assert_remedy(FLAMEMOD_LOST_STOPPED, 0, 0, 997, "");
}

static void assert_filter(const struct profile_settings *settings,
			  const char *expected)
{
	char text[SUMMARY_FILTER_MAX];

	summary_filter(settings, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void filters_are_named_as_they_are_set(void **state)
{
	struct profile_settings settings = { .hz = 997, .max_depth = 5 };

	(void)state;
	assert_filter(&settings, "");
	settings.exclude_idle = true;
	assert_filter(&settings, "exclude-idle=1");
	settings.pids[0] = 42;
	settings.pids[1] = 4194304;
	settings.nr_pids = 2;
	settings.kernel_only = true;
	settings.followed_only = true;
	assert_filter(&settings, "pids=42,4194304 exclude-idle=1 kernel-only=1 followed-only=1");
}

static void assert_summary(const struct profile *profile, const char *path,
			   const char *expected)
{
	const struct remedy_limits limits = { .cpu_kb = 1024 };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	summary_write(profile, path, &limits, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void a_summary_says_what_was_filtered_and_lost(void **state)
{
	struct profile *profile = profile_create();
	struct profile_books *books = &profile->books;

	(void)state;
	profile->meta.duration_ns = 4000000000;
	profile->meta.settings.hz = 997;
	books->fires = 3900;
	books->missed = 96;
	books->stored = 3996;
	assert_summary(profile, "a\033b", "4.0 s at 997 Hz, 3996 periods, 0 lost: saved a?b\n");
	books->stored = 6;
	books->filtered = 3990;
	profile->meta.settings.pids[0] = 42;
	profile->meta.settings.nr_pids = 1;
	assert_summary(profile, "-", "4.0 s at 997 Hz, 3996 periods, 3990 filtered by pids=42, 0 lost: saved to stdout\n");
	books->filtered = 0;
	books->lost[FLAMEMOD_LOST_TABLE_FULL] = 3000;
	books->lost[FLAMEMOD_LOST_NO_REGS] = 990;
	assert_summary(profile, "x", "4.0 s at 997 Hz, 3996 periods, 3990 lost: saved x\n"
		       "3000 lost: table-full: load with cpu_kb=4096\n");
	profile_destroy(profile);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(remedies_name_the_parameter_and_a_value),
		cmocka_unit_test(filters_are_named_as_they_are_set),
		cmocka_unit_test(a_summary_says_what_was_filtered_and_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
