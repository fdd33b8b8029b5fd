// SPDX-License-Identifier: GPL-2.0
/*
 * Bound memory by RLIMIT_AS: see bounded.h. elfutils decompresses as much as there is, but
 * checks each allocation.
 */
#include "symbols/bounded.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* elfutils reads parts of a file that is larger, and needs no more for that. */
#define MAPPED_BYTES_MAX	(4UL << 30)

static uint64_t used_bytes(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!in)
		return 0;
	if (fscanf(in, "%lu", &pages) != 1)
		pages = 0;
	fclose(in);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void bounded_begin(struct bounded *bounded)
{
	uint64_t used = used_bytes();
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &bounded->before))
		bounded->before = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	limit = bounded->before;
	if (!used || limit.rlim_cur <= used + BOUNDED_BYTES)
		return;
	limit.rlim_cur = used + BOUNDED_BYTES;
	setrlimit(RLIMIT_AS, &limit);
}

void bounded_map(int fd)
{
	struct rlimit limit;
	struct stat st;
	uint64_t bytes;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	    fstat(fd, &st))
		return;
	/* a file with holes has more bytes than it costs its owner */
	bytes = (uint64_t)st.st_blocks * 512;
	if (bytes > (uint64_t)st.st_size)
		bytes = (uint64_t)st.st_size;
	limit.rlim_cur += bytes < MAPPED_BYTES_MAX ? bytes : MAPPED_BYTES_MAX;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_AS, &limit);
}

void bounded_end(const struct bounded *bounded)
{
	setrlimit(RLIMIT_AS, &bounded->before);
}
