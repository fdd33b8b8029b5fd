// SPDX-License-Identifier: GPL-2.0
/*
 * sleepy SECONDS FILE - in the guest: a program that mostly waits, each thread for
 * something else: a disk, a lock, a socket, a CPU. It writes to FILE.
 *
 * The demo draws its time on a CPU and off it. Functions have the names of what they do,
 * and threads those of what they wait for.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BLOCK	4096
#define CPU_THREADS	3		/* one more than the guest has CPUs */

/* Without them the compiler would leave no call. */
#define FUNCTION __attribute__((noinline, noclone)) static

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sockets[2];
static const char *path;
static struct timespec end;
static volatile unsigned long sum;

static void fail(const char *what)
{
	fprintf(stderr, "sleepy: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool goes_on(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec);
}

FUNCTION void compute(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		sum += i * i;
}

static void pause_ms(long ms)
{
	const struct timespec pause = { .tv_nsec = ms * 1000000 };

	nanosleep(&pause, NULL);
}

/* ---- a disk ---- */

FUNCTION void write_to_disk(int file, const char *block)
{
	if (pwrite(file, block, BLOCK, 0) != BLOCK || fsync(file))
		fail(path);
}

static void *disk(void *unused)
{
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char block[BLOCK] = "";

	if (file < 0)
		fail(path);
	while (goes_on())
		write_to_disk(file, block);
	close(file);
	return unused;
}

/* ---- a lock ---- */

/* It computes little, and has the lock nearly all of the time. */
FUNCTION void hold_lock(void)
{
	pthread_mutex_lock(&lock);
	compute(10000);
	pause_ms(20);
	pthread_mutex_unlock(&lock);
}

static void *holder(void *unused)
{
	while (goes_on())
		hold_lock();
	return unused;
}

FUNCTION void wait_for_lock(void)
{
	pthread_mutex_lock(&lock);
	compute(10000);
	pthread_mutex_unlock(&lock);
}

static void *locker(void *unused)
{
	while (goes_on())
		wait_for_lock();
	return unused;
}

/* ---- a socket ---- */

FUNCTION bool wait_for_message(void)
{
	char byte;

	return recv(sockets[0], &byte, 1, 0) == 1;
}

static void *reader(void *unused)
{
	while (wait_for_message())
		compute(10000);
	return unused;
}

static void *writer(void *unused)
{
	while (goes_on()) {
		pause_ms(50);
		if (send(sockets[1], "x", 1, 0) != 1)
			fail("send");
	}
	shutdown(sockets[1], SHUT_WR);
	return unused;
}

/* ---- a CPU ---- */

static void *competitor(void *unused)
{
	while (goes_on())
		compute(100000);
	return unused;
}

static pthread_t start(const char *name, void *(*run)(void *unused))
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, run, NULL);
	if (errno)
		fail(name);
	pthread_setname_np(thread, name);
	return thread;
}

int main(int argc, char **argv)
{
	pthread_t threads[5 + CPU_THREADS];
	unsigned int nr = 0;

	if (argc != 3 || atoi(argv[1]) < 1) {
		fprintf(stderr, "usage: sleepy SECONDS FILE\n");
		return 2;
	}
	path = argv[2];
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += atoi(argv[1]);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		fail("socketpair");
	threads[nr++] = start("disk", disk);
	threads[nr++] = start("lock-holder", holder);
	threads[nr++] = start("lock", locker);
	threads[nr++] = start("socket", reader);
	threads[nr++] = start("socket-writer", writer);
	for (int i = 0; i < CPU_THREADS; i++)
		threads[nr++] = start("cpu", competitor);
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	printf("%u threads waited for a disk, a lock, a socket and a CPU\n", nr);
	return 0;
}
