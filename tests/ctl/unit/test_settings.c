// SPDX-License-Identifier: GPL-2.0
/*
 * Parsing of what users type: numbers, durations, settings; and of text from kernels that
 * is not UTF-8.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/number.h"
#include "base/utf8.h"
#include "profile/settings.h"

static void numbers_are_whole_and_within_limits(void **state)
{
	static const char *const bad[] = {
		"", "abc", "-1", "+1", " 1", "1 ", "1.0", "0x10", "1e3", "0",
		"20001", "18446744073709551616", "99999999999999999999999",
	};
	struct error error;
	uint64_t number = 5;
	size_t i;

	(void)state;
	assert_int_equal(number_parse("1", 1, 20000, &number, &error), 0);
	assert_int_equal(number, 1);
	assert_int_equal(number_parse("20000", 1, 20000, &number, &error), 0);
	assert_int_equal(number, 20000);
	assert_int_equal(number_parse("18446744073709551615", 0, UINT64_MAX,
				      &number, &error), 0);
	assert_true(number == UINT64_MAX);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(number_parse(bad[i], 1, 20000, &number,
					      &error), -EINVAL);
		assert_true(number == UINT64_MAX);
	}
	number_parse("abc", 1, 20000, &number, &error);
	assert_string_equal(error.text,
			    "abc: a whole number from 1 to 20000");
	number_parse("", 1, 20000, &number, &error);
	assert_string_equal(error.text,
			    "nothing: a whole number from 1 to 20000");
}

static void durations_have_units(void **state)
{
	static const struct { const char *text; uint64_t ns; } good[] = {
		{ "10", 10000000000 }, { "10s", 10000000000 },
		{ "500ms", 500000000 }, { "2m", 120000000000 },
		{ "1h", 3600000000000 }, { "0.5", 500000000 },
		{ "1.5m", 90000000000 }, { "1ms", 1000000 },
		{ "8760h", DURATION_MAX_NS },
	};
	static const char *const bad[] = {
		"", "s", "abc", "-1", "1 s", "1S", "1us", "1d", ".5", "1.", "0",
		"0.0001", "8761h", "18446744073709551615h", "1.5.5",
		/* above 2^64 ns only because of its fraction */
		"18446744073.9", "1,5",
	};
	struct error error;
	uint64_t ns = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(duration_parse(good[i].text, &ns, &error), 0);
		assert_int_equal(ns, good[i].ns);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!duration_parse(bad[i], &ns, &error))
			fail_msg("%s is taken for %lu ns", bad[i], ns);
	assert_memory_equal(error.text, "1,5: a duration such as", 23);
}

static void durations_are_reported_as_they_are_read(void **state)
{
	static const struct { uint64_t ns; const char *text; } told[] = {
		{ 0, "0 ms" }, { 1499999, "1 ms" }, { 1500000, "2 ms" },
		{ 999499999, "999 ms" }, { 999500000, "1.0 s" },
		{ 1000000000, "1.0 s" }, { 12349999999, "12.3 s" },
		{ 12350000000, "12.4 s" }, { UINT64_MAX, "18446744073.7 s" },
	};
	char text[DURATION_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		assert_string_equal(duration_text(text, told[i].ns),
				    told[i].text);
}

static void settings_are_assigned_by_name(void **state)
{
	struct profile_settings settings = { 0 };
	unsigned int mask = 0, i;
	struct error error;
	char text[1024];
	static const char *const assignments[] = {
		"hz=99", "max-depth=64", "exclude-idle=1", "kernel-only=1",
		"pids=1,4194304", "cpus=0-3,8", "followed-only=1",
		"user-stacks=1", "user-places=1",
	};
	const char *strides = "cpus=0-63:1/2,70";

	(void)state;
	for (i = 0; i < 9; i++)
		assert_int_equal(settings_assign(&settings, &mask,
						 assignments[i], &error), 0);
	assert_int_equal(mask, SETTING(HZ) | SETTING(MAX_DEPTH) |
			 SETTING(EXCLUDE_IDLE) | SETTING(KERNEL_ONLY) |
			 SETTING(PIDS) | SETTING(CPUS) |
			 SETTING(FOLLOWED_ONLY) | SETTING(USER_STACKS) |
			 SETTING(USER_PLACES));
	assert_int_equal(settings.hz, 99);
	assert_int_equal(settings.max_depth, 64);
	assert_true(settings.exclude_idle);
	assert_true(settings.kernel_only);
	assert_true(settings.followed_only);
	assert_true(settings.user_stacks);
	assert_true(settings.user_places);
	assert_int_equal(settings.nr_pids, 2);
	assert_int_equal(settings.pids[1], 4194304);
	for (i = 0; i < 9; i++) {
		settings_value(&settings, i + 1, text, sizeof(text));
		assert_string_equal(text, strchr(assignments[i], '=') + 1);
	}
	assert_int_equal(settings_assign(&settings, &mask, "hz=max", &error), 0);
	assert_int_equal(settings.hz, FLAMEMOD_HZ_MAX);
	assert_int_equal(settings_assign(&settings, &mask, "pids=", &error), 0);
	assert_int_equal(settings.nr_pids, 0);
	assert_int_equal(settings_assign(&settings, &mask, strides, &error), 0);
	assert_string_equal(settings.cpus, "0-63:1/2,70");
	assert_int_equal(settings_assign(&settings, &mask, "cpus=", &error), 0);
	assert_string_equal(settings.cpus, "");
}

static void bad_settings_name_their_limits(void **state)
{
	static const struct { const char *text, *why; } bad[] = {
		{ "hz", "hz: not of the form name=value" },
		{ "hz=0", "hz=0: a whole number from 1 to 20000" },
		{ "hz=20001", "hz=20001: at most 20000: a period is then 50 us, of which a sample with a deep stack can take a quarter" },
		{ "hz=", "hz=nothing: a whole number" },
		{ "max-depth=128", "max-depth=128: a whole number from 1 to 127" },
		{ "exclude-idle=2", "from 0 to 1" },
		{ "kernel-only=yes", "from 0 to 1" },
		{ "followed-only=2", "from 0 to 1" },
		{ "user-stacks=on", "from 0 to 1" },
		{ "h=1", "no setting h: there are hz, max-depth" },
		{ "=1", "no setting :" },
		{ "hzz=1", "no setting hzz" },
		{ "pids=0", "from 1 to 4194304" },
		{ "pids=4194305", "from 1 to 4194304" },
		{ "pids=1,", "missing after the last comma" },
		{ "pids=,1", "pids: nothing: a whole number" },
		{ "pids=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "at most 16" },
		{ "pids=999999999999999999999999", "from 1 to" },
		/* so many digits that the rest is not shown */
		{ "pids=000000000000012x", "from 1 to" },
		{ "pids=00000000000000012x", "from 1 to" },
		{ "cpus=3-1", "the larger number of a range comes last: 1-3, or all, or nothing for all that are not isolated" },
		{ "cpus=0,", "a list" }, { "cpus=-1", "a list" },
		{ "cpus=0-", "a list" }, { "cpus=0 1", "a list" },
		{ "cpus=65536", "there is no CPU 65536" }, { "cpus=al", "a list" },
		{ "cpus=all,0", "a list" },
		{ "cpus=0-3:", "a list" }, { "cpus=0-3:1", "a list" },
		{ "cpus=0-3:1/", "a list" }, { "cpus=0-3:0/2", "a list" },
		{ "cpus=0-3:3/2", "a list" }, { "cpus=0:1/2", "a list" },
		{ "cpus=99999999999999999999999", "there is no CPU 9999" },
	};
	struct profile_settings settings = { .hz = 5 }, before = settings;
	unsigned int mask = 0;
	struct error error;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(settings_assign(&settings, &mask, bad[i].text,
						 &error), -EINVAL);
		if (!strstr(error.text, bad[i].why))
			fail_msg("\"%s\" does not say \"%s\"", error.text,
				 bad[i].why);
		assert_memory_equal(&settings, &before, sizeof(before));
		assert_int_equal(mask, 0);
	}
}

static void long_cpu_lists_are_refused(void **state)
{
	struct profile_settings settings = { 0 };
	unsigned int mask = 0;
	struct error error;
	char text[2048] = "cpus=0";
	size_t i;

	(void)state;
	for (i = strlen(text); i < 1028; i += 2)
		memcpy(text + i, ",1", 3);
	/* 1023 characters fit, 1024 with the NUL that ends them do not */
	text[5 + 1023] = '\0';
	assert_int_equal(settings_assign(&settings, &mask, text, &error), 0);
	text[5 + 1023] = '1';
	text[5 + 1024] = '\0';
	assert_int_equal(settings_assign(&settings, &mask, text, &error),
			 -EINVAL);
	assert_string_equal(error.text, "cpus: at most 1023 characters");
}

static void utf8_is_distinguished_from_other_bytes(void **state)
{
	static const char *const good[] = {
		"", "plain", "h\xc3\xb6", "\xe2\x82\xac", "\xf0\x9f\x94\xa5",
		"\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80",
	};
	static const char *const bad[] = {
		"\x80", "\xff", "\xc3", "\xc3(", "\xc0\xaf", "\xc1\xbf",
		"\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf",
		"\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "x\xfe",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(utf8_valid(good[i]));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(utf8_valid(bad[i]));
}

static void escaped_text_is_utf8_and_comes_back(void **state)
{
	static const struct { const char *text, *escaped; } pairs[] = {
		{ "", "" }, { "plain \\ text", "plain \\ text" },
		{ "h\xc3\xb6", "h\xc3\xb6" }, { "\xff", "\\xff" },
		{ "a\\b\xc3", "a\\x5cb\\xc3" }, { "\\xff", "\\x5cxff" },
		{ "\\x", "\\x5cx" },
		/* what a program that prints the file would send to a terminal */
		{ "\x1b[1m\n", "\\x1b[1m\\x0a" },
		{ "\xc3\xb6\xc2\x9b", "\xc3\xb6\\xc2\\x9b" },
		{ "\xe2\x80\xae\\", "\\xe2\\x80\\xae\\x5c" },
	};
	char *escaped;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		escaped = utf8_escape(pairs[i].text);
		assert_string_equal(escaped, pairs[i].escaped);
		assert_true(utf8_valid(escaped));
		utf8_unescape(escaped);
		assert_string_equal(escaped, pairs[i].text);
		free(escaped);
	}
}

static void other_backslashes_stay(void **state)
{
	char text[] = "\\x \\xg0 \\x0 \\x00 \\xFF \\y \\";

	(void)state;
	utf8_unescape(text);
	assert_string_equal(text, "\\x \\xg0 \\x0 \\x00 \\xFF \\y \\");
}

static void clean_text_is_utf8_and_harmless(void **state)
{
	char *clean = utf8_clean("a\xff\x1b[1m\xc3\xb6", false);

	(void)state;
	assert_string_equal(clean, "a\xef\xbf\xbd\x1b[1m\xc3\xb6");
	free(clean);
	clean = utf8_clean("a\xff\x1b[1m\xc2\x9b\x7f\n\xc3\xb6\xc2\xa0", true);
	assert_string_equal(clean, "a\xef\xbf\xbd?[1m???\xc3\xb6\xc2\xa0");
	free(clean);
	clean = utf8_clean("\x9b" "1m\xe2\x80\xae" "a\xe2\x81\xa9" "b\xe2\x80\xa8\xd8\x9c", true);
	assert_string_equal(clean, "\xef\xbf\xbd" "1m?a?b??");
	free(clean);
}

static void long_text_is_cut_between_characters(void **state)
{
	char text[] = "ab\xc3\xb6" "cdefg";

	(void)state;
	utf8_cut(text, 9);
	assert_string_equal(text, "ab\xc3\xb6" "cdefg");
	utf8_cut(text, 8);
	assert_string_equal(text, "ab\xc3\xb6" "c\xe2\x80\xa6");
	utf8_cut(text, 6);
	assert_string_equal(text, "ab\xe2\x80\xa6");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_whole_and_within_limits),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(durations_are_reported_as_they_are_read),
		cmocka_unit_test(settings_are_assigned_by_name),
		cmocka_unit_test(bad_settings_name_their_limits),
		cmocka_unit_test(long_cpu_lists_are_refused),
		cmocka_unit_test(utf8_is_distinguished_from_other_bytes),
		cmocka_unit_test(escaped_text_is_utf8_and_comes_back),
		cmocka_unit_test(other_backslashes_stay),
		cmocka_unit_test(clean_text_is_utf8_and_harmless),
		cmocka_unit_test(long_text_is_cut_between_characters),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
