/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Separate debug files: what distributions strip from a program and install below
 * /usr/lib/debug.
 */
#ifndef FLAMECTL_SYMBOLS_DEBUG_FILE_H
#define FLAMECTL_SYMBOLS_DEBUG_FILE_H

#include "symbols/object.h"

#define DEBUG_DIRECTORY	"/usr/lib/debug"

/**
 * debug_file_open() - open the debug file of a program.
 * @build_id: the program's, as text; "": it has none.
 * @link: the file's name, which the program's .gnu_debuglink has; NULL if it has none, or
 * is not here.
 * @crc: the file's checksum, beside it.
 *
 * It is looked for below the source's root, and then here. It must have the program's
 * build-id, or if there is none, the checksum.
 *
 * Return: a file descriptor, or -errno.
 */
int debug_file_open(const struct object_source *source, const char *build_id,
		    const char *link, uint32_t crc);

/**
 * debug_file_open_shared() - open what the debug files of several programs share.
 * @build_id: its own, as text.
 * @path: where it was installed.
 *
 * Return: a file descriptor, or -errno.
 */
int debug_file_open_shared(const struct object_source *source, const char *build_id,
			   const char *path);

#endif /* FLAMECTL_SYMBOLS_DEBUG_FILE_H */
