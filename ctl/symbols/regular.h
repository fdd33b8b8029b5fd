/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Open files whose names come from a profile, and so from anyone. Only regular files are
 * opened, and none that the kernel makes up, as those of /proc and /sys. A link cannot lead
 * out of a root. Files of network and FUSE file systems are not opened unless asked for, as
 * their servers may never answer.
 */
#ifndef FLAMECTL_SYMBOLS_REGULAR_H
#define FLAMECTL_SYMBOLS_REGULAR_H

#include <stdbool.h>
#include <sys/stat.h>

/* Below what to look, and where not. */
struct regular_root {
	const char *directory;	/* to use as /, for paths and symbolic links; "": / itself */
	bool any_fs;		/* on network file systems and those of FUSE as well */
};

/* Whether the last part of a path may be a symbolic link. */
enum regular_links { REGULAR_LINKS, REGULAR_NO_LINK };

/**
 * regular_open() - open a regular file for reading.
 * @path: absolute.
 * @st: set to what fstat() says of the file.
 *
 * It waits for no writer of a pipe, and no device does anything. The file system of
 * root's directory itself is always read, unless that is a process's /proc/PID/root.
 *
 * Return: a file descriptor, -EINVAL if it is not a regular file or the kernel makes it
 * up, -EREMOTE if it is, or may be, on a file system that root does not allow, or -errno.
 */
int regular_open(const struct regular_root *root, const char *path,
		 enum regular_links links, struct stat *st);

#endif /* FLAMECTL_SYMBOLS_REGULAR_H */
