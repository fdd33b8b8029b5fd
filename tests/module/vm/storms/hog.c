// SPDX-License-Identifier: GPL-2.0
/*
 * Takes memory until it is killed for it, and asks the kernel to choose it first.
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* More than a guest has, and never promised. */
#define ALL	((size_t)1 << 36)
#define PAGE	4096

int main(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY);
	volatile char *all;
	size_t i;

	if (fd < 0 || write(fd, "1000", 4) != 4)
		return 1;
	all = mmap(NULL, ALL, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (all == MAP_FAILED)
		return 1;
	/* Large pages are faster, if there are any. */
	madvise((void *)all, ALL, MADV_HUGEPAGE);
	for (i = 0; i < ALL; i += PAGE)
		all[i] = 1;
	return 1;
}
