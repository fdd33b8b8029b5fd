// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions for a flamectl that runs in a chroot: the module's paths begin at the
 * root of the mount namespace, and a file in the chroot may have the same path. Here that
 * is in a mount namespace of its own, whose process 1 is outside of the chroot.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "programs.h"
#include "symbols/process.h"
#include "symbols/symbols.h"

/* The exit code of a process that cannot be set up. */
#define CANNOT	77

/* A process that is gone: no id is as high. */
#define GONE	0x7fffffff

/* A place in the function hidden_function. */
struct sought {
	char path[256], id[64];
	uint64_t offset;
};

static struct sought first_of(const char *program)
{
	struct sought sought = { .offset = program_offset(program) };

	program_path(program, sought.path);
	program_build_id(program, sought.id);
	return sought;
}

/*
 * The root to change to. It has a program of its own, and another file at the path of the
 * program without a build-id.
 */
static const char *make_root(char root[256])
{
	char command[1024];

	program_path("jail", root);
	snprintf(command, sizeof(command),
		 "mkdir -p %s%s %s/proc && cd %s && cp pie %s/inside && cp stripped %s%s/no-id",
		 root, programs_directory, root, programs_directory, root, root,
		 programs_directory);
	assert_int_equal(system(command), 0);
	return root;
}

/*
 * Run @check in a chroot, and exit with what it returns. This process is process 1.
 * @is_bound: the root to change to is a mount of /.
 */
static void run_first(const char *root, bool is_bound, int (*check)(void *context),
		      void *context)
{
	char proc[300];
	int status;
	pid_t pid;

	snprintf(proc, sizeof(proc), "%s/proc", root);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    (is_bound && mount("/", root, NULL, MS_BIND, NULL)) ||
	    mount("proc", proc, "proc", 0, NULL) || mount("proc", "/proc", "proc", 0, NULL))
		_exit(CANNOT);
	pid = fork();
	if (!pid) {
		if (chroot(root) || chdir("/"))
			_exit(CANNOT);
		_exit(check(context));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		_exit(1);
	_exit(WEXITSTATUS(status));
}

/* Return: what @check returns in a chroot of this kind; or skip the test. */
static int in_root(bool is_bound, int (*check)(void *context), void *context)
{
	char root[256];
	int status;
	pid_t pid;

	if (geteuid())
		skip();
	make_root(root);
	pid = fork();
	if (!pid) {
		alarm(60);
		if (unshare(CLONE_NEWNS | CLONE_NEWPID))
			_exit(CANNOT);
		pid = fork();
		if (!pid)
			run_first(root, is_bound, check, context);
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
			_exit(1);
		_exit(WEXITSTATUS(status));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CANNOT)
		skip();
	return WEXITSTATUS(status);
}

static int in_chroot(int (*check)(void *context), void *context)
{
	return in_root(false, check, context);
}

static const uint32_t *list(void *context, size_t *nr)
{
	*nr = 1;
	return context;
}

/* Return: what became of a file, and whether the place has its name. */
static enum symbols_state look_up(const struct sought *sought, const char *root,
				  uint32_t pid, bool *is_named)
{
	const struct symbols_options options = { .root = root };
	const struct symbols_users users = { list, &pid };
	struct symbols_place place = {
		.path = sought->path, .build_id = sought->id, .offset = sought->offset,
		.users = pid ? &users : NULL,
	};
	struct symbols *symbols = symbols_create(&options);
	struct symbols_name name;

	*is_named = symbols_find(symbols, &place, &name) == 1 &&
		    !strcmp(name.name, "hidden_function");
	symbols_destroy(symbols);
	return name.state;
}

static int outer_root(void *context)
{
	char root[PROCESS_ROOT] = "";

	(void)context;
	if (!process_outer_root(root) || strcmp(root, "/proc/1/root"))
		return 1;
	/* a root that is process 1's is none to leave */
	return chroot(root) || chdir("/") || process_outer_root(root) ? 2 : 0;
}

static void a_chroot_is_recognised(void **state)
{
	(void)state;
	assert_int_equal(in_chroot(outer_root, NULL), 0);
	assert_int_equal(in_root(true, outer_root, NULL), 0);
}

static int files_of_users(void *context)
{
	const struct sought *pie = context;
	bool is_named;

	if (look_up(pie, NULL, (uint32_t)getpid(), &is_named) != SYMBOLS_READ || !is_named)
		return 1;
	if (look_up(pie, NULL, GONE, &is_named) != SYMBOLS_READ || !is_named)
		return 2;
	return 0;
}

static void files_outside_are_found(void **state)
{
	struct sought pie = first_of("pie");

	(void)state;
	assert_int_equal(in_chroot(files_of_users, &pie), 0);
}

static int another_build(void *context)
{
	bool is_named;

	return look_up(context, NULL, 1, &is_named) != SYMBOLS_DIFFERENT || is_named;
}

static void their_build_ids_are_compared(void **state)
{
	struct sought pie = first_of("pie");

	(void)state;
	program_build_id("other", pie.id);
	assert_int_equal(in_chroot(another_build, &pie), 0);
}

static int without_build_id(void *context)
{
	bool is_named;

	if (look_up(context, NULL, 1, &is_named) != SYMBOLS_UNPROVEN || !is_named)
		return 1;
	return look_up(context, NULL, GONE, &is_named) != SYMBOLS_UNPROVEN || !is_named ? 2 : 0;
}

/* The file in the chroot is another one. */
static void without_a_build_id_the_file_outside_is_right(void **state)
{
	struct sought plain = first_of("no-id");

	(void)state;
	assert_int_equal(in_chroot(without_build_id, &plain), 0);
}

static int special_files(void *context)
{
	struct sought *sought = context;
	bool is_named;

	program_path("pipe", sought->path);
	if (look_up(sought, NULL, 1, &is_named) != SYMBOLS_ABSENT || is_named)
		return 1;
	program_path("link", sought->path);
	return look_up(sought, NULL, 1, &is_named) != SYMBOLS_READ || !is_named ? 2 : 0;
}

/* A pipe is not waited for, and links lead to files outside. */
static void what_is_opened_outside_is_checked(void **state)
{
	struct sought pie = first_of("pie");
	char path[256];

	(void)state;
	assert_int_equal(mkfifo(program_path("pipe", path), 0600), 0);
	assert_int_equal(symlink(pie.path, program_path("link", path)), 0);
	assert_int_equal(in_chroot(special_files, &pie), 0);
}

static int profile_of_anyone(void *context)
{
	struct sought *sought = context;
	bool is_named;

	if (look_up(sought, NULL, 0, &is_named) != SYMBOLS_ABSENT || is_named)
		return 1;
	if (look_up(sought, "/proc/1/root", 0, &is_named) != SYMBOLS_READ || !is_named)
		return 2;
	/* what is in the chroot is found there */
	strcpy(sought->path, "/inside");
	return look_up(sought, NULL, 0, &is_named) != SYMBOLS_READ || !is_named ? 3 : 0;
}

/* symbolize knows no users: a chroot is left only by --root. */
static void a_saved_profile_leaves_the_chroot_on_request(void **state)
{
	struct sought pie = first_of("pie");

	(void)state;
	assert_int_equal(in_chroot(profile_of_anyone, &pie), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chroot_is_recognised),
		cmocka_unit_test(files_outside_are_found),
		cmocka_unit_test(their_build_ids_are_compared),
		cmocka_unit_test(without_a_build_id_the_file_outside_is_right),
		cmocka_unit_test(what_is_opened_outside_is_checked),
		cmocka_unit_test(a_saved_profile_leaves_the_chroot_on_request),
	};

	return cmocka_run_group_tests_name("chroot", tests, programs_build,
					   programs_remove);
}
