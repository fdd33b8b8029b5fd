// SPDX-License-Identifier: GPL-2.0
/*
 * A file's earlier self: see backup.h. A second link to it, so that there is no
 * moment at which its own name is without a file.
 */
#include "backup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int keep(const char *path, const char *kept)
{
	if (!link(path, kept))
		return 0;
	if (errno == EEXIST)
		return unlink(kept) || link(path, kept) ? -errno : 0;
	/* no hard links there, or not to somebody else's file */
	if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS)
		return rename(path, kept) ? -errno : 0;
	return -errno;
}

int backup_keep(const char *path, struct error *error)
{
	struct stat status;
	char *real, *kept;
	int err;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return 0;
	real = realpath(path, NULL);
	if (!real || asprintf(&kept, "%s" BACKUP_SUFFIX, real) < 0) {
		err = -errno;
		free(real);
		return error_set(error, err, "cannot keep the earlier %.200s: %s",
				 path, strerror(-err));
	}
	err = keep(real, kept);
	if (err)
		error_set(error, err, "cannot keep the earlier %.200s as %.200s: %s",
			  path, kept, strerror(-err));
	free(kept);
	free(real);
	return err;
}
