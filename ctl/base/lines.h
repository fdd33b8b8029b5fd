/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text line by line, read in blocks: of whatever is called text, so that lines
 * are bounded and hold no NUL.
 */
#ifndef FLAMECTL_LINES_H
#define FLAMECTL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lines {
	FILE *in;
	size_t max;		/* of a line, in bytes without its newline */
	char *bytes;
	size_t begin, end;	/* of what is read and not returned yet */
	size_t room;
	bool ended;
	int err;		/* of the stream, behind what was read before it */
};

/** lines_init() - begin; lines_deinit() afterwards. */
void lines_init(struct lines *lines, FILE *in, size_t max);

/** lines_deinit() - free what @lines holds, but for the stream. */
void lines_deinit(struct lines *lines);

/**
 * lines_next() - the next line, without its newline and ended by a NUL.
 * @line: set; may be written to, and is there until the next call.
 * @length: set, in bytes.
 *
 * Return: 1, 0 at the end, -EILSEQ for a line that holds a NUL byte, -E2BIG for
 * one longer than @lines->max, -ENOMEM, or -errno of the stream.
 */
int lines_next(struct lines *lines, char **line, size_t *length);

#endif /* FLAMECTL_LINES_H */
