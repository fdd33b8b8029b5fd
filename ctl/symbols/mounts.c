// SPDX-License-Identifier: GPL-2.0
/*
 * Read mountinfo: see mounts.h. statfs() would tell the type of a file system, too, but
 * waits for its server.
 */
#include "symbols/mounts.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct mount {
	int id;
	bool is_local;
	char *point;
};

struct mounts {
	struct mount *list;
	size_t nr, room;
	int trusted;			/* this mount is local, whatever the list says */
};

/*
 * Those on block devices answer, except for those of FUSE. Others have no device: these
 * do, as they are in memory or on other file systems here.
 */
static bool is_local_type(const char *type, unsigned int major)
{
	static const char *const known[] = {
		"tmpfs", "ramfs", "rootfs", "devtmpfs", "hugetlbfs", "overlay", "aufs",
		"btrfs", "zfs", "bcachefs", "ubifs", "ecryptfs", "proc", "sysfs",
	};

	if (!strncmp(type, "fuse", 4))
		return false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(type, known[i]))
			return true;
	return major;
}

/* Spaces, tabs, newlines and backslashes are \ooo there. */
static void unescape(char *text)
{
	char *out = text;

	while (*text) {
		unsigned int byte;

		if (*text == '\\' && sscanf(text + 1, "%3o", &byte) == 1) {
			*out++ = (char)byte;
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = '\0';
}

/* Parse "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS". */
static int add(struct mounts *mounts, const char *line)
{
	const char *rest = strstr(line, " - ");
	struct mount mount;
	unsigned int major;
	char type[64];

	if (sscanf(line, "%d %*d %u:%*u %*s %ms", &mount.id, &major, &mount.point) != 3)
		return 0;
	if (!rest || sscanf(rest, " - %63s", type) != 1 ||
	    vec_reserve(mounts->list, mounts->room, mounts->nr + 1)) {
		free(mount.point);
		return rest ? -ENOMEM : 0;
	}
	unescape(mount.point);
	mount.is_local = is_local_type(type, major);
	mounts->list[mounts->nr++] = mount;
	return 0;
}

struct mounts *mounts_read(const char *mountinfo)
{
	struct mounts *mounts = calloc(1, sizeof(*mounts));
	FILE *in = fopen(mountinfo, "re");
	char *line = NULL;
	size_t room = 0;
	int err = mounts && in ? 0 : -errno;

	if (mounts)
		mounts->trusted = -1;
	while (!err && getline(&line, &room, in) > 0)
		err = add(mounts, line);
	free(line);
	if (in)
		fclose(in);
	if (!err)
		return mounts;
	mounts_free(mounts);
	errno = -err;
	return NULL;
}

void mounts_free(struct mounts *mounts)
{
	if (!mounts)
		return;
	for (size_t i = 0; i < mounts->nr; i++)
		free(mounts->list[i].point);
	free(mounts->list);
	free(mounts);
}

/* Of several at one place the last one is on top. */
bool mounts_local_at(const struct mounts *mounts, const char *path)
{
	for (size_t i = mounts->nr; i > 0; i--)
		if (!strcmp(mounts->list[i - 1].point, path))
			return mounts->list[i - 1].is_local;
	return true;
}

static int mount_of(int fd)
{
	char path[64], line[256];
	int id = -1;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	in = fopen(path, "re");
	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "mnt_id: %d", &id) == 1)
			break;
	if (in)
		fclose(in);
	return id;
}

bool mounts_local(const struct mounts *mounts, int fd)
{
	int id = mount_of(fd);

	if (id >= 0 && id == mounts->trusted)
		return true;
	for (size_t i = 0; i < mounts->nr; i++)
		if (mounts->list[i].id == id)
			return mounts->list[i].is_local;
	return false;
}

void mounts_trust(struct mounts *mounts, int fd)
{
	mounts->trusted = mount_of(fd);
}
