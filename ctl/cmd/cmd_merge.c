// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl merge: merge profiles into one. Each one is read, added and freed.
 * The output is opened after the last, so that bad input leaves no file.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save_events.h"
#include "cmd/source.h"
#include "format/pprof/pprof.h"
#include "profile/merge_events.h"
#include "select/met.h"
#include "select/select.h"

enum { OPT_OUTPUT, OPT_NS };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_NS] = { "ns", 0, NULL, "sum time, so that rates may differ: periods become nanoseconds" },
	{ 0 }
};

struct request {
	const char *output;
	bool in_ns;
	struct load_request load;
	struct notes notes;
	struct selection selection;	/* applied to each file when added */
};

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == OPT_OUTPUT)
			request->output = arg;
		else if (position == OPT_NS)
			request->in_ns = true;
		else if (position >= COMMAND_READS ?
			 load_add(&request->load, position - COMMAND_READS, arg,
				  &error) :
			 select_add(&request->selection,
				    position - COMMAND_SHARED, arg, &error))
			return command_usage(command, "%s", error.text);
	}
	if (argc == optind)
		return command_usage(command, "merge needs files: saved profiles, or what else flamectl import lists");
	if (isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "a saved profile is no text, and standard output is a terminal: name a file by -o");
	return EXIT_DONE;
}

static int select_events(const struct request *request, struct events *events,
			 const char *path, struct select_met *met,
			 struct error *error)
{
	struct error why = { "memory is short" };
	uint64_t left_out;
	int err = 0;

	for (unsigned int i = 0; i < events->nr && !err; i++) {
		struct profile **profile = &events->list[i].profile;

		err = select_meet_profile(&request->selection, *profile, met) ?:
		      select_profile(&request->selection, profile, &left_out,
				     &why);
	}
	return err ? error_set(error, err, "%.100s: %.400s", path, why.text) : 0;
}

/* Return: an exit code. */
static int add_file(struct merge_events *merge, struct request *request,
		    const char *path, struct select_met *met,
		    struct error *error)
{
	struct events events;
	int code = source_load_events(&path, 1, &request->load, &request->notes,
				      &events, error), err;

	if (code != EXIT_DONE)
		return code;
	err = select_events(request, &events, path, met, error) ?:
	      merge_events_add(merge, &events, path, error);
	events_deinit(&events);
	return err ? EXIT_FAILED : EXIT_DONE;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .output = NULL };
	char missed[SELECT_MISSED_TEXT];
	struct select_met met = { 0 };
	struct merge_events merge;
	struct events events = { .nr = 0 };
	const char *slices_of;
	struct error error;
	int code = parse(command, argc, argv, &request), i;

	code = code ?: ending_check(request.output, ENDING_PROFILE);
	if (code != EXIT_DONE)
		return code;
	request.selection.sliced = argc - optind == 1;
	merge_events_init(&merge, request.in_ns, request.selection.sliced);
	for (i = optind; i < argc && code == EXIT_DONE; i++)
		code = add_file(&merge, &request, argv[i], &met, &error);
	if (code == EXIT_DONE) {
		command_notes(&request.notes);
		command_note(select_missed(&request.selection, &met, missed));
		merge_events_take(&merge, &events);
		code = save_events("merge", request.output, &events);
	} else {
		command_fail(code, "cannot merge: %s", error.text);
	}
	slices_of = merge_events_slices_of(&merge);
	if (code == EXIT_DONE && slices_of)
		command_fail(code, "warning: the sum is not cut by time, as %s was: heat and --range are for each file alone",
			     slices_of);
	events_deinit(&events);
	merge_events_deinit(&merge);
	return code;
}

const struct command cmd_merge = {
	.name = "merge",
	.args = "FILE...",
	.summary = "sum profiles, of one host or of many",
	.details =
"FILE is a saved profile, or what else flamectl import lists, or live for what the\n"
"module has now.\n"
"\n"
"Weights, books and the time sampled are summed exactly. Each task keeps its host,\n"
"so that --by host tells them apart; CPUs of the same number are one. Profiles of\n"
"different rates are refused without --ns, which sums nanoseconds instead of\n"
"periods, and so are weights of different units. What is not selected is left out\n"
"of each file before it is added, and filtered in the books. The output may be one\n"
"of the files: it is replaced when all have been read. Slices of time are kept of\n"
"one file, and left out of a sum. Files of several events must all have the same:\n"
"each is summed for itself, or the one of --event alone.\n"
"\n"
"  flamectl merge -o all.pb.gz web1.pb.gz web2.pb.gz\n"
"  flamectl dump --by host,comm all.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.run = run,
};
