// SPDX-License-Identifier: GPL-2.0
/*
 * Read a secret from a file: see secret.h.
 */
#include "base/secret.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"

int secret_read(const char *path, const char *what, char secret[SECRET_MAX + 1],
		struct error *error)
{
	char line[SECRET_MAX + 3];
	struct input input;
	size_t length;
	int err = input_open(&input, path, error);

	if (err)
		return err;
	if (!fgets(line, sizeof(line), input.stream))
		*line = '\0';
	err = input_close(&input, error);
	length = strcspn(line, "\r\n");
	line[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (!isgraph((unsigned char)line[i]))
			length = 0;
	if (!err && (!length || length > SECRET_MAX))
		err = error_set(error, -EINVAL,
				"%.200s: its first line is no %s of 1 to %d printable characters without a space",
				path, what, SECRET_MAX);
	if (!err)
		memcpy(secret, line, length + 1);
	explicit_bzero(line, sizeof(line));
	return err;
}
