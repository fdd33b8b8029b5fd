// SPDX-License-Identifier: GPL-2.0
/*
 * A file that appears whole or not at all: see output.h.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t current_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static int open_in_place(struct output *output, const char *path,
			 struct error *error)
{
	output->stream = fopen(path, "w");
	if (!output->stream)
		return error_set(error, -errno, "%s: %s", path, strerror(errno));
	return 0;
}

static int open_beside(struct output *output, mode_t mode, struct error *error)
{
	char *directory = strdup(output->path), *base = strdup(output->path);
	int fd = -1, err = -ENOMEM;

	if (!directory || !base ||
	    asprintf(&output->temporary, "%s/.%.200s.XXXXXX", dirname(directory),
		     basename(base)) < 0) {
		output->temporary = NULL;
		error_set(error, err, "%s", strerror(-err));
		goto free_names;
	}
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd >= 0 && !fchmod(fd, mode))
		output->stream = fdopen(fd, "w");
	err = output->stream ? 0 : -errno;
	if (!err)
		goto free_names;
	error_set(error, err, "%s: no file can be made in its directory: %s",
		  output->name, strerror(-err));
	if (fd >= 0) {
		close(fd);
		unlink(output->temporary);
	}
	free(output->temporary);
	output->temporary = NULL;
free_names:
	free(directory);
	free(base);
	return err;
}

int output_open(struct output *output, const char *path, struct error *error)
{
	struct stat status;
	mode_t mode = 0666 & ~current_umask();
	bool exists;
	int err;

	memset(output, 0, sizeof(*output));
	if (!path || !strcmp(path, "-")) {
		output->name = "stdout";
		output->stream = stdout;
		return 0;
	}
	output->name = path;
	if (!*path)
		return error_set(error, -EINVAL, "the output file's name is empty");
	exists = !stat(path, &status);
	if (exists && S_ISDIR(status.st_mode))
		return error_set(error, -EISDIR, "%s: a directory", path);
	if (exists && !S_ISREG(status.st_mode))
		return open_in_place(output, path, error);
	if (exists) {
		mode = status.st_mode & 07777;
		if (access(path, W_OK))
			return error_set(error, -errno, "%s: %s", path,
					 strerror(errno));
	}
	output->path = exists ? realpath(path, NULL) : strdup(path);
	if (!output->path)
		return error_set(error, -errno, "%s: %s", path, strerror(errno));
	err = open_beside(output, mode, error);
	if (err) {
		free(output->path);
		output->path = NULL;
	}
	return err;
}

static void forget(struct output *output)
{
	free(output->path);
	free(output->temporary);
	memset(output, 0, sizeof(*output));
}

int output_commit(struct output *output, struct error *error)
{
	FILE *stream = output->stream;
	int err = 0;

	if (fflush(stream))
		err = -errno;
	else if (ferror(stream))
		err = -EIO;	/* a stream remembers that it failed, not why */
	if (!err && output->temporary && fsync(fileno(stream)))
		err = -errno;
	if (stream != stdout && fclose(stream) && !err)
		err = -errno;
	output->stream = NULL;
	if (!err && output->temporary &&
	    rename(output->temporary, output->path))
		err = -errno;
	if (err) {
		error_set(error, err, "cannot write %s: %s", output->name,
			  strerror(-err));
		output_discard(output);
		return err;
	}
	forget(output);
	return 0;
}

void output_discard(struct output *output)
{
	if (output->stream && output->stream != stdout)
		fclose(output->stream);
	if (output->temporary)
		unlink(output->temporary);
	forget(output);
}
