// SPDX-License-Identifier: GPL-2.0
/*
 * What is in a file that is read: see content.h.
 */
#include "content.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "gzip.h"
#include "pprof.h"

#define GZIP_FIRST_BYTE	0x1f

/* A varint has seven bits a byte, of 64. */
#define VARINT_BYTES	10

/* Wire types that pprof.proto's fields have, by their numbers. */
enum { VARINT = 1 << 0, BYTES = 1 << 2 };

static const uint8_t wire_types[] = {
	[1] = BYTES, BYTES, BYTES, BYTES, BYTES, BYTES,
	[7] = VARINT, VARINT, VARINT, VARINT, BYTES, VARINT,
	[13] = VARINT | BYTES, VARINT, VARINT,
};

/* Return: is there one before @size, or as much of it as there are bytes? */
static bool read_varint(const uint8_t *bytes, size_t size, size_t *at,
			uint64_t *value)
{
	*value = 0;
	for (unsigned int i = 0; i < VARINT_BYTES && *at < size; i++) {
		uint8_t byte = bytes[(*at)++];

		*value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return true;
	}
	return *at == size;
}

/* Fields of a pprof message and nothing else, as far as there are bytes. */
static bool are_fields(const uint8_t *bytes, size_t size)
{
	uint64_t tag, value;
	size_t at = 0;

	while (at < size) {
		if (!read_varint(bytes, size, &at, &tag) ||
		    tag >> 3 >= sizeof(wire_types) || (tag & 7) > 2 ||
		    !(wire_types[tag >> 3] & 1 << (tag & 7)) ||
		    !read_varint(bytes, size, &at, &value))
			return false;
		if ((tag & 7) == 2 && value >= size - at)
			return true;
		if ((tag & 7) == 2)
			at += value;
	}
	return size;
}

/* No text has them; numbers of types and places, which are small, are some. */
static bool has_control(const uint8_t *bytes, size_t size)
{
	static const char of_texts[] = { '\t', '\n', '\v', '\f', '\r', '\033' };

	for (size_t i = 0; i < size; i++)
		if (bytes[i] < ' ' &&
		    !memchr(of_texts, bytes[i], sizeof(of_texts)))
			return true;
	return false;
}

bool content_is_pprof(const uint8_t *bytes, size_t size)
{
	if (size > CONTENT_HEAD)
		size = CONTENT_HEAD;
	return are_fields(bytes, size) && has_control(bytes, size);
}

/* The head again, and then the rest. */
static ssize_t read_on(void *cookie, char *to, size_t size)
{
	struct content *content = cookie;
	size_t left = content->nr_head - content->nr_given;

	if (!left) {
		errno = 0;
		left = fread(to, 1, size, content->in);
		if (left || !ferror(content->in))
			return (ssize_t)left;
		errno = errno ?: EIO;
		return -1;
	}
	if (left > size)
		left = size;
	memcpy(to, content->head + content->nr_given, left);
	content->nr_given += left;
	return (ssize_t)left;
}

static int open_plain(struct content *content, struct error *error)
{
	const cookie_io_functions_t functions = { .read = read_on };

	errno = 0;
	content->nr_head = fread(content->head, 1, CONTENT_HEAD, content->in);
	if (ferror(content->in))
		return error_set(error, -(errno ?: EIO), "%s",
				 strerror(errno ?: EIO));
	content->head[content->nr_head] = '\0';
	content->format = format_of(content->head, content->nr_head);
	content->stream = fopencookie(content, "r", functions);
	return content->stream ? 0 :
	       error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
}

static int open_packed(struct content *content, struct error *error)
{
	size_t head;
	int err = gzip_read(content->in, PPROF_UNPACKED_MAX, &content->unpacked,
			    &content->size, error);

	if (err)
		return err;
	head = content->size < CONTENT_HEAD ? content->size : CONTENT_HEAD;
	memcpy(content->head, content->unpacked, head);
	content->head[head] = '\0';
	content->format = format_of(content->head, head);
	content->stream = fmemopen(content->unpacked, content->size, "r");
	if (content->stream)
		return 0;
	free(content->unpacked);
	return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
}

int content_open(struct content *content, FILE *in, struct error *error)
{
	int first = getc(in);

	if (first != EOF)
		ungetc(first, in);
	content->in = in;
	content->unpacked = NULL;
	content->nr_head = content->nr_given = 0;
	return first == GZIP_FIRST_BYTE ? open_packed(content, error) :
					  open_plain(content, error);
}

void content_close(struct content *content)
{
	fclose(content->stream);
	free(content->unpacked);
}
