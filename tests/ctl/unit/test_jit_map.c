// SPDX-License-Identifier: GPL-2.0
/*
 * Names of code made at run time, from the map that its process writes.
 */
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

#include "symbols/jit_map.h"
#include "symbols/symbols.h"

static char directory[] = "/tmp/jit-map-XXXXXX";
static char tmp[64];	/* the directory of maps in it */

/* Write the map of a process below the directory, with permissions or a link. */
static void make_map(pid_t pid, const char *text, char path[256])
{
	FILE *out;

	snprintf(path, 256, "%s/tmp/perf-%d.map", directory, pid);
	unlink(path);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

/* Return: the name at @address in the map of @pid, to be freed, or NULL. */
static char *jitted(pid_t pid, uint64_t address, int *err)
{
	const struct symbols_options options = { .root = directory };
	struct symbols *symbols = symbols_create(&options);
	char path[64], *text = NULL;
	struct symbols_place place = { path, "", 1, address };
	struct symbols_name name;
	struct symbols_file file;
	size_t position = 0;

	assert_non_null(symbols);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	if (symbols_find(symbols, &place, &name) == 1)
		text = strdup(name.name);
	assert_true(symbols_next(symbols, &position, &file));
	*err = file.err;
	symbols_destroy(symbols);
	return text;
}

static void expect_jitted(uint64_t address, const char *expected)
{
	int err;
	char *name = jitted(getpid(), address, &err);

	assert_int_equal(err, 0);
	if (expected)
		assert_string_equal(name, expected);
	else
		assert_null(name);
	free(name);
}

static void jit_maps_name_addresses(void **state)
{
	char path[256];

	(void)state;
	make_map(getpid(), "7f0000001000 10 first\n"
		 "7f0000002000 100 old one\n"
		 "0x7f0000003000 0x10 with prefix\n"
		 "no function\n\n7f0000004000\n7f0000004000 10\n"
		 "7f0000002080 10 LazyCompile:~f /app.js:1\n"
		 "7f0000002000 20 new\n"
		 "ffffffffffffffff ffffffffffffffff last\n"
		 "7f0000005000 10 not yet who", path);
	expect_jitted(0x7f0000001000, "first");
	expect_jitted(0x7f000000100f, "first");
	expect_jitted(0x7f0000001010, NULL);
	expect_jitted(0x7f0000000fff, NULL);
	expect_jitted(0x7f0000002010, "new");
	expect_jitted(0x7f0000002020, "old one");
	expect_jitted(0x7f0000002088, "LazyCompile:~f /app.js:1");
	expect_jitted(0x7f00000020ff, "old one");
	expect_jitted(0x7f0000003001, "with prefix");
	expect_jitted(0x7f0000004000, NULL);
	expect_jitted(0x7f0000005000, NULL);
	unlink(path);
}

static void jit_maps_are_the_processes_own(void **state)
{
	char path[256], other[256], *name;
	int err;

	(void)state;
	/* process 1 is root's: another user could lie about it */
	make_map(1, "1000 10 lie\n", path);
	if (!geteuid())
		assert_int_equal(chown(path, 65534, 65534), 0);
	assert_null(jitted(1, 0x1000, &err));
	assert_int_equal(err, -EPERM);
	unlink(path);
	/* a link to what is its own */
	make_map(getpid(), "1000 10 truth\n", path);
	name = jitted(getpid(), 0x1000, &err);
	assert_string_equal(name, "truth");
	free(name);
	snprintf(other, sizeof(other), "%s/elsewhere", directory);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_null(jitted(getpid(), 0x1000, &err));
	assert_int_equal(err, -ELOOP);
	unlink(path);
	unlink(other);
	assert_int_equal(jit_map_pid("/tmp/perf-12.map"), 12);
	assert_int_equal(jit_map_pid("/tmp/perf-12.map.old"), 0);
	assert_int_equal(jit_map_pid("/tmp/perf--1.map"), 0);
	assert_int_equal(jit_map_pid("/tmp/perf-12"), 0);
}

static int setup(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(tmp, sizeof(tmp), "%s/tmp", directory);
	return mkdir(tmp, 0700);
}

static int teardown(void **state)
{
	(void)state;
	return rmdir(tmp) ?: rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jit_maps_name_addresses),
		cmocka_unit_test(jit_maps_are_the_processes_own),
	};

	return cmocka_run_group_tests_name("jit_map", tests, setup, teardown);
}
