/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /tmp/perf-PID.map: the names of functions that a JIT compiler made, which its
 * process writes, one "START SIZE NAME" a line, both numbers hexadecimal.
 */
#ifndef FLAMECTL_SYMBOLS_JIT_MAP_H
#define FLAMECTL_SYMBOLS_JIT_MAP_H

#include <stdint.h>
#include <sys/types.h>

#include "symbols/regular.h"

/* The largest map that is read, and the most functions. */
#define JIT_MAP_BYTES_MAX	(64U << 20)
#define JIT_MAP_ENTRIES_MAX	(1U << 20)

struct jit_map;

/**
 * jit_map_pid() - return the process whose map has this path, or 0 if it is not
 * the path of a map.
 */
pid_t jit_map_pid(const char *path);

/**
 * jit_map_read() - read a process's map. Anyone can write to /tmp, so it must be
 * a regular file, no link, of that process's user; if the process is gone, of
 * root or of flamectl's own user.
 * @root: below which @path is.
 * @path: of the map of process @pid.
 * @err: set to -errno, -EPERM if the file is another user's, if there is no map.
 *
 * Return: the map, to be freed by jit_map_free(), or NULL.
 */
struct jit_map *jit_map_read(const struct regular_root *root, const char *path,
			     pid_t pid, int *err);

/**
 * jit_map_of() - read the map that is open as @fd, which stays open.
 *
 * Return: the map, to be freed by jit_map_free(), or NULL when memory is short.
 */
struct jit_map *jit_map_of(int fd);

/** jit_map_free() - free @map; NULL is fine. */
void jit_map_free(struct jit_map *map);

/**
 * jit_map_find() - return the name of the function at @address, or NULL. Of
 * several it is the one that was written last.
 */
const char *jit_map_find(const struct jit_map *map, uint64_t address);

#endif /* FLAMECTL_SYMBOLS_JIT_MAP_H */
