// SPDX-License-Identifier: GPL-2.0
/*
 * sleepers: sleep, fault and make pipes, in functions whose callers are known.
 *
 *   sleepers TIMES
 *
 * main() calls k_outer(), which calls k_sleeps(), k_faults() and k_pipes(): each does it
 * TIMES times; a sleep lasts 5 ms.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A function of its own, whose callers stay on the stack. */
#define APART __attribute__((noinline, noclone))
#define STAYS() __asm__ volatile("" ::: "memory")

static APART void k_sleeps(void)
{
	const struct timespec ms5 = { .tv_nsec = 5000000 };

	nanosleep(&ms5, NULL);
	STAYS();
}

static APART void k_faults(volatile char *page)
{
	*page = 1;
	STAYS();
}

static APART void k_pipes(void)
{
	int fds[2];

	if (pipe(fds))
		exit(1);
	close(fds[0]);
	close(fds[1]);
	STAYS();
}

static APART void k_outer(long times, char *memory, long page)
{
	for (long i = 0; i < times; i++) {
		k_sleeps();
		k_faults(memory + i * page);
		k_pipes();
	}
	STAYS();
}

int main(int argc, char **argv)
{
	const long page = sysconf(_SC_PAGESIZE);
	long times = argc > 1 ? atol(argv[1]) : 0;
	char *memory = mmap(NULL, (size_t)(times * page) + 1, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	/* a kernel without huge pages refuses, and has none */
	madvise(memory, (size_t)(times * page) + 1, MADV_NOHUGEPAGE);
	k_outer(times, memory, page);
	return 0;
}
