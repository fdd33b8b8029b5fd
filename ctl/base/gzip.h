/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gzip streams, made with zlib: written piece by piece, read whole.
 */
#ifndef FLAMECTL_GZIP_H
#define FLAMECTL_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

struct gzip;

/**
 * gzip_create() - start a stream to @out.
 *
 * Return: NULL when memory is short.
 */
struct gzip *gzip_create(FILE *out);

/** gzip_create_fast() - the same in a quarter of the time, for some more bytes. */
struct gzip *gzip_create_fast(FILE *out);

/**
 * gzip_write() - compress @size bytes.
 *
 * Return: 0 or -errno of the output stream.
 */
int gzip_write(struct gzip *gzip, const void *bytes, size_t size);

/** gzip_finish() - write the end of the stream. Return: 0 or -errno. */
int gzip_finish(struct gzip *gzip);

/**
 * gzip_destroy() - free; without gzip_finish() the stream is cut. NULL is fine.
 */
void gzip_destroy(struct gzip *gzip);

/**
 * gzip_read() - read @in to its end, and unpack it if it is compressed.
 * @in: the stream to read.
 * @max: the most bytes to unpack to, checked while unpacking.
 * @bytes: set to the data, which the caller frees; not NULL even if it is
 *         empty.
 * @size: set to the number of bytes.
 * @error: set on an error.
 *
 * Return: 0, -EBADMSG for a broken or cut stream, -EFBIG for more than @max
 * bytes, -ENOMEM, or -errno of the stream.
 */
int gzip_read(FILE *in, size_t max, uint8_t **bytes, size_t *size,
	      struct error *error);

#endif /* FLAMECTL_GZIP_H */
