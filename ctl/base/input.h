/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that is read, or standard input. One that somebody writes to meanwhile
 * is neither what it was nor what it will be, and it may look whole.
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
	bool is_file;		/* a regular one; what else there is may grow */
	struct stat begun;	/* what it was when it was opened */
};

/**
 * input_open() - begin to read @path.
 * @path: "-" for stdin, which may not be a terminal; kept, not copied.
 *
 * Return: 0 or -errno with @error.
 */
int input_open(struct input *input, const char *path, struct error *error);

/**
 * input_close() - close it, and ask whether it is still what was opened.
 *
 * Return: 0, or -EBUSY with @error where it is not: then nothing that was made
 * of it holds, and no other error tells more.
 */
int input_close(struct input *input, struct error *error);

#endif /* FLAMECTL_INPUT_H */
