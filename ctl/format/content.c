// SPDX-License-Identifier: GPL-2.0
/*
 * Opening an input file, unpacked and recognised: see content.h.
 */
#include "format/content.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "format/format.h"
#include "format/pprof/pprof.h"

#define GZIP_FIRST_BYTE	0x1f

/* Read callback of the stream: the stored head first, then the rest of @in. */
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
	content->is_empty = !content->nr_head;
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
	content->is_empty = !content->size;
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
