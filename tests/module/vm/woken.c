// SPDX-License-Identifier: GPL-2.0
/*
 * A task that another one wakes, so many times, after it has been blocked for so long.
 *
 *   woken TIMES MS
 *
 * "woken" reads a byte from a pipe; "waker" sleeps for MS milliseconds and writes it, in
 * k_wakes(). Who wakes "waker" is the interrupt of a timer. Each runs on a CPU of its own, if
 * there are two, so that a wait for a CPU is no part of it. Then "woken" prints
 *
 *   blocked NS: from before each read until the waker is about to write, in sum
 *   times N: how many bytes were read
 */
#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS	1000000000ULL

struct pipe {
	int read, write;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS + (uint64_t)time.tv_nsec;
}

static struct pipe pipe_create(void)
{
	int fds[2];

	if (pipe(fds))
		err(1, "pipe");
	return (struct pipe){ fds[0], fds[1] };
}

static void stay_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	/* with one CPU it stays where it is */
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* Not inlined, and not the last call: it is on the stack. */
__attribute__((noipa)) static int k_wakes(int fd, uint64_t time)
{
	ssize_t nr = write(fd, &time, sizeof(time));

	return nr == sizeof(time) ? 0 : -1;
}

static void wake(struct pipe to, struct pipe from, unsigned int times, long ms)
{
	const struct timespec pause = { ms / 1000, ms % 1000 * 1000000 };
	char ready;

	prctl(PR_SET_NAME, "waker");
	stay_on(1);
	for (unsigned int i = 0; i < times; i++) {
		/* the other one is about to block */
		if (read(from.read, &ready, 1) != 1)
			err(1, "read");
		nanosleep(&pause, NULL);
		if (k_wakes(to.write, now()))
			err(1, "write");
	}
	exit(0);
}

int main(int argc, char **argv)
{
	unsigned int times = argc > 1 ? (unsigned int)atoi(argv[1]) : 100;
	long ms = argc > 2 ? atol(argv[2]) : 10;
	struct pipe to = pipe_create(), from = pipe_create();
	uint64_t blocked = 0, began, woke;
	int status;
	pid_t child = fork();

	if (child < 0)
		err(1, "fork");
	if (!child)
		wake(to, from, times, ms);
	prctl(PR_SET_NAME, "woken");
	stay_on(0);
	for (unsigned int i = 0; i < times; i++) {
		if (write(from.write, "", 1) != 1)
			err(1, "write");
		began = now();
		if (read(to.read, &woke, sizeof(woke)) != sizeof(woke))
			err(1, "read");
		blocked += woke > began ? woke - began : 0;
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "the waker failed");
	printf("blocked %" PRIu64 "\ntimes %u\n", blocked, times);
	return 0;
}
