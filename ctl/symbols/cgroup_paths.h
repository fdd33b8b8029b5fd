/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The paths of cgroups by their numbers, which are the inode numbers of their directories.
 *
 * They are found by a walk of the file system of type cgroup2, which anyone may do. A path
 * that was seen once is kept after its cgroup is gone; numbers are not used again.
 */
#ifndef FLAMECTL_CGROUP_PATHS_H
#define FLAMECTL_CGROUP_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most paths that are kept, and the deepest that is looked at. */
#define CGROUP_PATHS_MAX	(1U << 17)
#define CGROUP_DEPTH_MAX	64

/* A walk takes at most a part of the time: what it took goes by so often before the next. */
#define CGROUP_WALK_PART	10

struct cgroup_paths;

/** cgroup_paths_mount() - return where cgroup2 is mounted, to be freed; NULL: nowhere. */
char *cgroup_paths_mount(void);

/**
 * cgroup_paths_create() - create an empty list.
 * @mount: a directory of type cgroup2, or of any type in tests; NULL: there is none. Copied.
 * @max: how many paths are kept at most: CGROUP_PATHS_MAX, or less in tests.
 *
 * Return: NULL if memory is short.
 */
struct cgroup_paths *cgroup_paths_create(const char *mount, size_t max);

/** cgroup_paths_destroy() - free it; NULL is fine. */
void cgroup_paths_destroy(struct cgroup_paths *paths);

/**
 * cgroup_paths_look() - walk all cgroups that there are now, and keep new paths.
 *
 * What cannot be read, or goes meanwhile, is passed over. A walk ends at the first path for
 * which there is no room, and there is none after it.
 *
 * Return: 0 or -ENOMEM.
 */
int cgroup_paths_look(struct cgroup_paths *paths);

/**
 * cgroup_paths_due_ns() - return when to walk again.
 * @begin_ns, @end_ns: of the last walk
 * @every_ns: from one beginning to the next; longer if the walk was long.
 */
uint64_t cgroup_paths_due_ns(uint64_t begin_ns, uint64_t end_ns, uint64_t every_ns);

/** cgroup_paths_is_full() - report whether there was no room for a path. */
bool cgroup_paths_is_full(const struct cgroup_paths *paths);

/** cgroup_paths_find() - return the path of a number, such as "/a/b", or NULL. */
const char *cgroup_paths_find(const struct cgroup_paths *paths, uint64_t number);

/**
 * cgroup_paths_sees_all() - report whether the walk begins at the root of all cgroups; in
 * a container it often does not.
 */
bool cgroup_paths_sees_all(const struct cgroup_paths *paths);

#endif /* FLAMECTL_CGROUP_PATHS_H */
