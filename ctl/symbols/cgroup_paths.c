// SPDX-License-Identifier: GPL-2.0
/*
 * The paths of cgroups: see cgroup_paths.h.
 *
 * readdir() tells the inode number of each directory (kernfs_fop_readdir() in Linux's
 * fs/kernfs/dir.c), so a walk opens each directory once, and reads no file. Handles
 * (open_by_handle_at()) would need CAP_DAC_READ_SEARCH.
 */
#include "symbols/cgroup_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/map.h"

/* The number of the root of all cgroups. */
#define ROOT	1

/* No path of a file is longer. */
#define PATH_BYTES	4096

struct cgroup_paths {
	char *mount;			/* NULL: none */
	size_t max;
	bool sees_all, is_full;
	struct intern texts;
	struct map numbers;		/* of texts, by the cgroup's number */
	char path[PATH_BYTES];		/* of the directory being walked */
};

char *cgroup_paths_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *mount;
	char *found = NULL;

	while (mounts && !found && (mount = getmntent(mounts)))
		if (!strcmp(mount->mnt_type, "cgroup2"))
			found = strdup(mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return found;
}

struct cgroup_paths *cgroup_paths_create(const char *mount, size_t max)
{
	struct cgroup_paths *paths = calloc(1, sizeof(*paths));

	if (!paths)
		return NULL;
	paths->max = max;
	paths->sees_all = true;
	if (!mount)
		return paths;
	paths->mount = strdup(mount);
	if (paths->mount)
		return paths;
	cgroup_paths_destroy(paths);
	return NULL;
}

void cgroup_paths_destroy(struct cgroup_paths *paths)
{
	if (!paths)
		return;
	free(paths->mount);
	intern_deinit(&paths->texts);
	map_deinit(&paths->numbers);
	free(paths);
}

/* Keep a path of @length bytes. Return: 0, -ENOSPC if there is no room, or -ENOMEM. */
static int keep(struct cgroup_paths *paths, uint64_t number, const char *path, size_t length)
{
	uint32_t text;
	int err;

	if (map_find(&paths->numbers, number) != MAP_NONE)
		return 0;
	if (paths->numbers.nr >= paths->max) {
		paths->is_full = true;
		return -ENOSPC;
	}
	err = map_reserve(&paths->numbers, 1) ?:
	      intern_add(&paths->texts, path, length, &text);
	if (!err)
		map_put(&paths->numbers, number, text);
	return err;
}

static bool is_child(const struct dirent *entry)
{
	return entry->d_type == DT_DIR && strcmp(entry->d_name, ".") &&
	       strcmp(entry->d_name, "..");
}

static int walk(struct cgroup_paths *paths, int fd, size_t length, unsigned int depth);

/* Keep a directory in @dir and walk it. paths->path has @length bytes of @dir's path. */
static int enter(struct cgroup_paths *paths, DIR *dir, const struct dirent *entry,
		 size_t length, unsigned int depth)
{
	size_t more = strlen(entry->d_name) + 1;
	int fd, err;

	if (length + more >= PATH_BYTES || depth == CGROUP_DEPTH_MAX)
		return 0;
	paths->path[length] = '/';
	memcpy(paths->path + length + 1, entry->d_name, more);
	err = keep(paths, entry->d_ino, paths->path, length + more);
	if (err)
		return err;
	fd = openat(dirfd(dir), entry->d_name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? 0 : walk(paths, fd, length + more, depth + 1);
}

/* Walk a directory, whose @fd is closed. */
static int walk(struct cgroup_paths *paths, int fd, size_t length, unsigned int depth)
{
	const struct dirent *entry;
	DIR *dir = fdopendir(fd);
	int err = 0;

	if (!dir) {
		close(fd);
		return 0;
	}
	while (!err && (entry = readdir(dir)))
		if (is_child(entry))
			err = enter(paths, dir, entry, length, depth);
	closedir(dir);
	return err;
}

/* Return: 0, -ENOSPC if there was no room, or -ENOMEM. */
static int look(struct cgroup_paths *paths)
{
	struct stat root;
	int fd = paths->mount ? open(paths->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int err = 0;

	/* without a mount all tasks are in the root */
	if (fd < 0)
		return keep(paths, ROOT, "/", 1);
	if (!fstat(fd, &root)) {
		paths->sees_all = root.st_ino == ROOT;
		err = keep(paths, root.st_ino, "/", 1);
	}
	if (!err)
		return walk(paths, fd, 0, 0);
	close(fd);
	return err;
}

int cgroup_paths_look(struct cgroup_paths *paths)
{
	int err = paths->is_full ? 0 : look(paths);

	return err == -ENOSPC ? 0 : err;
}

uint64_t cgroup_paths_due_ns(uint64_t begin_ns, uint64_t end_ns, uint64_t every_ns)
{
	uint64_t rest_ns = (end_ns - begin_ns) * CGROUP_WALK_PART;

	return end_ns + rest_ns > begin_ns + every_ns ? end_ns + rest_ns : begin_ns + every_ns;
}

bool cgroup_paths_is_full(const struct cgroup_paths *paths)
{
	return paths->is_full;
}

const char *cgroup_paths_find(const struct cgroup_paths *paths, uint64_t number)
{
	uint32_t text = map_find(&paths->numbers, number);

	return text == MAP_NONE ? NULL : intern_text(&paths->texts, text);
}

bool cgroup_paths_sees_all(const struct cgroup_paths *paths)
{
	return paths->sees_all;
}
