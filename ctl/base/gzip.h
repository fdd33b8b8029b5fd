/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Streams of gzip, over zlib: written piece by piece, read whole.
 */
#ifndef FLAMECTL_GZIP_H
#define FLAMECTL_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct gzip;

/** gzip_create() - begin a stream to @out, or NULL when memory is short. */
struct gzip *gzip_create(FILE *out);

/** gzip_write() - Return: 0 or -errno of the stream below. */
int gzip_write(struct gzip *gzip, const void *bytes, size_t size);

/** gzip_finish() - write what is left. Return: 0 or -errno. */
int gzip_finish(struct gzip *gzip);

/** gzip_destroy() - NULL is fine; without gzip_finish() the stream is cut. */
void gzip_destroy(struct gzip *gzip);

/**
 * gzip_read() - read @in to its end, unpacked if it is gzip'd.
 * @max: the most bytes to unpack to, checked while unpacking.
 * @bytes: set to what was read, to be freed; not NULL even if there is none.
 *
 * Return: 0, -EBADMSG for a broken or cut stream, -EFBIG past @max, -ENOMEM,
 * or -errno of the stream; @error is filled in.
 */
int gzip_read(FILE *in, size_t max, uint8_t **bytes, size_t *size,
	      struct error *error);

#endif /* FLAMECTL_GZIP_H */
