// SPDX-License-Identifier: GPL-2.0
/*
 * Open and close input files: see input.h.
 */
#include "base/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int input_open(struct input *input, const char *path, struct error *error)
{
	bool is_stdin = !strcmp(path, "-");

	if (is_stdin && isatty(STDIN_FILENO))
		return error_set(error, -EINVAL, "stdin: a terminal: name a file, or pipe into flamectl");
	input->name = is_stdin ? "stdin" : path;
	input->stream = is_stdin ? stdin : fopen(path, "re");
	if (!input->stream)
		return error_set(error, -errno, "%.400s: %s", path,
				 strerror(errno));
	input->is_file = !fstat(fileno(input->stream), &input->begun) &&
			 S_ISREG(input->begun.st_mode);
	return 0;
}

static bool is_as_it_was(const struct input *input)
{
	const struct stat *was = &input->begun;
	struct stat is;

	if (!input->is_file)
		return true;
	return !fstat(fileno(input->stream), &is) &&
	       is.st_size == was->st_size &&
	       is.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       is.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

int input_close(struct input *input, struct error *error)
{
	bool changed = !is_as_it_was(input);

	if (input->stream != stdin)
		fclose(input->stream);
	if (!changed)
		return 0;
	return error_set(error, -EBUSY, "%.400s: changed while it was read: try again when nothing writes to it",
			 input->name);
}
