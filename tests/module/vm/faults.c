// SPDX-License-Identifier: GPL-2.0
/*
 * faults: cause a known number of page faults, and of allocations of the kernel.
 *
 *   faults PAGES PIPES [PAUSE_US]
 *
 * Writes to each of PAGES new pages once, of the small size, and prints how many faults
 * the kernel counted for that; then makes PIPES pipes and closes them, with a pause after
 * each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static long faults(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		exit(1);
	return usage.ru_minflt + usage.ru_majflt;
}

int main(int argc, char **argv)
{
	const long page = sysconf(_SC_PAGESIZE);
	long pages = argc > 1 ? atol(argv[1]) : 0, pipes = argc > 2 ? atol(argv[2]) : 0;
	useconds_t pause_us = argc > 3 ? (useconds_t)atol(argv[3]) : 0;
	char *memory = mmap(NULL, (size_t)(pages * page) + 1, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long before;
	int fds[2];

	if (memory == MAP_FAILED)
		return 1;
	/* a kernel without huge pages refuses, and has none */
	madvise(memory, (size_t)(pages * page) + 1, MADV_NOHUGEPAGE);
	before = faults();
	for (long i = 0; i < pages; i++)
		*(volatile char *)(memory + i * page) = 1;
	printf("%ld\n", faults() - before);
	fflush(stdout);
	for (long i = 0; i < pipes; i++) {
		if (pipe(fds))
			return 1;
		close(fds[0]);
		close(fds[1]);
		if (pause_us)
			usleep(pause_us);
	}
	return 0;
}
