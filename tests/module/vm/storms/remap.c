// SPDX-License-Identifier: GPL-2.0
/*
 * Changes its mappings of text in four threads, all the time, and runs that text.
 *
 *   remap SECONDS
 *
 * Of the threads, one maps text from one of two files and unmaps it again, at the same
 * address; one makes text executable and not executable; one forks; one executes another
 * program, which is this one with "ends" as its argument. Each change is followed by a
 * spin below some callers. It prints how often each was done.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES		16384u
#define SPINS		20000u
#define DEPTH		8
#define APART		__attribute__((noinline, noclone))

/* Code that spins, without a row for it; and what does nothing. */
#ifdef __aarch64__
/* subs w0, w0, #1; b.ne -4; ret */
static const uint32_t spin_code[] = { 0x71000400, 0x54ffffe1, 0xd65f03c0 };
static const uint32_t nothing = 0xd503201f;
#else
/* mov %edi, %eax; dec %eax; jnz -4; ret */
static const uint8_t spin_code[] = { 0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3 };
static const uint8_t nothing = 0x90;
#endif

static atomic_bool ends;
static volatile unsigned int counter;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static APART void spin(void)
{
	for (unsigned int i = 0; i < SPINS; i++)
		counter++;
}

static APART void descend(unsigned int depth)
{
	if (depth)
		descend(depth - 1);
	else
		spin();
	__asm__ volatile("" ::: "memory");
}

/* A file of text: @before bytes of nothing, and then the spin. */
static int text_file(unsigned int before)
{
	uint8_t bytes[BYTES] = { 0 };
	int fd = memfd_create("text", MFD_CLOEXEC);

	for (unsigned int at = 0; at < BYTES; at += sizeof(nothing))
		memcpy(bytes + at, &nothing, sizeof(nothing));
	memcpy(bytes + before, spin_code, sizeof(spin_code));
	if (fd < 0 || write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		die("memfd");
	return fd;
}

static void call(const uint8_t *text)
{
	((void (*)(unsigned int))(uintptr_t)text)(SPINS);
}

static void *maps(void *arg)
{
	const int fds[] = { text_file(0), text_file(64) };
	void *at = NULL, *text;
	uintptr_t times;

	(void)arg;
	for (times = 0; !ends; times++) {
		text = mmap(at, BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fds[times % 2], 0);
		if (text == MAP_FAILED)
			die("mmap");
		call(text);
		descend(DEPTH);
		if (munmap(text, BYTES))
			die("munmap");
		at = text;
	}
	return (void *)times;
}

static void *protects(void *arg)
{
	int fd = text_file(0);
	uint8_t *text = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);
	uintptr_t times;

	(void)arg;
	if (text == MAP_FAILED)
		die("mmap");
	for (times = 0; !ends; times++) {
		if (mprotect(text, BYTES / 2, PROT_READ | PROT_EXEC))
			die("mprotect");
		call(text);
		descend(DEPTH);
		if (mprotect(text, BYTES / 2, PROT_READ))
			die("mprotect");
	}
	return (void *)times;
}

static void *forks(void *arg)
{
	uintptr_t times;

	(void)arg;
	for (times = 0; !ends; times++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (!child) {
			descend(DEPTH);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	return (void *)times;
}

static APART pid_t execute(void)
{
	char *const arguments[] = { "ends", "ends", NULL };
	pid_t child = vfork();

	if (!child) {
		execv("/proc/self/exe", arguments);
		_exit(1);
	}
	return child;
}

static void *executes(void *arg)
{
	uintptr_t times;
	int status;

	(void)arg;
	for (times = 0; !ends; times++) {
		pid_t child = execute();

		if (child < 0)
			die("vfork");
		if (waitpid(child, &status, 0) != child || status)
			die("exec");
	}
	return (void *)times;
}

int main(int argc, char **argv)
{
	static void *(*const threads[])(void *arg) = { maps, protects, forks, executes };
	static const char *const names[] = { "maps", "protects", "forks", "executes" };
	pthread_t ids[4];
	struct timespec time = { 0 };

	if (argc == 2 && !strcmp(argv[1], "ends")) {
		descend(DEPTH);
		return 0;
	}
	time.tv_sec = argc == 2 ? atoi(argv[1]) : 1;
	for (unsigned int i = 0; i < 4; i++)
		if (pthread_create(&ids[i], NULL, threads[i], NULL))
			die("thread");
	nanosleep(&time, NULL);
	ends = true;
	for (unsigned int i = 0; i < 4; i++) {
		void *times;

		pthread_join(ids[i], &times);
		printf("%s %lu\n", names[i], (unsigned long)(uintptr_t)times);
	}
	return 0;
}
