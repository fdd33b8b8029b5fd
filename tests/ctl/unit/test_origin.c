// SPDX-License-Identifier: GPL-2.0
/*
 * A profile's origin, the machine and the command: files from which it is collected,
 * quoting, what a merged profile keeps, and titles.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/origin.h"

static void put_file(const char *root, const char *path, const char *text)
{
	char full[4096], *slash;
	FILE *out;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	out = fopen(full, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static void a_machine_is_collected(void **state)
{
	char root[] = "/tmp/test_origin.XXXXXX", command[64];
	struct profile_origin origin;

	(void)state;
	assert_non_null(mkdtemp(root));
	setenv("FLAMECTL_SECRET", "hidden-in-the-environment", 1);
	put_file(root, "/proc/cpuinfo",
		 "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Fast CPU: 3 GHz\n"
		 "processor\t: 1\nmodel name\t: Slow CPU\n");
	put_file(root, "/proc/meminfo", "MemTotal:        2048 kB\nMemFree: 1 kB\n");
	put_file(root, "/sys/module/flamemod/parameters/cpu_kb", "448\n");
	put_file(root, "/sys/module/flamemod/parameters/aggregate_kb", "16384\n");
	put_file(root, "/proc/sys/kernel/random/boot_id",
		 "01234567-89ab-cdef-0123-456789abcdef\n");
	origin_collect(&origin, root);
	assert_string_equal(origin.boot_id, "01234567-89ab-cdef-0123-456789abcdef");
	assert_string_equal(origin.cpu_model, "Fast CPU: 3 GHz");
	assert_int_equal(origin.memory_bytes, 2 << 20);
	assert_int_equal(origin.cpu_kb, 448);
	assert_int_equal(origin.aggregate_kb, 16384);
	assert_true(origin.nr_cpus > 0);
	assert_true(*origin.arch);
	/* this program, without its directory */
	assert_int_equal(strncmp(origin.cmdline, "test_origin", 11), 0);
	for (size_t i = 0; i + 6 < sizeof(origin); i++)
		assert_memory_not_equal((char *)&origin + i, "hidden", 6);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void unreadable_files_are_left_out(void **state)
{
	struct profile_origin origin;

	(void)state;
	origin_collect(&origin, "/nonexistent");
	assert_string_equal(origin.cpu_model, "");
	assert_string_equal(origin.boot_id, "");
	assert_int_equal(origin.memory_bytes, 0);
	assert_int_equal(origin.cpu_kb, 0);
}

static void commands_are_quoted_and_bounded(void **state)
{
	char text[PROFILE_COMMAND_MAX], huge[4000];
	const char *argv[] = { "sh", "-c", "echo 'a' $HOME", "", "\x1b[31m", NULL };
	const char *long_one[] = { "x", huge, NULL };

	(void)state;
	origin_command(text, (char *const *)argv);
	assert_string_equal(text, "sh -c 'echo '\\''a'\\'' $HOME' '' $'\\033[31m'");
	memset(huge, 'y', sizeof(huge) - 1);
	huge[sizeof(huge) - 1] = '\0';
	origin_command(text, (char *const *)long_one);
	assert_true(strlen(text) < PROFILE_COMMAND_MAX);
	assert_non_null(strstr(text, "y\xe2\x80\xa6"));
}

static void a_sum_keeps_what_all_have(void **state)
{
	struct profile_origin a = {
		.command = "make", .cmdline = "flamectl record", .arch = "x86_64",
		.cpu_model = "A", .nr_cpus = 4, .memory_bytes = 1, .cpu_kb = 32,
	}, b = a;

	(void)state;
	origin_merge(&a, &b);
	assert_memory_equal(&a, &b, sizeof(a));
	strcpy(b.command, "tar");
	b.nr_cpus = 8;
	origin_merge(&a, &b);
	assert_string_equal(a.command, "");
	assert_string_equal(a.cpu_model, "A");
	assert_int_equal(a.nr_cpus, 0);
	assert_int_equal(a.cpu_kb, 32);
}

static void expect_title(struct profile *profile, const char *expected)
{
	char text[ORIGIN_TEXT];

	assert_string_equal(origin_title(text, profile, "Kernel flame graph"),
			    expected);
}

static void titles_say_what_was_recorded(void **state)
{
	struct profile *profile = profile_create();
	struct profile_meta *meta;
	char all[ORIGIN_TEXT];

	(void)state;
	assert_non_null(profile);
	meta = &profile->meta;
	expect_title(NULL, "Kernel flame graph");
	expect_title(profile, "Kernel flame graph");
	meta->settings.nr_pids = 2;
	meta->settings.pids[0] = 7;
	meta->settings.pids[1] = 8;
	expect_title(profile, "Kernel flame graph of pids 7,8");
	strcpy(meta->host, "build1");
	strcpy(meta->release, "6.1.0-56-amd64");
	meta->time_ns = 1795544222000000000;
	expect_title(profile, "Kernel flame graph of pids 7,8 on build1, 6.1.0-56-amd64, 2026-11-24");
	strcpy(meta->origin.command, "make -j4");
	expect_title(profile, "make -j4 on build1, 6.1.0-56-amd64, 2026-11-24");
	meta->time_ns = -1;
	*meta->host = '\0';
	expect_title(profile, "make -j4, 6.1.0-56-amd64");
	memset(meta->origin.command, 'x', sizeof(meta->origin.command) - 1);
	memset(meta->host, 'h', sizeof(meta->host) - 1);
	/* the longest of all fits */
	snprintf(all, sizeof(all), "%s on %s, 6.1.0-56-amd64",
		 meta->origin.command, meta->host);
	expect_title(profile, all);
	profile_destroy(profile);
}

static void machines_are_reported_in_a_line(void **state)
{
	struct profile_origin origin = { .arch = "arm64" };
	char text[ORIGIN_TEXT];

	(void)state;
	assert_string_equal(origin_machine(text, &origin), "arm64");
	origin.nr_cpus = 1;
	origin.memory_bytes = 512 << 20;
	assert_string_equal(origin_machine(text, &origin), "1 CPU, 512 MiB, arm64");
	strcpy(origin.cpu_model, "Fast CPU");
	origin.nr_cpus = 16;
	origin.memory_bytes = 67ULL << 30;
	assert_string_equal(origin_machine(text, &origin),
			    "Fast CPU, 16 CPUs, 67.0 GiB, arm64");
	memset(&origin, 0, sizeof(origin));
	assert_string_equal(origin_machine(text, &origin), "");
}

static void captions_say_how_many_cpus_were_sampled(void **state)
{
	struct profile *profile = profile_create();
	char text[ORIGIN_CPUS];

	(void)state;
	profile->nr_cpus = 1;
	assert_string_equal(origin_cpus(text, profile), "1 CPU");
	profile->nr_cpus = 14;
	assert_string_equal(origin_cpus(text, profile), "14 CPUs");
	profile->meta.origin.nr_cpus = 14;
	assert_string_equal(origin_cpus(text, profile), "14 CPUs");
	profile->meta.origin.nr_cpus = 16;
	assert_string_equal(origin_cpus(text, profile), "14 of 16 CPUs");
	/* some have gone offline since */
	profile->meta.origin.nr_cpus = 2;
	assert_string_equal(origin_cpus(text, profile), "14 CPUs");
	profile->nr_cpus = 0;
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_is_collected),
		cmocka_unit_test(unreadable_files_are_left_out),
		cmocka_unit_test(commands_are_quoted_and_bounded),
		cmocka_unit_test(a_sum_keeps_what_all_have),
		cmocka_unit_test(titles_say_what_was_recorded),
		cmocka_unit_test(machines_are_reported_in_a_line),
		cmocka_unit_test(captions_say_how_many_cpus_were_sampled),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
