// SPDX-License-Identifier: GPL-2.0
/*
 * Find the root of a process: see process.h. Mount namespaces are compared and not
 * roots: the module's paths begin at the root of a namespace, also for a process that
 * has called chroot() in it. If flamectl itself has, its / is not that root. Process 1 has
 * it: the kernel threads that make the paths share its root, and in a container it is the
 * first process.
 */
#include "symbols/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than "mnt:[4026531841]" needs. */
#define NAMESPACE	64

#define FIRST_ROOT	"/proc/1/root"

static int read_namespace(const char *path, char text[NAMESPACE])
{
	ssize_t nr = readlink(path, text, NAMESPACE - 1);

	if (nr < 0)
		return -errno;
	text[nr] = '\0';
	return 0;
}

static bool is_own_namespace(const char *other)
{
	char own[NAMESPACE];

	return !read_namespace("/proc/self/ns/mnt", own) && !strcmp(own, other);
}

enum process_files process_files(pid_t pid, char root[PROCESS_ROOT])
{
	char path[64], other[NAMESPACE];
	int err;

	snprintf(path, sizeof(path), "/proc/%d/ns/mnt", (int)pid);
	err = read_namespace(path, other);
	if (err)
		return err == -EACCES || err == -EPERM ? PROCESS_DENIED : PROCESS_GONE;
	if (is_own_namespace(other))
		return PROCESS_SAME;
	snprintf(root, PROCESS_ROOT, "/proc/%d/root", (int)pid);
	return PROCESS_OTHER;
}

/* Look which directory it is. A server of its file system is not asked. */
static bool identify(const char *path, struct statx *directory)
{
	return !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_INO | STATX_MNT_ID, directory);
}

/* A mount of / elsewhere has its inode, but not what is mounted below it. */
static bool is_same(const struct statx *a, const struct statx *b)
{
	return a->stx_dev_major == b->stx_dev_major && a->stx_dev_minor == b->stx_dev_minor &&
	       a->stx_ino == b->stx_ino &&
	       (!(a->stx_mask & b->stx_mask & STATX_MNT_ID) || a->stx_mnt_id == b->stx_mnt_id);
}

bool process_outer_root(char root[PROCESS_ROOT])
{
	struct statx own, first;
	char other[NAMESPACE];

	if (read_namespace("/proc/1/ns/mnt", other) || !is_own_namespace(other) ||
	    !identify("/", &own) || !identify(FIRST_ROOT, &first) || is_same(&own, &first))
		return false;
	snprintf(root, PROCESS_ROOT, FIRST_ROOT);
	return true;
}
