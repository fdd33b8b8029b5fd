/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is in a file that is read: unpacked where it is gzip'd, and told apart by
 * its first bytes, so that every command reads what any does. What is no pprof
 * message is text.
 */
#ifndef FLAMECTL_CONTENT_H
#define FLAMECTL_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

/* So many bytes tell what it is: of any pprof file the types of its samples. */
#define CONTENT_HEAD	4096

struct content {
	FILE *stream;		/* all of it, unpacked */
	bool is_pprof;
	FILE *in;		/* what it is read from where that is not packed */
	uint8_t head[CONTENT_HEAD];
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

/** content_is_pprof() - do these bytes begin a pprof message? */
bool content_is_pprof(const uint8_t *bytes, size_t size);

#endif /* FLAMECTL_CONTENT_H */
