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

#include "view/summary.h"

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

static uint64_t before_command;

static void assert_summary(const struct profile *profile, const char *path,
			   const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	summary_write(profile, before_command, path, out);
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
	before_command = 3;
	assert_summary(profile, "-", "4.0 s at 997 Hz, 3996 periods, 3987 filtered by pids=42, 3 before the command began, 0 lost: saved to stdout\n");
	profile->meta.settings.nr_pids = 0;
	books->filtered = 3;
	assert_summary(profile, "-", "4.0 s at 997 Hz, 3996 periods, 3 before the command began, 0 lost: saved to stdout\n");
	before_command = 0;
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
		cmocka_unit_test(filters_are_named_as_they_are_set),
		cmocka_unit_test(a_summary_says_what_was_filtered_and_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
