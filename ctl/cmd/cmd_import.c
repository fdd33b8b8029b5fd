// SPDX-License-Identifier: GPL-2.0
/*
 * flamectl import: save another tool's text or pprof file as a profile. The
 * input is read whole before the output is opened, so that bad input leaves no
 * file.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/output.h"
#include "cmd/command.h"
#include "cmd/ending.h"
#include "cmd/save.h"
#include "cmd/shared_options.h"
#include "cmd/source.h"
#include "format/pprof/pprof.h"

enum { OPT_FROM, OPT_OUTPUT, OPT_FREQUENCY, OPT_WEIGHT };

static const struct command_option options[] = {
	/* as in load_options, plus a letter; elsewhere -f has perf's meaning */
	[OPT_FROM] = { "from", 'f', "FORMAT", "the format of the input (default: found from its content): pprof, perf-data, perf-script, perf-report, trace-cmd, bpftrace-json, bpftrace, stap, dtrace, oprofile, bcc or folded",
		FORMAT_VALUES },
	[OPT_OUTPUT] = { "output", 'o', "FILE", "write to FILE instead of stdout" },
	[OPT_FREQUENCY] = { "frequency", 'F', "HZ", "the input was sampled at HZ, so that weights become time" },
	[OPT_WEIGHT] = { "weight", 0, "WHAT", "of perf-script: count of samples (default) or period of the event",
		"count period" },
	{ 0 }
};

struct request {
	const char *const *inputs;
	unsigned int nr_inputs;
	const char *output;
	struct load_request load;
	struct live_request live;
	struct notes notes;
};

static int parse_option(const struct command *command, struct request *request,
			int position, const char *arg)
{
	struct import_options *import = &request->load.import;
	struct error error;
	uint64_t hz;

	switch (position) {
	case OPT_FROM:
		if (load_option_add(&request->load, LOAD_FROM, arg, &error))
			return command_usage(command, "%s", error.text);
		break;
	case OPT_OUTPUT:
		request->output = arg;
		break;
	case OPT_FREQUENCY:
		if (number_parse(arg, 1, 1000000000, &hz, &error))
			return command_usage(command, "-F %s", error.text);
		import->hz = (uint32_t)hz;
		break;
	case OPT_WEIGHT:
		if (strcmp(arg, "count") && strcmp(arg, "period"))
			return command_usage(command, "--weight %s: there are count and period",
					     arg);
		import->by_period = !strcmp(arg, "period");
		break;
	default:
		if (position >= COMMAND_LIVE)
			live_option_add(&request->live, position - COMMAND_LIVE);
		else if (load_option_add(&request->load, position - COMMAND_READS +
					 LOAD_FROM + 1, arg, &error))
			return command_usage(command, "%s", error.text);
		break;
	}
	return EXIT_DONE;
}

/* Check for options that do not go together. */
static int check(const struct command *command, const struct request *request)
{
	const struct import_options *import = &request->load.import;
	struct error error;

	if (request->load.from &&
	    load_check(&request->load, request->load.from, &error))
		return command_usage(command, "%s", error.text);
	if (import->hz && import->by_period)
		return command_usage(command, "-F is for counts of samples, not for an event's periods: leave out -F or --weight period");
	if (isatty(STDOUT_FILENO) &&
	    (!request->output || !strcmp(request->output, "-")))
		return command_usage(command, "a saved profile is binary, and standard output is a terminal: name a file with -o");
	return EXIT_DONE;
}

static int parse(const struct command *command, int argc, char **argv,
		 struct request *request)
{
	const char *arg;
	int position, code;

	while (command_next(command, argc, argv, &position, &arg)) {
		code = parse_option(command, request, position, arg);
		if (code != EXIT_DONE)
			return code;
	}
	if (argc == optind)
		return command_usage(command, "import needs an input: name a file, or - for stdin");
	request->inputs = (const char *const *)argv + optind;
	request->nr_inputs = (unsigned int)(argc - optind);
	return check(command, request);
}

/* List the events of the file; views show only the first unless asked. */
static void tell_events(const struct events *events)
{
	const char *names[EVENTS_MAX];
	unsigned int nr = events_names(events, names);
	char text[EVENTS_TEXT], note[2 * EVENTS_TEXT];

	if (nr < 2)
		return;
	snprintf(note, sizeof(note), "%u events are kept: %s; views show the first, or the one of --event NAME",
		 nr, events_text(text, names, nr, 0));
	command_note(note);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct request request = { .output = NULL };
	struct events events;
	struct error error;
	int code = parse(command, argc, argv, &request);

	code = code ?: ending_check(request.output, ENDING_PROFILE);
	if (code != EXIT_DONE)
		return code;
	if (source_spares(request.output, request.inputs, request.nr_inputs,
			  &error))
		return command_fail(EXIT_FAILED, "cannot import: %s", error.text);
	code = source_load_events(request.inputs, request.nr_inputs,
				  &request.load, &request.live, &request.notes,
				  &events, &error);
	if (code != EXIT_DONE)
		return command_fail(code, "cannot import %s", error.text);
	command_notes(&request.notes);
	code = save_events(request.output, &events);
	if (code == EXIT_DONE)
		tell_events(&events);
	events_deinit(&events);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.args = "FILE...|live|-",
	.summary = "convert the output of another tool to a saved profile",
	.details =
"  perf-script  the output of perf script, with or without call chains\n"
"  perf-report  the output of perf report -g folded\n"
"  perf-data    perf.data, read by running perf script: perf must be installed\n"
"  bcc          the output of profile -f, with or without -d\n"
"  bpftrace     maps of counts, such as @[kstack, ustack, comm]; the format of -f json\n"
"               is bpftrace-json\n"
"  stap         print_stack() or print_backtrace(), then a line with the count\n"
"  trace-cmd    report of the function_graph tracer, weighed by time\n"
"  dtrace       aggregations by stack() and ustack()\n"
"  oprofile     opreport --callgraph\n"
"  folded       one stack a line, \"root;...;leaf COUNT\"\n"
"  pprof        a pprof file\n"
"\n"
"The format of a file is found from its content, unless --from names it. Files may be\n"
"gzip'd, and several files are summed. All other commands read these formats too:\n"
"import only saves what was read. The books of an imported profile (the counts of\n"
"timer periods) cover only its samples. The length of a period is known if the input\n"
"contains it or -F gives it; otherwise weights are numbers of samples, or whatever a\n"
"pprof file says that they are, such as bytes. live is the module's profile.\n"
"\n"
"If the input has several events (perf-script, perf-data) or sample types (pprof), all\n"
"are kept: views show the first, or the one of --event. With --event, import keeps only\n"
"that one. Only you may read the output.\n"
"\n"
"  perf script | flamectl import -o perf.pb.gz -",
	.options = options,
	.reads = &load_options[LOAD_FROM + 1],
	.live = live_options,
	.run = run,
};
