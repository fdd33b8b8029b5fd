// SPDX-License-Identifier: GPL-2.0
/*
 * Open files whose names come from a profile: see regular.h.
 */
#include "symbols/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FLAGS	(O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Open @path as a process would whose root directory is @root. */
static int open_below(const char *root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	long fd;
	int err;

	if (dir < 0)
		return -errno;
	fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	err = fd < 0 ? -errno : (int)fd;
	close(dir);
	return err;
}

int regular_open(const char *root, const char *path, enum regular_links links,
		 struct stat *st)
{
	int flags = FLAGS | (links == REGULAR_NO_LINK ? O_NOFOLLOW : 0);
	int fd;

	if (*root) {
		fd = open_below(root, path, flags);
	} else {
		fd = open(path, flags);
		fd = fd < 0 ? -errno : fd;
	}
	if (fd < 0)
		return fd;
	if (!fstat(fd, st) && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}
