/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Open files whose names come from a profile, and so from anyone: nothing but a
 * regular file is opened, and no link leads out of a root.
 */
#ifndef FLAMECTL_SYMBOLS_REGULAR_H
#define FLAMECTL_SYMBOLS_REGULAR_H

#include <sys/stat.h>

/* Whether the last part of a path may be a symbolic link. */
enum regular_links { REGULAR_LINKS, REGULAR_NO_LINK };

/**
 * regular_open() - open a regular file for reading.
 * @root: the directory to use as /, for @path and for symbolic links; "": / itself.
 * @path: absolute.
 * @st: set to what fstat() says of the file.
 *
 * It waits for no writer of a pipe, and no device does anything.
 *
 * Return: a file descriptor, -EINVAL if it is not a regular file, or -errno.
 */
int regular_open(const char *root, const char *path, enum regular_links links,
		 struct stat *st);

#endif /* FLAMECTL_SYMBOLS_REGULAR_H */
