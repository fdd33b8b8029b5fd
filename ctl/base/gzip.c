// SPDX-License-Identifier: GPL-2.0
/*
 * Write and read gzip streams: see gzip.h. The header holds neither time nor
 * name, so that equal profiles become equal files.
 */
#include "base/gzip.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* zlib's windowBits for the largest window and a gzip header. */
#define GZIP_WINDOW	(15 + 16)
#define GZIP_MEMORY	8

#define CHUNK_BYTES	(64 * 1024)

struct gzip {
	FILE *out;
	z_stream stream;
	unsigned char chunk[CHUNK_BYTES];
	unsigned char pending[CHUNK_BYTES];	/* not compressed yet */
	size_t nr_pending;
};

static struct gzip *create(FILE *out, int level)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (!gzip)
		return NULL;
	gzip->out = out;
	if (deflateInit2(&gzip->stream, level, Z_DEFLATED,
			 GZIP_WINDOW, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

struct gzip *gzip_create(FILE *out)
{
	return create(out, Z_DEFAULT_COMPRESSION);
}

struct gzip *gzip_create_fast(FILE *out)
{
	return create(out, Z_BEST_SPEED);
}

static int write_out(struct gzip *gzip, int flush)
{
	size_t size;

	do {
		gzip->stream.next_out = gzip->chunk;
		gzip->stream.avail_out = CHUNK_BYTES;
		if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
			return -EIO;
		size = CHUNK_BYTES - gzip->stream.avail_out;
		errno = 0;
		if (size && fwrite(gzip->chunk, 1, size, gzip->out) != size)
			return errno ? -errno : -EIO;
	} while (!gzip->stream.avail_out);
	return 0;
}

/* Compress what is pending: many small pieces at once take less time. */
static int write_pending(struct gzip *gzip, int flush)
{
	gzip->stream.next_in = gzip->pending;
	gzip->stream.avail_in = (uInt)gzip->nr_pending;
	gzip->nr_pending = 0;
	return write_out(gzip, flush);
}

int gzip_write(struct gzip *gzip, const void *bytes, size_t size)
{
	const unsigned char *next = bytes;
	int err = 0;

	while (size && !err) {
		size_t part = CHUNK_BYTES - gzip->nr_pending;

		if (part > size)
			part = size;
		memcpy(gzip->pending + gzip->nr_pending, next, part);
		gzip->nr_pending += part;
		next += part;
		size -= part;
		if (gzip->nr_pending == CHUNK_BYTES)
			err = write_pending(gzip, Z_NO_FLUSH);
	}
	return err;
}

int gzip_finish(struct gzip *gzip)
{
	return write_pending(gzip, Z_FINISH);
}

void gzip_destroy(struct gzip *gzip)
{
	if (!gzip)
		return;
	deflateEnd(&gzip->stream);
	free(gzip);
}

/* The bytes read so far; grows up to a limit. */
struct buffer {
	uint8_t *bytes;
	size_t size, room, max;
};

/*
 * Make room for at least one more byte. The buffer may hold one byte more than
 * max, so that data beyond max is detected as an error.
 */
static int buffer_reserve(struct buffer *buffer, struct error *error)
{
	size_t bigger = buffer->room ? buffer->room * 2 : CHUNK_BYTES;
	uint8_t *moved;

	if (buffer->size > buffer->max)
		return error_set(error, -EFBIG, "larger than %zu MiB unpacked",
				 buffer->max >> 20);
	if (buffer->size < buffer->room)
		return 0;
	if (bigger > buffer->max + 1)
		bigger = buffer->max + 1;
	moved = realloc(buffer->bytes, bigger);
	if (!moved)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	buffer->bytes = moved;
	buffer->room = bigger;
	return 0;
}

static int read_plain(FILE *in, struct buffer *buffer, struct error *error)
{
	int err;

	do {
		err = buffer_reserve(buffer, error);
		if (err)
			return err;
		buffer->size += fread(buffer->bytes + buffer->size, 1,
				      buffer->room - buffer->size, in);
	} while (!feof(in) && !ferror(in));
	return 0;
}

static int inflate_some(z_stream *stream, struct buffer *buffer, int *status,
			struct error *error)
{
	size_t room;
	int err;

	do {
		err = buffer_reserve(buffer, error);
		if (err)
			return err;
		room = buffer->room - buffer->size;
		if (room > CHUNK_BYTES)
			room = CHUNK_BYTES;
		stream->next_out = buffer->bytes + buffer->size;
		stream->avail_out = (uInt)room;
		*status = inflate(stream, Z_NO_FLUSH);
		buffer->size += room - stream->avail_out;
		if (*status == Z_MEM_ERROR)
			return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
		if (*status != Z_OK && *status != Z_STREAM_END &&
		    *status != Z_BUF_ERROR)
			return error_set(error, -EBADMSG, "gzip data is not valid: %s",
					 stream->msg ? stream->msg : "broken");
		/* another gzip member may follow; the format allows that */
		if (*status == Z_STREAM_END && stream->avail_in)
			inflateReset(stream);
	} while (stream->avail_in || !stream->avail_out);
	return 0;
}

static int read_gzip(FILE *in, struct buffer *buffer, struct error *error)
{
	unsigned char chunk[CHUNK_BYTES];
	z_stream stream = { 0 };
	int status = Z_OK, err = 0;
	size_t got;

	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	while (!err && (got = fread(chunk, 1, sizeof(chunk), in)) > 0) {
		if (status == Z_STREAM_END)
			inflateReset(&stream);
		stream.next_in = chunk;
		stream.avail_in = (uInt)got;
		err = inflate_some(&stream, buffer, &status, error);
	}
	inflateEnd(&stream);
	if (!err && !ferror(in) && status != Z_STREAM_END)
		err = error_set(error, -EBADMSG, "incomplete: its gzip data has no end");
	return err;
}

int gzip_read(FILE *in, size_t max, uint8_t **bytes, size_t *size,
	      struct error *error)
{
	struct buffer buffer = { .max = max };
	int err, first;

	first = getc(in);
	if (first != EOF)
		ungetc(first, in);
	err = buffer_reserve(&buffer, error);
	if (!err && first == 0x1f)
		err = read_gzip(in, &buffer, error);
	else if (!err)
		err = read_plain(in, &buffer, error);
	if (!err && ferror(in))
		err = error_set(error, -EIO, "%s", strerror(errno ?: EIO));
	if (err) {
		free(buffer.bytes);
		return err;
	}
	*bytes = buffer.bytes;
	*size = buffer.size;
	return 0;
}
