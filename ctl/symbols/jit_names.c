// SPDX-License-Identifier: GPL-2.0
/*
 * Remember names of code that processes make at run time: see jit_names.h.
 */
#include "symbols/jit_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "symbols/jit_map.h"
#include "symbols/jit_process.h"
#include "symbols/kept_name.h"

/* An address that was looked for. */
struct entry {
	uint64_t address;
	uint32_t pid;
	uint32_t name;			/* a text's number plus one; 0: it has none */
	uint32_t reading;		/* of the process's map, in which it was not */
};

struct known_process {
	struct jit_process process;
	struct stat seen;		/* its map as it was read last */
	uint32_t readings;		/* how often it was read */
	enum jit_state state;		/* why the other addresses have no name */
};

struct jit_names {
	bool any_fs;
	struct intern texts;
	struct map map;			/* of entries, by a hash of their places */
	struct entry *entries;
	uint32_t nr;
	size_t room;
	struct known_process *processes;
	struct map by_pid;
	uint32_t nr_processes;
	size_t processes_room;
	size_t nr_open;
};

struct jit_names *jit_names_create(bool any_fs)
{
	struct jit_names *names = calloc(1, sizeof(*names));

	if (names)
		names->any_fs = any_fs;
	return names;
}

void jit_names_destroy(struct jit_names *names)
{
	if (!names)
		return;
	for (uint32_t i = 0; i < names->nr_processes; i++)
		jit_process_deinit(&names->processes[i].process);
	intern_deinit(&names->texts);
	map_deinit(&names->map);
	map_deinit(&names->by_pid);
	free(names->entries);
	free(names->processes);
	free(names);
}

static int compare(const void *left, const void *right)
{
	const struct jit_place *a = left, *b = right;

	if (a->pid != b->pid)
		return a->pid > b->pid ? 1 : -1;
	return (a->address > b->address) - (a->address < b->address);
}

static uint64_t key_of(uint32_t pid, uint64_t address)
{
	return hash_numbers(pid, 0, (uint32_t)(address >> 32), (uint32_t)address);
}

static struct entry *find_entry(const struct jit_names *names,
				const struct jit_place *place)
{
	uint64_t key = key_of(place->pid, place->address);
	const struct map_slot *slot;

	for (slot = map_first(&names->map, key); slot;
	     slot = map_next(&names->map, key, slot)) {
		struct entry *entry = &names->entries[slot->number - 1];

		if (entry->address == place->address && entry->pid == place->pid)
			return entry;
	}
	return NULL;
}

/* Find or add an entry. Return: 0 or -ENOMEM; there are too many if it is NULL then. */
static int get_entry(struct jit_names *names, const struct jit_place *place,
		     struct entry **entry)
{
	*entry = find_entry(names, place);
	if (*entry || names->nr == JIT_NAMES_MAX)
		return 0;
	if (vec_reserve(names->entries, names->room, (size_t)names->nr + 1) ||
	    map_reserve(&names->map, 1))
		return -ENOMEM;
	*entry = &names->entries[names->nr];
	**entry = (struct entry){ .address = place->address, .pid = place->pid };
	map_put(&names->map, key_of(place->pid, place->address), names->nr++);
	return 0;
}

static int get_process(struct jit_names *names, uint32_t pid,
		       struct known_process **process)
{
	uint32_t found = map_find(&names->by_pid, pid);

	*process = NULL;
	if (found == MAP_NONE) {
		if (names->nr_processes == JIT_PROCESSES_MAX)
			return 0;
		if (vec_reserve(names->processes, names->processes_room,
				(size_t)names->nr_processes + 1) ||
		    map_reserve(&names->by_pid, 1))
			return -ENOMEM;
		found = names->nr_processes++;
		memset(&names->processes[found], 0, sizeof(names->processes[found]));
		names->processes[found].state = JIT_NO_MAP;
		jit_process_init(&names->processes[found].process, (pid_t)pid);
		map_put(&names->by_pid, pid, found);
	}
	*process = &names->processes[found];
	return 0;
}

static enum jit_state state_of(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENOTDIR:
	case -ESRCH:
		return JIT_NO_MAP;
	case -EACCES:
		return JIT_DENIED;
	case -EREMOTE:
		return JIT_REMOTE;
	}
	return JIT_REFUSED;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Was some place not looked for in the map as it is now? */
static bool is_new(const struct jit_names *names, const struct known_process *process,
		   const struct jit_place *places, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct entry *entry = find_entry(names, &places[i]);

		if (!entry || (!entry->name && entry->reading != process->readings))
			return true;
	}
	return false;
}

/* Keep a name, or that there is none. */
static int keep(struct jit_names *names, const struct known_process *process,
		const struct jit_place *place, const char *name)
{
	struct entry *entry;
	uint32_t number;
	int err = get_entry(names, place, &entry);

	if (err || !entry || entry->name)
		return err;
	entry->reading = process->readings;
	if (!name)
		return 0;
	err = kept_name_add(&names->texts, name, &number);
	if (!err)
		entry->name = number + 1;
	return err ? -ENOMEM : 0;
}

static int look_in_map(struct jit_names *names, struct known_process *process, int fd,
		       const struct jit_place *places, size_t nr)
{
	struct jit_map *map = jit_map_of(fd);
	int err = map ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr && !err; i++)
		err = keep(names, process, &places[i],
			   jit_map_find(map, places[i].address));
	jit_map_free(map);
	return err;
}

/* Do not keep more files open than allowed. */
static void count_open(struct jit_names *names, struct known_process *process, int before)
{
	names->nr_open += process->process.fd >= 0;
	names->nr_open -= before >= 0;
	if (names->nr_open <= JIT_OPEN_MAX)
		return;
	jit_process_deinit(&process->process);
	names->nr_open--;
}

/* Look for places of one process in its map. */
static int look(struct jit_names *names, struct known_process *process,
		const struct jit_place *places, size_t nr)
{
	int before = process->process.fd, fd, err = 0;
	struct stat st;

	if (!process->process.is_gone)
		jit_process_look(&process->process);
	fd = jit_process_open(&process->process, names->any_fs, &st);
	count_open(names, process, before);
	if (fd < 0) {
		/* what was read before is said first */
		if (process->state != JIT_NOT_IN_MAP)
			process->state = state_of(fd);
		return 0;
	}
	process->state = JIT_NOT_IN_MAP;
	if (!is_same(&process->seen, &st))
		process->readings++;
	process->seen = st;
	if (is_new(names, process, places, nr))
		err = look_in_map(names, process, fd, places, nr);
	close(fd);
	return err;
}

/* @otherwise: the state of a place that has no name */
static void answer(const struct jit_names *names, enum jit_state otherwise,
		   struct jit_place *place)
{
	const struct entry *entry = find_entry(names, place);

	place->name = entry && entry->name ?
		      intern_text(&names->texts, entry->name - 1) : NULL;
	place->state = place->name ? JIT_NAMED : otherwise;
}

static bool all_named(const struct jit_names *names, const struct jit_place *places,
		      size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct entry *entry = find_entry(names, &places[i]);

		if (!entry || !entry->name)
			return false;
	}
	return true;
}

int jit_names_find(struct jit_names *names, struct jit_place *places, size_t nr,
		   bool (*is_late)(void *context), void *context)
{
	struct known_process *process;
	enum jit_state otherwise;
	bool is_over = false;
	size_t of_process;
	int err = 0;

	if (nr)
		qsort(places, nr, sizeof(*places), compare);
	for (size_t i = 0; i < nr && !err; i += of_process) {
		for (of_process = 1; i + of_process < nr; of_process++)
			if (places[i + of_process].pid != places[i].pid)
				break;
		err = get_process(names, places[i].pid, &process);
		otherwise = JIT_NO_MAP;
		if (!err && process && !all_named(names, &places[i], of_process)) {
			is_over = is_over || (is_late && is_late(context));
			if (!is_over)
				err = look(names, process, &places[i], of_process);
			otherwise = is_over ? JIT_UNSOUGHT : process->state;
		}
		for (size_t j = i; j < i + of_process && !err; j++)
			answer(names, otherwise, &places[j]);
	}
	return err ?: is_over ? -EAGAIN : 0;
}
