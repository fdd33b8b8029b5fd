/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a command's output file.
 */
#ifndef FLAMECTL_SAVE_H
#define FLAMECTL_SAVE_H

#include <stdio.h>

#include "base/error.h"

struct events;

/**
 * save_fn - write the whole output.
 * @what: as given to save().
 * @error: to be filled in on an error, or left empty for the text of errno.
 *
 * Return: 0; -errno if the output could not be written, which save() prints; or
 * an exit code of exit_code.h for another failure, which is printed already.
 */
typedef int (*save_fn)(const void *what, FILE *out, struct error *error);

/**
 * save() - write a file, whole or not at all, and print any error.
 * @path: as for output_open().
 * @write: called once; @what is passed on.
 *
 * Return: an exit code of exit_code.h.
 */
int save(const char *path, save_fn write, const void *what);

/**
 * save_private() - the same for a file that only its owner may read, as record makes it.
 * A pprof file has all that a recording has, also if it is a copy of one.
 */
int save_private(const char *path, save_fn write, const void *what);

/** save_events() - save_private() events as a pprof file. */
int save_events(const char *path, const struct events *events);

#endif /* FLAMECTL_SAVE_H */
