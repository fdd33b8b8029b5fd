// SPDX-License-Identifier: GPL-2.0
/*
 * Save events as a pprof file: see save_events.h.
 */
#include "cmd/save_events.h"

#include "base/output.h"
#include "cmd/command.h"
#include "format/pprof/pprof.h"

int save_events(const char *verb, const char *path, const struct events *events)
{
	struct output output;
	struct error error;

	if (output_open(&output, path, &error))
		return command_fail(EXIT_FAILED, "cannot %s: %s", verb,
				    error.text);
	if (pprof_write_events(events, output.stream, &error)) {
		command_fail(EXIT_FAILED, "cannot write %s: %s", output.name,
			     error.text);
		output_discard(&output);
		return EXIT_FAILED;
	}
	if (output_commit(&output, &error))
		return command_fail(EXIT_FAILED, "%s", error.text);
	return EXIT_DONE;
}
