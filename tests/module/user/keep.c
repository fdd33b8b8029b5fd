// SPDX-License-Identifier: GPL-2.0
/*
 * keep FILE - keep what the witness saw, with the mappings of each process, until SIGTERM.
 *
 * In the guest: it reads each record right after its sample, while the process is still
 * there. FILE is a sequence of struct kept (kept.h), to be compared by whole.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept.h"

#define PIDS		4096
#define PAUSE_US	500

static volatile sig_atomic_t ends;
static struct { char *text; uint32_t number; } known[PIDS];	/* by pid modulo PIDS */
static uint32_t nr_maps;

static void stop(int number)
{
	(void)number;
	ends = 1;
}

static void put(FILE *out, uint32_t kind, uint32_t number, const void *bytes, uint32_t nr)
{
	struct kept kept = { .kind = kind, .number = number, .nr = nr };

	if (fwrite(&kept, sizeof(kept), 1, out) != 1 || fwrite(bytes, 1, nr, out) != nr) {
		perror("keep");
		exit(1);
	}
}

/* Keep a process's mappings, unless they are the same as before. Return: 0 if it is gone. */
static uint32_t keep_maps(FILE *out, uint32_t pid)
{
	static char text[1 << 20];
	char path[64];
	size_t nr = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	while ((got = read(fd, text + nr, sizeof(text) - 1 - nr)) > 0)
		nr += got;
	close(fd);
	if (!nr)
		return 0;
	text[nr] = 0;
	if (known[pid % PIDS].text && !strcmp(known[pid % PIDS].text, text))
		return known[pid % PIDS].number;
	free(known[pid % PIDS].text);
	known[pid % PIDS].text = strdup(text);
	known[pid % PIDS].number = ++nr_maps;
	put(out, KEPT_MAPS, nr_maps, text, nr);
	return nr_maps;
}

/* The vdso is in no file. */
static void keep_vdso(FILE *out)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[256];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &start, &end) == 2)
			put(out, KEPT_VDSO, 0, (const void *)start, end - start);
	if (maps)
		fclose(maps);
}

int main(int argc, char **argv)
{
	static struct witness_record record;
	int from = open("/dev/witness", O_RDONLY);
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
	ssize_t nr;

	if (from < 0 || !out) {
		perror("keep");
		return 1;
	}
	signal(SIGTERM, stop);
	keep_vdso(out);
	while ((nr = read(from, &record, sizeof(record))) || !ends) {
		if (nr < 0)
			return 1;
		if (nr)
			put(out, KEPT_RECORD, keep_maps(out, record.pid), &record, nr);
		else
			usleep(PAUSE_US);
	}
	return fclose(out) != 0;
}
