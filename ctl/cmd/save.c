// SPDX-License-Identifier: GPL-2.0
/*
 * Write a command's output file: see save.h.
 */
#include "cmd/save.h"

#include <string.h>

#include "base/output.h"
#include "cmd/command.h"
#include "format/pprof/pprof.h"

static int save_opened_by(int (*open)(struct output *output, const char *path,
				      struct error *error),
			  const char *path, save_fn write, const void *what)
{
	struct error error = { "" };
	struct output output;
	int err;

	if (open(&output, path, &error))
		return command_fail(EXIT_FAILED, "cannot write %s", error.text);
	err = write(what, output.stream, &error);
	if (err < 0)
		err = command_fail(EXIT_FAILED, "cannot write %s: %s", output.name,
				   *error.text ? error.text : strerror(-err));
	if (err) {
		output_discard(&output);
		return err;
	}
	if (output_commit(&output, &error))
		return command_fail(EXIT_FAILED, "%s", error.text);
	return EXIT_DONE;
}

int save(const char *path, save_fn write, const void *what)
{
	return save_opened_by(output_open, path, write, what);
}

int save_private(const char *path, save_fn write, const void *what)
{
	return save_opened_by(output_open_private, path, write, what);
}

static int write_events(const void *events, FILE *out, struct error *error)
{
	return pprof_write_events(events, out, error);
}

int save_events(const char *path, const struct events *events)
{
	return save_private(path, write_events, events);
}
