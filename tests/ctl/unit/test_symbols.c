// SPDX-License-Identifier: GPL-2.0
/*
 * Finding names of functions: in programs of one source, which print themselves where
 * their functions are. Of all files that a profile names, only regular files of the right
 * build are opened.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "programs.h"
#include "symbols/build_id.h"
#include "symbols/cache.h"
#include "symbols/regular.h"
#include "symbols/symbols.h"

/* More files than are open at a time. */
#define MANY	300

/* Return: the outcome for one file. */
static struct symbols_file only_file(const struct symbols *symbols)
{
	struct symbols_file file, other;
	size_t position = 0;

	assert_true(symbols_next(symbols, &position, &file));
	assert_false(symbols_next(symbols, &position, &other));
	return file;
}

static struct symbols *create(const char *root)
{
	const struct symbols_options options = { .root = root };
	struct symbols *symbols = symbols_create(&options);

	assert_non_null(symbols);
	return symbols;
}

/* Look up a program's places by its path and build-id. */
static struct symbols_file look_up(const char *root, const char *program,
				   const char *path, const char *build_id,
				   const char *names)
{
	struct symbols *symbols = create(root);
	struct symbols_file file;

	programs_expect(symbols, program, path, build_id, names);
	file = only_file(symbols);
	assert_int_equal(file.nr_named + file.nr_unnamed, 5);
	symbols_destroy(symbols);
	return file;
}

static void names_are_found_in_every_kind_of_program(void **state)
{
	static const struct {
		const char *program;
		const char *names;
	} cases[] = {
		{ "pie", NULL }, { "fixed", NULL }, { "static", NULL },
		{ "static-pie", NULL }, { "mini", NULL },
		{ "dynamic", "known_function outer::inner::run core::fmt::write mycrate::foo::bar" },
		{ "stripped", "" }, { "separate", "" },
	};
	char path[256], id[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct symbols_file file;

		program_build_id(cases[i].program, id);
		assert_true(*id);
		file = look_up(NULL, cases[i].program,
			       program_path(cases[i].program, path), id,
			       cases[i].names);
		assert_int_equal(file.state, SYMBOLS_READ);
	}
}

static void debug_files_are_found_by_their_build_id(void **state)
{
	struct symbols_file file;
	char id[64];

	(void)state;
	program_build_id("separate", id);
	file = look_up(programs_directory, "separate", "/separate", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
}

/* Without a build-id: by its name, which the program has, beside the file's checksum. */
static void debug_files_are_found_by_their_link(void **state)
{
	char path[256], command[800];

	(void)state;
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p usr/lib/debug/bin bin && "
		 "objcopy --only-keep-debug no-id usr/lib/debug/bin/linked.debug && "
		 "objcopy -S --add-gnu-debuglink=usr/lib/debug/bin/linked.debug no-id bin/linked",
		 programs_directory);
	assert_int_equal(system(command), 0);
	look_up(programs_directory, "no-id", "/bin/linked", "", NULL);
	/* another file of that name */
	assert_int_equal(truncate(program_path("usr/lib/debug/bin/linked.debug", path), 4096),
			 0);
	look_up(programs_directory, "no-id", "/bin/linked", "", "");
	/* one whose checksum would take minutes */
	assert_int_equal(truncate(path, 1L << 40), 0);
	look_up(programs_directory, "no-id", "/bin/linked", "", "");
}

/* Below a root: it is not waited for, and links do not lead out. */
static void a_debug_file_may_be_anything(void **state)
{
	char command[800], root[256], debug[400], id[64];

	(void)state;
	program_build_id("separate", id);
	snprintf(command, sizeof(command),
		 "cd %s && mkdir -p hostile/usr/lib/debug/.build-id/12 && "
		 "cp separate hostile && mkfifo hostile/usr/lib/debug/.build-id/12/%s.debug",
		 programs_directory, id + 2);
	assert_int_equal(system(command), 0);
	program_path("hostile", root);
	look_up(root, "separate", "/separate", id, "");
	snprintf(debug, sizeof(debug), "%s/usr/lib/debug/.build-id/12/%s.debug", root, id + 2);
	assert_int_equal(unlink(debug), 0);
	snprintf(command, sizeof(command), "%s/usr/lib/debug/.build-id/12/%s.debug",
		 programs_directory, id + 2);
	assert_int_equal(symlink(command, debug), 0);
	look_up(root, "separate", "/separate", id, "");
	/* the debug file of another program */
	assert_int_equal(unlink(debug), 0);
	assert_int_equal(link(program_path("mini.debug", command), debug), 0);
	look_up(root, "separate", "/separate", id, "");
}

static void another_build_names_nothing(void **state)
{
	struct symbols_file file;
	char path[256], id[64];

	(void)state;
	program_build_id("other", id);
	file = look_up(NULL, "pie", program_path("pie", path), id, "");
	assert_int_equal(file.state, SYMBOLS_DIFFERENT);
	file = look_up(NULL, "no-id", program_path("no-id", path), id, "");
	assert_int_equal(file.state, SYMBOLS_DIFFERENT);
	file = look_up(NULL, "pie", program_path("pie", path), "no build-id", "");
	assert_int_equal(file.state, SYMBOLS_DIFFERENT);
}

static void without_a_build_id_names_are_unproven(void **state)
{
	struct symbols_file file;
	char path[256];

	(void)state;
	file = look_up(NULL, "pie", program_path("pie", path), "", NULL);
	assert_int_equal(file.state, SYMBOLS_UNPROVEN);
	file = look_up(NULL, "no-id", program_path("no-id", path), "", NULL);
	assert_int_equal(file.state, SYMBOLS_UNPROVEN);
}

/* It has changed since, and a copy in a root may have. */
static void a_file_may_be_newer_than_the_profile(void **state)
{
	struct symbols_options options = { .not_after = time(NULL) - 1000 };
	char path[256], id[64];
	struct symbols *symbols;

	(void)state;
	symbols = symbols_create(&options);
	programs_expect(symbols, "no-id", program_path("no-id", path), "", "");
	assert_int_equal(only_file(symbols).state, SYMBOLS_CHANGED);
	symbols_destroy(symbols);
	/* the build-id proves more */
	program_build_id("pie", id);
	symbols = symbols_create(&options);
	programs_expect(symbols, "pie", program_path("pie", path), id, NULL);
	symbols_destroy(symbols);
	options.root = programs_directory;
	symbols = symbols_create(&options);
	programs_expect(symbols, "no-id", "/no-id", "", NULL);
	assert_int_equal(only_file(symbols).state, SYMBOLS_UNPROVEN);
	symbols_destroy(symbols);
	options = (struct symbols_options){ .not_after = time(NULL) + 1000 };
	symbols = symbols_create(&options);
	programs_expect(symbols, "no-id", program_path("no-id", path), "", NULL);
	symbols_destroy(symbols);
}

/* perf writes 20 bytes of each, and some programs write capitals. */
static void build_ids_are_compared_as_numbers(void **state)
{
	struct symbols_file file;
	char path[256];

	(void)state;
	file = look_up(NULL, "mini", program_path("mini", path),
		       "FEDCBA9800000000000000000000000000000000", NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	assert_false(build_id_same("fedcba98", "fedcba9801"));
	assert_false(build_id_same("", ""));
	assert_false(build_id_same("fedcba9", "fedcba9"));
	assert_false(build_id_same("fedcba9g", "fedcba9g"));
	assert_true(build_id_same("aB", "Ab"));
}

static void a_root_is_not_left(void **state)
{
	struct symbols_file file;
	char link[256], id[64];

	(void)state;
	program_build_id("pie", id);
	assert_int_equal(symlink("/pie", program_path("link", link)), 0);
	file = look_up(programs_directory, "pie", "/link", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	file = look_up(programs_directory, "pie", "/../../../../pie", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	file = look_up(NULL, "pie", link, id, "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	assert_int_equal(file.err, -ENOENT);
}

static void a_deleted_file_may_have_come_back(void **state)
{
	struct symbols_file file;
	char path[256], id[64];

	(void)state;
	program_build_id("pie", id);
	strcat(strcpy(path, programs_directory), "/pie (deleted)");
	file = look_up(NULL, "pie", path, id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	/* or another one is there now, which only a build-id could tell */
	strcat(strcpy(path, programs_directory), "/no-id (deleted)");
	file = look_up(NULL, "no-id", path, "", "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	assert_int_equal(file.err, -ENOENT);
}

/* It waits for none of them, and takes none for a program. */
static void nothing_but_a_program_is_read(void **state)
{
	struct {
		const char *path;
		enum symbols_state state;
		int err;
	} cases[] = {
		{ "/dev/zero", SYMBOLS_ABSENT, -EINVAL },
		{ "/", SYMBOLS_ABSENT, -EINVAL },
		{ "/proc/self/mem", SYMBOLS_ABSENT, -EINVAL },
		{ "/proc/self/../self/maps", SYMBOLS_ABSENT, -EINVAL },
		{ "/sys/kernel/notes", SYMBOLS_ABSENT, -EINVAL },
		{ "/nonexistent", SYMBOLS_ABSENT, -ENOENT },
		{ "relative", SYMBOLS_ABSENT, -ENOENT },
		{ "", SYMBOLS_ABSENT, -ENOENT },
		{ NULL, SYMBOLS_ABSENT, -EINVAL },	/* a pipe */
		{ NULL, SYMBOLS_STRANGE, 0 },		/* a text */
	};
	const struct regular_root any = { "", true };
	char pipe[256], text[256];
	struct stat st;

	(void)state;
	cases[8].path = program_path("pipe", pipe);
	cases[9].path = program_path("program.c", text);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct symbols_file file = look_up(NULL, "pie", cases[i].path,
						   "", "");

		assert_int_equal(file.state, cases[i].state);
		assert_int_equal(file.err, cases[i].err);
	}
	/* nor are files of /proc where any file system is read */
	assert_int_equal(regular_open(&any, "/proc/self/mem", REGULAR_LINKS, &st), -EINVAL);
}

/* A truncated or damaged program has names or none, and does no harm. */
static void damaged_programs_are_survived(void **state)
{
	char from[256], to[256];
	static unsigned char bytes[1 << 20];
	FILE *in = fopen(program_path("pie", from), "r");
	size_t size = fread(bytes, 1, sizeof(bytes), in), i, step;
	struct symbols_place place = { program_path("damaged", to), "", 0x1180, 0 };
	unsigned int seed = 1;

	(void)state;
	fclose(in);
	assert_true(size > 4096);
	step = size / 150;
	for (i = 1; i < size; i += step) {
		struct symbols *symbols = create(NULL);
		struct symbols_name name;
		FILE *out = fopen(to, "w");

		/* every second one is damaged only in its headers and tables */
		fwrite(bytes, 1, i / step % 2 ? size : i, out);
		for (unsigned int n = 0; n < 8 && i / step % 2; n++) {
			seed = seed * 1103515245 + 12345;
			fseek(out, seed >> 8 & (n & 1 ? 0x3fff : 0x1ff), SEEK_SET);
			fputc(seed >> 4 & 0xff, out);
		}
		fclose(out);
		assert_true(symbols_find(symbols, &place, &name) >= 0);
		symbols_destroy(symbols);
	}
}

/* What was read of it stays, and what is gone has no name. */
static void a_file_may_be_truncated_while_it_is_read(void **state)
{
	const struct symbols_options options = { .root = NULL };
	char from[256], to[256], id[64], command[600];
	struct symbols *symbols = symbols_create(&options);
	struct symbols_place place = { to, id, 1, 0 };
	struct symbols_name name;

	(void)state;
	program_build_id("pie", id);
	snprintf(command, sizeof(command), "cp %s %s", program_path("pie", from),
		 program_path("short", to));
	assert_int_equal(system(command), 0);
	/* it is opened, and nothing found */
	assert_int_equal(symbols_find(symbols, &place, &name), 0);
	assert_int_equal(truncate(to, 0), 0);
	programs_expect(symbols, "pie", to, id, "");
	/* others are read as before */
	programs_expect(symbols, "pie", from, id, NULL);
	symbols_destroy(symbols);
}

static void more_files_than_are_open_at_a_time(void **state)
{
	char from[256], to[256], name[32], id[64];
	struct symbols *symbols = create(NULL);
	struct symbols_file file;
	size_t position = 0, nr = 0;

	(void)state;
	program_build_id("pie", id);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "many-%d", i);
		assert_int_equal(link(program_path("pie", from), program_path(name, to)), 0);
		programs_expect(symbols, "pie", to, id, NULL);
	}
	/* again, when most of them have been closed */
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "many-%d", i);
		programs_expect(symbols, "pie", program_path(name, to), id, NULL);
	}
	while (symbols_next(symbols, &position, &file)) {
		assert_int_equal(file.nr_named, 10);
		assert_int_equal(file.nr_unnamed, 0);
		nr++;
	}
	assert_int_equal(nr, MANY);
	symbols_destroy(symbols);
}

/* Look up all places of "pie" at @path: they have names if it can be read. */
static void expect_cached(struct symbols_cache *cache, const char *path,
			  const char *build_id, enum symbols_state expected)
{
	struct symbols_known known;
	char name[256], line[256];
	FILE *in = fopen(program_path("pie.places", line), "r");

	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		struct symbols_place place = { path, build_id, 0, 0 };

		assert_int_equal(sscanf(line, "%255s %lx", name, &place.offset), 2);
		assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
		assert_int_equal(known.state, expected);
		if (known.state == SYMBOLS_READ)
			assert_string_equal(known.name, name);
		else
			assert_null(known.name);
	}
	fclose(in);
}

/* A name stays when its file is gone, and a file that comes later changes nothing. */
static void a_place_is_looked_for_once(void **state)
{
	const struct symbols_options options = { .root = NULL };
	struct symbols_cache *cache = symbols_cache_create(&options);
	char from[256], gone[256], late[256], other[256], id[64], other_id[64];
	struct symbols_file file;
	size_t position = 0, nr = 0;

	(void)state;
	assert_non_null(cache);
	program_build_id("pie", id);
	program_build_id("other", other_id);
	program_path("pie", from);
	assert_int_equal(link(from, program_path("gone", gone)), 0);
	program_path("late", late);
	program_path("other", other);
	expect_cached(cache, gone, id, SYMBOLS_READ);
	expect_cached(cache, late, id, SYMBOLS_ABSENT);
	expect_cached(cache, from, other_id, SYMBOLS_DIFFERENT);
	assert_int_equal(unlink(gone), 0);
	assert_int_equal(link(from, late), 0);
	for (int i = 0; i < 3; i++) {
		expect_cached(cache, gone, id, SYMBOLS_READ);
		expect_cached(cache, late, id, SYMBOLS_ABSENT);
		expect_cached(cache, from, other_id, SYMBOLS_DIFFERENT);
	}
	/* of another build-id it is another place */
	expect_cached(cache, from, id, SYMBOLS_READ);
	/* each was sought in its file once */
	while (symbols_next(symbols_cache_symbols(cache), &position, &file)) {
		assert_int_equal(file.nr_named + file.nr_unnamed, 5);
		nr++;
	}
	assert_int_equal(nr, 4);
	symbols_cache_destroy(cache);
	symbols_cache_destroy(NULL);
}

/* An open file names functions that are met when it is gone. */
static void an_open_file_may_go(void **state)
{
	const struct symbols_options options = { .root = NULL };
	struct symbols_cache *cache = symbols_cache_create(&options);
	char from[256], gone[256], id[64];
	struct symbols_place place = { gone, id, 1, 0 };
	struct symbols_known known;

	(void)state;
	assert_non_null(cache);
	program_build_id("pie", id);
	assert_int_equal(link(program_path("pie", from), program_path("gone", gone)), 0);
	assert_int_equal(symbols_cache_find(cache, &place, &known), 0);
	assert_null(known.name);
	assert_int_equal(unlink(gone), 0);
	expect_cached(cache, gone, id, SYMBOLS_READ);
	symbols_cache_destroy(cache);
}

static void the_vdso_is_that_of_this_kernel(void **state)
{
	static const char *const known[] = {
		"__vdso_clock_gettime", "__kernel_clock_gettime",
	};
	void *library = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	struct symbols *symbols = create(NULL);
	struct symbols_place place = { "[vdso]", "", 0, 0 };
	struct symbols_name name;
	char *function = NULL;

	(void)state;
	assert_non_null(library);
	for (int i = 0; i < 2 && !function; i++)
		function = dlsym(library, known[i]);
	assert_non_null(function);
	place.offset = (uintptr_t)function - getauxval(AT_SYSINFO_EHDR) + 1;
	assert_int_equal(symbols_find(symbols, &place, &name), 1);
	assert_non_null(strstr(name.name, "clock_gettime"));
	symbols_destroy(symbols);
	/* not of another kernel */
	symbols = create(NULL);
	place.build_id = "0123456789abcdef0123456789abcdef01234567";
	assert_int_equal(symbols_find(symbols, &place, &name), 0);
	assert_int_equal(only_file(symbols).state, SYMBOLS_DIFFERENT);
	symbols_destroy(symbols);
	dlclose(library);
}

static void mangled_names_are_kept_if_asked_for(void **state)
{
	const struct symbols_options options = { .mangled = true };
	struct symbols *symbols = symbols_create(&options);
	struct symbols_place place = { .offset = 0 };
	char path[256], id[64], line[64];
	struct symbols_name name;
	bool seen = false;
	FILE *in;

	(void)state;
	program_build_id("pie", id);
	in = fopen(program_path("pie.places", path), "r");
	place.build_id = id;
	place.path = program_path("pie", path);
	while (fgets(line, sizeof(line), in)) {
		if (strncmp(line, "outer::", 7))
			continue;
		place.offset = strtoull(strrchr(line, ' '), NULL, 16);
		assert_int_equal(symbols_find(symbols, &place, &name), 1);
		assert_string_equal(name.name, "_ZN5outer5inner3runEi");
		assert_ptr_equal(name.linker_name, name.name);
		seen = true;
	}
	fclose(in);
	assert_true(seen);
	symbols_destroy(symbols);
}

/* elfutils uses the variable if it is set. */
static void no_server_is_asked_by_default(void **state)
{
	const struct symbols_options asked = { .debuginfod = true };

	(void)state;
	setenv("DEBUGINFOD_URLS", "http://127.0.0.1:1", 1);
	symbols_destroy(symbols_create(&asked));
	assert_non_null(getenv("DEBUGINFOD_URLS"));
	symbols_destroy(create(NULL));
	assert_null(getenv("DEBUGINFOD_URLS"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_in_every_kind_of_program),
		cmocka_unit_test(debug_files_are_found_by_their_build_id),
		cmocka_unit_test(debug_files_are_found_by_their_link),
		cmocka_unit_test(a_debug_file_may_be_anything),
		cmocka_unit_test(another_build_names_nothing),
		cmocka_unit_test(without_a_build_id_names_are_unproven),
		cmocka_unit_test(a_file_may_be_newer_than_the_profile),
		cmocka_unit_test(build_ids_are_compared_as_numbers),
		cmocka_unit_test(a_root_is_not_left),
		cmocka_unit_test(a_deleted_file_may_have_come_back),
		cmocka_unit_test(nothing_but_a_program_is_read),
		cmocka_unit_test(damaged_programs_are_survived),
		cmocka_unit_test(a_file_may_be_truncated_while_it_is_read),
		cmocka_unit_test(more_files_than_are_open_at_a_time),
		cmocka_unit_test(a_place_is_looked_for_once),
		cmocka_unit_test(an_open_file_may_go),
		cmocka_unit_test(the_vdso_is_that_of_this_kernel),
		cmocka_unit_test(mangled_names_are_kept_if_asked_for),
		cmocka_unit_test(no_server_is_asked_by_default),
	};

	return cmocka_run_group_tests_name("symbols", tests, programs_build,
					   programs_remove);
}
