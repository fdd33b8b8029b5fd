// SPDX-License-Identifier: GPL-2.0
/*
 * Names of functions in programs that other processes see: a process in a mount
 * namespace of its own, with a file system there that nobody else has.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "dead_server.h"
#include "profile/users.h"
#include "programs.h"
#include "symbols/mounts.h"
#include "symbols/process.h"
#include "symbols/regular.h"

/* The exit code of a process that cannot be set up. */
#define CANNOT	77

/* A process in a namespace of its own. */
struct container {
	pid_t pid;
	int end;		/* it ends when this is closed */
};

static void put(const char *from, const char *to)
{
	char command[600];

	snprintf(command, sizeof(command), "cp %s/%s %s/inside/%s",
		 programs_directory, from, programs_directory, to);
	if (system(command))
		_exit(1);
}

/* In the namespace: "inside" is a directory with programs, links and pipes. */
static void fill(void)
{
	char path[256];

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("inside", program_path("inside", path), "tmpfs", 0, NULL))
		_exit(1);
	put("pie", "program");
	put("no-id", "plain");
	put("separate", "separate");
	if (mkfifo(program_path("inside/pipe", path), 0600) ||
	    symlink("/../../../../../etc/passwd", program_path("inside/passwd", path)))
		_exit(1);
}

static struct container start(void)
{
	struct container container;
	int ready[2], end[2];
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	container.pid = fork();
	if (!container.pid) {
		close(end[1]);
		if (unshare(CLONE_NEWNS))
			_exit(2);
		fill();
		close(ready[1]);
		(void)!read(end[0], &byte, 1);
		_exit(0);
	}
	close(ready[1]);
	(void)!read(ready[0], &byte, 1);
	close(ready[0]);
	close(end[0]);
	container.end = end[1];
	return container;
}

static int stop(struct container container)
{
	int status;

	close(container.end);
	assert_int_equal(waitpid(container.pid, &status, 0), container.pid);
	return WEXITSTATUS(status);
}

/* Start one, or skip the test: another user than root may not. */
static struct container start_or_skip(void)
{
	struct container container;
	char path[256];

	mkdir(program_path("inside", path), 0755);
	if (geteuid())
		skip();
	container = start();
	if (kill(container.pid, 0))
		fail();
	return container;
}

struct pids {
	uint32_t list[4];
	size_t nr;
	unsigned int nr_calls;
};

static const uint32_t *list(void *context, size_t *nr)
{
	struct pids *pids = context;

	pids->nr_calls++;
	*nr = pids->nr;
	return pids->list;
}

/* Look up a program's places in a file that has users. */
static struct symbols_file look_up(struct pids *pids, const char *program,
				   const char *file, const char *id, const char *names)
{
	const struct symbols_options options = { .root = NULL };
	const struct symbols_users users = { list, pids };
	struct symbols *symbols = symbols_create(&options);
	struct symbols_file seen;
	size_t position = 0;
	char path[256];

	assert_non_null(symbols);
	programs_expect_of(symbols, &users, program, program_path(file, path), id, names);
	assert_true(symbols_next(symbols, &position, &seen));
	seen.path = NULL;
	symbols_destroy(symbols);
	return seen;
}

static void a_container_has_its_own_files(void **state)
{
	struct container container = start_or_skip();
	struct pids pids = { { (uint32_t)container.pid }, 1, 0 };
	struct symbols_file file;
	char id[64], other[64];

	(void)state;
	program_build_id("pie", id);
	program_build_id("other", other);
	file = look_up(&pids, "pie", "inside/program", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	assert_int_equal(file.nr_named, 5);
	/* one in the container that is another build, or no program */
	file = look_up(&pids, "pie", "inside/program", other, "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	file = look_up(&pids, "pie", "inside/pipe", id, "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	file = look_up(&pids, "pie", "inside/passwd", id, "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	/* a file here that is the right one needs nobody to be asked */
	pids.nr_calls = 0;
	file = look_up(&pids, "pie", "pie", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	assert_int_equal(pids.nr_calls, 0);
	/* one that is another build here, and in the container as well */
	file = look_up(&pids, "pie", "other", id, "");
	assert_int_equal(file.state, SYMBOLS_DIFFERENT);
	assert_int_equal(stop(container), 0);
	file = look_up(&pids, "pie", "inside/program", id, "");
	assert_int_equal(file.state, SYMBOLS_ABSENT);
	assert_int_equal(file.err, -ENOENT);
}

/* The file that a process sees is right; the one here only if it sees that. */
static void without_a_build_id_the_users_decide(void **state)
{
	struct container container = start_or_skip();
	struct pids pids = { { (uint32_t)container.pid, (uint32_t)getpid() }, 1, 0 };
	char from[256], to[256];
	struct symbols_file file;

	(void)state;
	/* here it is a program without any symbols */
	program_path("stripped", from);
	assert_int_equal(link(from, program_path("inside/plain", to)), 0);
	file = look_up(&pids, "no-id", "inside/plain", "", NULL);
	assert_int_equal(file.state, SYMBOLS_UNPROVEN);
	pids.nr = 2;
	file = look_up(&pids, "no-id", "inside/plain", "", "");
	assert_int_equal(file.state, SYMBOLS_UNPROVEN);
	assert_int_equal(stop(container), 0);
	unlink(to);
}

/*
 * Run @check in a mount namespace of its own, and expect that it returns 0 within 20 s.
 * The test is skipped if it returns CANNOT.
 */
static void expect_in_namespace(int (*check)(const char *text), const char *text)
{
	int status;
	pid_t pid;

	if (geteuid())
		skip();
	pid = fork();
	if (!pid) {
		alarm(20);
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
			_exit(CANNOT);
		_exit(check(text));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CANNOT)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* It is not asked; a process that asks it waits for ever. */
static int ask_for_files(const char *id)
{
	static const char *const files[] = {
		"dead/file", "link", "dead/../dead/./file", "up/file",
	};
	const struct symbols_options options = { .root = NULL };
	char path[256];

	if (dead_server_mount(program_path("dead", path)) < 0)
		return CANNOT;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct symbols *symbols = symbols_create(&options);
		struct symbols_place place = {
			.path = program_path(files[i], path), .build_id = id,
		};
		struct symbols_name name;

		if (symbols_find(symbols, &place, &name) ||
		    (name.state != SYMBOLS_REMOTE && i < 3))
			return 3;
		symbols_destroy(symbols);
	}
	return 0;
}

/* Open a file as a process in a chroot sees it. Return: as regular_open(). */
static int open_as_seen(pid_t pid, const char *path, bool any_fs)
{
	char directory[64];
	struct regular_root root = { directory, any_fs };
	struct stat st;

	snprintf(directory, sizeof(directory), "/proc/%d/root", (int)pid);
	return regular_open(&root, path, REGULAR_LINKS, &st);
}

/* Start a process that waits in a chroot until this one ends. Return: its id, or -1. */
static pid_t start_in_chroot(const char *directory)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		if (chroot(directory) || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		pid = -1;
	close(ready[0]);
	return pid;
}

/* The server dies after the process has gone to a directory there, which is no mount. */
static int ask_in_chroot(const char *dead)
{
	int server = dead_server_mount(dead);
	pid_t answering, pid;
	char path[300];

	snprintf(path, sizeof(path), "%s/directory", dead);
	if (server < 0)
		return CANNOT;
	answering = dead_server_wake(server);
	pid = start_in_chroot(path);
	kill(answering, SIGKILL);
	waitpid(answering, NULL, 0);
	if (pid < 0)
		return 1;
	return open_as_seen(pid, "/file", false) == -EREMOTE ? 0 : 2;
}

static void a_dead_server_of_a_chroot_is_not_waited_for(void **state)
{
	char dead[256];

	(void)state;
	mkdir(program_path("dead", dead), 0755);
	expect_in_namespace(ask_in_chroot, dead);
}

/* It is found by the list of this namespace: that of the process lacks it. */
static void files_of_a_chroot_are_found(void **state)
{
	pid_t pid;
	int fd;

	(void)state;
	if (geteuid())
		skip();
	pid = start_in_chroot(programs_directory);
	assert_true(pid > 0);
	fd = open_as_seen(pid, "/pie", false);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_true(fd >= 0);
	close(fd);
}

static void a_dead_server_is_not_waited_for(void **state)
{
	char path[256], dead[256], id[64];

	(void)state;
	program_build_id("pie", id);
	mkdir(program_path("dead", dead), 0755);
	assert_int_equal(symlink("dead/file", program_path("link", path)), 0);
	assert_int_equal(symlink("./pie/../dead/../dead", program_path("up", path)), 0);
	expect_in_namespace(ask_for_files, id);
}

static void file_systems_are_known_by_their_type(void **state)
{
	static const char list[] =
		"20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
		"21 20 0:30 / /home rw master:1 shared:2 - nfs4 server:/home rw\n"
		"22 20 0:31 / /a\\040b rw - fuse.sshfs host: rw\n"
		"23 20 8:2 / /stick rw - fuseblk /dev/sdb1 rw\n"
		"24 20 0:32 / /tmp rw - tmpfs tmpfs rw\n"
		"25 20 0:33 / /var rw - overlay overlay rw\n"
		"26 20 0:34 / /net rw - autofs auto rw\n"
		"27 20 0:35 / /twice rw - nfs server:/x rw\n"
		"28 27 8:3 / /twice rw - xfs /dev/sdc rw\n"
		"no mount\n29\n";
	static const struct { const char *path; bool is_local; } cases[] = {
		{ "/", true }, { "/home", false }, { "/a b", false }, { "/stick", false },
		{ "/tmp", true }, { "/var", true }, { "/net", false }, { "/twice", true },
		{ "/elsewhere", true },
	};
	char path[256];
	FILE *out = fopen(program_path("mountinfo", path), "w");
	struct mounts *mounts;

	(void)state;
	fputs(list, out);
	fclose(out);
	mounts = mounts_read(path);
	assert_non_null(mounts);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(mounts_local_at(mounts, cases[i].path), cases[i].is_local);
	/* a mount that is not in the list */
	assert_false(mounts_local(mounts, -1));
	mounts_free(mounts);
	assert_null(mounts_read("/nonexistent"));
}

/* A process that is met later may have it. */
static void later_users_are_asked(void **state)
{
	struct container container = start_or_skip();
	struct pids pids = { { 0 }, 0, 0 };
	const struct symbols_users users = { list, &pids };
	const struct symbols_options options = { .root = NULL };
	struct symbols *symbols = symbols_create(&options);
	char path[256], id[64];

	(void)state;
	program_build_id("pie", id);
	program_path("inside/program", path);
	programs_expect_of(symbols, &users, "pie", path, id, "");
	pids = (struct pids){ { (uint32_t)getpid(), (uint32_t)container.pid }, 2, 0 };
	programs_expect_of(symbols, &users, "pie", path, id, NULL);
	assert_int_equal(stop(container), 0);
	/* it stays open */
	programs_expect_of(symbols, &users, "pie", path, id, NULL);
	symbols_destroy(symbols);
}

/* Another user's process cannot be asked, and that is said. */
static void a_missing_right_is_told(void **state)
{
	struct container container = start_or_skip();
	struct pids pids = { { (uint32_t)container.pid }, 1, 0 };
	struct symbols_file file;
	char id[64], root[PROCESS_ROOT];

	(void)state;
	assert_int_equal(process_files(container.pid, root), PROCESS_OTHER);
	assert_int_equal(process_files(getpid(), root), PROCESS_SAME);
	program_build_id("pie", id);
	assert_int_equal(seteuid(65534), 0);
	assert_int_equal(process_files(container.pid, root), PROCESS_DENIED);
	file = look_up(&pids, "pie", "inside/program", id, "");
	assert_int_equal(file.state, SYMBOLS_DENIED);
	/* the file here is used all the same */
	file = look_up(&pids, "pie", "pie", id, NULL);
	assert_int_equal(file.state, SYMBOLS_READ);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(stop(container), 0);
	assert_int_equal(process_files(container.pid, root), PROCESS_GONE);
}

/* Two processes with a frame in one object, one of them in another, too. */
static void users_are_those_with_a_frame(void **state)
{
	struct profile *profile = profile_create();
	uint32_t objects[3], frames[3], nodes[3], tasks[12];
	struct users *users;
	const uint32_t *pids;
	size_t nr;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(profile_add_object(profile, i ? i > 1 ? "/c" : "/b" : "/a",
						    "", &objects[i]), 0);
		assert_int_equal(profile_add_frame_at(profile, NULL, objects[i], 1,
						      &frames[i]), 0);
	}
	assert_int_equal(profile_add_node(profile, 0, frames[0], &nodes[0]), 0);
	assert_int_equal(profile_add_node(profile, nodes[0], frames[1], &nodes[1]), 0);
	for (uint32_t i = 0; i < 12; i++) {
		struct profile_record record = { .node = nodes[i == 5], .periods = 1 };

		assert_int_equal(profile_add_task(profile, 100 + i / 2, 100 + i, "t",
						  &tasks[i]), 0);
		record.task = tasks[i];
		assert_int_equal(profile_add_record(profile, &record), 0);
	}
	users = users_create(profile);
	assert_non_null(users);
	pids = users_list(users, objects[0], &nr);
	assert_int_equal(nr, 6);
	for (uint32_t i = 0; i < nr; i++)
		assert_int_equal(pids[i], 105 - i);
	pids = users_list(users, objects[1], &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(pids[0], 102);
	users_list(users, objects[2], &nr);
	assert_int_equal(nr, 0);
	users_destroy(users);
	users_destroy(NULL);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_container_has_its_own_files),
		cmocka_unit_test(without_a_build_id_the_users_decide),
		cmocka_unit_test(a_dead_server_is_not_waited_for),
		cmocka_unit_test(a_dead_server_of_a_chroot_is_not_waited_for),
		cmocka_unit_test(files_of_a_chroot_are_found),
		cmocka_unit_test(file_systems_are_known_by_their_type),
		cmocka_unit_test(later_users_are_asked),
		cmocka_unit_test(a_missing_right_is_told),
		cmocka_unit_test(users_are_those_with_a_frame),
	};

	return cmocka_run_group_tests_name("containers", tests, programs_build,
					   programs_remove);
}
