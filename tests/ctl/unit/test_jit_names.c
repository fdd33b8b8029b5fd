// SPDX-License-Identifier: GPL-2.0
/*
 * Names of code that processes make at run time: whose maps are read and when, what
 * stays, and that no address stays in a profile.
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
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/live_names.h"
#include "dead_server.h"
#include "made_profile.h"
#include "profile/jit.h"
#include "profile/slices.h"
#include "symbols/jit_names.h"
#include "symbols/jit_process.h"

#define ADDRESS	0x7f0000001000

static const char *map_of(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

static void write_map(pid_t pid, const char *text)
{
	FILE *out = fopen(map_of(pid), "w");

	if (!out || fputs(text, out) < 0 || fclose(out))
		_exit(3);
}

/* Expect a name, or if that is NULL a state. */
static void expect(struct jit_names *names, pid_t pid, uint64_t address,
		   const char *name, enum jit_state state)
{
	struct jit_place place = { .pid = (uint32_t)pid, .address = address };

	assert_int_equal(jit_names_find(names, &place, 1, NULL, NULL), 0);
	assert_int_equal(place.state, name ? JIT_NAMED : state);
	if (name)
		assert_string_equal(place.name, name);
	else
		assert_null(place.name);
}

static struct jit_names *begin(void)
{
	struct jit_names *names = jit_names_create(false);

	assert_non_null(names);
	unlink(map_of(getpid()));
	return names;
}

static void end(struct jit_names *names)
{
	unlink(map_of(getpid()));
	jit_names_destroy(names);
}

static void a_map_is_read_as_it_grows(void **state)
{
	struct jit_names *names = begin();
	pid_t pid = getpid();

	(void)state;
	expect(names, pid, ADDRESS, NULL, JIT_NO_MAP);
	write_map(pid, "7f0000001000 10 first\n");
	expect(names, pid, ADDRESS + 1, "first", 0);
	expect(names, pid, ADDRESS, "first", 0);
	expect(names, pid, ADDRESS + 0x10, NULL, JIT_NOT_IN_MAP);
	write_map(pid, "7f0000001000 10 first\n7f0000001010 10 second\n");
	expect(names, pid, ADDRESS + 0x10, "second", 0);
	/* a name that was found stays, whatever is there now */
	write_map(pid, "7f0000001000 100 another\n");
	expect(names, pid, ADDRESS, "first", 0);
	expect(names, pid, ADDRESS + 0x20, "another", 0);
	unlink(map_of(pid));
	expect(names, pid, ADDRESS, "first", 0);
	expect(names, pid, ADDRESS + 0x200, NULL, JIT_NOT_IN_MAP);
	end(names);
}

/* A process that writes its map again and again costs no more than names may be long. */
static void a_name_without_end_is_cut(void **state)
{
	struct jit_names *names = begin();
	struct jit_place place = { .pid = (uint32_t)getpid(), .address = ADDRESS };
	size_t nr = 8 << 20;
	char *text = malloc(nr);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', nr);
	memcpy(text, "7f0000001000 10 ", strlen("7f0000001000 10 "));
	memcpy(text + nr - 2, "\n", 2);
	write_map(getpid(), text);
	free(text);
	assert_int_equal(jit_names_find(names, &place, 1, NULL, NULL), 0);
	assert_non_null(place.name);
	assert_int_equal(strlen(place.name), SYMBOLS_NAME_MAX);
	end(names);
}

static void a_map_must_be_the_processes_own(void **state)
{
	struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct jit_names *names = begin();
	pid_t pid = getpid();
	char other[80];

	(void)state;
	write_map(pid, "7f0000001000 10 old\n");
	assert_int_equal(utimensat(AT_FDCWD, map_of(pid), old, 0), 0);
	expect(names, pid, ADDRESS, NULL, JIT_REFUSED);
	snprintf(other, sizeof(other), "%s.elsewhere", map_of(pid));
	write_map(pid, "7f0000001000 10 linked\n");
	assert_int_equal(rename(map_of(pid), other), 0);
	assert_int_equal(symlink(other, map_of(pid)), 0);
	expect(names, pid, ADDRESS, NULL, JIT_REFUSED);
	unlink(map_of(pid));
	unlink(other);
	assert_int_equal(mkfifo(map_of(pid), 0600), 0);
	expect(names, pid, ADDRESS, NULL, JIT_REFUSED);
	unlink(map_of(pid));
	if (!geteuid()) {
		write_map(pid, "7f0000001000 10 theirs\n");
		assert_int_equal(chown(map_of(pid), 65534, 65534), 0);
		expect(names, pid, ADDRESS, NULL, JIT_REFUSED);
		unlink(map_of(pid));
	}
	write_map(pid, "7f0000001000 10 own\n");
	expect(names, pid, ADDRESS, "own", 0);
	end(names);
}

/* A process that waits until its standard input, @to, is closed. */
static pid_t start(int *to, void (*run)(void))
{
	int ends[2], ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		close(ends[1]);
		run();
		close(ready[1]);
		(void)!read(ends[0], &byte, 1);
		_exit(0);
	}
	close(ends[0]);
	close(ready[1]);
	(void)!read(ready[0], &byte, 1);
	close(ready[0]);
	*to = ends[1];
	return pid;
}

static void stop(pid_t pid, int to)
{
	int status;

	close(to);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void nothing(void)
{
}

static void as_nobody(void)
{
	if (setgid(65534) || setuid(65534))
		_exit(4);
}

/* As Java does: the map is written when the process ends. */
static void a_process_may_end(void **state)
{
	struct jit_names *names = begin(), *later = begin();
	bool is_root = !geteuid();
	int to;
	pid_t pid = start(&to, is_root ? as_nobody : nothing);

	(void)state;
	expect(names, pid, ADDRESS, NULL, JIT_NO_MAP);
	stop(pid, to);
	write_map(pid, "7f0000001000 10 late\n");
	if (is_root) {
		/* it was another user's, which is known only to who saw it */
		expect(later, pid, ADDRESS, "late", 0);
		jit_names_destroy(later);
		later = begin();
		expect(names, pid, ADDRESS, NULL, JIT_REFUSED);
		assert_int_equal(chown(map_of(pid), 65534, 65534), 0);
		expect(later, pid, ADDRESS, NULL, JIT_REFUSED);
	}
	expect(names, pid, ADDRESS, "late", 0);
	unlink(map_of(pid));
	jit_names_destroy(later);
	end(names);
}

static struct jit_names *begin_as_root(void)
{
	if (geteuid())
		skip();
	return begin();
}

static void in_container(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL))
		_exit(2);
	write_map(getpid(), "7f0000001000 10 inside\n");
}

/* Its map is below its own root, and is still read when that is gone. */
static void a_container_has_its_own(void **state)
{
	struct jit_names *names;
	char path[128];
	FILE *out;
	pid_t pid;
	int to;

	(void)state;
	names = begin_as_root();
	pid = start(&to, in_container);
	write_map(pid, "7f0000001000 100 outside\n");
	expect(names, pid, ADDRESS, "inside", 0);
	expect(names, pid, ADDRESS + 0x20, NULL, JIT_NOT_IN_MAP);
	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)pid, map_of(pid));
	out = fopen(path, "a");
	assert_non_null(out);
	fputs("7f0000001020 10 last\n", out);
	fclose(out);
	stop(pid, to);
	expect(names, pid, ADDRESS + 0x20, "last", 0);
	expect(names, pid, ADDRESS + 0x40, NULL, JIT_NOT_IN_MAP);
	unlink(map_of(pid));
	end(names);
}

static char jail[] = "/tmp/flamectl-jail.XXXXXX";

static void in_jail(void)
{
	if (chroot(jail) || chdir("/"))
		_exit(2);
	write_map(getpid(), "7f0000001000 10 jailed\n");
}

/* The root is no mount point, so the process's list of mounts does not have it. */
static void a_chroot_has_its_own(void **state)
{
	struct jit_names *names;
	char path[128];
	pid_t pid;
	int to;

	(void)state;
	names = begin_as_root();
	assert_non_null(mkdtemp(jail));
	snprintf(path, sizeof(path), "%s/tmp", jail);
	assert_int_equal(mkdir(path, 0755), 0);
	pid = start(&to, in_jail);
	expect(names, pid, ADDRESS, "jailed", 0);
	stop(pid, to);
	end(names);
	snprintf(path, sizeof(path), "rm -r %s", jail);
	assert_int_equal(system(path), 0);
}

static void on_dead_server(void)
{
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    dead_server_mount("/tmp") < 0)
		_exit(2);
}

/* Whether it has a map is not known, as nobody has looked. */
static void a_dead_server_is_not_asked(void **state)
{
	struct jit_names *names;
	pid_t pid;
	int to;

	(void)state;
	if (access("/dev/fuse", R_OK | W_OK))
		skip();
	names = begin_as_root();
	pid = start(&to, on_dead_server);
	expect(names, pid, ADDRESS, NULL, JIT_REMOTE);
	stop(pid, to);
	end(names);
}

static bool is_late(void *left)
{
	unsigned int *nr = left;

	return !*nr || !(*nr)--;
}

static void processes_have_names_of_their_own(void **state)
{
	struct jit_names *names = begin();
	struct jit_place places[5];
	unsigned int left = 1;
	int to;
	pid_t pid = start(&to, nothing), low, high;

	(void)state;
	low = pid < getpid() ? pid : getpid();
	high = pid < getpid() ? getpid() : pid;
	write_map(low, "7f0000001000 10 low\n");
	write_map(high, "7f0000001000 10 high\n");
	for (uint32_t i = 0; i < 5; i++)
		places[i] = (struct jit_place){
			.frame = i, .pid = (uint32_t)(i % 2 ? low : high),
			.address = ADDRESS + i,
		};
	/* when it is late, the rest waits */
	assert_int_equal(jit_names_find(names, places, 5, is_late, &left), -EAGAIN);
	assert_string_equal(places[0].name, "low");
	assert_int_equal(places[4].state, JIT_UNSOUGHT);
	assert_null(places[4].name);
	left = 1;
	assert_int_equal(jit_names_find(names, places, 5, is_late, &left), 0);
	for (uint32_t i = 0; i < 5; i++)
		assert_string_equal(places[i].name, places[i].frame % 2 ? "low" : "high");
	/* all is known: no map is read */
	left = 0;
	assert_int_equal(jit_names_find(names, places, 5, is_late, &left), 0);
	stop(pid, to);
	unlink(map_of(pid));
	end(names);
}

static void what_the_module_sends_is_recognised(void **state)
{
	(void)state;
	assert_int_equal(jit_pid("[jit 1]"), 1);
	assert_int_equal(jit_pid("[jit 4194304]"), 4194304);
	assert_int_equal(jit_pid("[jit 0]"), 0);
	assert_int_equal(jit_pid("[jit -1]"), 0);
	assert_int_equal(jit_pid("[jit 1"), 0);
	assert_int_equal(jit_pid("[jit 1]x"), 0);
	assert_int_equal(jit_pid("[jit 99999999999999999999]"), 0);
	assert_int_equal(jit_pid("[jit: no map]"), 0);
	assert_int_equal(jit_pid("/jit 1]"), 0);
}

/* main calls three places in code made at run time by this process, and one by 1. */
static struct profile *made(void)
{
	struct profile *profile = profile_create();
	uint32_t own, other, frame, node, main_;
	char path[32];

	assert_non_null(profile);
	snprintf(path, sizeof(path), "[jit %d]", (int)getpid());
	assert_int_equal(profile_add_object(profile, path, "", &own), 0);
	assert_int_equal(profile_add_object(profile, "[jit 99999999]", "", &other), 0);
	main_ = add_stack(profile, "main", FLAMEMOD_FRAME_USER);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(profile_add_frame_at(profile, NULL, i < 3 ? own : other,
						      ADDRESS + i, &frame), 0);
		assert_int_equal(profile_add_node(profile, main_, frame, &node), 0);
		add_sampled(profile, node, "program", 1, 0, FLAMEMOD_CONTEXT_USER, 1 << i);
	}
	/* one that no sample has */
	assert_int_equal(profile_add_frame_at(profile, NULL, own, ADDRESS + 0x50, &frame), 0);
	return profile;
}

/* Expect that all samples in main;@name sum to @periods. */
static void expect_frame(const struct profile *profile, const char *name, uint64_t periods)
{
	uint64_t sum = 0;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < profile->nr_records; i++) {
		const struct profile_node *node =
			&profile->nodes[profile->records[i].node];

		if (strcmp(profile->frames[node->frame].name, name))
			continue;
		nr++;
		sum += profile->records[i].periods;
		assert_string_equal(profile->frames[profile->nodes[node->parent].frame].name,
				    "main");
	}
	assert_int_equal(sum, periods);
	assert_int_equal(nr, 1);
}

static void expect_no_address(const struct profile *profile)
{
	struct error error;

	assert_int_equal(profile->nr_objects, 0);
	for (uint32_t i = 0; i < profile->nr_frames; i++) {
		assert_int_equal(profile->frames[i].offset, 0);
		assert_int_equal(profile->frames[i].object, 0);
		assert_null(strstr(profile->frames[i].name, "7f0000"));
	}
	assert_int_equal(profile_check(profile, &error), 0);
}

static bool never(void *context)
{
	(void)context;
	return false;
}

static void frames_become_names(void **state)
{
	struct live_names names = { 0 };
	struct profile *profile = made();
	char text[LIVE_NAMES_MISSED];
	struct error error;

	(void)state;
	write_map(getpid(), "7f0000001000 2 function\n");
	/* what was learned needs no map any more */
	assert_int_equal(live_names_learn_jit(&names, profile, never, NULL, &error), 0);
	unlink(map_of(getpid()));
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	expect_frame(profile, "function", 3);
	expect_frame(profile, "[jit: not in map]", 4);
	expect_frame(profile, "[jit: no map]", 8);
	expect_no_address(profile);
	assert_string_equal(live_names_missed(&names, text), "2 of 4 places in code made at run time have no name: 1 that are not in their processes' maps, 1 of processes that have written no /tmp/perf-PID.map");
	profile_destroy(profile);
	live_names_deinit(&names);
}

/* The first state itself is tested in test_containers.c. */
static void what_is_not_read_is_said(void **state)
{
	struct live_names names = { .nr = 3, .unnamed[SYMBOLS_DENIED] = 2 };
	char text[LIVE_NAMES_MISSED];

	(void)state;
	assert_string_equal(live_names_missed(&names, text), "2 of 3 user functions have no name: 2 in files that are not here, and whether their processes are in containers that have them is seen only with CAP_SYS_PTRACE");
	names = (struct live_names){ .jit_places[JIT_REMOTE] = 2 };
	assert_string_equal(live_names_missed(&names, text), "2 of 2 places in code made at run time have no name: 2 of processes whose maps may be on network or FUSE file systems, which --any-fs reads");
}

/* Give a sampled function in a file that is not there. */
static void add_absent(struct profile *profile, const char *path, uint64_t offset)
{
	uint32_t object, frame, node;

	assert_int_equal(profile_add_object(profile, path, "", &object), 0);
	assert_int_equal(profile_add_frame_at(profile, NULL, object, offset, &frame), 0);
	assert_int_equal(profile_add_node(profile, 0, frame, &node), 0);
	add_sampled(profile, node, "program", 1, 0, FLAMEMOD_CONTEXT_USER, 1);
}

static void the_file_that_lacks_most_is_said(void **state)
{
	struct live_names names = { 0 };
	struct profile *profile = made();
	char text[LIVE_NAMES_MISSED];
	struct error error;

	(void)state;
	unlink(map_of(getpid()));
	add_absent(profile, "/nowhere/a", 0x10);
	add_absent(profile, "/nowhere/b", 0x10);
	add_absent(profile, "/nowhere/b", 0x20);
	add_absent(profile, "/nowhere/c", 0x10);
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	assert_string_equal(live_names_missed(&names, text), "4 of 4 user functions have no name: 4 in files that are gone or cannot be read; the most, 2, are in /nowhere/b; 4 of 4 places in code made at run time have no name: 4 of processes that have written no /tmp/perf-PID.map");
	profile_destroy(profile);
	live_names_deinit(&names);
}

static void without_names_no_address_stays(void **state)
{
	struct live_names names = { .request = { .no_names = true } };
	struct profile *profile = made();
	char text[LIVE_NAMES_MISSED];
	struct error error;

	(void)state;
	write_map(getpid(), "7f0000001000 2 function\n");
	assert_int_equal(live_names_give(&names, profile, &error), 0);
	expect_frame(profile, "[jit]", 15);
	expect_no_address(profile);
	assert_string_equal(live_names_missed(&names, text), "");
	unlink(map_of(getpid()));
	profile_destroy(profile);
	live_names_deinit(&names);
}

static const char *same_name(void *context, uint32_t frame)
{
	(void)context;
	(void)frame;
	return "f";
}

static void slices_are_summed_too(void **state)
{
	struct profile *profile = profile_create();
	struct error error;

	(void)state;
	add_slice(profile, made(), 0, SEC);
	add_slice(profile, made(), SEC, 2 * SEC);
	assert_int_equal(jit_replace(profile, same_name, NULL), 0);
	expect_frame(profile, "f", 30);
	assert_int_equal(profile->nr_records, 1);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(profile->slices->list[i].nr_records, 1);
		assert_int_equal(profile->slices->list[i].records[0].periods, 15);
	}
	assert_int_equal(slices_check(profile, &error), 0);
	expect_no_address(profile);
	profile_destroy(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_is_read_as_it_grows),
		cmocka_unit_test(a_name_without_end_is_cut),
		cmocka_unit_test(a_map_must_be_the_processes_own),
		cmocka_unit_test(a_process_may_end),
		cmocka_unit_test(a_container_has_its_own),
		cmocka_unit_test(a_chroot_has_its_own),
		cmocka_unit_test(a_dead_server_is_not_asked),
		cmocka_unit_test(processes_have_names_of_their_own),
		cmocka_unit_test(what_the_module_sends_is_recognised),
		cmocka_unit_test(frames_become_names),
		cmocka_unit_test(what_is_not_read_is_said),
		cmocka_unit_test(the_file_that_lacks_most_is_said),
		cmocka_unit_test(without_names_no_address_stays),
		cmocka_unit_test(slices_are_summed_too),
	};

	return cmocka_run_group_tests_name("jit_names", tests, NULL, NULL);
}
