// SPDX-License-Identifier: GPL-2.0
/*
 * Keep a file as FILE.old before it is replaced: see backup.h. FILE.old is a
 * second hard link to it, so FILE exists at every moment.
 */
#include "base/backup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The previous backup is replaced only once the new link exists. */
static int keep(const char *path, const char *kept, const char *spare)
{
	int err;

	if (link(path, spare)) {
		/* no hard links there, or not to another user's file */
		if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
			return rename(path, kept) ? -errno : 0;
		return -errno;
	}
	err = rename(spare, kept) ? -errno : 0;
	/* rename() does nothing if both names are links to the same file */
	unlink(spare);
	return err;
}

static char *with_suffix(const char *path, const char *suffix)
{
	char *name;

	return path && asprintf(&name, "%s%s", path, suffix) >= 0 ? name : NULL;
}

int backup_keep(const char *path, struct error *error)
{
	char *real, *kept, *spare, unique[32];
	struct stat status;
	int err;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	snprintf(unique, sizeof(unique), ".%d", (int)getpid());
	real = realpath(path, NULL);
	err = real ? -ENOMEM : -errno;
	kept = with_suffix(real, BACKUP_SUFFIX);
	spare = with_suffix(kept, unique);
	if (spare)
		err = keep(real, kept, spare);
	if (err)
		error_set(error, err, "cannot keep the earlier %.200s as %.200s: %s",
			  path, kept ? kept : "another", strerror(-err));
	free(spare);
	free(kept);
	free(real);
	return err;
}
