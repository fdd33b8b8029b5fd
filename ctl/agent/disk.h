/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Change files so that a crash or a power cut at any moment leaves either the old state
 * or the new one: each step is on disk before the next one starts.
 *
 * All names are relative to an open directory, and have no slash.
 */
#ifndef FLAMECTL_AGENT_DISK_H
#define FLAMECTL_AGENT_DISK_H

#include <stdio.h>

#include "base/error.h"

/* A file is written under its name and this, then renamed. */
#define DISK_TEMPORARY	".new"

/**
 * disk_write_fn - write the whole content of a file.
 * @error: to be filled in on an error, or left empty for the text of errno.
 *
 * Return: 0 or -errno.
 */
typedef int (*disk_write_fn)(const void *what, FILE *out, struct error *error);

/**
 * disk_write() - write a new file of mode 0600, and wait until its content is on disk.
 * Its name is so only after disk_sync(). Whatever else has that name is removed first, and
 * never written to. After an error there is no such file. It belongs to the directory's
 * user: what root writes, the agent can read.
 */
int disk_write(int directory, const char *name, disk_write_fn write, const void *what,
	       struct error *error);

/** disk_replace() - write a file that replaces one of that name at once, or not at all. */
int disk_replace(int directory, const char *name, disk_write_fn write, const void *what,
		 struct error *error);

/** disk_rename() - rename; disk_sync() of both directories makes it last. */
int disk_rename(int from, const char *name, int to, const char *new_name,
		struct error *error);

/** disk_remove() - remove a file; fine if it is not there. */
int disk_remove(int directory, const char *name, struct error *error);

/**
 * disk_make_directory() - make a directory of mode 0700; fine if it is there. It belongs to
 * the user of the one that it is in, unless that is AT_FDCWD.
 */
int disk_make_directory(int directory, const char *name, struct error *error);

/** disk_make_file() - make an empty file of mode 0600, as disk_write(); fine if it is there. */
int disk_make_file(int directory, const char *name, struct error *error);

/** disk_remove_directory() - remove an empty directory; fine if it is not there. */
int disk_remove_directory(int directory, const char *name, struct error *error);

/**
 * disk_open_inside() - open a directory inside of another one, whose user may be another one
 * than the caller. It is opened if it belongs to that user, or to the caller, and is no link.
 *
 * Return: a descriptor or -errno.
 */
int disk_open_inside(int directory, const char *name, struct error *error);

/**
 * disk_open_file() - open a regular file that the directory's user may have replaced by
 * anything. This follows no link, and waits for nobody.
 * @flags: O_RDONLY; or O_RDWR for a file that has no second name.
 *
 * Return: a descriptor, -EBADMSG if it is not such a file, or another -errno.
 */
int disk_open_file(int directory, const char *name, int flags, struct error *error);

/** disk_read() - open such a file to read it, as @in. Return: 0, or as disk_open_file(). */
int disk_read(int directory, const char *name, FILE **in, struct error *error);

/** disk_sync() - wait until the names in a directory are on disk. */
int disk_sync(int directory, struct error *error);

/**
 * disk_each() - call @each for the names in a directory, in no order, until it returns
 * another value than 0.
 *
 * Return: that value, 0, or -errno.
 */
int disk_each(int directory, int (*each)(void *context, const char *name), void *context,
	      struct error *error);

/*
 * Called before each step if it is not NULL; an -errno that it returns is taken for the
 * step's result. Tests end the process in it, or let the disk be full.
 */
extern int (*disk_step)(void);

#endif /* FLAMECTL_AGENT_DISK_H */
