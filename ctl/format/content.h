/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is in a file that is read: unpacked where it is gzip'd, and looked at
 * before it is read, so that its format is known by its first bytes.
 */
#ifndef FLAMECTL_CONTENT_H
#define FLAMECTL_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/*
 * So many bytes are looked at: of any pprof file the types of its samples, of
 * perf script the first sample, behind a header of some ten KiB.
 */
#define CONTENT_HEAD	(64U << 10)

struct format;			/* see format.h */

struct content {
	FILE *stream;		/* all of it, unpacked */
	const struct format *format;	/* that it looks like */
	FILE *in;		/* what it is read from where that is not packed */
	char head[CONTENT_HEAD + 1];	/* and a NUL */
	size_t nr_head, nr_given;	/* bytes in it, and those that were read */
	uint8_t *unpacked;	/* else, @size bytes of it; owned */
	size_t size;
};

/**
 * content_open() - look at what @in holds.
 * @content: not to be moved until content_close().
 * @in: from its beginning, gzip'd or not; stays the caller's.
 *
 * Return: 0, or as gzip_read() with @error.
 */
int content_open(struct content *content, FILE *in, struct error *error);

/** content_close() - free what it holds; only after a content_open() that did. */
void content_close(struct content *content);

#endif /* FLAMECTL_CONTENT_H */
