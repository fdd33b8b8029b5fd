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

/* Make a file that was not there. Return: a descriptor or -errno. */
static int make_file(int directory, const char *name)
{
	int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), err;

	if (fd < 0)
		return -errno;
	err = give_to_owner(directory, fd);
	if (!err)
		return fd;
	close(fd);
	unlinkat(directory, name, 0);
	return err;
}

int disk_write(int directory, const char *name, disk_write_fn write, const void *what,
	       struct error *error)
{
	struct error why = { "" };
	int fd, err = step();

	if (err)
		return failed(error, err, "write", name);
	if (unlinkat(directory, name, 0) && errno != ENOENT)
		return failed(error, -errno, "write", name);
	fd = make_file(directory, name);
	if (fd < 0)
		return failed(error, fd, "write", name);
	errno = 0;
	err = write_content(fd, write, what, &why);
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

/* Open a directory, but no link to one. Return: a descriptor or -errno. */
static int open_directory(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Make a directory that was not there. Return: 0 or -errno. */
static int make_directory(int directory, const char *name)
{
	int fd, err;

	if (mkdirat(directory, name, 0700))
		return -errno;
	if (directory == AT_FDCWD)
		return 0;
	fd = open_directory(directory, name);
	if (fd < 0)
		return fd;
	err = give_to_owner(directory, fd);
	close(fd);
	return err;
}

int disk_make_directory(int directory, const char *name, struct error *error)
{
	int err = step() ?: make_directory(directory, name);

	return err && err != -EEXIST ? failed(error, err, "make the directory", name) : 0;
}

int disk_make_file(int directory, const char *name, struct error *error)
{
	int fd = make_file(directory, name);

	if (fd == -EEXIST)
		return 0;
	if (fd < 0)
		return failed(error, fd, "make", name);
	close(fd);
	return 0;
}

int disk_remove_directory(int directory, const char *name, struct error *error)
{
	int err = step();

	if (!err && unlinkat(directory, name, AT_REMOVEDIR) && errno != ENOENT)
		err = -errno;
	return err ? failed(error, err, "remove the directory", name) : 0;
}

/* Does the directory @fd belong to the user of @around, or to the caller? */
static int check_user(int around, int fd, const char *name, struct error *error)
{
	struct stat outer, inner;

	if (fstat(around, &outer) || fstat(fd, &inner))
		return failed(error, -errno, "read the directory", name);
	if (inner.st_uid == outer.st_uid || inner.st_uid == geteuid())
		return 0;
	return error_set(error, -EPERM, "the directory %.200s belongs to user %u, and the one that it is in to user %u: both must belong to the user that the agent runs as",
			 name, inner.st_uid, outer.st_uid);
}

int disk_open_inside(int directory, const char *name, struct error *error)
{
	int fd = open_directory(directory, name), err;

	if (fd < 0)
		return failed(error, fd, "open the directory", name);
	err = check_user(directory, fd, name, error);
	if (err)
		close(fd);
	return err ?: fd;
}

/* Say why it cannot be used. Return: NULL if it can be. */
static const char *find_fault(int fd, int flags)
{
	struct stat status;

	if (fstat(fd, &status))
		return strerror(errno);
	if (!S_ISREG(status.st_mode))
		return "it is not a regular file";
	return flags != O_RDONLY && status.st_nlink > 1 ?
	       "the file has another name, too" : NULL;
}

int disk_open_file(int directory, const char *name, int flags, struct error *error)
{
	int fd = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const char *fault;

	/* a link and a socket */
	if (fd < 0 && errno != ELOOP && errno != ENXIO)
		return failed(error, -errno, "open", name);
	fault = fd < 0 ? "it is not a regular file" : find_fault(fd, flags);
	if (!fault)
		return fd;
	if (fd >= 0)
		close(fd);
	return error_set(error, -EBADMSG, "cannot open %.200s: %s", name, fault);
}

int disk_read(int directory, const char *name, FILE **in, struct error *error)
{
	int fd = disk_open_file(directory, name, O_RDONLY, error), err;

	if (fd < 0)
		return fd;
	*in = fdopen(fd, "r");
	if (*in)
		return 0;
	err = -errno;
	close(fd);
	return failed(error, err, "read", name);
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
