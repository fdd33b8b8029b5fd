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
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "format/pprof/pprof.h"
#include "profile/merge_events.h"

enum { OPT_OUTPUT, OPT_NS };

static const struct command_option options[] = {
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_NS] = { "ns", 0, NULL, "sum time, for profiles of different rates: periods become nanoseconds" },
	{ 0 }
};

struct request {
	const char *output;
	bool in_ns;
	struct load_request load;
	struct live_request live;
	struct notes notes;
	struct selection selection;	/* applied to each file when added */
};

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	const struct shared_requests requests = {
		&request->selection, &request->load, &request->live,
	};
	struct error error;
	const char *arg;
	int position;

	while (command_next(command, argc, argv, &position, &arg)) {
		if (position == OPT_OUTPUT)
			request->output = arg;
		else if (position == OPT_NS)
			request->in_ns = true;
		else if (shared_option_add(&requests, position, arg, &error))
			return command_usage(command, "%s", error.text);
	}
	if (argc == optind)
		return command_usage(command, "merge needs files: name saved profiles, or other inputs that flamectl import --help lists");
	if (isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "a saved profile is binary, and standard output is a terminal: name a file with -o");
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
	int code = source_load_events(&path, 1, &request->load, &request->live,
				      &request->notes,
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
	request.load.by_host = true;
	request.load.by_cgroup = source_by_cgroup(&(struct fold_options){ .nr_by = 0 }, &request.selection);
	request.selection.sliced = argc - optind == 1;
	merge_events_init(&merge, request.in_ns, request.selection.sliced);
	for (i = optind; i < argc && code == EXIT_DONE; i++)
		code = add_file(&merge, &request, argv[i], &met, &error);
	if (code == EXIT_DONE) {
		command_notes(&request.notes);
		command_note(select_missed(&request.selection, &met, missed));
		merge_events_take(&merge, &events);
		code = save_events(request.output, &events);
	} else {
		command_fail(code, "cannot merge: %s", error.text);
	}
	slices_of = merge_events_slices_of(&merge);
	if (code == EXIT_DONE && slices_of)
		command_fail(code, "warning: the sum has no slices of time, which %s has: use heat and --range on single files",
			     slices_of);
	events_deinit(&events);
	merge_events_deinit(&merge);
	return code;
}

const struct command cmd_merge = {
	.name = "merge",
	.args = "FILE...",
	.summary = "sum profiles of one host or of many",
	.details =
"FILE is a saved profile, another input that flamectl import --help lists, or live\n"
"for the module's profile.\n"
"\n"
"Weights, the sampled time and the books (the counts of timer periods) are summed\n"
"exactly. Each task keeps its host, so that --by host separates them; CPUs with the\n"
"same number become one. Profiles of different rates are refused unless --ns is\n"
"given, which sums nanoseconds instead of periods; weights of different units are\n"
"always refused. What is not selected is left out of each file before it is added,\n"
"and counts as filtered in the books. The output may be one of the files: it is\n"
"replaced after all have been read. Slices of time are kept if there is one file,\n"
"and dropped from a sum. Files with several events must all have the same events:\n"
"each is summed separately, or only the one of --event. Only you may read the\n"
"output.\n"
"\n"
"  flamectl merge -o all.pb.gz web1.pb.gz web2.pb.gz\n"
"  flamectl dump --by host,comm all.pb.gz",
	.options = options,
	.shared = select_options,
	.reads = load_options,
	.live = live_options,
	.variables = COMMAND_FLEET,
	.run = run,
};
