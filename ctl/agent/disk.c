// SPDX-License-Identifier: GPL-2.0
/*
 * Change files step by step: see disk.h.
 */
#include "agent/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int (*disk_step)(void);

static int step(void)
{
	return disk_step ? disk_step() : 0;
}

static int failed(struct error *error, int err, const char *what, const char *name)
{
	return error_set(error, err, "cannot %s %.200s: %s", what, name, strerror(-err));
}

/* Give the file to the directory's user. Only root can, and only root needs to. */
static int give_to_owner(int directory, int fd)
{
	struct stat status;

	if (geteuid())
		return 0;
	return fstat(directory, &status) || fchown(fd, status.st_uid, status.st_gid) ?
	       -errno : 0;
}

/* Write to the open file @fd, and close it. */
static int write_content(int fd, disk_write_fn write, const void *what,
			 struct error *error)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = step() ?: write(what, out, error);
	if (!err && (fflush(out) || ferror(out)))
		err = errno ? -errno : -EIO;
	err = err ?: step();
	if (!err && fsync(fileno(out)))
		err = -errno;
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

int disk_write(int directory, const char *name, disk_write_fn write, const void *what,
	       struct error *error)
{
	struct error why = { "" };
	int fd, err = step();

	if (err)
		return failed(error, err, "write", name);
	fd = openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return failed(error, -errno, "write", name);
	err = give_to_owner(directory, fd);
	if (err)
		close(fd);
	errno = 0;
	err = err ?: write_content(fd, write, what, &why);
	if (!err)
		return 0;
	/* what is left takes up room, but nobody reads it */
	unlinkat(directory, name, 0);
	return error_set(error, err, "cannot write %.200s: %.200s", name,
			 *why.text ? why.text : strerror(-err));
}

int disk_replace(int directory, const char *name, disk_write_fn write, const void *what,
		 struct error *error)
{
	char temporary[NAME_MAX + 1];
	int err;

	if ((size_t)snprintf(temporary, sizeof(temporary), "%s" DISK_TEMPORARY, name) >=
	    sizeof(temporary))
		return failed(error, -ENAMETOOLONG, "write", name);
	err = disk_write(directory, temporary, write, what, error) ?:
	      disk_rename(directory, temporary, directory, name, error);
	return err ?: disk_sync(directory, error);
}

int disk_rename(int from, const char *name, int to, const char *new_name,
		struct error *error)
{
	int err = step();

	if (!err && renameat(from, name, to, new_name))
		err = -errno;
	return err ? failed(error, err, "rename", name) : 0;
}

int disk_remove(int directory, const char *name, struct error *error)
{
	int err = step();

	if (!err && unlinkat(directory, name, 0) && errno != ENOENT)
		err = -errno;
	return err ? failed(error, err, "remove", name) : 0;
}

int disk_make_directory(int directory, const char *name, struct error *error)
{
	int err = step();

	if (!err && mkdirat(directory, name, 0700) && errno != EEXIST)
		err = -errno;
	return err ? failed(error, err, "make the directory", name) : 0;
}

int disk_remove_directory(int directory, const char *name, struct error *error)
{
	int err = step();

	if (!err && unlinkat(directory, name, AT_REMOVEDIR) && errno != ENOENT)
		err = -errno;
	return err ? failed(error, err, "remove the directory", name) : 0;
}

int disk_open_directory(int directory, const char *name, struct error *error)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? failed(error, -errno, "open the directory", name) : fd;
}

int disk_sync(int directory, struct error *error)
{
	int err = step();

	if (!err && fsync(directory))
		err = -errno;
	return err ? failed(error, err, "write", "the directory") : 0;
}

int disk_each(int directory, int (*each)(void *context, const char *name), void *context,
	      struct error *error)
{
	/* a descriptor of its own, which starts at the first name */
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err = 0;
	DIR *names = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!names) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return failed(error, err, "read", "the directory");
	}
	while (!err && (errno = 0, entry = readdir(names)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = each(context, entry->d_name);
	if (!err && errno)
		err = failed(error, -errno, "read", "the directory");
	closedir(names);
	return err;
}
