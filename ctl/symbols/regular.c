// SPDX-License-Identifier: GPL-2.0
/*
 * Open files whose names come from a profile: see regular.h.
 *
 * The path is followed here and not by the kernel, one directory at a time, so that
 * each mount is looked up in the list of mounts before anything on it is asked for: a
 * dead server may never answer. What is mounted there after the list was read is seen by
 * the number of its mount, which the kernel knows by itself.
 */
#include "symbols/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "symbols/mounts.h"
#include "symbols/process.h"

#define FLAGS	(O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* As the kernel has it. */
#define LINKS_MAX	40

/* More parts than a path has, with all its links. */
#define STEPS_MAX	(LINKS_MAX * 256)

/* What is no file descriptor and no error. */
#define MORE	INT_MAX

struct walk {
	struct mounts *mounts;		/* NULL: all are fine */
	int root;			/* where paths that begin with / lead */
	char prefix[PATH_MAX];		/* the root's path in the list of mounts; "": / */
	int at;				/* what was reached, */
	char path[PATH_MAX];		/* its path below the root, without links */
	char rest[2 * PATH_MAX];	/* what is to follow */
	unsigned int nr_links;
};

static int go_to_root(struct walk *walk)
{
	if (walk->at >= 0)
		close(walk->at);
	walk->path[0] = '\0';
	walk->at = fcntl(walk->root, F_DUPFD_CLOEXEC, 0);
	return walk->at < 0 ? -errno : 0;
}

/* Put @text before what is to follow. */
static int put_before(struct walk *walk, const char *text)
{
	size_t length = strlen(text), rest = strlen(walk->rest);

	if (length + 1 + rest >= sizeof(walk->rest))
		return -ENAMETOOLONG;
	memmove(walk->rest + length + 1, walk->rest, rest + 1);
	memcpy(walk->rest, text, length);
	walk->rest[length] = '/';
	return 0;
}

/* Take the next part of the path. Return: its length, 0 if there is none, or -errno. */
static int take(struct walk *walk, char part[NAME_MAX + 1])
{
	size_t skipped = strspn(walk->rest, "/");
	size_t length = strcspn(walk->rest + skipped, "/");

	if (length > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(part, walk->rest + skipped, length);
	part[length] = '\0';
	skipped += length;
	memmove(walk->rest, walk->rest + skipped, strlen(walk->rest + skipped) + 1);
	return (int)length;
}

static bool is_last(const struct walk *walk)
{
	return !walk->rest[strspn(walk->rest, "/")];
}

/* The way up is the way down from the root to there: it has no links. */
static int go_up(struct walk *walk)
{
	char parent[PATH_MAX];
	char *name;

	strcpy(parent, walk->path);
	name = strrchr(parent, '/');
	if (name)
		*name = '\0';
	return put_before(walk, parent) ?: go_to_root(walk);
}

static int follow(struct walk *walk, int link)
{
	char target[PATH_MAX];
	ssize_t nr = readlinkat(link, "", target, sizeof(target) - 1);
	int err;

	if (nr < 0)
		return -errno;
	target[nr] = '\0';
	if (++walk->nr_links > LINKS_MAX)
		return -ELOOP;
	err = put_before(walk, target);
	return err || *target != '/' ? err : go_to_root(walk);
}

/* Open a part of the path, whatever it is, and read nothing. */
static int open_part(const struct walk *walk, const char *part)
{
	char full[2 * PATH_MAX + NAME_MAX + 2];
	int fd, err;

	snprintf(full, sizeof(full), "%s%s/%s", walk->prefix, walk->path, part);
	if (walk->mounts && !mounts_local_at(walk->mounts, full))
		return -EREMOTE;
	fd = openat(walk->at, part, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (!walk->mounts || mounts_local(walk->mounts, fd))
		return fd;
	err = -EREMOTE;
	close(fd);
	return err;
}

/* Make @fd, a directory, what was reached. */
static int enter(struct walk *walk, int fd, const char *part)
{
	size_t length = strlen(walk->path);

	if (length + 1 + strlen(part) >= sizeof(walk->path)) {
		close(fd);
		return -ENAMETOOLONG;
	}
	snprintf(walk->path + length, sizeof(walk->path) - length, "/%s", part);
	close(walk->at);
	walk->at = fd;
	return 0;
}

/* Open for reading what was opened as a mere part. */
static int open_again(int fd)
{
	char path[64];
	int again;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, FLAGS);
	again = again < 0 ? -errno : again;
	close(fd);
	return again;
}

/*
 * Refuse files that the kernel makes up. They are regular ones, but to read them may do
 * something: some below /sys are registers of devices. No program runs from there.
 * Return: 0, -EINVAL or -errno.
 */
static int check_type(int fd)
{
	static const unsigned long kernels[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return -errno;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if ((unsigned long)fs.f_type == kernels[i])
			return -EINVAL;
	return 0;
}

/* Return: a file descriptor if @part is the file, MORE if there is more to follow. */
static int step(struct walk *walk, const char *part, enum regular_links links,
		struct stat *st)
{
	int fd, err;

	if (!strcmp(part, "."))
		return MORE;
	if (!strcmp(part, ".."))
		return go_up(walk) ?: MORE;
	fd = open_part(walk, part);
	if (fd < 0)
		return fd;
	err = fstat(fd, st) ? -errno : 0;
	if (!err && S_ISDIR(st->st_mode))
		return enter(walk, fd, part) ?: MORE;
	if (!err && S_ISLNK(st->st_mode)) {
		err = is_last(walk) && links == REGULAR_NO_LINK ?
		      -ELOOP : follow(walk, fd);
		close(fd);
		return err ?: MORE;
	}
	if (!err && !is_last(walk))
		err = -ENOTDIR;
	if (!err)
		err = S_ISREG(st->st_mode) ? check_type(fd) : -EINVAL;
	if (!err)
		return open_again(fd);
	close(fd);
	return err;
}

/* Read the list of flamectl's mount namespace; in a chroot, its own one lacks most. */
static struct mounts *read_own_mounts(void)
{
	char root[PROCESS_ROOT];

	return mounts_read(process_outer_root(root) ? "/proc/1/mountinfo" :
						      "/proc/self/mountinfo");
}

/*
 * The list of a process lacks the mount of its root if that is no mount point. The list of
 * this namespace may have it, as numbers of mounts are the same for all.
 */
static bool is_local_root(const struct walk *walk)
{
	struct mounts *own;
	bool is_local;

	if (mounts_local(walk->mounts, walk->root))
		return true;
	own = read_own_mounts();
	is_local = own && mounts_local(own, walk->root);
	mounts_free(own);
	if (is_local)
		mounts_trust(walk->mounts, walk->root);
	return is_local;
}

/* The root and what is mounted in it. */
static int start(struct walk *walk, const struct regular_root *root)
{
	const char *directory = *root->directory ? root->directory : "/";
	char list[64] = "/proc/self/mountinfo", link[64];
	int pid = 0, end = 0;
	ssize_t nr;

	if (sscanf(directory, "/proc/%d/root%n", &pid, &end) == 1 && end && !directory[end])
		snprintf(list, sizeof(list), "/proc/%d/mountinfo", pid);
	else
		pid = 0;
	if (!root->any_fs) {
		walk->mounts = mounts_read(list);
		if (!walk->mounts)
			return -errno;
	}
	if (pid && walk->mounts && !mounts_local_at(walk->mounts, "/"))
		return -EREMOTE;
	walk->root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (walk->root < 0)
		return -errno;
	if (pid && walk->mounts && !is_local_root(walk))
		return -EREMOTE;
	if (pid || !walk->mounts)
		return go_to_root(walk);
	mounts_trust(walk->mounts, walk->root);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", walk->root);
	nr = readlink(link, walk->prefix, sizeof(walk->prefix) - 1);
	walk->prefix[nr > 1 ? nr : 0] = '\0';
	return go_to_root(walk);
}

int regular_open(const struct regular_root *root, const char *path,
		 enum regular_links links, struct stat *st)
{
	struct walk walk = { .root = -1, .at = -1 };
	char part[NAME_MAX + 1];
	int found = start(&walk, root) ?: put_before(&walk, path) ?: MORE;

	for (int i = 0; found == MORE && i < STEPS_MAX; i++) {
		int length = take(&walk, part);

		/* a path that ends in a directory */
		if (!length)
			found = -EINVAL;
		else
			found = length < 0 ? length : step(&walk, part, links, st);
	}
	if (walk.root >= 0)
		close(walk.root);
	if (walk.at >= 0)
		close(walk.at);
	mounts_free(walk.mounts);
	return found == MORE ? -ELOOP : found;
}
