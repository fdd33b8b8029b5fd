// SPDX-License-Identifier: GPL-2.0
/*
 * Cgroups of tasks: their texts, short forms and subtrees; that they stay with the tasks
 * through files, selections and sums; and how their paths are found.
 */
#include <errno.h>
#include <inttypes.h>
#include <regex.h>
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

#include "folded_text.h"
#include "made_profile.h"
#include "made_selection.h"
#include "profile/cgroup.h"
#include "profile/coarse.h"
#include "profile/join.h"
#include "saved.h"
#include "select/met.h"
#include "symbols/cgroup_paths.h"

#define HEX64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER64 "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID "12345678-9abc-def0-1234-56789abcdef0"
#define UID_ "12345678_9abc_def0_1234_56789abcdef0"

static void numbers_are_texts_until_they_are_named(void **state)
{
	static const struct {
		uint64_t number;
		const char *text;
	} cases[] = {
		{ 0, "" }, { 1, "cgroup 1" }, { 4294971234, "cgroup 4294971234" },
		{ UINT64_MAX - 1, "cgroup 18446744073709551614" },
	};
	char text[CGROUP_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(cgroup_of_number(cases[i].number, text), cases[i].text);
		assert_true(cgroup_number(cases[i].text) == cases[i].number);
	}
	assert_string_equal(cgroup_of_number(UINT64_MAX, text), CGROUP_OTHER);
	/* none of these is a number any more */
	assert_true(cgroup_number(CGROUP_OTHER) == 0);
	assert_true(cgroup_number("cgroup 12 (gone)") == 0);
	assert_true(cgroup_number("cgroup ") == 0);
	assert_true(cgroup_number("/cgroup 12") == 0);
}

static void containers_have_short_names(void **state)
{
	static const struct {
		const char *path, *text;	/* NULL: the path */
	} cases[] = {
		{ "/system.slice/docker-" HEX64 ".scope", "docker 0123456789ab" },
		{ "/system.slice/docker-" HEX64 ".scope/init", "docker 0123456789ab/init" },
		{ "/docker/" HEX64, "docker 0123456789ab" },
		{ "/docker/" HEX64 "/docker/" OTHER64 "/a/b", "docker f123456789ab/a/b" },
		{ "/machine.slice/libpod-" HEX64 ".scope", "podman 0123456789ab" },
		{ "/machine.slice/libpod-" HEX64 ".scope/container", "podman 0123456789ab/container" },
		{ "/libpod_parent/libpod-" HEX64, "podman 0123456789ab" },
		{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_
		  ".slice/cri-containerd-" HEX64 ".scope", "containerd 0123456789ab" },
		{ "/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" HEX64 ".scope",
		  "cri-o 0123456789ab" },
		{ "/kubepods/besteffort/pod" UID "/" HEX64, "container 0123456789ab" },
		{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice",
		  "pod " UID },
		{ "/kubepods/pod" UID "/x", "pod " UID "/x" },
		/* no containers */
		{ "/", NULL }, { "/system.slice/ssh.service", NULL },
		{ "/system.slice/docker.service", NULL },
		{ "/system.slice/docker-0123.scope", NULL },
		{ "/system.slice/docker-" HEX64 ".scopes", NULL },
		{ "/x-pod" UID_ ".slice", NULL }, { "/pod" UID "x", NULL },
		{ "/kubepods-pod" UID_, NULL }, { "/pod", NULL }, { "cgroup 7 (gone)", NULL },
		{ "/0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", NULL },
	};
	char text[100];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *got = cgroup_short(cases[i].path, text, sizeof(text));

		assert_string_equal(got, cases[i].text ?: cases[i].path);
		if (!cases[i].text)
			assert_ptr_equal(got, cases[i].path);
	}
	/* what does not fit is not cut, as two would look like one */
	assert_ptr_equal(cgroup_short(cases[1].path, text, 24), cases[1].path);
	assert_string_equal(cgroup_short(cases[1].path, text, 25), "docker 0123456789ab/init");
}

static void a_subtree_is_selected_by_its_path(void **state)
{
	static const struct {
		const char *path, *wanted;
		bool is_below;
	} cases[] = {
		{ "/a/b", "/a/b", true }, { "/a/b", "a/b", true }, { "/a/b", "a", true },
		{ "/a/b", "/a/", true }, { "/a/b", "/sys/fs/cgroup/a", true },
		{ "/a/b", "/", true }, { "/", "/", true }, { "/a", "/sys/fs/cgroup", true },
		{ "/a/b", "b", false }, { "/ab", "a", false }, { "/a", "a/b", false },
		{ "/a", "/sys/fs/cgroupa", false }, { "", "/", false }, { "", "a", false },
		{ "cgroup 7 (gone)", "cgroup 7 (gone)", true },
		{ "cgroup 7 (gone)", "/", false }, { CGROUP_OTHER, CGROUP_OTHER, true },
		{ "/s/docker-" HEX64 ".scope/x", "0123456789ab", true },
		{ "/s/docker-" HEX64 ".scope/x", HEX64, true },
		{ "/s/docker-" HEX64 ".scope/x", "0123456789a", false },
		{ "/s/docker-" HEX64 ".scope/x", "1123456789ab", false },
		{ "/docker/" HEX64 "/docker/" OTHER64, "0123456789ab", true },
		{ "/0123456789ab/x", "0123456789ab", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (cgroup_is_below(cases[i].path, cases[i].wanted) != cases[i].is_below)
			fail_msg("%s in %s", cases[i].path, cases[i].wanted);
}

/* ---- profiles ---- */

/* Add a record of a task in a cgroup. */
static void add_in(struct profile *profile, const char *cgroup, const char *comm, uint32_t pid,
		   uint64_t periods)
{
	const struct profile_task task = {
		.pid = pid, .tid = pid, .comm = comm, .host = "", .cgroup = cgroup,
	};
	struct profile_record record = {
		.context = FLAMEMOD_CONTEXT_USER, .count = periods, .periods = periods,
	};
	const struct profile_cpu cpu = {
		.books = { .expected = periods, .fires = periods, .stored = periods },
	};

	assert_int_equal(profile_intern_task(profile, &task, &record.task), 0);
	assert_int_equal(profile_add_record(profile, &record), 0);
	assert_int_equal(profile_add_cpu(profile, &cpu), 0);
}

/* One task that was moved, others of its comm, idle time, and what is not known. */
static struct profile *in_cgroups(void)
{
	struct profile *profile = made_profile();

	add_in(profile, "/a", "sh", 20, 1);
	add_in(profile, "/a/b", "sh", 20, 2);
	add_in(profile, "/a/b", "sh", 21, 4);
	add_in(profile, "/system.slice/docker-" HEX64 ".scope", "sh", 22, 8);
	add_in(profile, "cgroup 1234", "sh", 23, 16);
	add_in(profile, "", "swapper", 0, 32);
	add_in(profile, "/a\nb;c \xff", "sh", 24, 64);
	return profile;
}

static void expect_by(const struct profile *profile, const char *levels, const char *expected)
{
	struct fold_options options = { .groups_only = true };
	struct error error;

	assert_int_equal(fold_options_by(&options, levels, &error), 0);
	expect_text(fold_profile(profile, &options, &error), expected);
}

static void groups_are_paths_or_say_why_not(void **state)
{
	struct profile *profile = profile_create();

	(void)state;
	add_in(profile, "/a", "sh", 20, 1);
	add_in(profile, "/system.slice/docker-" HEX64 ".scope", "sh", 22, 8);
	add_in(profile, "", "swapper", 0, 32);
	add_in(profile, "", "swapper", 7, 2);
	add_in(profile, "/a", "swapper", 0, 3);
	add_in(profile, CGROUP_OTHER, "sh", 3, 5);
	expect_by(profile, "cgroup", "/a 4\n[idle] 32\n" CGROUP_OTHER " 5\n[unknown] 2\n"
		  "docker 0123456789ab 8\n");
	expect_by(profile, "cgroup,comm", "/a;sh 1\n/a;swapper 3\n[idle];swapper 32\n"
		  CGROUP_OTHER ";sh 5\n[unknown];swapper 2\ndocker 0123456789ab;sh 8\n");
	profile_destroy(profile);
}

static void files_keep_them(void **state)
{
	struct profile *profile = in_cgroups(), *read = NULL;
	struct bytes file = written(profile);
	struct error error;

	(void)state;
	assert_int_equal(read_bytes(file.bytes, file.size, &read, &error), 0);
	assert_same(profile, read);
	profile_destroy(read);
	profile_destroy(profile);
	free(file.bytes);
}

static void sums_and_coarse_copies_keep_them(void **state)
{
	static const char of_all[] = "/a 1\n/a_b_c _ 64\n/a/b 6\n[idle] 32\n"
		"[lost: aggregate-full] 3\n[lost: no-regs] 7\n[lost: overload] 5\n"
		"[lost: stopped] 9\n[lost: table-full] 1\n[unknown] 198\ncgroup_1234 16\n"
		"docker 0123456789ab 8\n";
	struct profile *profile = in_cgroups(), *sum = profile_create(), *coarse;

	(void)state;
	assert_int_equal(profile_join(sum, profile, NULL), 0);
	expect_by(sum, "cgroup", of_all);
	assert_int_equal(profile_coarse(profile, true, &coarse), 0);
	/* the two of /a/b are one, and no others */
	expect_by(coarse, "cgroup", of_all);
	assert_int_equal(coarse->nr_tasks, profile->nr_tasks - 1);
	profile_destroy(coarse);
	profile_destroy(sum);
	profile_destroy(profile);
}

static uint64_t selected(const char *cgroup, const char *more)
{
	const struct asked asked[] = {
		{ SELECT_CGROUP, cgroup }, { more ? SELECT_CGROUP : SELECT_OPTIONS, more }, NOTHING
	};
	struct selection selection = make_selection(asked);
	struct profile *profile = in_cgroups();
	uint64_t left_out, kept;
	struct error error;

	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(profile_check(profile, &error), 0);
	/* lost periods are in no cgroup */
	assert_int_equal(profile_lost(&profile->books), 0);
	kept = profile->books.stored;
	profile_destroy(profile);
	return kept;
}

static void selections_take_subtrees(void **state)
{
	(void)state;
	assert_int_equal(selected("a", NULL), 7);
	assert_int_equal(selected("/a/b", NULL), 6);
	assert_int_equal(selected("/a/b", "0123456789ab"), 14);
	assert_int_equal(selected("cgroup 1234", NULL), 16);
	assert_int_equal(selected("x", NULL), 0);
}

static void a_selection_that_meets_none_is_told(void **state)
{
	const struct asked asked[] = {
		{ SELECT_CGROUP, "/a" }, { SELECT_CGROUP, "/no,ne" }, NOTHING
	};
	struct selection selection = make_selection(asked);
	struct profile *profile = in_cgroups();
	struct select_met met = { .nr_profiles = 0 };
	struct select_miss miss = { .term = 0 };

	(void)state;
	assert_int_equal(select_meet_profile(&selection, profile, &met), 0);
	assert_true(select_next_miss(&selection, &met, &miss));
	assert_int_equal(miss.option, SELECT_CGROUP);
	/* a comma may be a part of a path */
	assert_int_equal(miss.length, strlen("/no,ne"));
	assert_false(select_next_miss(&selection, &met, &miss));
	profile_destroy(profile);
}

static void merged_threads_stay_in_their_cgroups(void **state)
{
	const struct asked asked[] = { { SELECT_MERGE_THREADS, NULL }, NOTHING };
	struct selection selection = make_selection(asked);
	struct profile *profile = in_cgroups();
	uint64_t left_out;
	struct error error;

	(void)state;
	assert_int_equal(select_profile(&selection, &profile, &left_out, &error), 0);
	assert_int_equal(profile->tasks[profile->nr_tasks - 7].pid, 20);
	assert_string_equal(profile->tasks[profile->nr_tasks - 7].cgroup, "/a");
	assert_string_equal(profile->tasks[profile->nr_tasks - 6].cgroup, "/a/b");
	profile_destroy(profile);
}

static const char *name(void *context, uint64_t number)
{
	unsigned int *nr = context;

	++*nr;
	return number == 7 || number == 8 ? "/s/again.service" : "cgroup 9 (gone)";
}

static void numbers_get_names_and_what_is_equal_is_summed(void **state)
{
	struct profile *profile = profile_create();
	unsigned int nr = 0;
	struct error error;

	(void)state;
	add_in(profile, "cgroup 7", "sh", 1, 1);
	add_in(profile, "cgroup 8", "sh", 1, 2);
	add_in(profile, "cgroup 9", "sh", 1, 4);
	add_in(profile, "/known", "sh", 1, 8);
	assert_int_equal(cgroup_name_all(profile, name, &nr), 0);
	assert_int_equal(nr, 3);
	assert_int_equal(profile->nr_tasks, 3);
	assert_int_equal(profile->nr_records, 3);
	assert_int_equal(profile_check(profile, &error), 0);
	expect_by(profile, "cgroup", "/known 8\n/s/again.service 3\ncgroup 9 (gone) 4\n");
	/* it is done once */
	assert_int_equal(cgroup_name_all(profile, name, &nr), 0);
	assert_int_equal(nr, 3);
	profile_destroy(profile);
}

static void a_doubt_says_why_there_is_nothing_to_group_by(void **state)
{
	struct profile *profile = profile_create();

	(void)state;
	assert_null(cgroup_doubt(profile));
	add_in(profile, "", "sh", 1, 1);
	assert_non_null(strstr(cgroup_doubt(profile), "no task's cgroup is known"));
	add_in(profile, "/", "sh", 1, 1);
	assert_non_null(strstr(cgroup_doubt(profile), "all tasks are in the cgroup /"));
	add_in(profile, "/a", "sh", 1, 1);
	assert_null(cgroup_doubt(profile));
	profile_destroy(profile);
}

/* ---- paths ---- */

#define TOP "/tmp/flamectl-cgroups-XXXXXX"

static char top[] = TOP;

static const char *below(const char *path)
{
	static char text[128];

	snprintf(text, sizeof(text), "%s%s", top, path);
	return text;
}

static uint64_t made_directory(const char *path)
{
	struct stat made;

	if (*path)
		assert_int_equal(mkdir(below(path), 0755), 0);
	assert_int_equal(stat(below(path), &made), 0);
	return made.st_ino;
}

static void expect_path(const struct cgroup_paths *paths, uint64_t number, const char *path)
{
	const char *found = cgroup_paths_find(paths, number);

	if (!path)
		assert_null(found);
	else
		assert_string_equal(found ?: "none", path);
}

/* The tests use an ordinary directory in place of the file system of cgroups. */
static void paths_are_found_and_kept(void **state)
{
	struct cgroup_paths *paths;
	uint64_t root, a, b, c;
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(top));
	root = made_directory("");
	a = made_directory("/a.slice");
	b = made_directory("/a.slice/b \xff");
	file = fopen(below("/a.slice/cgroup.procs"), "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(symlink("..", below("/a.slice/up")), 0);
	paths = cgroup_paths_create(top, CGROUP_PATHS_MAX);
	assert_non_null(paths);
	expect_path(paths, a, NULL);
	assert_int_equal(cgroup_paths_look(paths), 0);
	expect_path(paths, root, "/");
	expect_path(paths, a, "/a.slice");
	expect_path(paths, b, "/a.slice/b \xff");
	/* the walk did not begin at the root of all cgroups, whose number is 1 */
	assert_false(cgroup_paths_sees_all(paths));

	assert_int_equal(rmdir(below("/a.slice/b \xff")), 0);
	c = made_directory("/c");
	assert_int_equal(cgroup_paths_look(paths), 0);
	expect_path(paths, b, "/a.slice/b \xff");
	if (c != b)
		expect_path(paths, c, "/c");
	cgroup_paths_destroy(paths);

	assert_int_equal(unlink(below("/a.slice/cgroup.procs")), 0);
	assert_int_equal(unlink(below("/a.slice/up")), 0);
	assert_int_equal(rmdir(below("/a.slice")), 0);
	assert_int_equal(rmdir(below("/c")), 0);
	assert_int_equal(rmdir(top), 0);
}

/* A user may make any number of cgroups. */
static void no_more_paths_are_looked_for_than_are_kept(void **state)
{
	struct cgroup_paths *paths;
	uint64_t numbers[3];
	unsigned int found = 0;

	(void)state;
	strcpy(top, TOP);
	assert_non_null(mkdtemp(top));
	numbers[0] = made_directory("/a");
	paths = cgroup_paths_create(top, 3);
	assert_int_equal(cgroup_paths_look(paths), 0);
	numbers[1] = made_directory("/b");
	assert_int_equal(cgroup_paths_look(paths), 0);
	/* the root is one of three */
	assert_false(cgroup_paths_is_full(paths));
	numbers[2] = made_directory("/c");
	assert_int_equal(cgroup_paths_look(paths), 0);
	assert_true(cgroup_paths_is_full(paths));
	for (size_t i = 0; i < 3; i++)
		found += cgroup_paths_find(paths, numbers[i]) != NULL;
	assert_int_equal(found, 2);
	expect_path(paths, numbers[0], "/a");
	/* the walk ended at the third, and no other one begins */
	assert_int_equal(rmdir(below("/a")), 0);
	assert_int_equal(rmdir(below("/b")), 0);
	assert_int_equal(cgroup_paths_look(paths), 0);
	assert_true(cgroup_paths_is_full(paths));
	expect_path(paths, numbers[2], NULL);
	cgroup_paths_destroy(paths);
	assert_int_equal(rmdir(below("/c")), 0);
	assert_int_equal(rmdir(top), 0);
}

static void long_walks_are_seldom(void **state)
{
	(void)state;
	assert_int_equal(cgroup_paths_due_ns(100, 101, 1000), 1100);
	assert_int_equal(cgroup_paths_due_ns(100, 200, 1000), 1200);
	assert_int_equal(cgroup_paths_due_ns(100, 5100, 1000), 55100);
}

static void without_a_mount_there_is_the_root(void **state)
{
	struct cgroup_paths *paths = cgroup_paths_create(NULL, CGROUP_PATHS_MAX);

	(void)state;
	assert_non_null(paths);
	assert_int_equal(cgroup_paths_look(paths), 0);
	expect_path(paths, 1, "/");
	expect_path(paths, 2, NULL);
	assert_true(cgroup_paths_sees_all(paths));
	cgroup_paths_destroy(paths);
	/* nor in a directory that is not there */
	paths = cgroup_paths_create("/nonexistent", CGROUP_PATHS_MAX);
	assert_int_equal(cgroup_paths_look(paths), 0);
	expect_path(paths, 1, "/");
	cgroup_paths_destroy(paths);
	cgroup_paths_destroy(NULL);
}

#define ID_OF_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static bool pattern_matches(const char *path, const char *wanted)
{
	char *pattern = NULL, whole[2048];
	size_t size;
	FILE *out = open_memstream(&pattern, &size);
	regex_t regex;
	bool matches = cgroup_pattern(wanted, out);

	fclose(out);
	snprintf(whole, sizeof(whole), "/(%s)(/|$)", pattern);
	free(pattern);
	if (!matches)
		return false;
	assert_int_equal(regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB), 0);
	matches = !regexec(&regex, path, 0, NULL, 0);
	regfree(&regex);
	return matches;
}

/* A server matches by the pattern, and this program by cgroup_is_below(). */
static void containers_are_found_by_a_pattern_too(void **state)
{
	static const char *const paths[] = {
		"/", "/a", "/docker/" ID_OF_64, "/system.slice/docker-" ID_OF_64 ".scope",
		"/system.slice/docker-" ID_OF_64 ".scope/init", "/system.slice/docker-" ID_OF_64,
		"/x/docker-" ID_OF_64 "_scope", "/m/libpod-" ID_OF_64, "/m/libpod-" ID_OF_64 ".scope",
		"/k/cri-containerd-" ID_OF_64 ".scope", "/k/crio-" ID_OF_64, "/k/podman-" ID_OF_64,
		"/k/" ID_OF_64 "0", "/k/0" ID_OF_64, "/k/x" ID_OF_64, "/k/nerdctl-" ID_OF_64 ".scope/a/b",
	};
	static const char *const wanted[] = {
		"0123456789ab", "0123456789abcdef", ID_OF_64, "0123456789a", "123456789abc",
		"0123456789ax", ID_OF_64 "0",
	};
	unsigned int found = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		for (size_t j = 0; j < sizeof(wanted) / sizeof(wanted[0]); j++) {
			bool is_below = cgroup_is_below(paths[i], wanted[j]);

			if (pattern_matches(paths[i], wanted[j]) != is_below)
				fail_msg("%s and %s", paths[i], wanted[j]);
			found += is_below;
		}
	assert_int_equal(found, 3 * 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_are_found_by_a_pattern_too),
		cmocka_unit_test(numbers_are_texts_until_they_are_named),
		cmocka_unit_test(containers_have_short_names),
		cmocka_unit_test(a_subtree_is_selected_by_its_path),
		cmocka_unit_test(groups_are_paths_or_say_why_not),
		cmocka_unit_test(files_keep_them),
		cmocka_unit_test(sums_and_coarse_copies_keep_them),
		cmocka_unit_test(selections_take_subtrees),
		cmocka_unit_test(a_selection_that_meets_none_is_told),
		cmocka_unit_test(merged_threads_stay_in_their_cgroups),
		cmocka_unit_test(numbers_get_names_and_what_is_equal_is_summed),
		cmocka_unit_test(a_doubt_says_why_there_is_nothing_to_group_by),
		cmocka_unit_test(paths_are_found_and_kept),
		cmocka_unit_test(no_more_paths_are_looked_for_than_are_kept),
		cmocka_unit_test(long_walks_are_seldom),
		cmocka_unit_test(without_a_mount_there_is_the_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
