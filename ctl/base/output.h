/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write a file that appears whole or not at all: it is written under a
 * temporary name beside its destination and then renamed. An existing file is
 * replaced only on success, and a signal that ends the program leaves no
 * temporary file. Only one file can be written at a time.
 */
#ifndef FLAMECTL_OUTPUT_H
#define FLAMECTL_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct output {
	FILE *stream;		/* to write to */
	const char *name;	/* for messages, as the caller gave it */
	char *path;		/* destination, resolved; NULL: in place */
	char *temporary;	/* its name until it is renamed to @path */
};

/**
 * output_check_link() - check that @path, which the user has not named, is no symbolic link
 * of another user: that one would choose the file that is replaced.
 *
 * Return: 0, or -EPERM with @error.
 */
int output_check_link(const char *path, struct error *error);

/**
 * output_spares() - check that writing @path overwrites none of the inputs.
 * @path: as in output_open().
 * @inputs: @nr names, "-" for stdin, NULL for an input that is not a file.
 *
 * Files are compared by identity, not by name. Call this before anything is
 * read or written.
 *
 * Return: 0, or -EEXIST with @error naming both.
 */
int output_spares(const char *path, const char *const *inputs, size_t nr,
		  struct error *error);

/**
 * output_open() - open @path for writing.
 * @path: "-" or NULL for stdout; kept, not copied. Anything but a regular file
 *        (a pipe, /dev/null) is written in place.
 *
 * Return: 0 or -errno.
 */
int output_open(struct output *output, const char *path, struct error *error);

/**
 * output_open_private() - call output_open() for a file of mode 0600, whatever
 * the mode of the file that is replaced.
 */
int output_open_private(struct output *output, const char *path,
			struct error *error);

/**
 * output_commit() - rename the file to its destination and close it.
 *
 * Return: 0, or the -errno of any write so far; nothing was replaced then.
 * @output is closed in both cases.
 */
int output_commit(struct output *output, struct error *error);

/**
 * output_discard() - close and remove the temporary file; fine after a commit.
 */
void output_discard(struct output *output);

#endif /* FLAMECTL_OUTPUT_H */
