// SPDX-License-Identifier: GPL-2.0
/*
 * Read the map of a JIT compiler: see jit_map.h.
 */
#include "symbols/jit_map.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sorted.h"
#include "symbols/regular.h"

/*
 * How many functions that begin before an address are looked at. Where code was
 * thrown away and compiled again, old entries overlap new ones.
 */
#define LOOK_BACK	64

struct entry {
	uint64_t start, size;
	uint32_t order;			/* of the lines */
	const char *name;
};

struct jit_map {
	char *text;
	struct entry *entries;
	size_t nr, max;
};

pid_t jit_map_pid(const char *path)
{
	int pid, end = 0;

	if (sscanf(path, "/tmp/perf-%d.map%n", &pid, &end) != 1 || !end ||
	    path[end] || pid <= 0)
		return 0;
	return pid;
}

void jit_map_free(struct jit_map *map)
{
	if (!map)
		return;
	free(map->text);
	free(map->entries);
	free(map);
}

static bool may_be_read(const struct stat *st, pid_t pid)
{
	struct stat process;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (!stat(path, &process))
		return st->st_uid == process.st_uid;
	return !st->st_uid || st->st_uid == geteuid();
}

/* Read all of it, or as much as is allowed. */
static char *read_text(int fd)
{
	char *text = NULL, *more;
	size_t nr = 0, max = 0;
	ssize_t got = 1;

	while (got > 0 && nr < JIT_MAP_BYTES_MAX) {
		if (nr == max) {
			max = max ? 2 * max : 64 << 10;
			more = realloc(text, max + 1);
			if (!more)
				break;
			text = more;
		}
		got = pread(fd, text + nr, max - nr, (off_t)nr);
		nr += got > 0 ? (size_t)got : 0;
	}
	if (text)
		text[nr] = '\0';
	return text;
}

/* Parse a line without its end. Lines that are no function are skipped. */
static bool parse(char *line, struct entry *entry)
{
	char *at;

	errno = 0;
	entry->start = strtoull(line, &at, 16);
	if (at == line || *at != ' ')
		return false;
	line = at;
	entry->size = strtoull(line, &at, 16);
	if (errno || at == line || *at != ' ' || !at[1])
		return false;
	entry->name = at + 1;
	return true;
}

static int add(struct jit_map *map, const struct entry *entry)
{
	struct entry *entries;

	if (map->nr == map->max) {
		map->max = map->max ? 2 * map->max : 1024;
		entries = reallocarray(map->entries, map->max, sizeof(*entry));
		if (!entries)
			return -ENOMEM;
		map->entries = entries;
	}
	map->entries[map->nr] = *entry;
	map->entries[map->nr].order = (uint32_t)map->nr;
	map->nr++;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static int parse_all(struct jit_map *map)
{
	char *next = map->text, *line;
	struct entry entry;
	int err = 0;

	while (next && !err && map->nr < JIT_MAP_ENTRIES_MAX) {
		line = strsep(&next, "\n");
		/* the last line may still be being written */
		if (next && parse(line, &entry))
			err = add(map, &entry);
	}
	if (map->nr)
		qsort(map->entries, map->nr, sizeof(*map->entries), compare);
	return err;
}

struct jit_map *jit_map_of(int fd)
{
	struct jit_map *map = calloc(1, sizeof(*map));

	if (!map)
		return NULL;
	map->text = read_text(fd);
	if (map->text && !parse_all(map))
		return map;
	jit_map_free(map);
	return NULL;
}

struct jit_map *jit_map_read(const struct regular_root *root, const char *path, pid_t pid,
			     int *err)
{
	struct jit_map *map = NULL;
	struct stat st;
	int fd = regular_open(root, path, REGULAR_NO_LINK, &st);

	*err = fd < 0 ? fd : 0;
	if (fd < 0)
		return NULL;
	if (may_be_read(&st, pid)) {
		map = jit_map_of(fd);
		*err = map ? 0 : -ENOMEM;
	} else {
		*err = -EPERM;
	}
	close(fd);
	return map;
}

const char *jit_map_find(const struct jit_map *map, uint64_t address)
{
	const struct entry *best = NULL;
	size_t nr = sorted_nr_upto(map->entries, map->nr, sizeof(*map->entries),
				   address);

	for (size_t i = nr; i > 0 && nr - i < LOOK_BACK; i--) {
		const struct entry *entry = &map->entries[i - 1];

		if (address - entry->start < entry->size &&
		    (!best || entry->order > best->order))
			best = entry;
	}
	return best ? best->name : NULL;
}
