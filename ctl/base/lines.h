/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read text line by line, in blocks. The input may be anything, so the length
 * of a line is limited and lines with a NUL byte are refused.
 */
#ifndef FLAMECTL_LINES_H
#define FLAMECTL_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct lines {
	FILE *in;
	size_t max;		/* longest line, in bytes without its newline */
	char *bytes;
	size_t begin, end;	/* the bytes read and not yet returned */
	size_t room;
	bool ended;
	int err;		/* of the stream, after its last line */
};

/** lines_init() - prepare to read @in; call lines_deinit() afterwards. */
void lines_init(struct lines *lines, FILE *in, size_t max);

/** lines_deinit() - free what @lines holds; the stream stays open. */
void lines_deinit(struct lines *lines);

/**
 * lines_next() - read the next line, without its newline and ended by a NUL.
 * @lines: the reader.
 * @line: set; the caller may write to it; valid until the next call.
 * @length: set, in bytes.
 *
 * Return: 1, 0 at the end, -EILSEQ for a line that holds a NUL byte, -E2BIG for
 * one longer than @lines->max, -ENOMEM, or -errno of the stream.
 */
int lines_next(struct lines *lines, char **line, size_t *length);

#endif /* FLAMECTL_LINES_H */
