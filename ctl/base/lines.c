// SPDX-License-Identifier: GPL-2.0
/*
 * Read text line by line: see lines.h.
 */
#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Read at least this much at a time; it fits the caches nearest to the CPU. */
#define BLOCK_BYTES (64u << 10)

void lines_init(struct lines *lines, FILE *in, size_t max)
{
	memset(lines, 0, sizeof(*lines));
	lines->in = in;
	lines->max = max;
}

void lines_deinit(struct lines *lines)
{
	free(lines->bytes);
}

/* Make room for a block and a NUL after the bytes that are held. */
static int make_room(struct lines *lines)
{
	size_t held = lines->end - lines->begin;
	size_t room = lines->room ?: 2 * BLOCK_BYTES;
	char *bytes;

	if (lines->begin)
		memmove(lines->bytes, lines->bytes + lines->begin, held);
	lines->begin = 0;
	lines->end = held;
	if (room - held <= BLOCK_BYTES)
		room *= 2;
	if (room == lines->room)
		return 0;
	bytes = realloc(lines->bytes, room);
	if (!bytes)
		return -ENOMEM;
	lines->bytes = bytes;
	lines->room = room;
	return 0;
}

static int read_more(struct lines *lines)
{
	size_t wanted, got;
	int err = make_room(lines);

	if (err)
		return err;
	wanted = lines->room - lines->end - 1;
	errno = 0;
	got = fread(lines->bytes + lines->end, 1, wanted, lines->in);
	lines->end += got;
	lines->ended = got < wanted;
	if (lines->ended && ferror(lines->in))
		lines->err = -(errno ?: EIO);
	return 0;
}

int lines_next(struct lines *lines, char **line, size_t *length)
{
	size_t seen = 0, fresh;
	char *at, *newline;
	int err;

	do {
		if (lines->begin + seen == lines->end && !lines->ended) {
			err = read_more(lines);
			if (err)
				return err;
		}
		at = lines->bytes + lines->begin + seen;
		fresh = lines->end - lines->begin - seen;
		newline = memchr(at, '\n', fresh);
		if (newline)
			fresh = (size_t)(newline - at);
		if (memchr(at, '\0', fresh))
			return -EILSEQ;
		seen += fresh;
		if (seen > lines->max)
			return -E2BIG;
	} while (!newline && !lines->ended);

	if (!newline && lines->err)
		return lines->err;
	*line = lines->bytes + lines->begin;
	*length = seen;
	(*line)[seen] = '\0';
	lines->begin += seen + !!newline;
	return newline || seen;
}
