// SPDX-License-Identifier: GPL-2.0
/*
 * Output files appear complete or not at all; status is JSON, whatever bytes the kernel's
 * strings have.
 */
#include <dirent.h>
#include <errno.h>
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
#include <jansson.h>

#include "base/output.h"
#include "format/status_json.h"
#include "made_profile.h"

static int enter_directory(void **state)
{
	char *directory = strdup("/tmp/flamectl-output.XXXXXX");

	if (!mkdtemp(directory) || chdir(directory))
		return -1;
	*state = directory;
	return 0;
}

static int leave_directory(void **state)
{
	char *directory = *state;
	int err = chdir("/") || rmdir(directory);

	free(directory);
	return err;
}

static void expect_file(const char *path, const char *expected)
{
	char text[64] = "";
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, in),
			 strlen(expected));
	assert_string_equal(text, expected);
	fclose(in);
}

static void make_file(const char *path, const char *text, mode_t mode)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	assert_int_equal(chmod(path, mode), 0);
}

static int count_files(void)
{
	DIR *directory = opendir(".");
	int nr = 0;

	assert_non_null(directory);
	while (readdir(directory))
		nr++;
	closedir(directory);
	return nr - 2;
}

static void a_file_appears_on_commit(void **state)
{
	struct output output;
	struct error error;

	(void)state;
	assert_int_equal(output_open(&output, "new", &error), 0);
	fputs("text", output.stream);
	assert_int_not_equal(access("new", F_OK), 0);
	assert_int_equal(output_commit(&output, &error), 0);
	expect_file("new", "text");
	output_discard(&output);
	expect_file("new", "text");
	assert_int_equal(count_files(), 1);
	unlink("new");
}

static void an_existing_file_stays_until_then(void **state)
{
	struct output output;
	struct stat status;
	struct error error;

	(void)state;
	make_file("old", "before", 0640);
	assert_int_equal(symlink("old", "link"), 0);
	assert_int_equal(output_open(&output, "link", &error), 0);
	fputs("after", output.stream);
	output_discard(&output);
	expect_file("old", "before");
	assert_int_equal(count_files(), 2);

	assert_int_equal(output_open(&output, "link", &error), 0);
	fputs("after", output.stream);
	assert_int_equal(output_commit(&output, &error), 0);
	expect_file("old", "after");
	assert_int_equal(lstat("link", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat("old", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	unlink("link");
	unlink("old");
}

static void a_device_is_written_in_place(void **state)
{
	struct output output;
	struct stat status;
	struct error error;

	(void)state;
	assert_int_equal(output_open(&output, "/dev/null", &error), 0);
	fputs("text", output.stream);
	assert_int_equal(output_commit(&output, &error), 0);
	assert_int_equal(stat("/dev/null", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
}

static void bad_places_are_reported_at_once(void **state)
{
	struct output output;
	struct error error;

	(void)state;
	assert_int_equal(output_open(&output, "", &error), -EINVAL);
	assert_int_equal(output_open(&output, ".", &error), -EISDIR);
	assert_string_equal(error.text, ".: a directory");
	assert_int_equal(output_open(&output, "none/file", &error), -ENOENT);
	assert_memory_equal(error.text, "none/file: cannot create a file", 31);
	output_discard(&output);
}

static void a_failed_write_replaces_nothing(void **state)
{
	struct output output;
	struct error error;

	(void)state;
	assert_int_equal(output_open(&output, "/dev/full", &error), 0);
	fputs("text", output.stream);
	assert_int_equal(output_commit(&output, &error), -ENOSPC);
	assert_string_equal(error.text,
			    "cannot write /dev/full: No space left on device");

	make_file("old", "before", 0644);
	assert_int_equal(output_open(&output, "old", &error), 0);
	/* close the stream's descriptor, so that writing fails */
	fputs("after", output.stream);
	close(fileno(output.stream));
	assert_int_equal(output_commit(&output, &error), -EBADF);
	expect_file("old", "before");
	assert_int_equal(count_files(), 1);
	unlink("old");
}

static uint64_t member(const json_t *json, const char *key)
{
	const json_t *value = json_object_get(json, key);

	assert_true(json_is_integer(value));
	return (uint64_t)json_integer_value(value);
}

static void expect_books(const json_t *json, const struct profile_books *books)
{
	const json_t *lost = json_object_get(json, "lost");
	unsigned int i;

	assert_int_equal(member(json, "expected"), books->expected);
	assert_int_equal(member(json, "fires"), books->fires);
	assert_int_equal(member(json, "missed"), books->missed);
	assert_int_equal((int64_t)member(json, "overdue"), books->overdue);
	assert_int_equal(member(json, "stored"), books->stored);
	assert_int_equal(member(json, "filtered"), books->filtered);
	assert_int_equal(member(json, "truncated"), books->truncated);
	assert_int_equal(json_object_size(lost), __FLAMEMOD_LOST_MAX);
	for (i = 0; i < __FLAMEMOD_LOST_MAX; i++)
		assert_int_equal(member(lost, profile_lost_name(i)),
				 books->lost[i]);
}

static json_t *json_of(struct profile *profile)
{
	const struct events events = { .list = { { "", profile } }, .nr = 1 };
	const struct clients none = { .nr = 0 };
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	json_t *json;

	status_json_write(&events, &none, out);
	fclose(out);
	assert_int_equal(text[size - 1], '\n');
	json = json_loads(text, 0, NULL);
	assert_non_null(json);
	free(text);
	return json;
}

static void status_is_json(void **state)
{
	struct profile *profile = made_profile();
	json_t *json = json_of(profile), *cpu;
	uint32_t i;

	(void)state;
	assert_int_equal(member(json, "hz"), 1000);
	assert_true(json_is_true(json_object_get(json, "running")));
	assert_int_equal(member(json, "memory_bytes"), 123456);
	assert_int_equal(member(json, "time_ns"), 1700000000123456789);
	assert_string_equal(json_string_value(json_object_get(json, "host")),
			    "h\xc3\xb6st = \xef\xbf\xbd");
	expect_books(json_object_get(json, "books"), &profile->books);
	assert_int_equal(json_array_size(json_object_get(json, "cpus")), 2);
	for (i = 0; i < 2; i++) {
		cpu = json_array_get(json_object_get(json, "cpus"), i);
		assert_int_equal(member(cpu, "cpu"), profile->cpus[i].cpu);
		assert_int_equal(member(cpu, "sampled_ns"),
				 profile->cpus[i].sampled_ns);
		expect_books(cpu, &profile->cpus[i].books);
	}
	json_decref(json);
	profile_destroy(profile);
}

static void figures_past_2_63_are_still_json(void **state)
{
	struct profile *profile = made_profile();
	json_t *json;

	(void)state;
	profile->meta.since_ns = UINT64_MAX;
	json = json_of(profile);
	assert_true(member(json, "since_ns") == INT64_MAX);
	json_decref(json);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_on_commit),
		cmocka_unit_test(an_existing_file_stays_until_then),
		cmocka_unit_test(a_device_is_written_in_place),
		cmocka_unit_test(bad_places_are_reported_at_once),
		cmocka_unit_test(a_failed_write_replaces_nothing),
		cmocka_unit_test(status_is_json),
		cmocka_unit_test(figures_past_2_63_are_still_json),
	};

	return cmocka_run_group_tests_name("output", tests, enter_directory,
					   leave_directory);
}
