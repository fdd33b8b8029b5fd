/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that is about to be replaced, under another name.
 */
#ifndef FLAMECTL_BACKUP_H
#define FLAMECTL_BACKUP_H

#include "base/error.h"

#define BACKUP_SUFFIX	".old"

/**
 * backup_keep() - keep @path as @path.old, beside what it links to; what had
 * that name is gone. Nothing is done where there is no regular file.
 *
 * @path stays as it is where its filesystem has hard links; and whatever fails,
 * nothing is gone that was kept before.
 *
 * Return: 0 or -errno.
 */
int backup_keep(const char *path, struct error *error);

#endif /* FLAMECTL_BACKUP_H */
