/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small text files of the agent. Each line is "key=value"; the last line is "end=1", which
 * shows that the file is whole. Other programs may read them.
 */
#ifndef FLAMECTL_AGENT_PAIRS_H
#define FLAMECTL_AGENT_PAIRS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* One line; a table ends with a zeroed entry. */
struct pair {
	const char *key;
	uint64_t *number;		/* or NULL for a text */
	char *text;			/* written without its control characters */
	size_t size;			/* of @text */
};

/** pairs_write() - write all lines. Errors are the stream's. */
void pairs_write(const struct pair *pairs, FILE *out);

/**
 * pairs_read() - read a file; keys that are not in the table are ignored, and what has
 * no line stays as it is.
 *
 * Return: 0, -ENOENT, or -EBADMSG if it is damaged or not a regular file, or another -errno.
 */
int pairs_read(const struct pair *pairs, int directory, const char *name,
	       struct error *error);

#endif /* FLAMECTL_AGENT_PAIRS_H */
