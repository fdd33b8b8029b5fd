/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An input file, or standard input. A file that is modified while it is read
 * may yield a mixture of old and new data that looks complete, so this is
 * detected.
 */
#ifndef FLAMECTL_INPUT_H
#define FLAMECTL_INPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/error.h"

struct input {
	FILE *stream;		/* to read from */
	const char *name;	/* for messages */
	bool is_file;		/* regular: is checked for changes */
	struct stat begun;	/* its state when it was opened */
};

/**
 * input_open() - open @path for reading.
 * @path: "-" for stdin, which must not be a terminal; kept, not copied.
 *
 * Return: 0 or -errno with @error.
 */
int input_open(struct input *input, const char *path, struct error *error);

/**
 * input_close() - close the input and check that it was not modified meanwhile.
 *
 * Return: 0, or -EBUSY with @error if it was modified. The data read is then
 * invalid, and this error replaces any error found while parsing it.
 */
int input_close(struct input *input, struct error *error);

#endif /* FLAMECTL_INPUT_H */
