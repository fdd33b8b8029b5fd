/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keep a copy of a file that is about to be replaced, under another name.
 */
#ifndef FLAMECTL_BACKUP_H
#define FLAMECTL_BACKUP_H

#include "base/error.h"

#define BACKUP_SUFFIX	".old"

/**
 * backup_keep() - keep the file @path as @path.old.
 *
 * Replaces an earlier @path.old. If @path is a symbolic link, the backup is
 * made beside its target. Does nothing if @path is not a regular file.
 *
 * @path itself stays in place if its filesystem has hard links. On an error the
 * earlier backup is still there.
 *
 * Return: 0 or -errno.
 */
int backup_keep(const char *path, struct error *error);

#endif /* FLAMECTL_BACKUP_H */
