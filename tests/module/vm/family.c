// SPDX-License-Identifier: GPL-2.0
/*
 * A process with descendants, created in each possible way, which all work in the
 * kernel. It ends when all of them have ended. The comm of all is this file's name.
 *
 *   family work MS		of CPU time
 *   family forks NR		children one after the other, that end soon
 *   family threads NR MS
 *   family vfork NR MS		children that execute this program
 *   family spawn NR MS		likewise, by posix_spawn()
 *   family daemon MS		a grandchild in a session of its own, without a parent
 */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX	64

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void syscalls(int nr)
{
	while (nr--) {
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			fail("/dev/null");
		close(fd);
	}
}

static void work(int ms)
{
	struct timespec used;

	do {
		syscalls(20);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

static void forks(int nr)
{
	while (nr--) {
		pid_t pid = fork();

		if (pid < 0)
			fail("fork");
		if (!pid) {
			syscalls(20);
			_exit(0);
		}
		if (waitpid(pid, NULL, 0) != pid)
			fail("waitpid");
	}
}

static void *thread(void *ms)
{
	work(*(int *)ms);
	return NULL;
}

static void threads(int nr, int ms)
{
	pthread_t ids[THREADS_MAX];
	int i;

	for (i = 0; i < nr && i < THREADS_MAX; i++)
		if (pthread_create(&ids[i], NULL, thread, &ms))
			fail("pthread_create");
	while (i--)
		pthread_join(ids[i], NULL);
}

/* Alone, as the child writes to its parent's stack. */
static __attribute__((noinline)) void vfork_one(char *const *worker)
{
	pid_t pid = vfork();

	if (pid < 0)
		fail("vfork");
	if (!pid) {
		execv(worker[0], worker);
		_exit(1);
	}
}

static void spawn_one(char *const *worker)
{
	pid_t pid;

	if (posix_spawn(&pid, worker[0], NULL, NULL, worker, environ))
		fail("posix_spawn");
}

static void execute(char **argv, int nr, void (*one)(char *const *worker))
{
	char *const worker[] = { argv[0], "work", argv[3], NULL };
	int i;

	for (i = 0; i < nr; i++)
		one(worker);
	while (i--)
		if (wait(NULL) < 0)
			fail("wait");
}

/* It has no parent to wait for it, so the end of a pipe shows its end. */
static void leave(int ms)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends))
		fail("pipe");
	pid = fork();
	if (!pid) {
		setsid();
		if (fork())
			_exit(0);
		while (getppid() != 1)
			sched_yield();
		work(ms);
		_exit(0);
	}
	close(ends[1]);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid || read(ends[0], &byte, 1))
		fail("daemon");
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	int first = argc > 2 ? atoi(argv[2]) : 0;
	int second = argc > 3 ? atoi(argv[3]) : 0;

	/* It leaves the CPU to the scenario. */
	setpriority(PRIO_PROCESS, 0, 19);
	if (!strcmp(how, "work"))
		work(first);
	else if (!strcmp(how, "forks"))
		forks(first);
	else if (!strcmp(how, "threads"))
		threads(first, second);
	else if (!strcmp(how, "vfork"))
		execute(argv, first, vfork_one);
	else if (!strcmp(how, "spawn"))
		execute(argv, first, spawn_one);
	else if (!strcmp(how, "daemon"))
		leave(first);
	else
		return 2;
	return 0;
}
