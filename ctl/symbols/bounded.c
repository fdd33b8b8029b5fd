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

static uint64_t max_bytes = BOUNDED_BYTES;

/* Pages of this process: all that it has mapped, those in memory, those of files in memory. */
struct pages {
	unsigned long mapped, resident, of_files;
};

static struct pages count_pages(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	struct pages pages = { 0 };

	if (!in)
		return pages;
	if (fscanf(in, "%lu %lu %lu", &pages.mapped, &pages.resident, &pages.of_files) != 3)
		pages = (struct pages){ 0 };
	fclose(in);
	return pages;
}

static uint64_t bytes_of(unsigned long pages)
{
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t used_of(const struct pages *pages)
{
	return pages->resident > pages->of_files ? bytes_of(pages->resident - pages->of_files) : 0;
}

void bounded_set(uint64_t bytes)
{
	max_bytes = bytes;
}

uint64_t bounded_max(void)
{
	return max_bytes;
}

uint64_t bounded_used(void)
{
	struct pages pages = count_pages();

	return used_of(&pages);
}

void bounded_begin(struct bounded *bounded)
{
	struct pages pages = count_pages();
	struct rlimit limit;

	bounded->used_bytes = used_of(&pages);
	if (getrlimit(RLIMIT_AS, &bounded->before))
		bounded->before = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	limit = bounded->before;
	if (!pages.mapped || limit.rlim_cur <= bytes_of(pages.mapped) + max_bytes)
		return;
	limit.rlim_cur = bytes_of(pages.mapped) + max_bytes;
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

uint64_t bounded_end(const struct bounded *bounded)
{
	uint64_t used = bounded_used();

	setrlimit(RLIMIT_AS, &bounded->before);
	return used > bounded->used_bytes ? used - bounded->used_bytes : 0;
}
