// SPDX-License-Identifier: GPL-2.0
/*
 * Which windows a question is about: parsed, and as SQL that no text can end; and whether
 * two groups of hosts differ.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fleet/choice.h"
#include "fleet/clickhouse/where.h"
#include "fleet/statistics.h"

#define NOW	1795769377	/* 2026-11-27 08:49:37 UTC */
#define DAY	1795737600	/* its start */

static void times_are_parsed(void **state)
{
	static const struct {
		const char *text;
		int64_t from_s, to_s;
	} cases[] = {
		{ "", 0, 0 },
		{ "hour=8", DAY + 8 * 3600, DAY + 9 * 3600 },
		{ "hour=9", DAY - 15 * 3600, DAY - 14 * 3600 },
		{ "hour=2026-11-27T14", DAY + 14 * 3600, DAY + 15 * 3600 },
		{ "day=2026-11-26", DAY - 86400, DAY },
		{ "from=2026-11-27T01:30", DAY + 5400, 0 },
		{ "to=2026-11-27", 0, DAY },
		{ "from=2026-11-27,to=2026-11-27T02", DAY, DAY + 7200 },
		{ "last=2h", NOW - 7200, 0 },
		{ "day=2026-11-27,last=1h", NOW - 3600, DAY + 86400 },
	};
	struct choice choice;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (choice_parse(&choice, cases[i].text, NOW, &error))
			fail_msg("%s", error.text);
		if (choice.from_s != cases[i].from_s || choice.to_s != cases[i].to_s)
			fail_msg("%s: %jd to %jd", cases[i].text, (intmax_t)choice.from_s,
				 (intmax_t)choice.to_s);
		assert_int_equal(choice.nr, 0);
	}
}

static void other_terms_are_refused(void **state)
{
	static const char *const bad[] = {
		"rack", "=1", "hour=24", "hour=2026-11-27", "day=14", "from=yesterday", "to=",
		"last=soon", "last=0s", "host=", "a-b=1", "host=a,,host=b", "host=a\n",
		"day=2026-11-27,hour=2026-11-28T01", "from=2026-11-28,to=2026-11-27",
		"event=", "event=off*", "event=off-cpu,event=wall",
		"event=0123456789012345678901234567890123456789012345678901234567890123",
	};
	char many[CHOICE_TERMS_MAX * 5 + 6] = "";
	struct choice choice;
	struct error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (choice_parse(&choice, bad[i], NOW, &error) != -EINVAL)
			fail_msg("\"%s\" is taken", bad[i]);
	for (int i = 0; i < CHOICE_TERMS_MAX; i++)
		strcat(many, "a=b,");
	assert_int_equal(choice_parse(&choice, many, NOW, &error), 0);
	strcat(many, "a=b");
	assert_int_equal(choice_parse(&choice, many, NOW, &error), -EINVAL);
}

static void expect_sql(const char *text, const char *expected)
{
	struct choice choice;
	struct error error;
	char *sql = NULL;
	size_t size;
	FILE *out = open_memstream(&sql, &size);

	if (choice_parse(&choice, text, NOW, &error))
		fail_msg("%s", error.text);
	where_choice(out, &choice);
	fclose(out);
	assert_string_equal(sql, expected);
	free(sql);
}

static void cgroups_choose_rows_and_no_windows(void **state)
{
	static const char value[] = "if(gn = 0, '', cgroups[gn])";
	char *sql = NULL, expected[512];
	struct choice choice;
	struct error error;
	size_t size;
	FILE *out = open_memstream(&sql, &size);

	(void)state;
	expect_sql("cgroup=/a,host=web1", "event = '' AND time >= toDateTime(0) AND (0 OR host = 'web1')");
	assert_int_equal(choice_parse(&choice, "host=web1", NOW, &error), 0);
	assert_false(choice_has_cgroups(&choice));
	where_cgroups(out, &choice);
	fputc(' ', out);
	assert_int_equal(choice_parse(&choice, "cgroup=/sys/fs/cgroup/it's/", NOW, &error), 0);
	assert_true(choice_has_cgroups(&choice));
	where_cgroups(out, &choice);
	fclose(out);
	snprintf(expected, sizeof(expected), "1 (0 OR if(substring(%s, 1, 1) = '/',"
		 " startsWith(concat(%s, '/'), '/it\\'s/'), %s = '/sys/fs/cgroup/it\\'s/'))",
		 value, value, value);
	assert_string_equal(sql, expected);
	free(sql);
}

static void choices_become_sql(void **state)
{
	(void)state;
	expect_sql("", "event = '' AND time >= toDateTime(0)");
	expect_sql("host=web1,host=web2,machine=x86_64",
		   "event = '' AND time >= toDateTime(0) AND (0 OR host = 'web1' OR host = 'web2')"
		   " AND (0 OR machine = 'x86_64')");
	expect_sql("release=6.12",
		   "event = '' AND time >= toDateTime(0) AND (0 OR release = '6.12' OR release LIKE '6.12.%'"
		   " OR release LIKE '6.12-%' OR release LIKE '6.12+%')");
	expect_sql("rack=7", "event = '' AND time >= toDateTime(0) AND (0 OR arrayExists(l -> l = 'rack=7', labels))");
	expect_sql("event=func:vfs_read,host=web1", "event = 'func:vfs_read' AND time >= toDateTime(0)"
		   " AND (0 OR host = 'web1')");
	expect_sql("event=on-cpu", "event = '' AND time >= toDateTime(0)");
	expect_sql("event=it's", "event = 'it\\'s' AND time >= toDateTime(0)");
	expect_sql("hour=8", "event = '' AND time >= toDateTime(1795766400) AND time < toDateTime(1795770000)");
}

static void no_text_ends_its_quotes(void **state)
{
	(void)state;
	expect_sql("host=a' OR 1 --\\", "event = '' AND time >= toDateTime(0) AND (0 OR host = 'a\\' OR 1 --\\\\')");
	/* a pattern has its own escapes, inside those of the quotes */
	expect_sql("host=a_%\\'*", "event = '' AND time >= toDateTime(0) AND (0 OR host LIKE 'a\\\\_\\\\%\\\\\\\\\\'%')");
	expect_sql("k=*'", "event = '' AND time >= toDateTime(0) AND (0 OR arrayExists(l -> l LIKE 'k=%\\'', labels))");
}

static struct sample sample_of(const double *x, size_t n)
{
	struct sample sample = { .n = (double)n };

	for (size_t i = 0; i < n; i++) {
		sample.sum += x[i];
		sample.sum_of_squares += x[i] * x[i];
	}
	return sample;
}

/* The expected values come from Simpson's rule, two million steps, over t's density. */
static void differences_have_their_probability(void **state)
{
	static const double a[] = { 17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8 };
	static const double b[] = { 21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
				    20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8 };
	static const double c[] = { 1, 2, 3, 4 }, d[] = { 2, 3, 4, 5 }, same[] = { 2, 2, 2 };
	struct sample of_a = sample_of(a, 10), of_b = sample_of(b, 20);
	struct sample of_c = sample_of(c, 4), of_d = sample_of(d, 4);
	struct sample of_same = sample_of(same, 3), of_one = sample_of(c, 1);

	(void)state;
	assert_true(fabs(welch_p(&of_a, &of_b) - 0.14884) < 0.00001);
	assert_true(fabs(welch_p(&of_b, &of_a) - 0.14884) < 0.00001);
	/* equal sizes and variances: t = 1.0954, 6 degrees of freedom */
	assert_true(fabs(welch_p(&of_c, &of_d) - 0.31533) < 0.00001);
	assert_true(fabs(welch_p(&of_c, &of_c) - 1) < 1e-9);
	assert_true(welch_p(&of_same, &of_same) == 1);
	assert_true(welch_p(&of_one, &of_c) == 1);
}

static void of_many_tests_few_are_false(void **state)
{
	/* the example of Benjamini and Hochberg's paper, section 3.2 */
	static const double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
				    0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1 };

	(void)state;
	assert_int_equal(false_discovery(p, 15, 0.05), 4);
	assert_int_equal(false_discovery(p, 15, 0.00001), 0);
	assert_int_equal(false_discovery(p, 15, 1), 15);
	assert_int_equal(false_discovery(p, 0, 0.05), 0);
}

/* Two groups of the same hosts: about 5 % of the tests are below 0.05. */
static void chance_is_as_often_as_p_says(void **state)
{
	unsigned int below = 0;

	(void)state;
	srand(1);
	for (int test = 0; test < 4000; test++) {
		double x[2][12];
		struct sample a, b;

		for (int i = 0; i < 24; i++)
			x[i / 12][i % 12] = rand() / (double)RAND_MAX + rand() / (double)RAND_MAX +
					    rand() / (double)RAND_MAX;
		a = sample_of(x[0], 12);
		b = sample_of(x[1], 12);
		below += welch_p(&a, &b) < 0.05;
	}
	/* 200 expected, with a standard deviation of 14 */
	assert_in_range(below, 130, 270);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_parsed),
		cmocka_unit_test(other_terms_are_refused),
		cmocka_unit_test(choices_become_sql),
		cmocka_unit_test(cgroups_choose_rows_and_no_windows),
		cmocka_unit_test(no_text_ends_its_quotes),
		cmocka_unit_test(differences_have_their_probability),
		cmocka_unit_test(of_many_tests_few_are_false),
		cmocka_unit_test(chance_is_as_often_as_p_says),
	};

	return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
