// SPDX-License-Identifier: GPL-2.0
/*
 * Run many cgroups on one CPU, each for a moment: a ring of processes, each in a cgroup of
 * its own, passes on a byte.
 *
 *   ring DIRECTORY NUMBER SECONDS [alone]
 *
 * The cgroups are DIRECTORY/ring-0 and so on; they stay, and a second run uses them again. It
 * fails if a member does. With "alone" it leaves hardly any time to others, on CPU 1 either:
 * all are real-time tasks there, of which the kernel stops each CPU's after 0.95 s of each
 * second.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMBERS_MAX	400

static void enter(const char *directory, int member)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/ring-%d", directory, member);
	if (mkdir(path, 0755) && errno != EEXIST)
		err(1, "%s", path);
	snprintf(path, sizeof(path), "%s/ring-%d/cgroup.procs", directory, member);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(1, "%s", path);
	close(fd);
}

static void be_real_time(int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "SCHED_FIFO");
}

static void stay_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU %d", cpu);
}

/* Use up CPU 1 as long as the parent lives. */
static void spin_beside(void)
{
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	for (;;)
		;
}

static void pass_on(int from, int to)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
	_exit(1);
}

int main(int argc, char **argv)
{
	int nr = argc >= 4 ? atoi(argv[2]) : 0, pipes[MEMBERS_MAX][2];
	pid_t children[MEMBERS_MAX];
	int status, failed = 0;

	if (nr < 2 || nr > MEMBERS_MAX)
		errx(1, "ring DIRECTORY NUMBER SECONDS [alone], with 2 to %d members", MEMBERS_MAX);
	stay_on(0);
	if (argc == 5) {
		be_real_time(10);
		spin_beside();
	}
	for (int i = 0; i < nr; i++)
		if (pipe(pipes[i]))
			err(1, "pipe");
	for (int i = 0; i < nr; i++) {
		children[i] = fork();
		if (children[i] < 0)
			err(1, "fork");
		if (!children[i]) {
			enter(argv[1], i);
			pass_on(pipes[i][0], pipes[(i + 1) % nr][1]);
		}
	}
	if (argc == 5)
		be_real_time(11);
	if (write(pipes[0][1], "x", 1) != 1)
		err(1, "pipe");
	sleep((unsigned int)atoi(argv[3]));
	for (int i = 0; i < nr; i++) {
		kill(children[i], SIGKILL);
		if (waitpid(children[i], &status, 0) < 0)
			err(1, "waitpid");
		failed += !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL;
	}
	if (failed)
		errx(1, "%d of %d members ended by themselves", failed, nr);
	return 0;
}
