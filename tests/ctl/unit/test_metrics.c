// SPDX-License-Identifier: GPL-2.0
/*
 * Books as Prometheus metrics: each figure of each CPU is a series of its own, values are
 * exact, and no name breaks the format.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/metrics.h"
#include "format/prometheus.h"
#include "made_profile.h"

/* Return: the metrics of @profile, to be freed. */
static char *metrics_of(const struct profile *profile)
{
	struct error error = { "" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(metrics_write(profile, out, &error), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Check that @text has the line once. */
__attribute__((format(printf, 2, 3)))
static void expect_line(const char *text, const char *format, ...)
{
	char line[512] = "\n";
	const char *found;
	va_list args;

	va_start(args, format);
	vsnprintf(line + 1, sizeof(line) - 2, format, args);
	va_end(args);
	strcat(line, "\n");
	found = strstr(text, line);
	if (!found)
		fail_msg("no line %s in:\n%s", line + 1, text);
	if (strstr(found + 1, line))
		fail_msg("twice: %s", line + 1);
}

static void expect_books(const char *text, const struct profile_cpu *cpu)
{
	const struct profile_books *books = &cpu->books;
	const struct {
		const char *name;
		uint64_t value;
	} expected[] = {
		{ "expected_periods_total", books->expected },
		{ "fires_total", books->fires },
		{ "missed_periods_total", books->missed },
		{ "stored_periods_total", books->stored },
		{ "filtered_periods_total", books->filtered },
		{ "asleep_periods_total", books->asleep },
		{ "late_periods_total", books->late },
		{ "stolen_periods_total", books->stolen },
		{ "truncated_samples_total", books->truncated },
		{ "sampling", cpu->sampling },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		expect_line(text, "flamemod_%s{cpu=\"%" PRIu32 "\"} %" PRIu64,
			    expected[i].name, cpu->cpu, expected[i].value);
	expect_line(text, "flamemod_overdue_periods{cpu=\"%" PRIu32 "\"} %" PRId64,
		    cpu->cpu, books->overdue);
	expect_line(text, "flamemod_sampled_seconds_total{cpu=\"%" PRIu32 "\"} %" PRIu64 ".%09" PRIu64,
		    cpu->cpu, cpu->sampled_ns / SEC, cpu->sampled_ns % SEC);
	for (unsigned int i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		expect_line(text, "flamemod_lost_periods_total{cpu=\"%" PRIu32 "\",reason=\"%s\"} %" PRIu64,
			    cpu->cpu, profile_lost_name(i), books->lost[i]);
}

static void each_figure_of_each_cpu_is_a_series(void **state)
{
	struct profile *profile = made_profile();
	struct profile_cpu more = { .cpu = 8191, .sampled_ns = 1, .books = {
		.expected = UINT64_MAX, .fires = UINT64_MAX / 2 + 1, .missed = 3,
		.stored = 4, .filtered = 5, .asleep = 6, .late = 7, .stolen = 8,
		.truncated = 9, .overdue = INT64_MIN,
	} };
	char *text;

	(void)state;
	/* the sum over all CPUs is no series, and may overflow in no other way */
	profile->books = (struct profile_books){ 0 };
	assert_int_equal(profile_add_cpu(profile, &more), 0);
	made_origin(profile);
	text = metrics_of(profile);
	assert_int_equal(profile->nr_cpus, 3);
	for (uint32_t i = 0; i < profile->nr_cpus; i++)
		expect_books(text, &profile->cpus[i]);
	free(text);
	profile_destroy(profile);
}

static void the_session_is_told(void **state)
{
	struct profile *profile = made_profile();
	char *text = metrics_of(profile);

	(void)state;
	assert_memory_equal(text, "# HELP flamemod_info ", 21);
	expect_line(text, "flamemod_info{version=\"1.2.3\",release=\"6.1.0-42-amd64\",host=\"h\xc3\xb6st = \xef\xbf\xbd\"} 1");
	expect_line(text, "flamemod_state{state=\"running\"} 1");
	expect_line(text, "flamemod_state{state=\"stopped\"} 0");
	expect_line(text, "flamemod_state{state=\"broken\"} 0");
	expect_line(text, "flamemod_epoch 7");
	expect_line(text, "flamemod_start_time_seconds 1700000000.123456789");
	expect_line(text, "flamemod_period_seconds 0.001000000");
	expect_line(text, "flamemod_memory_limit_bytes %u", 17 << 20);
	/* what a saved profile does not know has no series, instead of a wrong 0 */
	assert_null(strstr(text, "stacks_total"));
	assert_null(strstr(text, "epochs"));
	assert_null(strstr(text, "longest"));
	assert_null(strstr(text, "unwind_tables"));
	free(text);
	profile_destroy(profile);
}

static void what_only_the_module_knows_is_told(void **state)
{
	struct profile *profile = made_profile();
	struct profile_meta *meta = &profile->meta;
	char *text;

	(void)state;
	meta->stacks = (struct profile_stacks){ true, 11, 12, 13, 14, 15 };
	meta->kept = (struct profile_kept){
		.known = true, .readers = 21, .epochs = 22, .bytes = 23, .expired = 24,
		.reclaimed = 25,
	};
	meta->user_stacks.known = true;
	for (unsigned int i = 0; i < PROFILE_SAMPLE_SIDES; i++)
		meta->user_stacks.sides[i] = 100 + i;
	meta->user_stacks.files = 21;
	meta->user_stacks.rows_bytes = 22;
	meta->user_stacks.rows_limit_bytes = 23;
	meta->pauses.nr_callbacks = 1;
	meta->pauses.callback_ns_max = 4321;
	meta->pauses.swap_ns_max = 1234;
	meta->pauses.forget_ns_max = 98765;
	meta->stalls.nr = 5;
	text = metrics_of(profile);
	expect_line(text, "flamemod_kept_epochs 22");
	expect_line(text, "flamemod_kept_epochs_bytes 23");
	expect_line(text, "flamemod_missed_epochs_total{reason=\"expired\"} 24");
	expect_line(text, "flamemod_missed_epochs_total{reason=\"reclaimed\"} 25");
	expect_line(text, "flamemod_stacks_total{way=\"learned\"} 11");
	expect_line(text, "flamemod_stacks_total{way=\"unwound\"} 12");
	expect_line(text, "flamemod_verified_stacks_total 14");
	expect_line(text, "flamemod_different_stacks_total 15");
	for (unsigned int i = 0; i < PROFILE_SAMPLE_SIDES; i++)
		expect_line(text, "flamemod_user_stack_periods_total{result=\"%s\"} %u",
			    profile_user_side_name(i), 100 + i);
	expect_line(text, "flamemod_user_files 21");
	expect_line(text, "flamemod_unwind_tables_bytes 22");
	expect_line(text, "flamemod_unwind_tables_limit_bytes 23");
	expect_line(text, "flamemod_longest_callback_seconds 0.000004321");
	expect_line(text, "flamemod_longest_swap_seconds 0.000001234");
	expect_line(text, "flamemod_longest_forget_seconds 0.000098765");
	expect_line(text, "flamemod_stalls_total 5");
	free(text);
	profile_destroy(profile);
}

static void labels_may_hold_any_text(void **state)
{
	char *text = NULL;
	size_t size;
	struct prometheus to = { .out = open_memstream(&text, &size) };

	(void)state;
	assert_non_null(to.out);
	prometheus_family(&to, "x_total", "counter", "Help.");
	assert_int_equal(prometheus_label(&to, "a", "\"\\\n\x1b\xff,}"), 0);
	prometheus_label_number(&to, "b", UINT64_MAX);
	prometheus_count(&to, 1);
	assert_int_equal(prometheus_label(&to, "a", ""), 0);
	prometheus_seconds(&to, UINT64_MAX);
	assert_int_equal(fclose(to.out), 0);
	assert_string_equal(text, "# HELP x_total Help.\n# TYPE x_total counter\n"
			    "x_total{a=\"\\\"\\\\??\xef\xbf\xbd,}\",b=\"18446744073709551615\"} 1\n"
			    "x_total{a=\"\"} 18446744073.709551615\n");
	free(text);
}

static void another_tools_profile_has_no_books(void **state)
{
	struct profile *profile = profile_create();
	struct error error = { "" };

	(void)state;
	assert_non_null(profile);
	assert_int_equal(metrics_write(profile, stdout, &error), -EINVAL);
	assert_string_equal(error.text, "it is another tool's profile, in which periods of a timer were not counted");
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_figure_of_each_cpu_is_a_series),
		cmocka_unit_test(the_session_is_told),
		cmocka_unit_test(what_only_the_module_knows_is_told),
		cmocka_unit_test(labels_may_hold_any_text),
		cmocka_unit_test(another_tools_profile_has_no_books),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
