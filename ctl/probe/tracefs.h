/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's directory of tracepoints.
 */
#ifndef FLAMECTL_TRACEFS_H
#define FLAMECTL_TRACEFS_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/**
 * tracefs_find() - find where tracefs is mounted: /sys/kernel/tracing, or below debugfs.
 * @root: "" or a directory in which /sys is looked for.
 * @path: set, of @size bytes.
 *
 * Return: 0, or -EOPNOTSUPP with @error saying how to mount it, -EACCES, or another -errno.
 */
int tracefs_find(const char *root, char *path, size_t size, struct error *error);

/**
 * tracefs_open_format() - open the description of a tracepoint.
 * @target: "SYSTEM:NAME", of letters, digits, _ and -.
 * @in: set, to be closed by fclose().
 *
 * Return: 0; -EOPNOTSUPP if this kernel does not have it, or as tracefs_find().
 */
int tracefs_open_format(const char *root, const char *target, FILE **in, struct error *error);

#endif /* FLAMECTL_TRACEFS_H */
