/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An opened input file: its content is unpacked if it is gzip'd, and its format
 * is recognised by its first bytes before a reader gets it.
 */
#ifndef FLAMECTL_CONTENT_H
#define FLAMECTL_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Size of the head that is inspected. It holds the sample types of any pprof
 * file, and the first sample of perf script, which follows a header of about
 * ten KiB.
 */
#define CONTENT_HEAD	(64U << 10)

struct format;			/* see format.h */

struct content {
	FILE *stream;		/* the whole content, unpacked */
	const struct format *format;	/* the format recognised */
	FILE *in;		/* the source, if it is not packed */
	char head[CONTENT_HEAD + 1];	/* plus a NUL */
	size_t nr_head, nr_given;	/* bytes in head, and those read */
	uint8_t *unpacked;	/* @size bytes if it is packed; owned */
	size_t size;
	bool is_empty;		/* nothing was in it, unpacked */
};

/**
 * content_open() - unpack @in if needed and recognise its format.
 * @content: must not be moved until content_close().
 * @in: positioned at its start, gzip'd or not; the caller still owns it.
 *
 * Return: 0, or as gzip_read() with @error.
 */
int content_open(struct content *content, FILE *in, struct error *error);

/** content_close() - free @content; only after a successful content_open(). */
void content_close(struct content *content);

#endif /* FLAMECTL_CONTENT_H */
