/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that appears whole or not at all: it is written beside its place and
 * renamed into it. What stands there is replaced on success only, and a signal
 * that ends the program leaves nothing. One file is written at a time.
 */
#ifndef FLAMECTL_OUTPUT_H
#define FLAMECTL_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

struct output {
	FILE *stream;		/* to write to */
	const char *name;	/* for messages, as it was asked for */
	char *path;		/* where it goes, links resolved; NULL: in place */
	char *temporary;	/* where it is until then */
};

/**
 * output_spares() - is @path another file than those that are read? By what
 * they are, not by their names: to be asked before anything is read or written.
 * @path: as of output_open().
 * @inputs: @nr names, "-" for stdin, NULL for what is no file.
 *
 * Return: 0, or -EEXIST with @error naming both.
 */
int output_spares(const char *path, const char *const *inputs, size_t nr,
		  struct error *error);

/**
 * output_open() - begin to write @path.
 * @path: "-" or NULL for stdout; kept, not copied. What is no regular file
 *        (a pipe, /dev/null) is written in place.
 *
 * Return: 0 or -errno.
 */
int output_open(struct output *output, const char *path, struct error *error);

/**
 * output_open_private() - as output_open(), but only the owner may read or
 * write the file, whatever stood there: mode 0600.
 */
int output_open_private(struct output *output, const char *path,
			struct error *error);

/**
 * output_commit() - make it appear, and close it.
 *
 * Return: 0 or the -errno of any write so far; then nothing was replaced.
 * Either way @output is closed.
 */
int output_commit(struct output *output, struct error *error);

/** output_discard() - close it and leave no trace; fine after a commit. */
void output_discard(struct output *output);

#endif /* FLAMECTL_OUTPUT_H */
