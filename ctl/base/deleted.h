/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The paths of files that were deleted: the kernel appends " (deleted)" to them.
 */
#ifndef FLAMECTL_DELETED_H
#define FLAMECTL_DELETED_H

#include <string.h>

/**
 * deleted_length() - find how long a path is without " (deleted)" at its end.
 * @path: the path; it need not have that.
 *
 * Return: its length in bytes; never 0, unless @path is empty.
 */
static inline size_t deleted_length(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path), tail = sizeof(deleted) - 1;

	return length > tail && !strcmp(path + length - tail, deleted) ? length - tail : length;
}

#endif /* FLAMECTL_DELETED_H */
